//! Guards refuse suspicious padrones, unless an operator forces them; the edition records that.

use kuraka_registry::{DateOrigin, Guard, ImportError, ImportRequest, Origin, PublishResult, Refusal};

use crate::workspace::{Workspace, companies, company, date, line, padron};

/// Expects `request` to be refused by a guard, and to pass by force.
fn guarded(workspace: &Workspace, request: ImportRequest) -> Guard {
    let before = workspace.edition_path();
    let guard = match workspace.try_import(&request).unwrap_err() {
        ImportError::Guard(Refusal { dataset: "padron", guard }) => guard,
        other => panic!("{other}"),
    };
    assert_eq!(workspace.edition_path(), before, "refused, yet published");
    let report = workspace.try_import(&ImportRequest { force: true, ..request }).unwrap();
    assert_eq!(report.outcome, PublishResult::Published);
    assert!(report.forced.contains(&guard));
    let forced: Vec<String> = report.forced.iter().map(ToString::to_string).collect();
    assert_eq!(workspace.edition().meta().forced, forced);
    guard
}

/// The guard that refuses `next` over `first`.
fn guard(first: &[u8], next: &[u8]) -> Guard {
    let workspace = Workspace::new();
    workspace.import(first);
    guarded(&workspace, workspace.request(next))
}

#[test]
fn a_shrunken_padron_is_refused() {
    for (percent_less, refused) in [(500, true), (100, true), (11, true), (10, false)] {
        let workspace = Workspace::new();
        workspace.import(&companies(2000));
        let next = companies(2000 - 2 * percent_less);
        if refused {
            let found = u64::from(2000 - 2 * percent_less);
            assert_eq!(
                guarded(&workspace, workspace.request(&next)),
                Guard::Shrunk { found, previous: 2000, least: 9_900 }
            );
        } else {
            // 1 % fewer rows are accepted, but not 1 % of the old taxpayers missing.
            let error = workspace.refusal(&next);
            assert!(matches!(error, ImportError::Guard(Refusal { guard: Guard::KeysGone { .. }, .. })), "{error}");
        }
    }
}

#[test]
fn a_padron_with_every_row_twice_is_refused() {
    let rows = || (0..300).map(|n| line(company(n), "EMPRESA"));
    assert_eq!(
        guard(&companies(300), &padron(rows().chain(rows()))),
        Guard::Rejected { rejected: 300, lines: 600, free: 100, most: 5 }
    );
}

#[test]
fn many_rejected_lines_are_refused() {
    let bad = (1..=101).map(|n| format!("{n}|NAME"));
    let good = (0..1000).map(|n| line(company(n), "EMPRESA"));
    assert_eq!(
        guard(&companies(1000), &padron(good.chain(bad))),
        Guard::Rejected { rejected: 101, lines: 1101, free: 100, most: 5 }
    );
}

#[test]
fn all_lines_of_one_ruc_are_refused() {
    let same = (0..500).map(|_| line(company(0), "EMPRESA"));
    assert!(matches!(guard(&companies(1), &padron(same)), Guard::Rejected { rejected: 499, .. }));
}

#[test]
fn a_padron_of_other_taxpayers_is_refused() {
    let others = (0..2000).map(|n| line(company(n + 11), "EMPRESA"));
    let found = guard(&companies(2000), &padron(others));
    assert_eq!(found, Guard::KeysGone { sampled: 2000, present: 1989, least: 9_950 });
}

/// 4,000 companies, the first `changed` of which are deregistered, and the next `lost` of which are not found.
fn changed_companies(changed: u32, lost: u32) -> Vec<u8> {
    let change = |n, line: String| match n {
        n if n < changed => line.replace("|ACTIVO|", "|BAJA DE OFICIO|"),
        n if n < changed + lost => line.replace("|HABIDO|", "|NO HABIDO|"),
        _ => line,
    };
    padron((0..4000).map(|n| change(n, line(company(n), &format!("EMPRESA {n} S.A.")))))
}

#[test]
fn a_padron_with_many_changed_statuses_or_conditions_is_refused() {
    let first = changed_companies(0, 0);
    let expected = Guard::ValuesChanged { compared: 4000, changed: 201 };
    assert_eq!(guard(&first, &changed_companies(201, 0)), expected);
    assert_eq!(guard(&first, &changed_companies(100, 101)), expected);
    let workspace = Workspace::new();
    workspace.import(&first);
    let refusal = workspace.refusal(&changed_companies(4000, 0));
    assert!(refusal.to_string().contains("4000 have another status or condition"), "{refusal}");
    // A day's changes, and names, are not suspicious.
    workspace.import(&changed_companies(100, 100));
    let renamed = (0..4000).map(|n| line(company(n), "OTRO NOMBRE"));
    workspace.try_import(&ImportRequest { force: true, ..workspace.request(&first) }).unwrap();
    workspace.import(&padron(renamed));
}

#[test]
fn a_padron_without_rows_is_refused() {
    assert_eq!(guard(&companies(10), &padron::<&str>([])), Guard::NoRows);
    let fresh = Workspace::new();
    assert!(matches!(fresh.refusal(&padron::<&str>([])), ImportError::Guard(Refusal { guard: Guard::NoRows, .. })));
}

#[test]
fn an_older_padron_is_refused() {
    let workspace = Workspace::new();
    workspace.import(&companies(10));
    let older = ImportRequest { date: Some(date("2026-11-19")), ..workspace.request(&companies(11)) };
    let expected = Guard::Older { found: date("2026-11-19"), current: date("2026-11-20") };
    assert_eq!(guarded(&workspace, older), expected);
}

#[test]
fn the_sample_cannot_replace_real_data() {
    let workspace = Workspace::new();
    let sample = ImportRequest { origin: Origin::Sample, ..workspace.request(&companies(500)) };
    workspace.try_import(&sample).unwrap();
    let real = workspace.file("real", &companies(20));
    let mut published = workspace.request(&companies(500));
    published.padron.path = real;
    published.date = Some(date("2020-01-01"));
    let report = workspace.try_import(&published).unwrap();
    assert_eq!((report.outcome, report.forced.len()), (PublishResult::Published, 0));
    let current = report.label;
    assert_eq!(guarded(&workspace, sample), Guard::SampleOverPublished { current });
}

#[test]
fn importing_the_same_files_again_changes_nothing() {
    let workspace = Workspace::new();
    let first = workspace.import(&companies(10));
    let again = workspace.import(&companies(10));
    assert_eq!((first.outcome, again.outcome), (PublishResult::Published, PublishResult::Unchanged));
    let first_label = first.label;
    assert_eq!((again.label, again.previous), (first_label.clone(), Some(first_label.clone())));
    let request = |change: &dyn Fn(&mut ImportRequest)| {
        let mut request = workspace.request(&companies(10));
        change(&mut request);
        workspace.try_import(&request).unwrap()
    };
    let later = Some(date("2026-11-21"));
    // A server's date is not another file.
    let served = request(&|request| (request.served_on, request.today) = (later, date("2026-11-21")));
    assert_eq!((served.outcome, &served.label), (PublishResult::Unchanged, &first_label));
    let dated = request(&|request| request.date = later);
    assert_eq!((dated.outcome, dated.date), (PublishResult::Published, date("2026-11-21")));
    let other = request(&|request| {
        request.padron = workspace.request(&companies(11)).padron;
        request.served_on = later;
        request.today = date("2026-11-21");
    });
    assert_eq!(other.date_origin, DateOrigin::Server);
    assert_eq!(other.outcome, PublishResult::Published);
}
