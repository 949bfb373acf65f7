//! Lookups in the published files, by each operation that they answer.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{
    AgeLimits, ChargedCall, HistoryError, ListAnswer, LookupError, LookupTaxpayer, RegistryAnswer, RegistryBatch,
    SearchError, SearchFields,
};
use kuraka_domain::{AnnexPremises, Date, ListedTaxpayer, OperatingIncapacity, Ruc, TaxpayerProfile, TaxpayerSummary};
use kuraka_ports::fake::ScriptedRegistry;
use kuraka_ports::{Edition, ProfileParts, SnapshotDataset, SourceErrorKind, chain, dataset};

use super::{LABEL, admitted, aged, answering, edition, known, limits, sample, taxpayer, unknown};

const ANNEXES_LABEL: &str = "2026-11-18-00000001";
const CAPACITY_LABEL: &str = "2026-11-01-00000002";

/// The parts of an operation, the dataset without which it has no answer, and the label of its answers.
type Operation = (ProfileParts, Option<&'static str>, &'static str);

const RUC: Operation = (ProfileParts::FLAGS, None, LABEL);
const FICHA: Operation =
    (ProfileParts::FLAGS.and(ProfileParts::ANNEX_COUNT).and(ProfileParts::OPERATING_INCAPACITY), None, LABEL);
const ANNEXES: Operation = (ProfileParts::ANNEXES, Some(dataset::ANNEXES), ANNEXES_LABEL);
const CAPACITY: Operation = (ProfileParts::OPERATING_INCAPACITY, Some(dataset::OPERATING_CAPACITY), CAPACITY_LABEL);
const OPERATIONS: [Operation; 4] = [RUC, FICHA, ANNEXES, CAPACITY];

/// What the files say about the known taxpayer.
fn profile() -> TaxpayerProfile {
    let annexes = vec![AnnexPremises { address: "JR. DOS NRO. 2".to_owned(), ubigeo: None }];
    let incapacity = OperatingIncapacity { resolution: "021".to_owned(), resolved: None, final_since: None };
    TaxpayerProfile {
        annex_count: Some(1),
        annexes: Some(annexes),
        operating_incapacity: Some(Some(incapacity)),
        ..TaxpayerProfile::from_summary(taxpayer())
    }
}

/// Editions of the annex premises and of the operating capacity.
fn others() -> [SnapshotDataset; 2] {
    let annexes = answering(dataset::ANNEXES, edition(ANNEXES_LABEL));
    [annexes, answering(dataset::OPERATING_CAPACITY, edition(CAPACITY_LABEL))]
}

/// A registry of these editions with the known taxpayer.
fn registry(
    padron: Edition,
    profile: TaxpayerProfile,
    others: impl IntoIterator<Item = SnapshotDataset>,
) -> Arc<ScriptedRegistry> {
    let registry = ScriptedRegistry::empty();
    registry.publish_all(padron, [profile], others);
    Arc::new(registry)
}

/// What is read of the known taxpayer if no flag is asked for.
fn without_flags() -> TaxpayerSummary {
    TaxpayerSummary { withholding_agent: None, good_taxpayer: None, ..taxpayer() }
}

fn whole() -> Arc<ScriptedRegistry> {
    registry(edition(LABEL), profile(), others())
}

fn run(
    lookup: &LookupTaxpayer,
    call: &ChargedCall,
    ruc: Ruc,
    operation: Operation,
) -> Result<RegistryAnswer, LookupError> {
    let (parts, required, _) = operation;
    lookup.run(call, ruc, parts, required)
}

#[tokio::test]
async fn a_fresh_edition_finds_a_ruc_or_confirms_its_absence() {
    let (app, call) = admitted().await;
    let lookup = LookupTaxpayer::new(whole(), limits(&app.clock));
    for operation in OPERATIONS {
        let found = run(&lookup, &call, known(), operation).unwrap();
        let summary = if operation.0.has(ProfileParts::FLAGS) { taxpayer() } else { without_flags() };
        assert_eq!((&*found.edition.label, found.taxpayer.unwrap().summary), (operation.2, summary));
        let missed = run(&lookup, &call, unknown(), operation).unwrap();
        assert!(missed.taxpayer.is_none());
        assert_eq!(&*missed.edition.label, LABEL, "the padrón proves the absence");
    }
}

