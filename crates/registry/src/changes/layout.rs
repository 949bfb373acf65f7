//! The parts of the file of a list of changes.
//!
//! The file has the container of an edition: a header, then the sections. The section `changes` is deflated. It is a
//! sequence of blocks, each its length as a varint and whole changes.

use crate::format::header::{Magic, SectionKind};

/// The first eight bytes.
pub(super) const MAGIC: Magic = *b"\x89KURCHG\n";
/// `changes`: the changes.
pub(super) const CHANGES: SectionKind = SectionKind { name: *b"changes\0", version: 1 };
/// `facts`: what the list says about itself, JSON.
pub(super) const FACTS: SectionKind = SectionKind { name: *b"facts\0\0\0", version: 1 };
/// A block ends with the change that reaches this length.
pub(super) const BLOCK: usize = 1 << 16;
/// Bytes of the longest block that is written and read.
pub(super) const LONGEST_BLOCK: usize = crate::edition::LONGEST;
/// Bytes of the longest facts that are read.
pub(super) const LONGEST_FACTS: u64 = 1 << 16;
/// Fields of the widest rows that are read.
pub(super) const MOST_FIELDS: usize = 64;
