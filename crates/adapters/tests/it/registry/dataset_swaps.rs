//! Datasets that are published alone, and those that a server does not use.

use kuraka_adapters::registry::{EmbeddedRegistry, RegistryState};
use kuraka_domain::{Date, Ruc};
use kuraka_ports::{DatasetError, RegistrySnapshot, TaxpayerRegistry};
use kuraka_registry::dataset::{ALL, ANEXOS, BUENOS_CONTRIBUYENTES, Dataset, PADRON, RETENCION};
use kuraka_registry::{List, Origin, open_current, rollback_dataset};
use tempfile::TempDir;

use super::dataset_files::{annexes_of, company, company_line, import_dated, import_file, list_of};
use super::looks::Looks;
use super::published::{CUSTOMS, MARKET, person};
use super::{as_of_the_version_before, open, publish, publish_lines};

/// A list that no code knows. All that it takes is this description.
static MADE_UP: Dataset =
    Dataset { name: "emisores", title: "Emisores inventados", file_names: &["Emisores.txt"], ..RETENCION };

fn ruc(text: &str) -> Ruc {
    Ruc::parse(&text[..11]).unwrap()
}

/// Whether the taxpayer is a withholding agent, by the lookup, and what the profile says about its lists.
fn withholding(snapshot: &dyn RegistrySnapshot, ruc: Ruc) -> (bool, Vec<String>) {
    let profile = snapshot.profile(ruc).unwrap().unwrap();
    let is_agent = snapshot.lookup(ruc).unwrap().unwrap().withholding_agent;
    assert_eq!(profile.summary.withholding_agent, is_agent);
    let entry = |entry: &kuraka_domain::ListMembership| {
        let since = entry.since.map_or_else(|| "-".to_owned(), |date| date.to_string());
        format!("{} {since} {}", entry.dataset, entry.resolution)
    };
    (is_agent, profile.lists.unwrap().iter().map(entry).collect())
}

#[test]
fn a_list_published_alone_changes_the_lookup_and_the_profile() {
    let folder = TempDir::new().unwrap();
    publish(folder.path(), Origin::Published);
    as_of_the_version_before(folder.path());
    let registry = open(&folder);
    let before = registry.snapshot().unwrap();
    let (customs, market) = (ruc(CUSTOMS), ruc(MARKET));
    let in_padron = vec!["retencion - ".to_owned()];
    assert_eq!(withholding(&*before, customs), (true, in_padron.clone()), "by the flags of the padrón's records");
    assert_eq!(withholding(&*before, market), (false, vec![]));

    let line = format!("{market}|MERCADOS|01/06/2026|RS 1|");
    import_file(folder.path(), &RETENCION, &list_of(&[line], "\r"));
    assert!(registry.look().unwrap());
    let after = registry.snapshot().unwrap();
    assert_eq!(after.edition().label, before.edition().label, "the padrón is the same");
    assert_eq!(withholding(&*after, customs), (false, vec![]));
    assert_eq!(withholding(&*after, market), (true, vec!["retencion 2026-06-01 RS 1".to_owned()]));
    assert_eq!(withholding(&*after, person()), (false, vec![]));
    assert_eq!(withholding(&*before, customs), (true, in_padron), "a snapshot keeps its editions");

    // The other list is not in the padrón's edition.
    assert!(!after.edition().has_list("good_taxpayers") && after.missing_datasets().contains(&"buenos_contribuyentes"));
    import_file(folder.path(), &BUENOS_CONTRIBUYENTES, &list_of(&[format!("{customs}|ADUANAS|-|-|")], "\n"));
    assert!(registry.look().unwrap());
    let last = registry.snapshot().unwrap();
    assert!(last.edition().has_list("good_taxpayers") && last.edition().has_list("withholding"));
    let found = last.lookup(customs).unwrap().unwrap();
    assert!(found.good_taxpayer && !found.withholding_agent);
    assert_eq!(withholding(&*last, customs), (false, vec!["buenos_contribuyentes - ".to_owned()]));
}

/// A folder whose padrón was imported with CUSTOMS on the list of the 20th, and the list's folder before that.
fn replica_with_an_old_list() -> TempDir {
    let (folder, before) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    publish(folder.path(), Origin::Published);
    let list = list_of(&[format!("{}|MERCADOS|-|-|", ruc(MARKET))], "\n");
    import_dated(before.path(), &RETENCION, &list, Date::new(2026, 11, 1).unwrap(), Origin::Published);
    as_of_the_version_before(folder.path());
    std::fs::rename(before.path().join("datasets"), folder.path().join("datasets")).unwrap();
    folder
}

