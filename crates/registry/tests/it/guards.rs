//! Guards refuse suspicious files of any dataset, unless an operator forces them; the edition records that.

use kuraka_domain::{EditionOrigin, Ruc, RucKind};
use kuraka_registry::dataset::{ALL, ANEXOS, DATOS_ABIERTOS, Dataset, PADRON, RETENCION, SANCIONES, SSCO};
use kuraka_registry::reader::Reason;
use kuraka_registry::{DateOrigin, GuardError, Import, PublishResult};

use crate::published::{BAD_KEY, KINDS, company, file};
use crate::workspace::{Workspace, companies, companies_of, date, guard, line, padron};

/// Expects the request to be refused by a guard, and to be published by force.
fn guarded(workspace: &Workspace, dataset: &'static Dataset, request: Import) -> GuardError {
    let before = workspace.opened(dataset);
    let guard = guard(dataset, workspace.try_import(dataset, &request).unwrap_err());
    assert_eq!(workspace.opened(dataset), before, "refused, yet published");
    let report = workspace.try_import(dataset, &Import { force: true, ..request }).unwrap();
    assert_eq!((report.outcome, report.previous), (PublishResult::Published, Some(before)));
    assert!(report.forced.contains(&guard), "{:?}", report.forced);
    let forced: Vec<String> = report.forced.iter().map(ToString::to_string).collect();
    assert_eq!(workspace.edition(dataset).meta().forced, forced);
    guard
}

/// A workspace with an edition of this file.
fn filled(dataset: &'static Dataset, content: &[u8]) -> Workspace {
    let workspace = Workspace::new();
    workspace.import(dataset, content);
    workspace
}

/// The guard that refuses `next` over `first`.
fn refused(dataset: &'static Dataset, first: &[u8], next: &[u8]) -> GuardError {
    let workspace = filled(dataset, first);
    guarded(&workspace, dataset, workspace.request(next))
}

#[test]
fn a_shrunken_file_is_refused() {
    for (dataset, least) in
        [(&PADRON, 990), (&RETENCION, 800), (&ANEXOS, 950), (&DATOS_ABIERTOS, 970), (&SSCO, 500), (&SANCIONES, 900)]
    {
        for rows in [1, least - 1] {
            let expected = GuardError::Shrunk { found: rows.into(), previous: 1_000, least: least as u16 * 10 };
            assert_eq!(
                refused(dataset, &companies_of(dataset, 0..1_000), &companies_of(dataset, 0..rows)),
                expected,
                "{}",
                dataset.name
            );
        }
        let result = filled(dataset, &companies_of(dataset, 0..1_000));
        let result = result.try_import(dataset, &result.request(&companies_of(dataset, 0..least)));
        if dataset.name == PADRON.name {
            // 1 % fewer rows are accepted, but not 1 % of the old taxpayers missing.
            let expected = GuardError::KeysGone { sampled: 1_000, present: 990, least: 9_950 };
            assert_eq!(guard(dataset, result.unwrap_err()), expected);
        } else {
            assert_eq!(result.unwrap().rows, u64::from(least), "{}", dataset.name);
        }
    }
}

#[test]
fn a_file_of_other_taxpayers_is_refused() {
    for dataset in [&PADRON, &RETENCION, &ANEXOS, &DATOS_ABIERTOS, &SSCO, &SANCIONES] {
        let (least, all_may_go) = if dataset.name == PADRON.name { (995, false) } else { (500, true) };
        let first = companies_of(dataset, 0..1_000);
        let with = |present: u32| companies_of(dataset, 1_000 - present..2_000 - present);
        let expected =
            |present: u32| GuardError::KeysGone { sampled: 1_000, present: present.into(), least: least as u16 * 10 };
        for present in [0, least - 1] {
            assert_eq!(refused(dataset, &first, &with(present)), expected(present), "{}", dataset.name);
        }
        filled(dataset, &first).import(dataset, &with(least));
        // A small list may change as a whole.
        let small = filled(dataset, &companies_of(dataset, 0..20));
        let changed = small.try_import(dataset, &small.request(&companies_of(dataset, 100..120)));
        assert_eq!(changed.is_ok(), all_may_go, "{}", dataset.name);
    }
}

