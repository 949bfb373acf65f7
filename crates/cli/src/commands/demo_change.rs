//! `kuraka demo --change`: publishes a sample with a changed company, so that a demo has something to report.

use std::fs;
use std::path::Path;

use kuraka_domain::Ruc;
use kuraka_registry::dataset::PADRON;
use kuraka_registry::{Import, NoProgress, Origin, SourceFile, changes};
use kuraka_sandbox::sample;

use super::demo;
use super::runtime::{Failure, today};
use crate::console;

const NO_DEMO: &str = "no demo has been started in this folder: run kuraka demo first";

pub(crate) fn change(file: Option<&Path>) -> Result<(), Failure> {
    let (_, settings) = demo::load(file)?;
    let registry = settings.datasets_dir();
    let edition = kuraka_registry::open_current(&registry, &PADRON)?.edition.ok_or(NO_DEMO)?;
    if edition.meta().origin != Origin::Sample {
        return Err("the padrón here is not the sample, which is all that the demo changes".into());
    }
    let summary = edition.summary(Ruc::parse(sample::DESCRIBED)?)?.ok_or(NO_DEMO)?;
    let condition = if summary.condition.as_str() == "HABIDO" { "NO HABIDO" } else { "HABIDO" };
    // A new number in the address each time, so that no two editions are equal.
    let number = changes::list_files(&registry, &PADRON)?.len() + 1;
    let path = settings.data_dir.join("padron_reducido_ruc.txt");
    fs::write(&path, sample::changed_padron(condition, number))?;
    let request = Import {
        origin: Origin::Sample,
        date: Some(today().max(edition.meta().date)),
        ..Import::new(SourceFile::local(&path), today())
    };
    let report = kuraka_registry::import(&registry, &PADRON, &request, &NoProgress)?;
    fs::remove_file(path)?;
    console::line(&format!("{} is {condition} and has moved, in edition {}.", sample::DESCRIBED, report.label));
    Ok(())
}