fn state_of_the_list(registry: &EmbeddedRegistry) -> (bool, bool) {
    let states = registry.dataset_states();
    let state = states.iter().find(|state| state.dataset.name == RETENCION.name).unwrap();
    (state.edition.is_some(), state.in_padron.is_some())
}

#[test]
fn a_list_that_is_older_than_the_padron_s_flags_does_not_answer() {
    let folder = replica_with_an_old_list();
    let registry = open(&folder);
    let old = registry.snapshot().unwrap();
    assert_eq!(withholding(&*old, ruc(CUSTOMS)), (true, vec!["retencion - ".to_owned()]));
    assert_eq!(withholding(&*old, ruc(MARKET)), (false, vec![]));
    assert_eq!(state_of_the_list(&registry), (false, true));
    // The list of the 21st is later again.
    import_file(folder.path(), &RETENCION, &list_of(&[format!("{}|MERCADOS|-|-|", ruc(MARKET))], "\r"));
    assert!(registry.look().unwrap());
    let new = registry.snapshot().unwrap();
    assert_eq!((withholding(&*new, ruc(CUSTOMS)).0, withholding(&*new, ruc(MARKET)).0), (false, true));
    assert_eq!(state_of_the_list(&registry), (true, false));
}

#[test]
fn a_rollback_of_a_list_takes_effect() {
    let folder = TempDir::new().unwrap();
    let list = list_of(&[format!("{}|MERCADOS|-|-|", ruc(MARKET))], "\n");
    import_dated(folder.path(), &RETENCION, &list, Date::new(2026, 11, 1).unwrap(), Origin::Published);
    publish(folder.path(), Origin::Published);
    let registry = open(&folder);
    let wrong = registry.snapshot().unwrap();
    assert_eq!((withholding(&*wrong, ruc(CUSTOMS)).0, withholding(&*wrong, ruc(MARKET)).0), (true, false));
    rollback_dataset(folder.path(), &RETENCION).unwrap();
    assert!(registry.look().unwrap());
    let back = registry.snapshot().unwrap();
    assert_eq!((withholding(&*back, ruc(CUSTOMS)).0, withholding(&*back, ruc(MARKET)).0), (false, true));
    assert_eq!(state_of_the_list(&registry), (true, false));
}

#[test]
fn a_sample_list_does_not_answer_beside_a_published_padron() {
    for is_in_padron in [true, false] {
        let (folder, sample) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        publish(folder.path(), Origin::Published);
        as_of_the_version_before(folder.path());
        let dataset = if is_in_padron { &RETENCION } else { &BUENOS_CONTRIBUYENTES };
        let list = list_of(&[format!("{}|MERCADOS|-|-|", ruc(MARKET))], "\n");
        import_dated(sample.path(), dataset, &list, Date::new(2026, 11, 21).unwrap(), Origin::Sample);
        std::fs::rename(sample.path().join("datasets"), folder.path().join("datasets")).unwrap();
        let snapshot = open(&folder).snapshot().unwrap();
        let found = snapshot.lookup(ruc(MARKET)).unwrap().unwrap();
        assert!(!found.withholding_agent && !found.good_taxpayer);
        assert!(snapshot.lookup(ruc(CUSTOMS)).unwrap().unwrap().withholding_agent);
        assert_eq!(snapshot.missing_datasets().contains(&dataset.name), !is_in_padron);
    }
}

#[test]
fn a_sample_dataset_beside_a_published_padron_counts_as_never_imported() {
    let (folder, sample) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    publish(folder.path(), Origin::Published);
    let annexes = annexes_of(ruc(MARKET), &["150101|AV.|DOS|-|-|2|-|-|-|-|-"]);
    import_dated(sample.path(), &ANEXOS, &annexes, Date::new(2026, 11, 21).unwrap(), Origin::Sample);
    let place = |folder: &TempDir| folder.path().join("datasets").join(ANEXOS.name);
    std::fs::rename(place(&sample), place(&folder)).unwrap();
    let registry = open(&folder);
    let snapshot = registry.snapshot().unwrap();
    // An empty list would say that no taxpayer has annex premises.
    assert!(matches!(snapshot.annexes(ruc(CUSTOMS)), Err(DatasetError::NoEdition { .. })));
    assert!(snapshot.missing_datasets().contains(&ANEXOS.name));
    let states = registry.dataset_states();
    let state = states.iter().find(|state| state.dataset.name == ANEXOS.name).unwrap();
    assert!(state.state == RegistryState::NeverImported && state.edition.is_none());
}

