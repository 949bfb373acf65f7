//! `kuraka dataset info`: a dataset's publisher, licence and address, and the kept editions.

use kuraka_adapters::address::without_secrets;
use kuraka_adapters::datasets::{exchange_rates, last_attempt};
use kuraka_ports::DatasetAttempt;
use kuraka_registry::dataset::{Dataset, Rhythm};
use kuraka_server::bootstrap::update_source;
use kuraka_server::settings::Settings;
use serde::Serialize;

use super::edition::{Kept, kept};
use crate::cli::Form;
use crate::commands::runtime::Failure;
use crate::console;

/// The output of `--json`.
#[derive(Serialize)]
struct Record {
    name: &'static str,
    title: &'static str,
    publisher: &'static str,
    licence: &'static str,
    attribution: &'static str,
    page: &'static str,
    address: String,
    published: &'static str,
    enabled: bool,
    last_attempt: Option<DatasetAttempt>,
    editions: Vec<Kept>,
}

pub(super) fn info(dataset: &'static Dataset, form: Form, settings: &Settings) -> Result<(), Failure> {
    let record = Record {
        name: dataset.name,
        title: dataset.title,
        publisher: dataset.publisher,
        licence: dataset.licence,
        attribution: dataset.attribution,
        page: dataset.page,
        address: without_secrets(&update_source(settings, dataset).address),
        published: published(dataset.rhythm),
        enabled: settings.datasets.is_enabled(dataset),
        last_attempt: last_attempt(&settings.datasets_dir(), dataset),
        editions: kept(dataset, settings)?,
    };
    if form.json {
        return Ok(console::json(&record)?);
    }
    console::line(&format!("{}: {}", record.name, record.title));
    let last_attempt = record.last_attempt.as_ref().map(|attempt| format!("{:.0}: {}", attempt.at, attempt.outcome));
    for (what, text) in [
        ("publisher", record.publisher),
        ("licence", record.licence),
        ("attribution", record.attribution),
        ("page", record.page),
        ("address", if record.address.is_empty() { "none: it is not downloaded" } else { &*record.address }),
        ("published", record.published),
        ("enabled", if record.enabled { "yes" } else { "no" }),
        ("last attempt", last_attempt.as_deref().unwrap_or("none")),
    ] {
        console::line(&format!("  {what:<13}{text}"));
    }
    if !dataset.has_editions() {
        let rates = exchange_rates::read(&settings.datasets_dir())?;
        let name = record.name;
        console::line(&rates.map_or_else(
            || format!("no record yet: kuraka dataset update {name} fetches it"),
            |rates| {
                format!(
                    "  {:<13}{}, {} rows; kuraka rate prints them",
                    "record", rates.edition.label, rates.edition.rows
                )
            },
        ));
        return Ok(());
    }
    if record.editions.is_empty() {
        let name = record.name;
        console::line(&format!(
            "no edition yet: kuraka dataset update {name} downloads it, kuraka dataset import {name} FILE reads a file"
        ));
        return Ok(());
    }
    console::table(Kept::HEADING, &record.editions.iter().map(Kept::cells).collect::<Vec<_>>());
    for remark in record.editions.iter().flat_map(Kept::remarks) {
        console::line(&remark);
    }
    Ok(())
}

const fn published(rhythm: Rhythm) -> &'static str {
    match rhythm {
        Rhythm::Daily => "daily",
        Rhythm::Weekly => "weekly",
        Rhythm::Monthly => "monthly",
        Rhythm::Irregular => "on no fixed day",
    }
}
