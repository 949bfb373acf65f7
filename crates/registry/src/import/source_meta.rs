//! What an edition remembers of a file that was read.

use super::request::SourceFile;
use crate::SourceMeta;
use crate::checksum::{Checksum, hex};

/// What is remembered of a source file.
pub(crate) fn source_meta(file: &SourceFile, sha256: Checksum, bytes: u64) -> SourceMeta {
    SourceMeta { version: file.version.clone(), sha256: hex(&sha256), bytes }
}
