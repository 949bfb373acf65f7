//! The embedded registry, on an edition of three taxpayers.

mod damaged;
mod dataset_files;
mod dataset_swaps;
mod dataset_update;
mod datasets_damaged;
mod looks;
mod profiles;
mod published;
mod update;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::registry::EmbeddedRegistry;
use kuraka_domain::{AnnexPremises, Date, DomicileCondition, Ruc, TaxpayerStatus, TaxpayerSummary, Ubigeo};
use kuraka_ports::contract::registry::Filled;
use kuraka_ports::{EditionOrigin, SourceErrorKind, TaxpayerRegistry};
use kuraka_registry::dataset::ANEXOS;
use kuraka_registry::{DatasetImport, ImportRequest, List, NoProgress, Origin, SourceFile, import, import_dataset};
use tempfile::TempDir;
use tokio::time::{interval, timeout};

use dataset_files::{annexes_of, import_file};
use looks::Looks;
use published::{CUSTOMS, MARKET, list, padron, person, person_line};

kuraka_ports::registry_contract!(EmbeddedRegistry, filled(), empty());

fn filled() -> (Filled<EmbeddedRegistry>, TempDir) {
    let folder = TempDir::new().unwrap();
    publish(folder.path(), Origin::Published);
    let absent = Ruc::parse("20100017491").unwrap();
    let path = folder.path().to_owned();
    let publish_next = Box::new(move |registry: &EmbeddedRegistry| {
        let line = format!("{absent}|TRES S.A.|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|");
        publish_lines(&path, &[&line], Origin::Published, true);
        assert!(registry.look().unwrap());
    });
    let (known, path) = (taxpayers(), folder.path().to_owned());
    let first = known.first().unwrap().ruc;
    let publish_annexes = Box::new(move |registry: &EmbeddedRegistry| {
        import_file(
            &path,
            &ANEXOS,
            &annexes_of(first, &["150101|AV.|DOS|-|-|2|-|-|-|-|-", "070101|JR.|TRES|-|-|3|-|-|-|-|-"]),
        );
        assert!(registry.look().unwrap());
    });
    let annexes = [("150101", "AV. DOS NRO. 2"), ("070101", "JR. TRES NRO. 3")]
        .map(|(code, address)| AnnexPremises { address: address.to_owned(), ubigeo: Ubigeo::parse(code).ok() });
    (Filled { registry: open(&folder), known, absent, publish_next, publish_annexes, annexes: annexes.into() }, folder)
}

fn empty() -> (Arc<EmbeddedRegistry>, TempDir) {
    let folder = TempDir::new().unwrap();
    (open(&folder), folder)
}

fn open(folder: &TempDir) -> Arc<EmbeddedRegistry> {
    Arc::new(EmbeddedRegistry::open(folder.path()).unwrap().0)
}

/// What the published lines say.
fn taxpayers() -> Vec<TaxpayerSummary> {
    let company = TaxpayerSummary {
        ruc: Ruc::parse("20131312955").unwrap(),
        name: "SUPERINTENDENCIA NACIONAL DE ADUANAS".to_owned(),
        status: TaxpayerStatus::Active,
        condition: DomicileCondition::Found,
        address: "AV. GARCILASO DE LA VEGA NRO. 1472 URB. CERCADO DE LIMA".to_owned(),
        ubigeo: Ubigeo::parse("150101").ok(),
        withholding_agent: true,
        good_taxpayer: false,
    };
    let cut = TaxpayerSummary {
        ruc: Ruc::parse("20100070970").unwrap(),
        name: "SUPERMERCADOS DEL CALLAO S.A.".to_owned(),
        status: TaxpayerStatus::ProvisionallyDeregisteredExOfficio,
        condition: DomicileCondition::Missing,
        address: "CALLE UNO INT. 2 DPTO. 403 MZA. B LOTE. 5 KM. 21.5".to_owned(),
        ubigeo: Ubigeo::parse("070101").ok(),
        withholding_agent: false,
        good_taxpayer: false,
    };
    let person = TaxpayerSummary {
        ruc: person(),
        name: "PEÑA NÚÑEZ JOSÉ".to_owned(),
        status: TaxpayerStatus::Active,
        condition: DomicileCondition::Found,
        address: String::new(),
        ubigeo: None,
        withholding_agent: false,
        good_taxpayer: false,
    };
    vec![company, cut, person]
}

fn publish(folder: &Path, origin: Origin) {
    publish_lines(folder, &[CUSTOMS, MARKET, &person_line()], origin, false);
}