#[test]
fn many_refused_lines_are_refused() {
    for (dataset, most) in
        [(&PADRON, 101), (&RETENCION, 101), (&ANEXOS, 101), (&DATOS_ABIERTOS, 101), (&SSCO, 27), (&SANCIONES, 501)]
    {
        let good = || (0..500).map(|n| company(n).to_string());
        let bad = |lines| file(dataset, good().chain((0..lines).map(|_| BAD_KEY.to_owned())).map(|key| (key, 1)));
        let first = file(dataset, good().map(|key| (key, 2)));
        let limits = dataset.guards;
        let (free, share) = (limits.rejected_free, limits.rejected);
        let expected = GuardError::Rejected { rejected: most, lines: 500 + most, free, most: share };
        assert_eq!(refused(dataset, &first, &bad(most)), expected, "{}", dataset.name);
        let report = filled(dataset, &first).import(dataset, &bad(most - 1));
        assert_eq!((report.rejected_lines(), report.read.bad_lines.count(Reason::BadRuc)), (most - 1, most - 1));
    }
}

#[test]
fn rows_that_are_left_out_do_not_excuse_refused_lines() {
    let persons = (0..110_000).map(|n| Ruc::from_parts(RucKind::NaturalPerson, n).unwrap().to_string());
    let keys = persons.chain((0..1_000).map(|n| company(n).to_string())).chain(vec![BAD_KEY.to_owned(); 101]);
    let error = Workspace::new().refusal(&DATOS_ABIERTOS, &file(&DATOS_ABIERTOS, keys.map(|key| (key, 1))));
    let expected = GuardError::Rejected { rejected: 101, lines: 1_101, free: 100, most: 10 };
    assert_eq!(guard(&DATOS_ABIERTOS, error), expected);
}

#[test]
fn repeated_rucs_count_as_refused_lines_of_the_padron() {
    let rows = || (0..300).map(|n| line(company(n), "EMPRESA"));
    let twice = GuardError::Rejected { rejected: 300, lines: 600, free: 100, most: 5 };
    assert_eq!(refused(&PADRON, &companies(300), &padron(rows().chain(rows()))), twice);
    let same = (0..500).map(|_| line(company(0), "EMPRESA"));
    let all = GuardError::Rejected { rejected: 499, lines: 500, free: 100, most: 5 };
    assert_eq!(refused(&PADRON, &companies(1), &padron(same)), all);
    let few = padron(rows().chain(rows().take(100)));
    let report = filled(&PADRON, &companies(300)).import(&PADRON, &few);
    assert_eq!((report.rows, report.repeated, report.read.bad_lines.count(Reason::Repeated)), (300, 0, 100));
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
    let expected = GuardError::ValuesChanged { compared: 4000, changed: 201, most: 5 };
    assert_eq!(refused(&PADRON, &first, &changed_companies(201, 0)), expected);
    assert_eq!(refused(&PADRON, &first, &changed_companies(100, 101)), expected);
    let workspace = filled(&PADRON, &first);
    let refusal = workspace.refusal(&PADRON, &changed_companies(4000, 0));
    assert!(refusal.to_string().contains("4000 have another status or condition"), "{refusal}");
    // A day's changes, and names, are not suspicious, nor a hundred changes in a small file.
    let small = (0..100).map(|n| line(company(n), "EMPRESA").replace("|ACTIVO|", "|BAJA DE OFICIO|"));
    filled(&PADRON, &companies(100)).import(&PADRON, &padron(small));
    workspace.import(&PADRON, &changed_companies(100, 100));
    let renamed = (0..4000).map(|n| line(company(n), "OTRO NOMBRE"));
    workspace.try_import(&PADRON, &Import { force: true, ..workspace.request(&first) }).unwrap();
    workspace.import(&PADRON, &padron(renamed));
}

