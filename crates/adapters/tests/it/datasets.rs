//! The embedded registry, on small editions of the datasets.

mod damaged;
mod exchange_rates;
mod feed;
mod files;
mod looks;
mod minute_feed;
mod searches;
mod statuses;
mod swaps;
mod update;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kuraka_adapters::datasets::EmbeddedRegistry;
use kuraka_domain::{AnnexPremises, DomicileCondition, Ruc, TaxpayerProfile, TaxpayerStatus, TaxpayerSummary, Ubigeo};
use kuraka_ports::contract::registry::{ALL_PARTS, Filled};
use kuraka_ports::{DatasetState, RegistrySnapshot};
use kuraka_registry::dataset::{ANEXOS, BUENOS_CONTRIBUYENTES, Dataset, PADRON, RETENCION};
use tempfile::TempDir;

use files::{CUSTOMS, MARKET, annexes_of, file_of, import_file, list_of, padron, person, person_line, ruc};
use looks::Looks;

/// The datasets of tests that run for each kind: the padrón, a list with a flag, and one with many rows a taxpayer.
const CASES: [&Dataset; 3] = [&PADRON, &RETENCION, &ANEXOS];

kuraka_ports::contract!(registry, EmbeddedRegistry, filled());

fn filled() -> (Filled<EmbeddedRegistry>, TempDir) {
    let folder = TempDir::new().unwrap();
    publish(folder.path());
    let absent = Ruc::parse("20100017491").unwrap();
    let path = folder.path().to_owned();
    let publish_next = Box::new(move |registry: &EmbeddedRegistry| {
        let line = format!("{absent}|TRES S.A.|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|");
        import_file(&path, &PADRON, &padron(&[line]));
        assert!(registry.look().unwrap());
    });
    let (known, path) = (taxpayers(), folder.path().to_owned());
    let first = known.first().unwrap().ruc;
    let publish_annexes = Box::new(move |registry: &EmbeddedRegistry| {
        let premises = ["150101|AV.|DOS|-|-|2|-|-|-|-|-", "070101|JR.|TRES|-|-|3|-|-|-|-|-"];
        import_file(&path, &ANEXOS, &annexes_of(first, &premises));
        assert!(registry.look().unwrap());
    });
    let annexes = [("150101", "AV. DOS NRO. 2"), ("070101", "JR. TRES NRO. 3")]
        .map(|(code, address)| AnnexPremises { address: address.to_owned(), ubigeo: Ubigeo::parse(code).ok() });
    let subject = Filled {
        registry: open(&folder),
        known,
        absent,
        publish_next,
        publish_annexes,
        annexes: annexes.into(),
        empty: empty().0,
    };
    (subject, folder)
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
        ruc: ruc(CUSTOMS),
        name: "SUPERINTENDENCIA NACIONAL DE ADUANAS".to_owned(),
        status: TaxpayerStatus::Active,
        condition: DomicileCondition::Found,
        address: "AV. GARCILASO DE LA VEGA NRO. 1472 URB. CERCADO DE LIMA".to_owned(),
        ubigeo: Ubigeo::parse("150101").ok(),
        withholding_agent: Some(true),
        good_taxpayer: Some(false),
    };
    let cut = TaxpayerSummary {
        ruc: ruc(MARKET),
        name: "SUPERMERCADOS DEL CALLAO S.A.".to_owned(),
        status: TaxpayerStatus::ProvisionallyDeregisteredExOfficio,
        condition: DomicileCondition::Missing,
        address: "CALLE UNO INT. 2 DPTO. 403 MZA. B LOTE. 5 KM. 21.5".to_owned(),
        ubigeo: Ubigeo::parse("070101").ok(),
        withholding_agent: Some(false),
        good_taxpayer: Some(false),
    };
    let person = TaxpayerSummary {
        ruc: person(),
        name: "PEÑA NÚÑEZ JOSÉ".to_owned(),
        address: String::new(),
        ubigeo: None,
        withholding_agent: Some(false),
        ..company.clone()
    };
    vec![company, cut, person]
}

/// Publishes these lists of flags with a company that no padrón has.
fn publish_lists(folder: &Path, lists: &[&'static Dataset]) {
    for list in lists {
        import_file(folder, list, &file_of(list, 9_000..9_001));
    }
}

/// Publishes a padrón of three taxpayers, a list of withholding agents with the first, and one of good taxpayers with
/// none of them.
fn publish(folder: &Path) {
    publish_lists(folder, &[&BUENOS_CONTRIBUYENTES]);
    import_file(folder, &PADRON, &padron(&[CUSTOMS, MARKET, &person_line()]));
    import_file(folder, &RETENCION, &list_of(&[format!("{}|ADUANAS|01/06/2002|RS 037-2002|", ruc(CUSTOMS))], "\r"));
}

/// All that the snapshot says about a taxpayer of the padrón.
fn profile(snapshot: &dyn RegistrySnapshot, ruc: Ruc) -> TaxpayerProfile {
    snapshot.profile(ruc, ALL_PARTS).unwrap().unwrap()
}

/// The flags of a taxpayer.
const fn flags(summary: &TaxpayerSummary) -> [Option<bool>; 2] {
    [summary.withholding_agent, summary.good_taxpayer]
}

/// The state of a dataset, and the label of the edition that answers.
fn state(registry: &EmbeddedRegistry, dataset: &Dataset) -> (DatasetState, Option<String>) {
    let states = registry.states();
    let (_, state, edition) = states.into_iter().find(|(known, ..)| known.name == dataset.name).unwrap();
    (state, edition.map(|edition| edition.label.to_string()))
}

/// The file of a dataset's current edition.
fn current(folder: &TempDir, dataset: &Dataset) -> PathBuf {
    let folder = folder.path().join(dataset.name);
    let pointer = fs::read_to_string(folder.join("CURRENT")).unwrap();
    folder.join("editions").join(format!("{}.kuraka", pointer.split_once(' ').unwrap().0))
}
