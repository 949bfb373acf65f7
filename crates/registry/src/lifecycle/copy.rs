//! Copies what a backup needs of a registry, beside publications: of each dataset the current edition, the change lists,
//! history and months, and the small files, which are all that a dataset without editions has.

use std::fs;
use std::path::{Path, PathBuf};

use crate::dataset::described;
use crate::folder::disk::SystemDisk;
use crate::folder::{FileError, Folder, copy, doing, is_unfinished, paths_in};

/// How often a copy of a dataset begins again because an edition was published meanwhile.
const ATTEMPTS: usize = 5;

/// Copies a registry into the folder `to`, which need not exist.
///
/// # Errors
/// [`FileError`]; `to` may have a part of the files.
pub fn copy_registry(registry: &Path, to: &Path) -> Result<(), FileError> {
    for dataset in described() {
        let (folder, to) = (Folder::new(registry, dataset), to.join(dataset.name));
        if !folder.path().exists() {
            continue;
        }
        for attempt in 1.. {
            let stamp = folder.stamp();
            let done = copy_dataset(&folder, &to);
            if folder.stamp() == stamp || attempt == ATTEMPTS {
                done?;
                break;
            }
            doing("removing", &to, fs::remove_dir_all(&to))?;
        }
        let forgotten = folder.forgotten_file();
        if forgotten.exists() {
            copy(&SystemDisk, &forgotten, &to.with_file_name(forgotten.file_name().unwrap_or_default()))?;
        }
    }
    Ok(())
}

fn copy_dataset(folder: &Folder, to: &Path) -> Result<(), FileError> {
    let in_folder = |path: &Path| -> Result<Vec<PathBuf>, FileError> {
        let kept = |path: &PathBuf| path.is_file() && !is_unfinished(path) && !path.ends_with("LOCK");
        Ok(paths_in(path)?.into_iter().filter(kept).collect())
    };
    let files = [in_folder(folder.path())?, in_folder(&folder.changes())?, folder.current()?.into_iter().collect()];
    for file in files.concat() {
        let target = to.join(file.strip_prefix(folder.path()).unwrap_or(&file));
        let above = target.parent().unwrap_or(to);
        doing("creating the folder", above, fs::create_dir_all(above))?;
        copy(&SystemDisk, &file, &target)?;
    }
    doing("creating the folder", to, fs::create_dir_all(to))
}