#[test]
fn a_file_without_rows_is_refused() {
    for dataset in ALL {
        assert_eq!(refused(dataset, &companies_of(dataset, 0..10), &companies_of(dataset, 0..0)), GuardError::NoRows);
        assert_eq!(guard(dataset, Workspace::new().refusal(dataset, &companies_of(dataset, 0..0))), GuardError::NoRows);
    }
}

#[test]
fn a_file_older_than_the_current_edition_is_refused() {
    for dataset in KINDS {
        let workspace = Workspace::new();
        workspace.import_on(dataset, 20, &companies_of(dataset, 0..10));
        let older = Import { date: Some(date("2026-11-19")), ..workspace.request(&companies_of(dataset, 0..11)) };
        let expected = GuardError::Older { found: date("2026-11-19"), current: date("2026-11-20") };
        assert_eq!(guarded(&workspace, dataset, older), expected);
    }
}

#[test]
fn a_file_of_a_day_after_tomorrow_is_refused() {
    for dataset in KINDS {
        let workspace = filled(dataset, &companies_of(dataset, 0..10));
        let of_day = |day| Import { date: Some(date(day)), ..workspace.request(&companies_of(dataset, 0..11)) };
        let expected = GuardError::Future { found: date("2026-11-22") };
        assert_eq!(guarded(&workspace, dataset, of_day("2026-11-22")), expected);
        let fresh = Workspace::new();
        assert_eq!(guard(dataset, fresh.try_import(dataset, &of_day("2026-11-22")).unwrap_err()), expected);
        let tomorrow = fresh.try_import(dataset, &of_day("2026-11-21")).unwrap();
        assert_eq!((tomorrow.date, tomorrow.forced), (date("2026-11-21"), vec![]));
    }
}

#[test]
fn the_sample_cannot_replace_real_data() {
    for dataset in KINDS {
        let workspace = Workspace::new();
        let sample = || Import { origin: EditionOrigin::Sample, ..workspace.request(&companies_of(dataset, 0..500)) };
        workspace.try_import(dataset, &sample()).unwrap();
        assert_eq!(workspace.edition(dataset).meta().origin, EditionOrigin::Sample);
        let real = Import { date: Some(date("2020-01-01")), ..workspace.request(&companies_of(dataset, 500..520)) };
        let report = workspace.try_import(dataset, &real).unwrap();
        assert_eq!((report.outcome, report.forced.len()), (PublishResult::Published, 0));
        let expected = GuardError::SampleOverPublished { current: report.label };
        assert_eq!(guarded(&workspace, dataset, sample()), expected);
    }
}

#[test]
fn importing_the_same_file_again_changes_nothing() {
    for dataset in KINDS {
        let workspace = Workspace::new();
        let import = |change: &dyn Fn(&mut Import)| {
            let mut request = workspace.request(&companies_of(dataset, 0..50));
            change(&mut request);
            workspace.try_import(dataset, &request).unwrap()
        };
        let first = import(&|_| ());
        assert_eq!((first.outcome, first.date_origin), (PublishResult::Published, DateOrigin::Today));
        let later = Some(date("2026-11-21"));
        // The file says no date, so it is the same on another day too. A server's date is not another file.
        for (served_on, today) in [(None, "2026-11-20"), (None, "2026-11-21"), (later, "2026-11-21")] {
            let again = import(&|request| (request.served_on, request.today) = (served_on, date(today)));
            assert_eq!((again.outcome, again.index_bytes), (PublishResult::Unchanged, 0));
            assert_eq!(
                (&again.label, again.previous, again.date),
                (&first.label, Some(first.label.clone()), first.date)
            );
            assert_eq!(workspace.kept(dataset).len(), 1);
        }
        let dated = import(&|request| request.date = later);
        assert_eq!((dated.outcome, dated.date), (PublishResult::Published, date("2026-11-21")));
        let other =
            Import { served_on: later, today: date("2026-11-21"), ..workspace.request(&companies_of(dataset, 0..51)) };
        let other = workspace.try_import(dataset, &other).unwrap();
        assert_eq!((other.outcome, other.date_origin), (PublishResult::Published, DateOrigin::Server));
    }
}
