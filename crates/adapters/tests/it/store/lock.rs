//! One server process to a data folder.

use kuraka_adapters::store::{StoreLock, StoreLockError};
use tempfile::TempDir;

#[test]
fn a_second_server_is_refused_until_the_first_is_gone() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let first = StoreLock::acquire(&data).unwrap();
    let refusal = StoreLock::acquire(&data).unwrap_err();
    assert!(matches!(refusal, StoreLockError::Held { .. }), "{refusal:?}");
    assert!(refusal.to_string().contains("another server"), "{refusal}");
    drop(first);
    StoreLock::acquire(&data).unwrap();
}

#[test]
fn servers_on_different_folders_do_not_meet() {
    let folder = TempDir::new().unwrap();
    let _one = StoreLock::acquire(&folder.path().join("one")).unwrap();
    StoreLock::acquire(&folder.path().join("two")).unwrap();
}

#[test]
fn a_folder_that_cannot_be_written_to_says_so() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let refusal = StoreLock::acquire(&file).unwrap_err();
    assert!(matches!(refusal, StoreLockError::Io { .. }), "{refusal:?}");
}
