//! Creates folders that survive a power loss.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Creates a folder and its parents, and waits until the names of new ones are on the disk.
pub(super) fn create_folder(path: &Path) -> io::Result<()> {
    if path.as_os_str().is_empty() || path.is_dir() {
        return Ok(());
    }
    let above = path.parent().unwrap_or(path);
    create_folder(above)?;
    match fs::create_dir(path) {
        // Another process has created it meanwhile.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
        other => other?,
    }
    sync_folder(above)
}

pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(if path.as_os_str().is_empty() { Path::new(".") } else { path })?.sync_all()
}
