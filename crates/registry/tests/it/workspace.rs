//! A registry folder for one test, padrón texts, and imports that a test expects to go well.

use std::error::Error as _;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use kuraka_domain::{Date, Ruc, TaxpayerSummary};
use kuraka_registry::dataset::{Dataset, PADRON};
use kuraka_registry::{
    Edition, GuardError, Import, ImportError, ImportReport, NoProgress, SourceFile, editions, import, open_current,
};
use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::published::{company, published};

pub(crate) const HEADER: &str = "RUC|NOMBRE O RAZÓN SOCIAL|ESTADO DEL CONTRIBUYENTE|CONDICIÓN DE DOMICILIO|UBIGEO|\
    TIPO DE VÍA|NOMBRE DE VÍA|CÓDIGO DE ZONA|TIPO DE ZONA|NÚMERO|INTERIOR|LOTE|DEPARTAMENTO|MANZANA|KILÓMETRO|";

pub(crate) struct Workspace {
    files: TempDir,
    registry: TempDir,
}

/// Numbers that vary without pattern, and are the same in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % most as u64) as usize
    }
}

pub(crate) fn date(text: &str) -> Date {
    Date::parse(text).unwrap()
}

pub(crate) fn ruc(text: &str) -> Ruc {
    Ruc::parse(text).unwrap()
}

/// A line for a company without address.
pub(crate) fn line(ruc: Ruc, name: &str) -> String {
    format!("{ruc}|{name}|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|")
}

/// A padrón's bytes: the header and these lines, in windows-1252.
pub(crate) fn padron<T: AsRef<str>>(lines: impl IntoIterator<Item = T>) -> Vec<u8> {
    let mut text = HEADER.to_owned();
    for line in lines {
        text.push('\n');
        text.push_str(line.as_ref());
    }
    text.push('\n');
    windows_1252(&text)
}

/// A padrón of `count` companies.
pub(crate) fn companies(count: u32) -> Vec<u8> {
    padron((0..count).map(|n| line(company(n), &format!("EMPRESA {n} S.A."))))
}

pub(crate) fn windows_1252(text: &str) -> Vec<u8> {
    let (bytes, _, unmappable) = encoding_rs::WINDOWS_1252.encode(text);
    assert!(!unmappable);
    bytes.into_owned()
}

/// A dataset's file of these companies.
pub(crate) fn companies_of(dataset: &Dataset, companies: Range<u32>) -> Vec<u8> {
    published(dataset, companies.map(|n| (n, 1)))
}

/// The guard that refused an import of the dataset.
pub(crate) fn guard(dataset: &Dataset, error: ImportError) -> GuardError {
    assert!(error.source().is_none(), "the reason would be told twice: {error:?}");
    match error {
        ImportError::Guard { dataset: name, guard } if name == dataset.name => guard,
        other => panic!("{other}"),
    }
}

/// A zip with these entries.
pub(crate) fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in entries {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        writer.start_file(*name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

impl Workspace {
    pub(crate) fn new() -> Self {
        // In memory if possible: waiting for the disk is most of a small import's time.
        let registry = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        Self { files: tempfile::tempdir().unwrap(), registry }
    }

    /// The registry's folder.
    pub(crate) fn registry(&self) -> PathBuf {
        self.registry.path().join("registry")
    }

    /// The folder of a dataset.
    pub(crate) fn folder(&self, dataset: &Dataset) -> PathBuf {
        self.registry().join(dataset.name)
    }

    /// Writes a source file.
    pub(crate) fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.files.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// A request for this file, on 2026-11-20.
    pub(crate) fn request(&self, content: &[u8]) -> Import {
        Import::new(SourceFile::local(self.file("published", content)), date("2026-11-20"))
    }

    pub(crate) fn try_import(&self, dataset: &'static Dataset, request: &Import) -> Result<ImportReport, ImportError> {
        import(&self.registry(), dataset, request, &NoProgress)
    }

    pub(crate) fn import(&self, dataset: &'static Dataset, content: &[u8]) -> ImportReport {
        self.try_import(dataset, &self.request(content)).unwrap()
    }

    /// Imports a file of a day of November.
    pub(crate) fn import_on(&self, dataset: &'static Dataset, day: u8, content: &[u8]) -> ImportReport {
        let date = Date::new(2026, 11, day).ok();
        self.try_import(dataset, &Import { date, ..self.request(content) }).unwrap()
    }

    /// Imports files of 100, 101, … companies, one a day of November; returns their labels.
    pub(crate) fn import_days(&self, dataset: &'static Dataset, days: Range<u8>) -> Vec<String> {
        let import = |day| self.import_on(dataset, day + 1, &companies_of(dataset, 0..100 + u32::from(day)));
        days.map(|day| import(day).label).collect()
    }

    /// The files of the lists of changes, the oldest first.
    pub(crate) fn change_lists(&self, dataset: &Dataset) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.folder(dataset).join("changes")).unwrap();
        let mut lists: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        lists.sort();
        lists
    }

    /// The error of importing this file.
    pub(crate) fn refusal(&self, dataset: &'static Dataset, content: &[u8]) -> ImportError {
        self.try_import(dataset, &self.request(content)).unwrap_err()
    }

    /// The current edition, unless it is unusable.
    pub(crate) fn edition(&self, dataset: &'static Dataset) -> Edition {
        Edition::open(dataset, &self.edition_path(dataset)).unwrap()
    }

    /// The file of the current edition.
    pub(crate) fn edition_path(&self, dataset: &Dataset) -> PathBuf {
        let name = std::fs::read_to_string(self.folder(dataset).join("CURRENT")).unwrap();
        let label = name.split_once(' ').unwrap().0;
        self.folder(dataset).join("editions").join(format!("{label}.kuraka"))
    }

    /// The label of the edition that answers.
    pub(crate) fn opened(&self, dataset: &'static Dataset) -> String {
        open_current(&self.registry(), dataset).unwrap().edition.unwrap().label().to_owned()
    }

    /// The kept editions: label, whether it is current, and whether it was rolled back from.
    pub(crate) fn kept(&self, dataset: &'static Dataset) -> Vec<(String, bool, bool)> {
        let kept = editions(&self.registry(), dataset).unwrap();
        kept.into_iter().map(|edition| (edition.meta.label, edition.current, edition.rolled_back.is_some())).collect()
    }

    /// What the padrón's current edition says.
    pub(crate) fn lookup(&self, ruc: Ruc) -> Option<TaxpayerSummary> {
        self.edition(&PADRON).summary(ruc).unwrap()
    }
}

pub(crate) fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)).unwrap()
}
