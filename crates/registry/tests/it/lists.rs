//! The lists in the padrón's records: taken from the editions of their datasets, or carried over.

use kuraka_registry::dataset::{BUENOS_CONTRIBUYENTES, Dataset, RETENCION};
use kuraka_registry::{
    DatasetImport, Guard, ImportError, ImportReport, ImportRequest, List, NoProgress, Origin, Refusal, import_dataset,
    rollback, rollback_dataset,
};

use crate::dataset_editions::request;
use crate::workspace::{Workspace, companies, company, fixture, line, padron, ruc};

const HEADER: &str = "Ruc|Nombre/Razon|A partir del|Resolucion|";

/// A list of these companies.
fn list(companies: &[u32]) -> Vec<u8> {
    let rows = companies.iter().map(|&n| format!("{}|EMPRESA {n}|01/01/2020|R.S.1|\r", company(n)));
    format!("{HEADER}\r{}", rows.collect::<String>()).into_bytes()
}

/// Imports these lists, then the padrón.
fn import(workspace: &Workspace, padron: &[u8], withholding: Option<&[u8]>, good: Option<&[u8]>) -> ImportReport {
    for (dataset, content) in [(&RETENCION, withholding), (&BUENOS_CONTRIBUYENTES, good)] {
        if let Some(content) = content {
            forced(workspace, dataset, content);
        }
    }
    workspace.import(padron)
}

fn forced(workspace: &Workspace, dataset: &'static Dataset, content: &[u8]) {
    let request = DatasetImport { force: true, ..request(&workspace.file("list", content)) };
    import_dataset(&workspace.registry(), dataset, &request, &NoProgress).unwrap();
}

fn flags(workspace: &Workspace, n: u32) -> (bool, bool) {
    let row = workspace.lookup(company(n)).unwrap();
    (row.withholding_agent, row.good_taxpayer)
}

#[test]
fn listed_taxpayers_are_flagged() {
    let workspace = Workspace::new();
    let report = import(&workspace, &companies(10), Some(&list(&[1, 2, 999])), Some(&list(&[2, 3])));
    let counts: Vec<_> = report.lists.iter().map(|(list, meta)| (list.code, meta.count)).collect();
    assert_eq!(counts, [("withholding", 3), ("good_taxpayers", 2)]);
    let found: Vec<_> = (0..5).map(|n| flags(&workspace, n)).collect();
    assert_eq!(found, [(false, false), (true, false), (true, true), (false, true), (false, false)]);
}

#[test]
fn broken_lines_of_a_list_are_counted() {
    let workspace = Workspace::new();
    let agents = fixture("withholding_agents_real_CR_latin1.txt");
    let mut broken = list(&[1]);
    broken.extend(b"20100119228|WRONG CHECK DIGIT|01/01/2020|R.S.1|\r");
    let agent = line(ruc("20100119227"), "3M PERU S A");
    let report = import(&workspace, &padron([agent]), Some(&agents), Some(&broken));
    let (withholding, good) = (&report.lists[&List::WITHHOLDING_AGENTS], &report.lists[&List::GOOD_TAXPAYERS]);
    assert_eq!((withholding.count, withholding.skipped), (3, 0));
    assert_eq!((good.count, good.skipped), (1, 1));
    assert!(workspace.lookup(ruc("20100119227")).unwrap().withholding_agent);
}

