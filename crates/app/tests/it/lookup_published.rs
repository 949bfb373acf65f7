//! Lookups in the published files: profile, annex premises and operating capacity.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{AbsenceRule, DatasetAnswer, LookupAnnexes, LookupError, LookupOperatingCapacity, LookupProfile};
use kuraka_domain::{AnnexPremises, OperatingIncapacity, TaxpayerProfile};
use kuraka_ports::fake::{ScriptedDatasets, ScriptedRegistry};
use kuraka_ports::{EditionOrigin, PublishedDataset, SourceErrorKind};

use crate::fixture::TestApp;
use crate::lookup_summary::{admitted, edition, known, taxpayer, unknown};

const ANNEXES_EDITION: &str = "2026-11-18-00000001";
const INCAPACITY_EDITION: &str = "2026-11-01-00000002";

/// What the edition with this label says.
fn says<T>(label: &str, found: T) -> Option<DatasetAnswer<T>> {
    Some(DatasetAnswer { label: label.into(), found })
}

/// A taxpayer about which no other file says anything.
pub(crate) fn profile() -> TaxpayerProfile {
    TaxpayerProfile {
        summary: taxpayer(),
        lists: None,
        annexes: None,
        open_data: None,
        operating_incapacity: None,
        sanctions: None,
    }
}

fn annex() -> AnnexPremises {
    AnnexPremises { address: "JR. DOS NRO. 2".to_owned(), ubigeo: None }
}

fn incapacity() -> OperatingIncapacity {
    OperatingIncapacity { resolution: "021".to_owned(), resolved: None, final_since: None }
}

/// The padrón with [`known`], and these other datasets, which have editions of other days.
pub(crate) fn published(mut datasets: ScriptedDatasets) -> ScriptedRegistry {
    if datasets.datasets.is_empty() {
        datasets.datasets = [("anexos", ANNEXES_EDITION), ("ssco", INCAPACITY_EDITION)]
            .map(|(name, label)| PublishedDataset { name, label: label.into(), date: edition_date() })
            .into();
    }
    let registry = ScriptedRegistry::empty();
    registry.publish_all(edition(EditionOrigin::Published), [taxpayer()], datasets);
    registry
}

fn rule(app: &TestApp) -> AbsenceRule {
    AbsenceRule::new(app.clock.clone(), Some(7))
}

fn annexes(app: &TestApp, of: HashMap<kuraka_domain::Ruc, Vec<AnnexPremises>>) -> LookupAnnexes {
    let registry = published(ScriptedDatasets { annexes: Some(of), ..ScriptedDatasets::default() });
    LookupAnnexes::new(Arc::new(registry), rule(app))
}

#[tokio::test]
async fn a_profile_is_of_one_snapshot_with_its_files() {
    let (app, grant) = admitted().await;
    let file = PublishedDataset { name: "padron", label: "2026-11-20-0a1b2c3d".into(), date: edition_date() };
    let registry = published(ScriptedDatasets {
        datasets: vec![file.clone()],
        missing: vec!["anexos"],
        profiles: vec![TaxpayerProfile { annexes: Some(3), ..profile() }],
        ..ScriptedDatasets::default()
    });
    let lookup = LookupProfile::new(Arc::new(registry), rule(&app));
    let found = lookup.run(&grant, known()).unwrap();
    assert_eq!(&*found.edition.label, "2026-11-20-0a1b2c3d");
    let found = found.taxpayer.unwrap();
    assert_eq!(found.profile.annexes, Some(3));
    assert_eq!((found.snapshot.datasets(), found.snapshot.missing_datasets()), (&[file][..], &["anexos"][..]));
    assert!(lookup.run(&grant, unknown()).unwrap().taxpayer.is_none());
}

fn edition_date() -> kuraka_domain::Date {
    edition(EditionOrigin::Published).date
}

#[tokio::test]
async fn a_taxpayer_without_annexes_has_none_and_an_unknown_one_does_not_exist() {
    let (app, grant) = admitted().await;
    let lookup = annexes(&app, HashMap::from([(known(), vec![annex()])]));
    assert_eq!(lookup.run(&grant, known()).unwrap().taxpayer, says(ANNEXES_EDITION, vec![annex()]));
    assert_eq!(annexes(&app, HashMap::new()).run(&grant, known()).unwrap().taxpayer, says(ANNEXES_EDITION, Vec::new()));
    // Annexes of a RUC that the padrón does not have do not make it exist.
    let lookup = annexes(&app, HashMap::from([(unknown(), vec![annex()])]));
    assert_eq!(lookup.run(&grant, unknown()).unwrap().taxpayer, None);
}

