//! The rows of an open edition, in either layout.

use super::bucket::Bucket;
use super::groups::Groups;
use super::v1::Blocks;
use crate::CorruptRow;

/// Where the rows of an open edition are. Every bucket is a checked copy.
#[derive(Debug)]
pub(crate) enum Rows {
    /// As this version writes them.
    Groups(Groups),
    /// As version 1 wrote them.
    Blocks(Blocks),
}

impl Rows {
    /// Rows in the edition.
    pub(crate) fn count(&self) -> u64 {
        match self {
            Self::Groups(groups) => groups.count(),
            Self::Blocks(blocks) => blocks.count(),
        }
    }

    /// The bucket that has `row_id`, if any has it; `None` = it is known without a read that no bucket has it.
    pub(crate) fn bucket_of(&self, file: &[u8], row_id: u32) -> Result<Option<Bucket>, CorruptRow> {
        match self {
            Self::Groups(groups) => groups.bucket_of(file, row_id),
            Self::Blocks(blocks) => blocks.bucket_of(file, row_id),
        }
    }

    /// The bucket with row number `ordinal`, and the row's position in it; `None` = past the last row.
    pub(crate) fn bucket_at(&self, file: &[u8], ordinal: u64) -> Result<Option<(Bucket, usize)>, CorruptRow> {
        match self {
            Self::Groups(groups) => groups.bucket_at(file, ordinal),
            Self::Blocks(blocks) => blocks.bucket_at(file, ordinal),
        }
    }

    /// Every bucket, in the order of row ids.
    pub(crate) fn buckets<'a>(&'a self, file: &'a [u8]) -> Box<dyn Iterator<Item = Result<Bucket, CorruptRow>> + 'a> {
        match self {
            Self::Groups(groups) => Box::new(groups.buckets(file)),
            Self::Blocks(blocks) => Box::new(blocks.buckets(file)),
        }
    }

    /// The buckets of a group of 65,536 row ids, in the order of row ids.
    pub(crate) fn group_buckets(&self, file: &[u8], group: u32) -> Result<Vec<Bucket>, CorruptRow> {
        match self {
            Self::Groups(groups) => groups.group_buckets(file, group),
            Self::Blocks(blocks) => blocks.group_buckets(file, group),
        }
    }
}