#[test]
fn an_import_without_a_list_carries_the_flags_over() {
    let (builder, workspace) = (Workspace::new(), Workspace::new());
    let label = import(&builder, &companies(10), Some(&list(&[1, 50])), None).label;
    // An edition of the padrón with flags, in a registry without the list's dataset.
    let file = workspace.file("fetched", &std::fs::read(builder.edition_path()).unwrap());
    kuraka_registry::adopt(&workspace.registry(), &file, None, false).unwrap();
    let agents = builder.dataset(&RETENCION).label().to_owned();
    assert_eq!(workspace.edition().label(), label);

    let second = import(&workspace, &companies(60), None, Some(&list(&[2])));
    assert_eq!(second.lists[&List::WITHHOLDING_AGENTS].edition, agents);
    assert_eq!(second.lists[&List::GOOD_TAXPAYERS].edition, workspace.dataset(&BUENOS_CONTRIBUYENTES).label());
    assert_eq!(flags(&workspace, 1), (true, false));
    assert_eq!(flags(&workspace, 2), (false, true));
    assert_eq!(flags(&workspace, 50), (true, false), "listed before the padrón knew it");

    import(&workspace, &companies(61), Some(&list(&[3])), None);
    assert_eq!(flags(&workspace, 1), (false, false));
    assert_eq!(flags(&workspace, 3), (true, false));
    let meta = workspace.edition().meta().lists[&List::WITHHOLDING_AGENTS].clone();
    assert_eq!(meta.edition, workspace.dataset(&RETENCION).label());
}

#[test]
fn a_list_that_was_rolled_back_flags_as_before() {
    let workspace = Workspace::new();
    import(&workspace, &companies(10), Some(&list(&[1])), None);
    import(&workspace, &companies(11), Some(&list(&[2])), None);
    rollback_dataset(&workspace.registry(), &RETENCION).unwrap();
    import(&workspace, &companies(12), None, None);
    assert_eq!([flags(&workspace, 1), flags(&workspace, 2)], [(true, false), (false, false)]);
}

#[test]
fn a_padron_that_was_rolled_back_is_refused_with_another_list_too() {
    let workspace = Workspace::new();
    import(&workspace, &companies(10), Some(&list(&[1])), None);
    let bad = import(&workspace, &companies(11), None, None).label;
    rollback(&workspace.registry()).unwrap();
    forced(&workspace, &RETENCION, &list(&[2]));
    let error = workspace.refusal(&companies(11));
    let expected = Guard::RolledBack { label: bad };
    assert!(matches!(&error, ImportError::Guard(refusal) if refusal.guard == expected), "{error}");
    // The padrón that answers gets the new flags.
    workspace.import(&companies(10));
    assert_eq!([flags(&workspace, 1), flags(&workspace, 2)], [(false, false), (true, false)]);
}

#[test]
fn a_sample_of_a_list_does_not_flag_real_taxpayers() {
    let workspace = Workspace::new();
    let path = workspace.file("list", &list(&[1]));
    let sample = DatasetImport { origin: Origin::Sample, ..request(&path) };
    import_dataset(&workspace.registry(), &RETENCION, &sample, &NoProgress).unwrap();
    assert!(workspace.import(&companies(10)).lists.is_empty());
    assert_eq!(flags(&workspace, 1), (false, false));
}

#[test]
fn a_list_that_was_never_given_is_missing_in_the_report() {
    let workspace = Workspace::new();
    let report = workspace.import(&companies(3));
    assert!(report.lists.is_empty());
    assert!(workspace.edition().meta().lists.is_empty());
}

#[test]
fn lists_are_part_of_the_label() {
    let workspace = Workspace::new();
    let plain = workspace.import(&companies(5)).label;
    let listed = import(&workspace, &companies(5), Some(&list(&[1])), None).label;
    assert_ne!(plain, listed);
}

#[test]
fn an_empty_list_is_refused_without_force() {
    let workspace = Workspace::new();
    let error = workspace.try_dataset(&BUENOS_CONTRIBUYENTES, "list", &list(&[])).unwrap_err();
    let expected = Refusal { dataset: "buenos_contribuyentes", guard: Guard::NoRows };
    assert!(matches!(&error, ImportError::Guard(refusal) if *refusal == expected), "{error}");
    forced(&workspace, &BUENOS_CONTRIBUYENTES, &list(&[]));
    let request = ImportRequest { force: true, ..workspace.request(&companies(3)) };
    assert_eq!(workspace.try_import(&request).unwrap().lists[&List::GOOD_TAXPAYERS].count, 0);
}
