//! The parts of the file of a list of changes.
//!
//! The file has the container of an edition: a header, then the sections. The section `changes` is a sequence of blocks of
//! whole changes, each deflated on its own, so that a reader can begin at any of them. The section `blocks` says where
//! they are.

use crate::format::header::{Magic, SectionKind};

/// The first eight bytes.
pub(super) const MAGIC: Magic = *b"\x89KURCHG\n";
/// `changes`: the changes.
pub(super) const CHANGES: SectionKind = SectionKind { name: *b"changes\0", version: 3 };
/// `blocks`: for each block the row id of its first change, its length, its length deflated, and the CRC-32 of that.
pub(super) const BLOCKS: SectionKind = SectionKind { name: *b"blocks\0\0", version: 1 };
/// Bytes of an entry of `blocks`.
pub(super) const ENTRY: usize = 16;
/// Bytes of the longest section `blocks` that is read.
pub(super) const LONGEST_BLOCKS: u64 = 1 << 24;
/// `facts`: what the list says about itself, JSON.
pub(super) const FACTS: SectionKind = SectionKind { name: *b"facts\0\0\0", version: 2 };
/// A block ends with the change that reaches this length.
pub(super) const BLOCK: usize = 1 << 16;
/// Bytes of the longest block that is written and read.
pub(super) const LONGEST_BLOCK: usize = crate::edition::LONGEST;
/// Bytes of the longest facts that are read.
pub(super) const LONGEST_FACTS: u64 = 1 << 16;
/// Fields of the widest rows that are read.
pub(super) const MOST_FIELDS: usize = 64;