#[tokio::test]
async fn a_taxpayer_without_a_resolution_is_not_an_absence() {
    let (app, grant) = admitted().await;
    for resolution in [Some(incapacity()), None] {
        let profiles = vec![TaxpayerProfile { operating_incapacity: Some(resolution.clone()), ..profile() }];
        let registry = published(ScriptedDatasets { profiles, ..ScriptedDatasets::default() });
        let lookup = LookupOperatingCapacity::new(Arc::new(registry), rule(&app));
        assert_eq!(lookup.run(&grant, known()).unwrap().taxpayer, says(INCAPACITY_EDITION, resolution));
        assert_eq!(lookup.run(&grant, unknown()).unwrap().taxpayer, None);
    }
}

#[tokio::test]
async fn a_missing_dataset_is_an_error_that_names_it_and_never_an_absence() {
    let (app, grant) = admitted().await;
    let missing = || Arc::new(published(ScriptedDatasets { profiles: vec![profile()], ..ScriptedDatasets::default() }));
    let annexes = LookupAnnexes::new(missing(), rule(&app));
    let capacity = LookupOperatingCapacity::new(missing(), rule(&app));
    let error = annexes.run(&grant, known()).unwrap_err();
    assert!(matches!(error, LookupError::NoDataset { dataset: "anexos" }), "{error:?}");
    let error = capacity.run(&grant, known()).unwrap_err();
    assert!(matches!(error, LookupError::NoDataset { dataset: "ssco" }), "{error:?}");
    // The padrón alone proves that the RUC does not exist.
    assert!(annexes.run(&grant, unknown()).unwrap().taxpayer.is_none());
    assert!(capacity.run(&grant, unknown()).unwrap().taxpayer.is_none());
}

#[tokio::test]
async fn an_overdue_padron_proves_no_absence_for_any_file() {
    let (app, grant) = admitted().await;
    app.clock.advance(Duration::from_secs(8 * 86_400));
    let whole = || {
        let profiles = vec![TaxpayerProfile { operating_incapacity: Some(None), ..profile() }];
        let annexes = Some(HashMap::new());
        Arc::new(published(ScriptedDatasets { profiles, annexes, ..ScriptedDatasets::default() }))
    };
    let profiles = LookupProfile::new(whole(), rule(&app));
    let annexes = LookupAnnexes::new(whole(), rule(&app));
    let capacity = LookupOperatingCapacity::new(whole(), rule(&app));
    assert!(profiles.run(&grant, known()).unwrap().taxpayer.is_some());
    assert!(annexes.run(&grant, known()).unwrap().taxpayer.is_some());
    assert!(capacity.run(&grant, known()).unwrap().taxpayer.is_some());
    let errors = [
        profiles.run(&grant, unknown()).err(),
        annexes.run(&grant, unknown()).err(),
        capacity.run(&grant, unknown()).err(),
    ];
    for error in errors {
        assert!(matches!(error, Some(LookupError::StaleMiss { age_days: 8, .. })), "{error:?}");
    }
}

#[tokio::test]
async fn no_edition_and_a_damaged_row_are_errors_for_every_file() {
    let (app, grant) = admitted().await;
    let empty = || Arc::new(ScriptedRegistry::empty());
    let damaged = || {
        let registry = published(ScriptedDatasets { annexes: Some(HashMap::new()), ..ScriptedDatasets::default() });
        registry.fail(known(), SourceErrorKind::Unreadable);
        Arc::new(registry)
    };
    let errors = |registry: &dyn Fn() -> Arc<ScriptedRegistry>| {
        [
            LookupProfile::new(registry(), rule(&app)).run(&grant, known()).err(),
            LookupAnnexes::new(registry(), rule(&app)).run(&grant, known()).err(),
            LookupOperatingCapacity::new(registry(), rule(&app)).run(&grant, known()).err(),
        ]
    };
    for error in errors(&empty) {
        assert!(matches!(error, Some(LookupError::NoEdition)), "{error:?}");
    }
    for error in errors(&damaged) {
        assert!(matches!(error, Some(LookupError::Registry(_))), "{error:?}");
    }
}
