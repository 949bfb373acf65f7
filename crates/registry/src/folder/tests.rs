//! A disk that fails at one operation.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::folder::disk::{Disk, SystemDisk};

/// Fails at one operation, and from then on if it `stays` broken, as after a crash.
pub(crate) struct FailingDisk {
    left: AtomicU32,
    stays: bool,
}

impl FailingDisk {
    pub(crate) fn new(fail_at: u32, stays: bool) -> Self {
        Self { left: AtomicU32::new(fail_at), stays }
    }

    pub(crate) fn reached(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }

    fn step(&self) -> io::Result<()> {
        let before = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        match before {
            Ok(1) => Err(io::Error::other("the disk is full")),
            Err(_) if self.stays => Err(io::Error::other("the disk is full")),
            _ => Ok(()),
        }
    }
}

impl Disk for FailingDisk {
    fn create(&self, path: &Path) -> io::Result<File> {
        self.step()?;
        SystemDisk.create(path)
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        if let Err(error) = self.step() {
            // A failing write leaves half of what it should have written.
            SystemDisk.write(file, &bytes[..bytes.len() / 2])?;
            return Err(error);
        }
        SystemDisk.write(file, bytes)
    }

    fn write_front(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        self.step()?;
        SystemDisk.write_front(file, bytes)
    }

    // Only counted: the effect of a sync shows only when the power is cut.
    fn sync(&self, _file: &File) -> io::Result<()> {
        self.step()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        SystemDisk.rename(from, to)
    }

    fn sync_folder(&self, _folder: &Path) -> io::Result<()> {
        self.step()
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        SystemDisk.remove(path)
    }
}
