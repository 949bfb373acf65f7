//! The checksums that an operator requires of a file and its change lists.

use std::collections::HashMap;

use kuraka_registry::{Checksum, parse_checksum};

const LIST: &str = ".kuraka-changes";

#[derive(Clone, PartialEq, Eq)]
pub(super) struct RequiredChecksums {
    pub(super) file: Checksum,
    /// By file name.
    pub(super) lists: HashMap<String, Checksum>,
}

impl RequiredChecksums {
    /// Reads lines of `sha256sum`: one of the file, any number of lists; `None` = malformed.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (mut file, mut lists) = (None, HashMap::new());
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let mut words = line.split_whitespace();
            let checksum = parse_checksum(words.next()?)?;
            let name = words.next().and_then(|path| path.rsplit(['/', '*']).next()).unwrap_or_default();
            let known =
                if name.ends_with(LIST) { lists.insert(name.to_owned(), checksum) } else { file.replace(checksum) };
            if known.is_some() {
                return None;
            }
        }
        Some(Self { file: file?, lists })
    }
}
