//! Rows wherever they are: next to each other, far from each other, or both.

use std::collections::BTreeSet;

use kuraka_domain::{Ruc, RucKind};
use kuraka_registry::dataset::{PADRON, RETENCION};

use crate::published::{answer, company, published};
use crate::workspace::{Workspace, line, padron};

/// Imports these rows and finds each by RUC and in order, and none beside them. Returns the bytes of the edition.
fn found_exactly(rows: impl IntoIterator<Item = (RucKind, u32)>) -> u64 {
    let rows: BTreeSet<Ruc> = rows.into_iter().filter_map(|(kind, body)| Ruc::from_parts(kind, body).ok()).collect();
    let workspace = Workspace::new();
    let report = workspace.import(&PADRON, &padron(rows.iter().map(|ruc| line(*ruc, &format!("CONTRIBUYENTE {ruc}")))));
    let edition = workspace.edition(&PADRON);
    assert_eq!(edition.meta().rows, rows.len() as u64);
    for &ruc in &rows {
        let row = edition.summary(ruc).unwrap().unwrap();
        assert_eq!((row.ruc, row.name.as_str()), (ruc, format!("CONTRIBUYENTE {ruc}").as_str()));
        for body in [ruc.body().wrapping_sub(1), ruc.body() + 1, ruc.body() ^ 0x100] {
            let Ok(other) = Ruc::from_parts(ruc.kind(), body) else { continue };
            assert_eq!(edition.summary(other).unwrap().is_some(), rows.contains(&other), "{other}");
        }
    }
    assert!(edition.rucs().map(Result::unwrap).eq(rows));
    report.index_bytes
}

#[test]
fn rows_without_gaps_are_found_and_take_little_space() {
    let bytes = found_exactly((0..3_000).map(|n| (RucKind::LegalPerson, 60_094_000 + n)));
    assert!(bytes < 200_000, "{bytes} bytes");
}

#[test]
fn rows_far_from_each_other_are_found_and_take_little_space() {
    let kinds = [RucKind::NaturalPerson, RucKind::Estate, RucKind::Special, RucKind::Foreigner, RucKind::LegalPerson];
    let bytes =
        found_exactly(kinds.into_iter().flat_map(|kind| (0..200).map(move |n| (kind, n * 499_979 + n * n % 7))));
    assert!(bytes < 120_000, "{bytes} bytes");
}

#[test]
fn dense_and_sparse_rows_next_to_each_other_are_found() {
    let dense = (300..900).map(|n| (RucKind::NaturalPerson, n));
    let sparse = (0..120).map(|n| (RucKind::NaturalPerson, 1_000 + n * 601));
    let ends = [0, 65_535, 65_536, 99_999_999].map(|body| (RucKind::NaturalPerson, body));
    let last = [0, 99_999_999].map(|body| (RucKind::LegalPerson, body));
    found_exactly(dense.chain(sparse).chain(ends).chain(last));
}

#[test]
fn words_that_no_row_uses_any_more_do_not_add_up() {
    let workspace = Workspace::new();
    let bytes: Vec<u64> = (1..=8)
        .map(|day| {
            // Every row of every day has a text of its own.
            let report =
                workspace.import_on(&RETENCION, day, &published(&RETENCION, (0..5_000).map(|n| (n, day.into()))));
            let changes = report.changes.map(|recorded| recorded.counts.changed);
            assert_eq!(changes, (day > 1).then_some(5_000), "texts are compared");
            report.index_bytes
        })
        .collect();
    assert!(bytes.iter().all(|&of_day| of_day <= 3 * bytes[0]), "{bytes:?}");
    let edition = workspace.edition(&RETENCION);
    assert!(answer(&edition, company(7)).unwrap().unwrap().contains("DIA 8"));
}
