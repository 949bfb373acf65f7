//! The lock on a data folder.

use kuraka_adapters::store::{StoreLock, StoreLockError};
use tempfile::TempDir;

#[test]
fn a_second_server_is_refused_until_the_first_stops() {
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
fn an_unwritable_folder_is_an_error() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let refusal = StoreLock::acquire(&file).unwrap_err();
    assert!(matches!(refusal, StoreLockError::File(_)), "{refusal:?}");
}
