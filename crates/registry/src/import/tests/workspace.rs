//! A registry folder for one test, and padrones whose rows name a day.

use std::fs;
use std::path::PathBuf;

use kuraka_domain::{Date, Ruc, RucKind};
use tempfile::TempDir;

use crate::changes::{Step, changes};
use crate::dataset::PADRON;
use crate::dataset::padron::COLUMNS;
use crate::folder::disk::Disk;
use crate::import::run::import_on;
use crate::{ImportError, ImportReport, ImportRequest, NoProgress, OpenEdition, Origin, SourceFile, open_current};

pub(super) fn company(n: u32) -> Ruc {
    Ruc::from_parts(RucKind::LegalPerson, 60_000_000 + n).unwrap()
}

/// A padrón with a rejected line and these companies, whose names say the day.
pub(super) fn padron(days: impl IntoIterator<Item = (u32, u32)>) -> Vec<u8> {
    let header = COLUMNS.join("|");
    let mut text = format!("{header}|\nbad line\n");
    for (n, day) in days {
        text.push_str(&format!(
            "{}|EMPRESA {n} DIA {day}|ACTIVO|HABIDO|150101|AV.|GRAU {n}|-|-|{day}|-|-|-|-|-|\n",
            company(n)
        ));
    }
    encoding_rs::WINDOWS_1252.encode(&text).0.into_owned()
}

pub(super) struct Workspace(pub(super) TempDir);

impl Workspace {
    pub(super) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(super) fn folder(&self) -> PathBuf {
        self.0.path().join("registry")
    }

    pub(super) fn import(&self, disk: &dyn Disk, day: u8, padron: &[u8]) -> Result<ImportReport, ImportError> {
        self.request(disk, day, padron, false)
    }

    pub(super) fn import_forced(&self, disk: &dyn Disk, day: u8, padron: &[u8]) -> Result<ImportReport, ImportError> {
        self.request(disk, day, padron, true)
    }

    fn request(&self, disk: &dyn Disk, day: u8, padron: &[u8], force: bool) -> Result<ImportReport, ImportError> {
        let path = self.0.path().join("padron.txt");
        fs::write(&path, padron).unwrap();
        let today = Date::new(2026, 11, day).unwrap();
        let (padron, origin) = (SourceFile::local(path), Origin::Published);
        let request = ImportRequest { padron, date: None, served_on: None, today, origin, force };
        import_on(disk, &self.folder(), &request, &NoProgress)
    }

    /// Another workspace with the same files in its registry.
    pub(super) fn copy(&self) -> Self {
        let copy = Self::new();
        for part in ["", "editions", "rejects", "changes"] {
            let (from, to) = (self.folder().join(part), copy.folder().join(part));
            fs::create_dir_all(&to).unwrap();
            for entry in fs::read_dir(from).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_file()) {
                fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
            }
        }
        copy
    }

    /// The day that company 1's name says in the edition that answers; `None` without an edition.
    pub(super) fn day(&self) -> Option<String> {
        let report = open_current(&self.folder()).unwrap();
        assert!(report.skipped.is_empty(), "{report:?}");
        let row = report.edition?.lookup(company(1)).unwrap().unwrap();
        row.name.rsplit_once(' ').map(|(_, day)| day.to_owned())
    }

    /// The days of each step from an edition to the next. Every list can be read to its end, and none is undone.
    pub(super) fn steps(&self) -> Vec<String> {
        let day = |label: &str| label[9..10].to_owned();
        let steps = changes(&self.folder(), &PADRON, None).unwrap().map(|Step { from, to, undone, changes }| {
            assert!(!undone, "{from} {to}");
            let list = changes.unwrap();
            assert_eq!(list.changes().unwrap().map(Result::unwrap).count() as u64, list.facts().counts.total());
            format!("{}>{}", day(&from), day(&to))
        });
        steps.collect()
    }

    pub(super) fn edition(&self, label: &str) -> OpenEdition {
        OpenEdition::open(&self.folder().join(format!("editions/{label}.kuraka"))).unwrap()
    }
}

pub(super) fn day(day: u32) -> Vec<u8> {
    padron((0..5).map(|n| (n, day)))
}
