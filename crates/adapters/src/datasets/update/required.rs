//! The checksums that an operator requires of a file and of the lists of changes that lead to it.

use std::collections::HashMap;

use kuraka_registry::{Checksum, parse_checksum};

/// The end of a list's name.
const LIST: &str = ".kuraka-changes";

/// What stands at the address in the settings.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct RequiredChecksums {
    pub(super) file: Checksum,
    /// By the names of the lists' files.
    pub(super) lists: HashMap<String, Checksum>,
}

impl RequiredChecksums {
    /// Reads lines of `sha256sum`: one of the file, and any number of lists; `None` = the text has another form.
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
