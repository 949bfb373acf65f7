//! A registry folder for one test, padrón texts, and imports that a test expects to go well.

use std::io::Write;
use std::path::{Path, PathBuf};

use kuraka_domain::{Date, Ruc, RucKind, TaxpayerSummary};
use kuraka_registry::{
    ImportError, ImportReport, ImportRequest, NoProgress, OpenEdition, Origin, SourceFile, import, open_current,
};
use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

pub(crate) const HEADER: &str = "RUC|NOMBRE O RAZÓN SOCIAL|ESTADO DEL CONTRIBUYENTE|CONDICIÓN DE DOMICILIO|UBIGEO|\
    TIPO DE VÍA|NOMBRE DE VÍA|CÓDIGO DE ZONA|TIPO DE ZONA|NÚMERO|INTERIOR|LOTE|DEPARTAMENTO|MANZANA|KILÓMETRO|";

pub(crate) struct Workspace {
    folder: TempDir,
}

pub(crate) fn date(text: &str) -> Date {
    Date::parse(text).unwrap()
}

pub(crate) fn ruc(text: &str) -> Ruc {
    Ruc::parse(text).unwrap()
}

/// The `n`-th company of the tests.
pub(crate) fn company(n: u32) -> Ruc {
    Ruc::from_parts(RucKind::LegalPerson, 60_000_000 + n * 37).unwrap()
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
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// The registry's folder.
    pub(crate) fn registry(&self) -> PathBuf {
        self.folder.path().join("registry")
    }

    /// Writes a source file.
    pub(crate) fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// A request for this padrón, of 2026-11-20.
    pub(crate) fn request(&self, padron: &[u8]) -> ImportRequest {
        ImportRequest {
            padron: SourceFile::local(self.file("padron", padron)),
            date: None,
            served_on: None,
            today: date("2026-11-20"),
            origin: Origin::Published,
            force: false,
        }
    }

    pub(crate) fn try_import(&self, request: &ImportRequest) -> Result<ImportReport, ImportError> {
        import(&self.registry(), request, &NoProgress)
    }

    pub(crate) fn import(&self, padron: &[u8]) -> ImportReport {
        self.try_import(&self.request(padron)).unwrap()
    }

    /// The error of importing this padrón.
    pub(crate) fn refusal(&self, padron: &[u8]) -> ImportError {
        self.try_import(&self.request(padron)).unwrap_err()
    }

    /// The current edition.
    pub(crate) fn edition(&self) -> OpenEdition {
        OpenEdition::open(&self.edition_path()).unwrap()
    }

    pub(crate) fn edition_path(&self) -> PathBuf {
        let name = std::fs::read_to_string(self.registry().join("CURRENT")).unwrap();
        self.registry().join("editions").join(name.trim())
    }

    pub(crate) fn lookup(&self, ruc: Ruc) -> Option<TaxpayerSummary> {
        open_current(&self.registry()).unwrap().edition.unwrap().lookup(ruc).unwrap()
    }

    /// Text of the rejects file of this import.
    pub(crate) fn rejects(report: &ImportReport) -> String {
        std::fs::read_to_string(report.rejects_file.as_ref().unwrap()).unwrap()
    }
}

pub(crate) fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)).unwrap()
}