#[tokio::test]
async fn an_answer_has_the_parts_asked_for_and_the_files_of_its_snapshot() {
    let (app, call) = admitted().await;
    let lookup = LookupTaxpayer::new(whole(), limits(&app.clock));
    let found = |operation| run(&lookup, &call, known(), operation).unwrap();
    let without_flags = || TaxpayerProfile::from_summary(without_flags());
    assert_eq!(found(RUC).taxpayer, Some(TaxpayerProfile::from_summary(taxpayer())));
    assert_eq!(found(FICHA).taxpayer, Some(TaxpayerProfile { annexes: None, ..profile() }));
    assert_eq!(found(ANNEXES).taxpayer, Some(TaxpayerProfile { annexes: profile().annexes, ..without_flags() }));
    let capacity = profile().operating_incapacity;
    assert_eq!(found(CAPACITY).taxpayer, Some(TaxpayerProfile { operating_incapacity: capacity, ..without_flags() }));
    let snapshot = found(FICHA).batch.snapshot;
    let files: Vec<_> = snapshot.datasets().iter().map(|file| &*file.edition.as_ref().unwrap().label).collect();
    assert_eq!(files, [LABEL, ANNEXES_LABEL, CAPACITY_LABEL]);
}

#[tokio::test]
async fn a_taxpayer_without_rows_is_not_an_absence() {
    let (app, call) = admitted().await;
    let none =
        TaxpayerProfile { annex_count: Some(0), annexes: Some(vec![]), operating_incapacity: Some(None), ..profile() };
    let lookup = LookupTaxpayer::new(registry(edition(LABEL), none.clone(), others()), limits(&app.clock));
    assert_eq!(run(&lookup, &call, known(), ANNEXES).unwrap().taxpayer.unwrap().annexes, none.annexes);
    let found = run(&lookup, &call, known(), CAPACITY).unwrap().taxpayer.unwrap();
    assert_eq!(found.operating_incapacity, none.operating_incapacity);
}

#[tokio::test]
async fn an_old_edition_cannot_confirm_an_absence() {
    let (app, call) = admitted().await;
    let lookup = LookupTaxpayer::new(whole(), limits(&app.clock));
    app.clock.advance(Duration::from_secs(7 * 86_400));
    for operation in OPERATIONS {
        let missed = run(&lookup, &call, unknown(), operation).unwrap();
        assert!(missed.taxpayer.is_none(), "seven days are not more than seven");
    }
    app.clock.advance(Duration::from_secs(86_400));
    for operation in OPERATIONS {
        assert!(run(&lookup, &call, known(), operation).unwrap().taxpayer.is_some());
        let error = run(&lookup, &call, unknown(), operation).err().unwrap();
        assert!(matches!(&error, LookupError::StaleMiss { label, age_days: 8 } if **label == *LABEL), "{error:?}");
    }
}

#[tokio::test]
async fn samples_and_editions_without_a_limit_never_get_too_old() {
    let (app, call) = admitted().await;
    app.clock.advance(Duration::from_secs(1_000 * 86_400));
    let samples = others().map(|of| answering(of.name, sample(&of.edition.unwrap().label)));
    for lookup in [
        LookupTaxpayer::new(registry(sample(LABEL), profile(), samples), limits(&app.clock)),
        LookupTaxpayer::new(whole(), AgeLimits::new(app.clock.clone(), [])),
    ] {
        for operation in OPERATIONS {
            assert!(run(&lookup, &call, known(), operation).unwrap().taxpayer.is_some());
            assert!(run(&lookup, &call, unknown(), operation).unwrap().taxpayer.is_none());
        }
    }
}

#[tokio::test]
async fn a_required_dataset_that_is_too_old_does_not_answer() {
    let (app, call) = admitted().await;
    for (operation, limit) in [(ANNEXES, 30), (CAPACITY, 120)] {
        let required = operation.1.unwrap();
        let lookup = |age| {
            let others = others().map(|of| if of.name == required { answering(required, aged(age)) } else { of });
            LookupTaxpayer::new(registry(edition(LABEL), profile(), others), limits(&app.clock))
        };
        let found = run(&lookup(limit), &call, known(), operation).unwrap();
        assert_eq!(found.edition.label, aged(limit).label, "not more than the limit");
        let old = lookup(limit + 1);
        let error = run(&old, &call, known(), operation).err().unwrap();
        let LookupError::OldDataset { dataset, label, age_days } = error else { panic!("{error:?}") };
        assert_eq!((dataset, label, age_days), (required, aged(limit + 1).label, limit + 1));
        assert!(run(&old, &call, unknown(), operation).unwrap().taxpayer.is_none(), "by the padrón alone");
        assert!(run(&old, &call, known(), FICHA).unwrap().taxpayer.is_some(), "from editions of any age");
    }
}

#[tokio::test]
async fn a_missing_or_damaged_dataset_is_an_error_that_names_it_and_never_an_absence() {
    let (app, call) = admitted().await;
    for missing in [false, true] {
        let without = others().map(|of| SnapshotDataset { edition: None, is_damaged: !missing, ..of });
        let registry = registry(edition(LABEL), TaxpayerProfile::from_summary(taxpayer()), without);
        let lookup = LookupTaxpayer::new(registry, limits(&app.clock));
        for operation in [ANNEXES, CAPACITY] {
            let error = run(&lookup, &call, known(), operation).err().unwrap();
            let LookupError::NoDataset { dataset, is_damaged } = error else { panic!("{error:?}") };
            assert_eq!((Some(dataset), is_damaged), (operation.1, !missing));
            assert!(run(&lookup, &call, unknown(), operation).unwrap().taxpayer.is_none(), "by the padrón alone");
        }
        let found = run(&lookup, &call, known(), FICHA).unwrap().taxpayer.unwrap();
        assert_eq!((found.annex_count, found.operating_incapacity), (None, None));
    }
}

