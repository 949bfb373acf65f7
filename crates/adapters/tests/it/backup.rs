//! Backups that were changed are refused before anything is written, and how PostgreSQL is dumped.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use kuraka_adapters::backup::{BackupError, back_up, restore};
use kuraka_adapters::store::{SqliteStore, Store, StoreAddress};
use kuraka_ports::contract::samples::{NOW, account};
use tempfile::TempDir;

use crate::child_process::assert_passes;
use crate::own_process::is_one;

/// A backup of a store with an account, in the folder `backup`.
async fn backup() -> (TempDir, StoreAddress) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("kuraka.db");
    let store = SqliteStore::open(&file, SqliteStore::BUSY_TIMEOUT).await.unwrap();
    account(&store, 1).await;
    store.close().await;
    let address = StoreAddress::Sqlite(file);
    back_up(&folder.path().join("backup"), Some(&address), Path::new("none"), "", NOW).await.unwrap();
    (folder, address)
}

#[tokio::test]
async fn a_backup_without_its_store_fails_and_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    let (target, store) = (folder.path().join("backup"), StoreAddress::Sqlite(folder.path().join("kuraka.db")));
    let failed = back_up(&target, Some(&store), Path::new("none"), "", NOW).await.unwrap_err();
    assert!(failed.to_string().contains("kuraka.db cannot be: there is no such file"), "{failed}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    back_up(&target, None, Path::new("none"), "", NOW).await.unwrap();
    assert!(target.join("manifest.json").exists());
}

async fn assert_refused(backup: &Path, reason: &str) {
    let data = TempDir::new().unwrap();
    let store = StoreAddress::Sqlite(data.path().join("kuraka.db"));
    let refused = restore(backup, &store, data.path(), &data.path().join("registry")).await.unwrap_err();
    assert!(matches!(refused, BackupError::Refused { .. }), "{refused:?}");
    assert!(refused.to_string().contains(reason), "{reason}: {refused}");
    assert_eq!(fs::read_dir(data.path()).unwrap().count(), 0, "{reason}: something was written");
}

#[tokio::test]
async fn a_folder_that_was_changed_is_not_restored() {
    let (folder, _) = backup().await;
    let backup = folder.path().join("backup");
    let file = |name: &str| backup.join(name);
    fs::write(file("more"), "x").unwrap();
    assert_refused(&backup, "the manifest has no more").await;
    fs::remove_file(file("more")).unwrap();
    symlink("/etc/passwd", file("more")).unwrap();
    assert_refused(&backup, "more is no file").await;
    fs::remove_file(file("more")).unwrap();
    let store = fs::read(file("kuraka.db")).unwrap();
    for changed in [[store.as_slice(), b"x"].concat(), [b"x", &store[1..]].concat(), Vec::new()] {
        fs::write(file("kuraka.db"), changed).unwrap();
        assert_refused(&backup, "kuraka.db is not the file that the manifest has").await;
    }
    fs::remove_file(file("kuraka.db")).unwrap();
    assert_refused(&backup, "it has no kuraka.db").await;
    fs::write(file("kuraka.db"), store).unwrap();
    let manifest = fs::read_to_string(file("manifest.json")).unwrap();
    fs::write(file("manifest.json"), manifest.replace("\"version\": 1", "\"version\": 2")).unwrap();
    assert_refused(&backup, "it has the form 2").await;
    fs::remove_file(file("manifest.json")).unwrap();
    assert_refused(&backup, "it begins with no manifest").await;
}

#[tokio::test]
async fn a_long_manifest_is_read() {
    let (folder, _) = backup().await;
    let manifest = folder.path().join("backup/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replacen('{', &format!("{{{}", " ".repeat(8 << 20)), 1)).unwrap();
    let data = TempDir::new().unwrap();
    let store = StoreAddress::Sqlite(data.path().join("kuraka.db"));
    restore(&folder.path().join("backup"), &store, data.path(), &data.path().join("registry")).await.unwrap();
}

#[tokio::test]
async fn an_archive_that_was_changed_is_not_restored() {
    let (folder, address) = backup().await;
    let archive = folder.path().join("backup.tar.zst");
    back_up(&archive, Some(&address), Path::new("none"), "", NOW).await.unwrap();
    let whole = fs::read(&archive).unwrap();
    fs::write(&archive, &whole[..whole.len() / 2]).unwrap();
    assert_refused(&archive, "is no whole backup").await;
    fs::write(&archive, b"no archive").unwrap();
    assert_refused(&archive, "is no whole backup").await;

    let manifest = fs::read(folder.path().join("backup/manifest.json")).unwrap();
    for (name, kind) in [
        ("../outside", tar::EntryType::Regular),
        ("/outside", tar::EntryType::Regular),
        ("link", tar::EntryType::Symlink),
    ] {
        let mut tar = tar::Builder::new(zstd::Encoder::new(File::create(&archive).unwrap(), 1).unwrap());
        let mut header = tar::Header::new_gnu();
        header.set_size(manifest.len() as u64);
        header.set_cksum();
        tar.append_data(&mut header, "manifest.json", manifest.as_slice()).unwrap();
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(kind);
        header.set_size(0);
        header.set_cksum();
        tar.append(&header, &[][..]).unwrap();
        tar.into_inner().unwrap().finish().unwrap();
        assert_refused(&archive, "is no file below it").await;
    }
}

/// Writes what it was told of TLS into the file that its last argument names.
const PG_DUMP: &str = r#"#!/bin/sh
for dump; do :; done
printf '%s\n' "$PGSSLMODE" "$PGSSLROOTCERT" "$PGSSLCERT" "$PGSSLKEY" > "$dump"
"#;

#[tokio::test]
async fn programs_of_postgresql_get_the_certificates() {
    let folder = TempDir::new().unwrap();
    if !is_one() {
        let program = folder.path().join("pg_dump");
        fs::write(&program, PG_DUMP).unwrap();
        fs::set_permissions(&program, Permissions::from_mode(0o700)).unwrap();
        let path = ("PATH", folder.path().as_os_str());
        return assert_passes("backup::programs_of_postgresql_get_the_certificates", &[path]);
    }
    let address = "postgres://k@h/d?sslmode=verify-full&sslrootcert=/ca.pem&sslcert=/c%20c.pem&sslkey=/k.pem";
    let (target, store) = (folder.path().join("backup"), StoreAddress::Postgres(address.parse().unwrap()));
    back_up(&target, Some(&store), Path::new("none"), "", NOW).await.unwrap();
    let told = fs::read_to_string(target.join("store.pgdump")).unwrap();
    assert_eq!(told.lines().collect::<Vec<_>>(), ["verify-full", "/ca.pem", "/c c.pem", "/k.pem"]);
}
