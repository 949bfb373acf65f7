//! Why the comparison of two editions ends early.

use crate::block_file::BlockError;
use crate::folder::FileError;
use crate::format::CorruptRowError;

#[derive(Debug)]
pub(super) enum ComparisonStop {
    /// They cannot be compared; their list has no changes then.
    Gap(String),
    File(FileError),
}

impl ComparisonStop {
    /// A taxpayer has more rows than a list has room for.
    pub(super) fn too_long() -> Self {
        Self::Gap("a taxpayer has too many rows for a list".to_owned())
    }
}

impl From<CorruptRowError> for ComparisonStop {
    fn from(row: CorruptRowError) -> Self {
        Self::Gap(format!("group {} of one of the editions is damaged", row.group))
    }
}

impl From<BlockError> for ComparisonStop {
    fn from(error: BlockError) -> Self {
        if let BlockError::File(error) = error { Self::File(error) } else { Self::Gap(error.to_string()) }
    }
}
