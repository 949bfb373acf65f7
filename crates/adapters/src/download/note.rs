//! JSON notes beside files: the version that was or is being fetched.

use std::fs;
use std::io;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::files;

/// An unreadable note is none: the file is then fetched again.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Readers see the previous note or this one, whole.
pub(crate) fn write(path: &Path, note: &impl Serialize) -> io::Result<()> {
    files::write(path, &serde_json::to_vec(note)?)
}

#[cfg(test)]
mod tests {
    use kuraka_registry::FileVersion;

    use super::*;

    #[test]
    fn a_written_note_is_read_and_a_cut_one_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("padron.note");
        let version = FileVersion {
            name: "http://127.0.0.1/padron.zip".to_owned(),
            etag: Some("W/\"a: b\"".to_owned()),
            last_modified: None,
        };
        write(&path, &version).unwrap();
        assert_eq!(read(&path), Some(version));
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(read::<FileVersion>(&path), None, "{length} bytes");
        }
    }
}
