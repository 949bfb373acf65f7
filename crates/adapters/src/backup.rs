//! A backup of everything: the store, the current edition of each dataset with its record, and the settings. It is a
//! folder or an archive with a manifest, which has the length and SHA-256 of each file.
//!
//! A backup appears under its name once it is whole, and a restore verifies all of it before it writes anything.

mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use jiff::Timestamp;
use kuraka_registry::{copy_registry, forget_again};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use self::source::{MANIFEST, Source};
use crate::files::{self, FileError, create_folder, replace, sync_folder};
use crate::store::{Contents, OpenStoreError, SqliteStore, StoreAddress};

/// Ends the name of an archive.
pub const ARCHIVE: &str = ".tar.zst";
const REGISTRY: &str = "registry";
const SETTINGS: &str = "settings.toml";
const STORE: &str = "kuraka.db";
const DUMP: &str = "store.pgdump";
/// Ends the name of what is not whole yet, next to its final place.
const PARTIAL: &str = "partial";
const VERSION: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
pub struct Manifest {
    version: u32,
    pub made: Timestamp,
    files: BTreeMap<String, Entry>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    bytes: u64,
    /// Hexadecimal digits.
    sha256: String,
}

#[derive(Debug)]
pub struct Restored {
    pub made: Timestamp,
    /// What the store has; `None` = it is PostgreSQL, or the backup has none.
    pub contents: Option<Contents>,
    /// The dump of a PostgreSQL store.
    pub dump: Option<PathBuf>,
    /// The settings of the backup, without secrets.
    pub settings: PathBuf,
    /// What was there before.
    pub kept: Vec<PathBuf>,
}

