//! Publishing an edition that another machine has built.
//!
//! The file is verified to its last byte, and the guards of an import look at it: an edition that shrank, is older or
//! was rolled back from is as suspicious here as where it was built. Only its place in this folder's order of
//! publications is written anew.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use kuraka_domain::Date;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::edition::evenly;
use crate::folder::disk::{Disk, SystemDisk};
use crate::folder::{FileError, Folder, doing, next_sequence, unfinished};
use crate::format::header::Header;
use crate::import::digest::hex;
use crate::import::guard::{self, Guards, SAMPLED};
use crate::registry::open_best;
use crate::{EditionError, Guard, OpenEdition, Outcome};

/// Bytes that hold the longest header.
const FRONT: u64 = 4096;

/// SHA-256 of a file.
pub type Checksum = [u8; 32];

/// The account of an adoption that ended well.
#[derive(Clone, Debug)]
pub struct Adoption {
    /// Whether there is a new edition.
    pub outcome: Outcome,
    /// The edition's label.
    pub label: String,
    /// Taxpayers in the edition.
    pub rows: u64,
    /// Guards that objected and were overridden.
    pub forced: Vec<Guard>,
    /// Label of the edition that was current before.
    pub previous: Option<String>,
}

/// Why an edition is not published. The edition that was current still is.
#[derive(Debug, Error)]
pub enum AdoptError {
    /// The file is no edition, or is damaged.
    #[error("the file is no edition that can be trusted")]
    Edition(#[source] EditionError),
    /// The file is another than the one that was asked for.
    #[error("the file's SHA-256 is {found}, not {wanted}: it is another edition, or was changed on the way")]
    Checksum {
        /// The file's.
        found: String,
        /// The one that was asked for.
        wanted: String,
    },
    /// The edition's label is none that a registry makes.
    #[error("the edition calls itself {label:?}, which is no label such as 2026-11-20-0a1b2c3d")]
    Label {
        /// What it calls itself.
        label: String,
    },
    /// A guard objects; the request may force it.
    #[error("{0}; check where the edition comes from, or publish it with force")]
    Guard(#[from] Guard),
    /// Another publication or rollback holds the folder's lock.
    #[error("another import or rollback is at work in {}; wait until it ends", folder.display())]
    Busy {
        /// The registry's folder.
        folder: PathBuf,
    },
    /// A file operation failed.
    #[error("{} failed for {}", action, path.display())]
    Folder {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl From<FileError> for AdoptError {
    fn from(FileError { action, path, source }: FileError) -> Self {
        Self::Folder { action, path, source }
    }
}

/// Makes the edition in `file` the current one of the registry in `folder`, which is created if it does not exist.
/// The file is moved there and is gone from its place; it must be on the same file system. One that is refused is
/// moved back. With a `checksum`, the file must have it.
///
/// A crash at any moment leaves the edition before or the new one, whole.
///
/// # Errors
/// [`AdoptError`]; nothing was published.
pub fn adopt(folder: &Path, file: &Path, checksum: Option<Checksum>, force: bool) -> Result<Adoption, AdoptError> {
    adopt_on(&SystemDisk, folder, file, checksum, force)
}

pub(crate) fn adopt_on(
    disk: &dyn Disk,
    path: &Path,
    file: &Path,
    checksum: Option<Checksum>,
    force: bool,
) -> Result<Adoption, AdoptError> {
    let folder = Folder::new(path);
    folder.create()?;
    let Some(_lock) = folder.lock()? else { return Err(AdoptError::Busy { folder: path.to_owned() }) };
    folder.remove_unfinished(disk)?;
    // First of all out of everybody's reach: what is verified is what is published.
    let aside = unfinished(&folder.edition("fetched"));
    doing("renaming", file, disk.rename(file, &aside))?;
    let adopted = examine(&folder, &aside, checksum, force).and_then(|adoption| {
        if adoption.outcome == Outcome::Published {
            renumber(disk, &aside, next_sequence(&folder)?)?;
            folder.publish(disk, &aside, &adoption.label)?;
        }
        Ok(adoption)
    });
    if aside.exists() {
        // If it cannot be moved back, it is removed by the next publication, and fetched again.
        let _ = disk.rename(&aside, file);
    }
    adopted
}

/// What publishing this file would come to.
fn examine(folder: &Folder, file: &Path, checksum: Option<Checksum>, force: bool) -> Result<Adoption, AdoptError> {
    if let Some(wanted) = checksum {
        let found = doing("reading", file, checksum_of(file))?;
        if found != wanted {
            return Err(AdoptError::Checksum { found: hex(&found), wanted: hex(&wanted) });
        }
    }
    let edition = OpenEdition::open_and_read_back(file).map_err(AdoptError::Edition)?;
    let label = edition.label().to_owned();
    if !is_label(&label) {
        return Err(AdoptError::Label { label });
    }
    let (current, _) = open_best(folder)?;
    let previous = current.as_ref().map(|current| current.label().to_owned());
    let rows = edition.rows();
    if previous.as_ref() == Some(&label) && !force {
        return Ok(Adoption { outcome: Outcome::Unchanged, label, rows, forced: Vec::new(), previous });
    }
    let mut guards = Guards::new(force);
    judge(&edition, current.as_ref(), &mut guards)?;
    guards.object(guard::rolled_back(&label, &folder.rolled_back()?))?;
    Ok(Adoption { outcome: Outcome::Published, label, rows, forced: guards.forced, previous })
}

fn checksum_of(file: &Path) -> io::Result<Checksum> {
    let (mut file, mut sha256, mut buffer) = (File::open(file)?, Sha256::new(), vec![0; 1 << 20]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(sha256.finalize().into()),
            read => sha256.update(buffer.get(..read).unwrap_or_default()),
        }
    }
}

/// The suspicions of an import, as far as a finished edition can be asked.
fn judge(edition: &OpenEdition, current: Option<&OpenEdition>, guards: &mut Guards) -> Result<(), Guard> {
    guards.object(guard::no_rows(edition.rows()))?;
    let Some(current) = current else { return Ok(()) };
    let (new, old) = (edition.meta(), current.meta());
    if new.origin != old.origin {
        return guards.object(guard::sample_over_published(new.origin, current.label()));
    }
    guards.object(guard::older(new.date, old.date))?;
    guards.object(guard::shrunk(edition.rows(), current.rows()))?;
    let sample = evenly(current.rows(), SAMPLED).filter_map(|ordinal| current.row(ordinal).ok().flatten());
    let (mut sampled, mut present) = (0, 0);
    for row in sample {
        sampled += 1;
        present += u64::from(matches!(edition.lookup(row.ruc), Ok(Some(_))));
    }
    guards.object(guard::keys_gone(sampled, present))?;
    for (name, new, old) in [
        ("of withholding agents", &new.withholding, &old.withholding),
        ("of good taxpayers", &new.good_taxpayers, &old.good_taxpayers),
    ] {
        let is_gone = old.is_some() && new.as_ref().is_none_or(|list| list.count == 0);
        guards.object(is_gone.then(|| Guard::EmptyList { name: name.to_owned() }))?;
    }
    Ok(())
}

/// Writes this folder's next number over the one of the folder that the edition was built in.
fn renumber(disk: &dyn Disk, path: &Path, sequence: u64) -> Result<(), AdoptError> {
    let mut file = doing("opening", path, File::options().read(true).write(true).open(path))?;
    let mut front = Vec::new();
    doing("reading", path, (&mut file).take(FRONT).read_to_end(&mut front))?;
    let (header, _) = Header::decode(&front).map_err(AdoptError::Edition)?;
    doing("writing", path, disk.write_front(&mut file, &Header { sequence, ..header }.encode()))?;
    Ok(doing("syncing", path, disk.sync(&file))?)
}

/// `YYYY-MM-DD-<8 hex>`: it names a file here.
fn is_label(label: &str) -> bool {
    let is_digest = |text: &str| text.len() == 8 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    label.split_at_checked(10).is_some_and(|(date, rest)| {
        Date::parse(date).is_ok_and(|parsed| parsed.to_string() == date)
            && rest.strip_prefix('-').is_some_and(is_digest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_names_a_file_of_the_folder_and_no_other() {
        assert!(is_label("2026-11-20-0a1b2c3d"));
        for bad in [
            "",
            "../../etc/passwd",
            "2026-11-20",
            "2026-13-20-0a1b2c3d",
            "2026-11-20-0a1b2c3",
            "2026-11-20-0a1b2c3g",
            "2026-11-20/0a1b2c3d",
            "2026-11-20-0a1b2c3d.",
        ] {
            assert!(!is_label(bad), "{bad}");
        }
    }
}
