//! The files of a backup, in a folder or an archive: regular files below it only, the manifest first.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Component, Path, PathBuf};

/// Comes first.
pub(super) const MANIFEST: &str = "manifest.json";

/// Between size and time: as fast as a disk.
const LEVEL: i32 = 3;

pub(super) enum Source {
    Folder(PathBuf),
    Archive(PathBuf),
}

/// Takes a file's name below the backup, its length and its content.
type Visitor<'a> = dyn FnMut(&str, u64, &mut dyn Read) -> io::Result<()> + 'a;

impl Source {
    pub(super) fn new(path: &Path) -> Self {
        if path.is_dir() { Self::Folder(path.to_owned()) } else { Self::Archive(path.to_owned()) }
    }

    /// Calls `each` for every file.
    pub(super) fn visit(&self, each: &mut Visitor<'_>) -> io::Result<()> {
        match self {
            Self::Folder(folder) => files_in(folder)?.iter().try_for_each(|name| {
                let file = File::open(folder.join(name))?;
                each(name, file.metadata()?.len(), &mut BufReader::new(file))
            }),
            Self::Archive(archive) => in_archive(archive, each),
        }
    }
}

fn in_archive(archive: &Path, each: &mut Visitor<'_>) -> io::Result<()> {
    let mut tar = tar::Archive::new(zstd::Decoder::new(File::open(archive)?)?);
    for entry in tar.entries()? {
        let mut entry = entry?;
        let path = entry.path()?.into_owned();
        let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
        match path.to_str() {
            Some(name) if is_below && entry.header().entry_type().is_file() => each(name, entry.size(), &mut entry)?,
            _ => return Err(io::Error::other(format!("{} is no file below it", path.display()))),
        }
    }
    Ok(())
}

/// Names relative to `folder`, sorted, the manifest first.
fn files_in(folder: &Path) -> io::Result<Vec<String>> {
    let (mut files, mut folders) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(below) = folders.pop() {
        for entry in fs::read_dir(folder.join(&below))? {
            let entry = entry?;
            let (kind, path) = (entry.file_type()?, below.join(entry.file_name()));
            match path.to_str() {
                _ if kind.is_dir() => folders.push(path),
                Some(name) if kind.is_file() => files.push(name.to_owned()),
                _ => return Err(io::Error::other(format!("{} is no file", path.display()))),
            }
        }
    }
    files.sort_by_key(|name| (name != MANIFEST, name.clone()));
    Ok(files)
}

/// Writes a folder's files to a new archive, synced.
pub(super) fn pack(folder: &Path, archive: &Path) -> io::Result<()> {
    let mut tar = tar::Builder::new(zstd::Encoder::new(File::create(archive)?, LEVEL)?);
    for name in files_in(folder)? {
        let mut file = File::open(folder.join(&name))?;
        let mut header = tar::Header::new_gnu();
        header.set_size(file.metadata()?.len());
        header.set_mode(0o600);
        tar.append_data(&mut header, &name, &mut file)?;
    }
    tar.into_inner()?.finish()?.sync_all()
}
