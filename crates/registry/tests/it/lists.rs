//! The lists of withholding agents and good taxpayers, given or carried over.

use std::collections::BTreeMap;

use kuraka_registry::{Guard, ImportError, ImportReport, ImportRequest, List, Refusal, SourceError, SourceFile};

use crate::workspace::{Workspace, companies, company, fixture, line, padron, ruc, zip};

const HEADER: &str = "Ruc|Nombre/Razon|A partir del|Resolucion|";

/// A list of these companies, records ended by `ending`.
fn list(companies: &[u32], ending: &str) -> Vec<u8> {
    let mut text = format!("{HEADER}{ending}");
    for &n in companies {
        text.push_str(&format!("{}|EMPRESA {n}|01/01/2020|R.S.1|{ending}", company(n)));
    }
    text.into_bytes()
}

fn import(workspace: &Workspace, padron: &[u8], withholding: Option<&[u8]>, good: Option<&[u8]>) -> ImportReport {
    let given = [(List::WITHHOLDING_AGENTS, withholding), (List::GOOD_TAXPAYERS, good)];
    let file = |(list, content): (List, Option<&[u8]>)| {
        content.map(|content| (list, SourceFile::local(workspace.file(list.code, content))))
    };
    let request = ImportRequest { lists: given.into_iter().filter_map(file).collect(), ..workspace.request(padron) };
    workspace.try_import(&request).unwrap()
}

fn flags(workspace: &Workspace, n: u32) -> (bool, bool) {
    let row = workspace.lookup(company(n)).unwrap();
    (row.withholding_agent, row.good_taxpayer)
}

#[test]
fn listed_taxpayers_are_flagged_with_any_line_ending() {
    for ending in ["\r", "\n", "\r\n"] {
        let workspace = Workspace::new();
        let (withholding, good) = (list(&[1, 2, 999], ending), zip(&[("BueCont_TXT.txt", &list(&[2, 3], ending))]));
        let report = import(&workspace, &companies(10), Some(&withholding), Some(&good));
        let counts: Vec<_> = report.lists.iter().map(|(list, meta)| (list.code, meta.count)).collect();
        assert_eq!(counts, [("withholding", 3), ("good_taxpayers", 2)]);
        let found: Vec<_> = (0..5).map(|n| flags(&workspace, n)).collect();
        assert_eq!(found, [(false, false), (true, false), (true, true), (false, true), (false, false)]);
    }
}

#[test]
fn broken_lines_of_a_real_list_are_counted() {
    let workspace = Workspace::new();
    let agents = fixture("withholding_agents_real_CR_latin1.txt");
    let broken = fixture("padron_test_CR_latin1_quotes_dup.txt");
    let agent = line(ruc("20100119227"), "3M PERU S A");
    // None of the invented RUCs in the second file has a valid check digit.
    let request = ImportRequest {
        lists: BTreeMap::from([
            (List::WITHHOLDING_AGENTS, SourceFile::local(workspace.file("withholding", &agents))),
            (List::GOOD_TAXPAYERS, SourceFile::local(workspace.file("good", &broken))),
        ]),
        force: true,
        ..workspace.request(&padron([agent]))
    };
    let report = workspace.try_import(&request).unwrap();
    let (withholding, good) = (&report.lists[&List::WITHHOLDING_AGENTS], &report.lists[&List::GOOD_TAXPAYERS]);
    assert_eq!((withholding.count, withholding.skipped), (3, 0));
    assert_eq!((good.count, good.skipped), (0, 3));
    assert!(workspace.lookup(ruc("20100119227")).unwrap().withholding_agent);
}

#[test]
fn a_list_that_is_not_given_is_carried_over() {
    let workspace = Workspace::new();
    let first = import(&workspace, &companies(10), Some(&list(&[1, 50], "\r")), None);
    let second = import(&workspace, &companies(60), None, Some(&list(&[2], "\r")));
    assert_eq!(second.lists[&List::WITHHOLDING_AGENTS].edition, first.label);
    assert_eq!(second.lists[&List::GOOD_TAXPAYERS].edition, second.label);
    assert_eq!(flags(&workspace, 1), (true, false));
    assert_eq!(flags(&workspace, 2), (false, true));
    assert_eq!(flags(&workspace, 50), (true, false), "listed before the padrón knew it");
    let third = import(&workspace, &companies(61), Some(&list(&[3], "\r")), None);
    assert_eq!(flags(&workspace, 1), (false, false));
    assert_eq!(flags(&workspace, 3), (true, false));
    assert_eq!(workspace.edition().meta().lists[&List::WITHHOLDING_AGENTS].edition, third.label);
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
    let listed = import(&workspace, &companies(5), Some(&list(&[1], "\r")), None).label;
    assert_ne!(plain, listed);
}

#[test]
fn a_file_that_is_not_a_list_is_refused() {
    let workspace = Workspace::new();
    for bad in [companies(3), b"<html>".to_vec(), Vec::new(), zip(&[("../list.txt", &list(&[1], "\r"))])] {
        let request = ImportRequest {
            lists: BTreeMap::from([(List::WITHHOLDING_AGENTS, SourceFile::local(workspace.file("list", &bad)))]),
            force: true,
            ..workspace.request(&companies(3))
        };
        match workspace.try_import(&request) {
            Err(ImportError::Source { name, source }) => {
                assert_eq!(name, "list");
                assert!(!matches!(source, SourceError::Io(_) | SourceError::Interrupted), "{source}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn an_empty_list_is_refused_without_force() {
    let workspace = Workspace::new();
    let empty = SourceFile::local(workspace.file("list", &list(&[], "\r")));
    let request =
        ImportRequest { lists: BTreeMap::from([(List::GOOD_TAXPAYERS, empty)]), ..workspace.request(&companies(3)) };
    let error = workspace.try_import(&request).unwrap_err();
    assert!(
        matches!(&error, ImportError::Guard(Refusal { guard: Guard::EmptyList { name }, .. }) if name == "list"),
        "{error}"
    );
    workspace.try_import(&ImportRequest { force: true, ..request }).unwrap();
}
