//! The embedded registry, on an edition of three taxpayers.

mod published;
mod update;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use kuraka_adapters::registry::EmbeddedRegistry;
use kuraka_domain::{Date, DomicileCondition, Ruc, TaxpayerStatus, TaxpayerSummary};
use kuraka_ports::contract::registry::Filled;
use kuraka_ports::{EditionOrigin, SourceErrorKind, TaxpayerRegistry};
use kuraka_registry::{ImportRequest, NoProgress, Origin, Registry, SourceFile, import};
use tempfile::TempDir;

use published::{CUSTOMS, MARKET, list, padron, person, person_line};

kuraka_ports::registry_contract!(EmbeddedRegistry, filled(), empty());

fn filled() -> (Filled<EmbeddedRegistry>, TempDir) {
    let folder = TempDir::new().unwrap();
    publish(folder.path(), Origin::Published);
    let absent = Ruc::parse("20100017491").unwrap();
    (Filled { registry: open(&folder), known: taxpayers(), absent }, folder)
}

fn empty() -> (Arc<EmbeddedRegistry>, TempDir) {
    let folder = TempDir::new().unwrap();
    (open(&folder), folder)
}

fn open(folder: &TempDir) -> Arc<EmbeddedRegistry> {
    let (registry, _) = Registry::open(folder.path()).unwrap();
    Arc::new(EmbeddedRegistry::new(registry))
}

/// What the published lines say.
fn taxpayers() -> Vec<TaxpayerSummary> {
    let company = TaxpayerSummary {
        ruc: Ruc::parse("20131312955").unwrap(),
        name: "SUPERINTENDENCIA NACIONAL DE ADUANAS".to_owned(),
        status: TaxpayerStatus::Active,
        condition: DomicileCondition::Found,
        address: "AV. GARCILASO DE LA VEGA NRO. 1472 URB. CERCADO DE LIMA".to_owned(),
        department: "LIMA",
        withholding_agent: true,
        good_taxpayer: false,
    };
    let cut = TaxpayerSummary {
        ruc: Ruc::parse("20100070970").unwrap(),
        name: "SUPERMERCADOS DEL CALLAO S.A.".to_owned(),
        status: TaxpayerStatus::ProvisionallyDeregisteredExOfficio,
        condition: DomicileCondition::Missing,
        address: "CALLE UNO INT. 2 DPTO. 403 MZA. B LOTE. 5 KM. 21.5".to_owned(),
        department: "CALLAO",
        withholding_agent: false,
        good_taxpayer: false,
    };
    let person = TaxpayerSummary {
        ruc: person(),
        name: "PEÑA NÚÑEZ JOSÉ".to_owned(),
        status: TaxpayerStatus::Active,
        condition: DomicileCondition::Found,
        address: String::new(),
        department: "",
        withholding_agent: false,
        good_taxpayer: false,
    };
    vec![company, cut, person]
}

fn publish(folder: &Path, origin: Origin) {
    let sources = folder.join("sources");
    fs::create_dir_all(&sources).unwrap();
    fs::write(sources.join("padron.txt"), padron(&[CUSTOMS, MARKET, &person_line()])).unwrap();
    fs::write(sources.join("agents.txt"), list(&["20131312955"])).unwrap();
    let request = ImportRequest {
        padron: SourceFile::local(sources.join("padron.txt")),
        withholding: Some(SourceFile::local(sources.join("agents.txt"))),
        good_taxpayers: None,
        date: Some(Date::new(2026, 11, 20).unwrap()),
        today: Date::new(2026, 11, 21).unwrap(),
        origin,
        force: false,
    };
    import(folder, &request, &NoProgress).unwrap();
}

#[test]
fn the_edition_tells_where_it_comes_from() {
    let (subject, _folder) = filled();
    let edition = subject.registry.edition().unwrap();
    assert!(edition.label.starts_with("2026-11-20-"), "{}", edition.label);
    assert_eq!(edition.date, Date::new(2026, 11, 20).unwrap());
    assert_eq!(edition.origin, EditionOrigin::Published);
    assert_eq!(edition.rows, 3);
    assert_eq!((edition.has_withholding_list, edition.has_good_taxpayer_list), (true, false));
}

#[test]
fn an_edition_published_meanwhile_answers_after_a_refresh() {
    let (registry, folder) = empty();
    assert!(!registry.refresh().unwrap());
    publish(folder.path(), Origin::Sample);
    assert!(registry.edition().is_none(), "nothing changes under a caller's feet");
    assert!(registry.refresh().unwrap());
    assert_eq!(registry.edition().unwrap().origin, EditionOrigin::Sample);
    assert_eq!(registry.lookup(person()).unwrap().taxpayer.unwrap().name, "PEÑA NÚÑEZ JOSÉ");
    assert!(!registry.refresh().unwrap());
}

#[test]
fn bytes_that_change_under_an_open_edition_are_unreadable_never_another_answer() {
    let (subject, folder) = filled();
    let edition = fs::read_dir(folder.path().join("editions")).unwrap().next().unwrap().unwrap().path();
    let damaged: Vec<u8> = fs::read(&edition).unwrap().iter().map(|byte| !byte).collect();
    // In place: a new file would leave the open one as it is.
    let mut file = fs::OpenOptions::new().write(true).open(&edition).unwrap();
    std::io::Write::write_all(&mut file, &damaged).unwrap();
    for taxpayer in subject.known {
        let refusal = subject.registry.lookup(taxpayer.ruc).unwrap_err();
        assert_eq!(refusal.kind, SourceErrorKind::Unreadable);
    }
}