fn publish_lines(folder: &Path, lines: &[&str], origin: Origin, force: bool) {
    let sources = folder.join("sources");
    fs::create_dir_all(&sources).unwrap();
    fs::write(sources.join("padron.txt"), padron(lines)).unwrap();
    fs::write(sources.join("agents.txt"), list(&["20131312955"])).unwrap();
    let agents = SourceFile::local(sources.join("agents.txt"));
    let (date, today) = (Some(Date::new(2026, 11, 20).unwrap()), Date::new(2026, 11, 21).unwrap());
    let request = DatasetImport { source: agents, date, served_on: None, today, origin, force };
    import_dataset(folder, List::WITHHOLDING_AGENTS.dataset(), &request, &NoProgress).unwrap();
    let request = ImportRequest {
        padron: SourceFile::local(sources.join("padron.txt")),
        date,
        served_on: None,
        today,
        origin,
        force,
    };
    import(folder, &request, &NoProgress).unwrap();
}

/// A folder as the version before left it: the padrón's records have the flags of the lists, and no other dataset was
/// ever imported.
fn as_of_the_version_before(folder: &Path) {
    fs::remove_dir_all(folder.join("datasets")).unwrap();
}

#[test]
fn the_snapshot_names_its_edition_origin_and_lists() {
    let (subject, _folder) = filled();
    let edition = subject.registry.edition().unwrap();
    assert!(edition.label.starts_with("2026-11-20-"), "{}", edition.label);
    assert_eq!(edition.date, Date::new(2026, 11, 20).unwrap());
    assert_eq!(edition.origin, EditionOrigin::Published);
    assert_eq!(edition.rows, 3);
    assert!(edition.has_list("withholding") && !edition.has_list("good_taxpayers"));
}

#[test]
fn a_published_edition_answers_after_a_refresh() {
    let (registry, folder) = empty();
    assert!(!registry.look().unwrap());
    publish(folder.path(), Origin::Sample);
    assert!(registry.edition().is_none(), "nothing changes under a caller's feet");
    assert!(registry.look().unwrap());
    assert_eq!(registry.edition().unwrap().origin, EditionOrigin::Sample);
    let found = registry.snapshot().unwrap().lookup(person()).unwrap();
    assert_eq!(found.unwrap().name, "PEÑA NÚÑEZ JOSÉ");
    assert!(!registry.look().unwrap());
}

#[tokio::test]
async fn a_replaced_edition_is_closed_beside_the_calls() {
    let (subject, folder) = filled();
    let snapshot = subject.registry.snapshot().unwrap();
    let file = folder.path().join("editions").join(format!("{}.kuraka", snapshot.edition().label));
    let is_mapped = || fs::read_to_string("/proc/self/maps").unwrap().contains(file.to_str().unwrap());
    publish_lines(folder.path(), &[CUSTOMS], Origin::Published, true);
    assert!(subject.registry.look().unwrap() && !subject.registry.look().unwrap());
    drop(snapshot);
    assert!(is_mapped(), "the call that had it last has closed it");
    assert!(!subject.registry.look().unwrap());
    let mut ticks = interval(Duration::from_millis(1));
    let closing = async {
        while is_mapped() {
            ticks.tick().await;
        }
    };
    timeout(Duration::from_secs(20), closing).await.expect("the edition is never closed");
}

#[test]
fn a_damaged_new_edition_leaves_the_old_one_answering() {
    let (subject, folder) = filled();
    let before = subject.registry.edition();
    publish_lines(folder.path(), &[CUSTOMS], Origin::Published, true);
    let pointer = fs::read_to_string(folder.path().join("CURRENT")).unwrap();
    fs::write(folder.path().join("editions").join(pointer.trim()), b"not an edition").unwrap();
    assert!(subject.registry.look().is_err());
    assert!(!subject.registry.look().unwrap(), "reported once");
    assert_eq!(subject.registry.edition(), before);
}

#[test]
fn changed_bytes_of_an_open_edition_are_unreadable() {
    let (subject, folder) = filled();
    let edition = fs::read_dir(folder.path().join("editions")).unwrap().next().unwrap().unwrap().path();
    let damaged: Vec<u8> = fs::read(&edition).unwrap().iter().map(|byte| !byte).collect();
    // In place: the open edition maps this file, not its name.
    let mut file = fs::OpenOptions::new().write(true).open(&edition).unwrap();
    std::io::Write::write_all(&mut file, &damaged).unwrap();
    let snapshot = subject.registry.snapshot().unwrap();
    for taxpayer in subject.known {
        let refusal = snapshot.lookup(taxpayer.ruc).unwrap_err();
        assert_eq!(refusal.kind, SourceErrorKind::Unreadable);
    }
}