#[test]
fn a_list_of_many_answers_every_taxpayer() {
    let folder = TempDir::new().unwrap();
    let lines: Vec<String> = (0..3_000).map(company_line).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    publish_lines(folder.path(), &lines, Origin::Published, true);
    as_of_the_version_before(folder.path());
    let every = |step: usize| (0..3_000).step_by(step).map(|n| format!("{}|X|-|-|", company(n))).collect::<Vec<_>>();
    import_file(folder.path(), &RETENCION, &list_of(&every(3), "\n"));
    import_file(folder.path(), &BUENOS_CONTRIBUYENTES, &list_of(&every(2), "\n"));
    let snapshot = open(&folder).snapshot().unwrap();
    for n in 0..3_000 {
        let found = snapshot.lookup(company(n)).unwrap().unwrap();
        assert_eq!((found.withholding_agent, found.good_taxpayer), (n % 3 == 0, n % 2 == 0), "{n}");
    }
}

#[test]
fn datasets_are_named_in_their_order_with_label_and_date() {
    let folder = TempDir::new().unwrap();
    publish(folder.path(), Origin::Published);
    let agents =
        open_current(folder.path()).unwrap().edition.unwrap().meta().lists[&List::WITHHOLDING_AGENTS].edition.clone();
    as_of_the_version_before(folder.path());
    let annexes = import_file(folder.path(), &ANEXOS, &annexes_of(ruc(CUSTOMS), &["150101|AV.|DOS|-|-|2|-|-|-|-|-"]));
    let registry = open(&folder);
    let snapshot = registry.snapshot().unwrap();
    let padron = &snapshot.edition().label;
    let named: Vec<_> =
        snapshot.datasets().iter().map(|it| (it.name, it.label.to_string(), it.date.to_string())).collect();
    let of_padron = |name, label: &str| (name, label.to_owned(), "2026-11-20".to_owned());
    let annexes = ("anexos", annexes.label, "2026-11-21".to_owned());
    assert_eq!(named, [of_padron("padron", padron), of_padron("retencion", &agents), annexes]);
    let missing = [
        "buenos_contribuyentes",
        "percepcion_venta_interna",
        "percepcion_combustibles",
        "datos_abiertos",
        "ssco",
        "sanciones",
    ];
    assert_eq!(snapshot.missing_datasets(), missing);

    let states = registry.dataset_states();
    assert!(states.iter().map(|state| state.dataset.name).eq(ALL.iter().map(|dataset| dataset.name)));
    for state in &states {
        let expected = match state.dataset.name {
            "padron" => (RegistryState::Loaded, Some((padron.to_string(), 3)), None),
            "retencion" => (RegistryState::NeverImported, None, Some(agents.clone())),
            "anexos" => (RegistryState::Loaded, Some((named[2].1.clone(), 1)), None),
            _ => (RegistryState::NeverImported, None, None),
        };
        let edition = state.edition.as_ref().map(|edition| (edition.label.to_string(), edition.rows));
        let found = (state.state, edition, state.in_padron.as_ref().map(ToString::to_string));
        assert_eq!(found, expected, "{}", state.dataset.name);
    }
}

#[test]
fn a_dataset_that_is_not_enabled_counts_as_one_without_an_edition() {
    let folder = TempDir::new().unwrap();
    publish(folder.path(), Origin::Published);
    let (registry, _) = EmbeddedRegistry::open_with(folder.path(), &[&PADRON, &RETENCION]).unwrap();
    import_file(folder.path(), &ANEXOS, &annexes_of(ruc(CUSTOMS), &["150101|AV.|DOS|-|-|2|-|-|-|-|-"]));
    assert!(!registry.look().unwrap());
    let snapshot = registry.snapshot().unwrap();
    assert!(snapshot.annexes(ruc(CUSTOMS)).is_err() && snapshot.missing_datasets().contains(&"anexos"));
    let names: Vec<_> = registry.dataset_states().iter().map(|state| state.dataset.name).collect();
    assert_eq!(names, ["padron", "retencion"]);
}

#[test]
fn a_list_needs_only_its_description() {
    let folder = TempDir::new().unwrap();
    publish(folder.path(), Origin::Published);
    let line = format!("{}|ADUANAS|01/06/2026|RS 7|", ruc(CUSTOMS));
    import_file(folder.path(), &MADE_UP, &list_of(&[line], "\r"));
    let (registry, _) = EmbeddedRegistry::open_with(folder.path(), &[&MADE_UP]).unwrap();
    let snapshot = registry.snapshot().unwrap();
    let lists = snapshot.profile(ruc(CUSTOMS)).unwrap().unwrap().lists.unwrap();
    let entry = lists.iter().find(|entry| entry.dataset == MADE_UP.name).unwrap();
    assert_eq!((entry.title, entry.since, &*entry.resolution), (MADE_UP.title, Date::new(2026, 6, 1).ok(), "RS 7"));
    assert_eq!(snapshot.datasets().last().unwrap().name, MADE_UP.name);
}
