//! Records what the program does to the files below a folder, and when its answers leave it.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::Home;

/// The library that records. It is compiled for each recording.
const LIBRARY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/power_loss/record.c");

/// One event; see `record.c`.
pub(crate) struct Event {
    pub(crate) inode: u64,
    pub(crate) what: What,
}

/// What happened.
pub(crate) enum What {
    /// A process started; with its number and the folder that is recorded.
    Start(u64, PathBuf),
    /// A process ended, other than by a signal.
    End(u64),
    Open {
        path: PathBuf,
        is_folder: bool,
    },
    Write(usize, Vec<u8>),
    Length(usize),
    /// By a thread.
    SyncBegin(u64),
    SyncEnd(u64),
    Rename(PathBuf, PathBuf),
    Unlink(PathBuf),
    Folder(PathBuf),
    /// An answer with status 200 is sent.
    Answer,
}

/// A home whose commands are recorded.
pub(crate) struct Recording {
    pub(crate) home: Home,
    pub(crate) root: PathBuf,
    log: PathBuf,
}

impl Recording {
    pub(crate) fn begin(home: Home) -> Self {
        // The data folder is a level below, so that its own name is on the disk of the model too.
        let (root, log, library) = (home.path("disk"), home.path("events"), home.path("record.so"));
        fs::create_dir(&root).unwrap();
        let compiled = Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(LIBRARY).output();
        let compiled = compiled.expect("a C compiler is part of what the build needs");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let home = home
            .with("LD_PRELOAD", library.to_str().unwrap())
            .with("RECORD_ROOT", root.to_str().unwrap())
            .with("RECORD_LOG", log.to_str().unwrap())
            .with("KURAKA__DATA_DIR", root.join("data").to_str().unwrap());
        Self { home, root, log }
    }

    /// The events so far.
    pub(crate) fn events(&self) -> Vec<Event> {
        let log = fs::read(&self.log).unwrap();
        let (mut rest, mut events) = (log.as_slice(), Vec::new());
        while let Some((header, after)) = rest.split_first_chunk::<24>() {
            let word = |at: usize| u32::from_ne_bytes(header[at..at + 4].try_into().unwrap());
            let long = |at: usize| u64::from_ne_bytes(header[at..at + 8].try_into().unwrap());
            let (payload, after) = after.split_at(word(4) as usize);
            rest = after;
            let path = |bytes: &[u8]| Path::new(std::ffi::OsStr::from_bytes(bytes)).to_owned();
            let number = long(16);
            let what = match word(0) {
                0 => What::Start(number, path(payload)),
                1 => What::Open { path: path(payload), is_folder: number == 1 },
                2 => What::Write(number as usize, payload.to_vec()),
                3 => What::Length(number as usize),
                4 => What::SyncBegin(number),
                5 => What::SyncEnd(number),
                6 => {
                    let end = payload.iter().position(|byte| *byte == 0).unwrap();
                    What::Rename(path(&payload[..end]), path(&payload[end + 1..]))
                }
                7 => What::Unlink(path(payload)),
                8 => What::Folder(path(payload)),
                9 if payload.ends_with(b"200") => What::Answer,
                9 => continue,
                10 => What::End(number),
                kind => panic!("an event of kind {kind}"),
            };
            events.push(Event { inode: long(8), what });
        }
        assert!(rest.is_empty());
        events
    }
}
