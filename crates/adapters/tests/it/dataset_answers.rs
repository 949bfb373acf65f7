//! Each dataset from a generated file in a published form to its answers, compared with a model of the answers that is
//! made from the generator's records alone. The model knows nothing of the reader.
#![expect(clippy::indexing_slicing, reason = "a missing cell fails the test")]

mod annexes;
mod incapacities;
mod lists;
mod open_data;
mod sanctions;
mod whole;

use std::fmt::Debug;
use std::io::{Cursor, Write};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use kuraka_adapters::datasets::EmbeddedRegistry;
use kuraka_domain::{Date, Ruc, TaxpayerProfile};
use kuraka_generators::dataset::TextForm;
use kuraka_generators::padron::Padron;
use kuraka_generators::zip_file::zip_file;
use kuraka_ports::contract::registry::ALL_PARTS;
use kuraka_ports::{RegistrySnapshot, TaxpayerRegistry};
use kuraka_registry::dataset::{ALL, named};
use kuraka_registry::{Import, ImportReport, NoProgress, SourceFile, import};
use tempfile::TempDir;

use crate::imported::Files;

/// The taxpayers that all generated datasets are about: 1,500 companies among 12,000.
const PADRON: u32 = 12_000;

/// A registry folder with a generated padrón.
struct World {
    folder: TempDir,
}

impl World {
    fn new() -> Self {
        static IMPORTED: LazyLock<Files> = LazyLock::new(|| {
            let world = World { folder: TempDir::new().unwrap() };
            world.import("padron", "padron_reducido_ruc.txt", &padron().to_text());
            Files::read(world.folder.path())
        });
        let world = Self { folder: TempDir::new().unwrap() };
        IMPORTED.write(world.folder.path());
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Imports a file of this name.
    fn import(&self, dataset: &str, name: &str, bytes: &[u8]) -> ImportReport {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        // Forced, because the lines with the known errors are far more frequent than in the published files.
        let request = Import { force: true, ..Import::new(SourceFile::local(&path), date("2026-11-20")) };
        let report = import(&self.path("registry"), named(dataset).unwrap(), &request, &NoProgress).unwrap();
        std::fs::remove_file(path).unwrap();
        report
    }

    fn snapshot(&self) -> Arc<dyn RegistrySnapshot> {
        // A list that is enabled must be there.
        let registry = self.path("registry");
        let imported: Vec<_> = ALL.iter().copied().filter(|dataset| registry.join(dataset.name).exists()).collect();
        let (registry, skipped) = EmbeddedRegistry::open_with(&registry, &imported).unwrap();
        assert!(skipped.is_empty());
        registry.snapshot().unwrap()
    }

    /// Compares what the snapshot says about every company and each tenth person with the model.
    fn compare<T: Debug + PartialEq>(&self, answer: impl Fn(TaxpayerProfile) -> T, model: impl Fn(Ruc) -> T) {
        let snapshot = self.snapshot();
        let mut different = Vec::new();
        let compared = |(number, ruc): &(usize, Ruc)| number % 10 == 0 || !ruc.is_personal();
        for (_, ruc) in padron().rucs().enumerate().filter(compared) {
            let (found, expected) = (answer(snapshot.profile(ruc, ALL_PARTS).unwrap().unwrap()), model(ruc));
            if found != expected {
                different.push(format!("{ruc}: {found:?} instead of {expected:?}"));
            }
        }
        assert_eq!(different.len(), 0, "{}", different.into_iter().take(3).collect::<Vec<_>>().join("\n"));
    }
}

fn padron() -> Padron {
    Padron::new(PADRON, 3)
}

fn date(text: &str) -> Date {
    Date::parse(text).unwrap()
}

/// A text of a header and lines. Each of `bad` follows its line number's line as it is.
fn text(form: TextForm, header: &[&str], lines: &[Vec<String>], bad: &[(usize, &[&str])]) -> Vec<u8> {
    let mut out = Vec::new();
    form.push_header(header, &mut out);
    for (index, cells) in lines.iter().enumerate() {
        form.push_line(cells, &mut out);
        for (_, cells) in bad.iter().filter(|(place, _)| *place == index) {
            form.push_line(cells, &mut out);
        }
    }
    out
}

/// A zip with one text.
fn zipped(name: &str, text: &[u8]) -> Vec<u8> {
    let mut zip = zip_file(Cursor::new(Vec::new()), name, date("2026-10-05")).unwrap();
    zip.write_all(text).unwrap();
    zip.finish().unwrap().into_inner()
}

/// The text with single blanks.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
