//! The files of a registry folder in memory, so that a test binary imports the sample once and not once for each test.
//! Every test crate that needs them includes this file.

use std::path::{Path, PathBuf};

/// Relative paths and contents.
pub(crate) struct Files(Vec<(PathBuf, Vec<u8>)>);

impl Files {
    /// Reads every file in a folder and below it.
    pub(crate) fn read(folder: &Path) -> Self {
        let mut files = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(next) = folders.pop() {
            for entry in std::fs::read_dir(next).unwrap().map(Result::unwrap) {
                match entry.file_type().unwrap().is_dir() {
                    true => folders.push(entry.path()),
                    false => {
                        let content = std::fs::read(entry.path()).unwrap();
                        files.push((entry.path().strip_prefix(folder).unwrap().to_owned(), content));
                    }
                }
            }
        }
        Self(files)
    }

    /// Writes them to a folder.
    pub(crate) fn write(&self, folder: &Path) {
        for (path, content) in &self.0 {
            let path = folder.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
    }
}