#[derive(Debug, Error)]
pub enum BackupError {
    #[error("{} exists: name a new file or folder", .0.display())]
    Exists(PathBuf),
    #[error("{} is no whole backup, and nothing was changed: {reason}", backup.display())]
    Refused { backup: PathBuf, reason: io::Error },
    #[error(transparent)]
    File(#[from] FileError),
    #[error(
        "nothing is backed up, because {store} cannot be: {reason}; mend that, or leave the store out by --without-store"
    )]
    NoStore { store: String, reason: String },
    #[error(transparent)]
    Dataset(#[from] kuraka_registry::FileError),
    #[error(transparent)]
    Forgotten(#[from] kuraka_registry::ForgetError),
    #[error(transparent)]
    Store(#[from] OpenStoreError),
}

/// Makes a backup: a folder, or an archive if the name ends with [`ARCHIVE`]. `store` = `None` leaves the store out.
///
/// # Errors
/// [`BackupError`]; nothing is left. What a killed backup leaves under another name, the next one to `target` removes.
pub async fn back_up(
    target: &Path,
    store: Option<&StoreAddress>,
    registry: &Path,
    settings: &str,
    made: Timestamp,
) -> Result<(), BackupError> {
    if target.exists() {
        return Err(BackupError::Exists(target.to_owned()));
    }
    let (partial, whole) = (target.with_added_extension(PARTIAL), target.with_added_extension("whole"));
    emptied(&partial).map_err(FileError::at(&partial))?;
    let written = async {
        if let Some(store) = store {
            back_up_store(store, &partial).await?;
        }
        write(&partial, registry, settings, made)?;
        let from = if target.to_string_lossy().ends_with(ARCHIVE) {
            source::pack(&partial, &whole)
                .and_then(|()| fs::remove_dir_all(&partial))
                .map_err(FileError::at(&whole))?;
            &whole
        } else {
            &partial
        };
        Ok(replace(from, target).map_err(FileError::at(target))?)
    };
    let written = written.await;
    if written.is_err() {
        // A full disk is not left full.
        let _ = (fs::remove_dir_all(&partial), fs::remove_file(&whole));
    }
    written
}

async fn back_up_store(store: &StoreAddress, partial: &Path) -> Result<(), BackupError> {
    let reason = match store {
        StoreAddress::Sqlite(file) if file.exists() => {
            return Ok(SqliteStore::back_up(file, &partial.join(STORE)).await?);
        }
        StoreAddress::Sqlite(_) => "there is no such file".to_owned(),
        StoreAddress::Postgres(address) => {
            let mut dump = Command::new("pg_dump");
            // A restore ends sessions, and sends no old mails.
            dump.args(["--format=custom", "--exclude-table-data=*.session", "--exclude-table-data=*.mail"]);
            dump.args(["--exclude-table-data=*.mail_code", "--file"]).arg(partial.join(DUMP));
            match dump.envs(address.environment()).status() {
                Ok(status) if status.success() => return Ok(()),
                Ok(status) => format!("pg_dump failed: {status}"),
                Err(error) => format!("pg_dump cannot be run: {error}"),
            }
        }
    };
    Err(BackupError::NoStore { store: store.to_string(), reason })
}

/// Writes all but the store into `partial`, the manifest last.
fn write(partial: &Path, registry: &Path, settings: &str, made: Timestamp) -> Result<(), BackupError> {
    copy_registry(registry, &partial.join(REGISTRY))?;
    let written = partial.join(SETTINGS);
    files::write(&written, settings.as_bytes()).map_err(FileError::at(&written))?;
    let mut manifest = Manifest { version: VERSION, made, files: BTreeMap::new() };
    let source = Source::Folder(partial.to_owned());
    let visited = source.visit(&mut |name, _, content| {
        manifest.files.insert(name.to_owned(), copied(content, &mut io::sink(), u64::MAX)?);
        Ok(())
    });
    visited.map_err(FileError::at(partial))?;
    let text = serde_json::to_vec_pretty(&manifest).map_err(io::Error::from).map_err(FileError::at(partial))?;
    if text.len() as u64 > MAX_MANIFEST_BYTES {
        let too_many = io::Error::other(format!("{} files are too many for a backup", manifest.files.len()));
        return Err(FileError::at(partial)(too_many).into());
    }
    Ok(files::write(&partial.join(MANIFEST), &text).map_err(FileError::at(partial))?)
}

/// Verifies a backup, then replaces store and registry by it, whose files are kept beside. Persons who were forgotten
/// since the backup stay forgotten. No server may run meanwhile.
///
/// # Errors
/// [`BackupError`]. A backup that is refused changes nothing.
pub async fn restore(
    source: &Path,
    store: &StoreAddress,
    data: &Path,
    registry: &Path,
) -> Result<Restored, BackupError> {
    let refused = |reason| BackupError::Refused { backup: source.to_owned(), reason };
    let from = Source::new(source);
    let manifest = verified(&from).map_err(refused)?;
    let has = |name: &str| manifest.files.contains_key(name);
    if has(STORE) != matches!(store, StoreAddress::Sqlite(_)) && (has(STORE) || has(DUMP)) {
        return Err(refused(io::Error::other(format!("its store and {store} are different databases"))));
    }
    let staging = data.join("restored").with_added_extension(PARTIAL);
    emptied(&staging).map_err(FileError::at(&staging))?;
    let written = from.visit(&mut |name, _, content| {
        let path = staging.join(name);
        create_folder(path.parent().unwrap_or(&staging))?;
        let mut file = File::create_new(&path)?;
        let found = copied(content, &mut file, u64::MAX)?;
        file.sync_all()?;
        let is_same = name == MANIFEST || manifest.files.get(name) == Some(&found);
        is_same.then_some(()).ok_or_else(|| io::Error::other(format!("{name} changed meanwhile")))
    });
    written.map_err(FileError::at(&staging))?;
    let mut restored = Restored {
        made: manifest.made,
        contents: None,
        dump: None,
        settings: data.join("restored.toml"),
        kept: Vec::new(),
    };
    let fresh = staging.join(REGISTRY);
    let mut before = registry.to_owned();
    for number in 1_u32.. {
        // A killed restore may have put the registry aside already.
        forget_again(&before, &fresh)?;
        before = registry.with_added_extension(format!("before-{number}"));
        if !before.exists() {
            break;
        }
    }
    if registry.exists() {
        // A mounted folder cannot be renamed: that is found out before anything is replaced.
        let renamed = fs::rename(registry, &before).and_then(|()| fs::rename(&before, registry));
        renamed.map_err(FileError::at(registry))?;
    }
    if let StoreAddress::Sqlite(file) = store
        && has(STORE)
    {
        let existed = file.exists();
        let (contents, before) = SqliteStore::restore(&staging.join(STORE), file).await?;
        (restored.contents, restored.kept) = (Some(contents), existed.then_some(before).into_iter().collect());
    }
    if has(DUMP) {
        let dump = data.join(DUMP);
        replace(&staging.join(DUMP), &dump).map_err(FileError::at(&dump))?;
        restored.dump = Some(dump);
    }
    if registry.exists() {
        fs::rename(registry, &before).map_err(FileError::at(registry))?;
        restored.kept.push(before);
    }
    if fresh.exists() {
        replace(&fresh, registry).map_err(FileError::at(registry))?;
    }
    replace(&staging.join(SETTINGS), &restored.settings).map_err(FileError::at(&restored.settings))?;
    fs::remove_dir_all(&staging).map_err(FileError::at(&staging))?;
    Ok(restored)
}

/// Reads all of a backup, and compares it with its manifest. Writes nothing.
fn verified(source: &Source) -> io::Result<Manifest> {
    let refused = |reason: String| io::Error::other(reason);
    let mut manifest: Option<Manifest> = None;
    let mut seen = BTreeSet::new();
    source.visit(&mut |name, bytes, content| {
        let Some(manifest) = &manifest else {
            if name != MANIFEST {
                return Err(io::Error::other("it begins with no manifest"));
            }
            let mut text = Vec::new();
            content.take(MAX_MANIFEST_BYTES).read_to_end(&mut text)?;
            manifest = Some(serde_json::from_slice(&text).map_err(io::Error::other)?);
            return Ok(());
        };
        let entry = manifest.files.get(name).ok_or_else(|| io::Error::other(format!("the manifest has no {name}")))?;
        let found = if bytes == entry.bytes { Some(copied(content, &mut io::sink(), bytes)?) } else { None };
        if found.as_ref() != Some(entry) || !seen.insert(name.to_owned()) {
            return Err(io::Error::other(format!("{name} is not the file that the manifest has")));
        }
        Ok(())
    })?;
    let manifest = manifest.ok_or_else(|| refused("it is empty".to_owned()))?;
    if manifest.version != VERSION {
        return Err(refused(format!("it has the form {}, this program knows {VERSION}", manifest.version)));
    }
    match manifest.files.keys().find(|name| !seen.contains(*name)) {
        Some(name) => Err(refused(format!("it has no {name}"))),
        None => Ok(manifest),
    }
}

/// A file takes some 215 bytes, and a record of years has tens of thousands of files.
const MAX_MANIFEST_BYTES: u64 = 64 << 20;

/// Copies at most `most` bytes.
fn copied(from: &mut dyn Read, to: &mut dyn Write, most: u64) -> io::Result<Entry> {
    let (mut sha256, mut bytes, mut buffer) = (Sha256::new(), 0, vec![0; 1 << 16]);
    loop {
        let read = from.read(&mut buffer)?;
        let part = buffer.get(..read).unwrap_or_default();
        bytes += read as u64;
        if read == 0 || bytes > most {
            let sha256 = sha256.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
            return Ok(Entry { bytes, sha256 });
        }
        sha256.update(part);
        to.write_all(part)?;
    }
}

/// A new, empty folder in place of what a killed command left.
fn emptied(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    create_folder(folder)?;
    sync_folder(folder)
}