#[tokio::test]
async fn a_missing_list_is_an_error_where_flags_are_answered() {
    let (app, call) = admitted().await;
    for is_damaged in [false, true] {
        let list = SnapshotDataset { name: dataset::WITHHOLDING, edition: None, is_damaged };
        let registry = registry(edition(LABEL), profile(), others().into_iter().chain([list]));
        let lookup = LookupTaxpayer::new(registry, limits(&app.clock));
        let is_named = |error: &LookupError| {
            matches!(error, LookupError::NoDataset { dataset, is_damaged: damaged }
                if *dataset == dataset::WITHHOLDING && *damaged == is_damaged)
        };
        for operation in OPERATIONS {
            let answer = run(&lookup, &call, known(), operation);
            assert_eq!(answer.is_err_and(|error| is_named(&error)), operation.0.has(ProfileParts::FLAGS));
            assert!(run(&lookup, &call, unknown(), operation).unwrap().taxpayer.is_none(), "by the padrón alone");
        }
        let batch = lookup.batch(&call).unwrap();
        let dated = (known(), Some(Date::parse("2026-11-20")));
        assert!(batch.check(&[dated]).is_ok());
        assert!(is_named(&batch.check(&[dated, (known(), None)]).unwrap_err()));
        let query = SearchFields { name: "uno", ..SearchFields::default() }.query().unwrap();
        let error = lookup.search(&call, query).unwrap_err();
        assert!(matches!(error, SearchError::Registry(error) if is_named(&error)));
    }
}

#[tokio::test]
async fn no_edition_and_a_damaged_row_are_errors() {
    let (app, call) = admitted().await;
    let empty = LookupTaxpayer::new(Arc::new(ScriptedRegistry::empty()), limits(&app.clock));
    let registry = whole();
    let damaged = LookupTaxpayer::new(registry.clone(), limits(&app.clock));
    let is_unreadable = |operation| {
        let answer = run(&damaged, &call, known(), operation);
        matches!(answer, Err(LookupError::Registry(error)) if error.kind == SourceErrorKind::Unreadable)
    };
    registry.damage(ProfileParts::ANNEXES);
    assert_eq!(OPERATIONS.map(is_unreadable), [false, false, true, false], "the others do not read that row");
    registry.fail(known(), SourceErrorKind::Unreadable);
    assert_eq!(OPERATIONS.map(is_unreadable), [true; 4]);
    for operation in OPERATIONS {
        let none = run(&empty, &call, known(), operation).err();
        assert!(matches!(none, Some(LookupError::NoEdition)), "{none:?}");
    }
    assert!(matches!(empty.batch(&call), Err(LookupError::NoEdition)));
}

#[tokio::test]
async fn each_ruc_of_a_batch_is_answered_as_a_single_lookup() {
    let (app, call) = admitted().await;
    let other = Ruc::parse("20100070970").unwrap();
    for padron in [edition(LABEL), aged(8), sample("2020-01-01-00000004")] {
        let registry = registry(padron, profile(), others());
        registry.fail(other, SourceErrorKind::Unreadable);
        let lookup = LookupTaxpayer::new(registry, limits(&app.clock));
        let batch = lookup.batch(&call).unwrap();
        let rucs = [unknown(), known(), other, known(), unknown()];
        for (parts, ..) in [RUC, FICHA] {
            let texts = |answer: ListAnswer| answer.map_err(|error| chain(&error));
            let together: Vec<_> = batch.answers(&rucs.map(|ruc| (ruc, None)), parts).into_iter().map(texts).collect();
            let each = |ruc| {
                let answer = lookup.run(&call, ruc, parts, None).map_err(HistoryError::from);
                texts(answer.map(|answer| answer.taxpayer.map(ListedTaxpayer::Now)))
            };
            assert_eq!(together, rucs.map(each));
        }
    }
}

#[tokio::test]
async fn a_batch_stays_with_its_snapshot() {
    let (app, call) = admitted().await;
    let registry = whole();
    let lookup = LookupTaxpayer::new(registry.clone(), limits(&app.clock));
    let batch = lookup.batch(&call).unwrap();
    registry.publish_all(edition("2026-11-20-00000009"), [], others());
    let has_taxpayer =
        |batch: RegistryBatch| batch.answers(&[(known(), None)], ProfileParts::FLAGS).remove(0).unwrap().is_some();
    assert!(has_taxpayer(batch));
    assert!(!has_taxpayer(lookup.batch(&call).unwrap()));
}
