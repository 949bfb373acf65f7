//! Lists of changes of datasets other than the padrón: rows of typed fields, one or many a taxpayer.

use std::collections::BTreeMap;
use std::fs;

use kuraka_registry::changes::{ChangeKind, ChangeList, Row, changes};
use kuraka_registry::dataset::{ANEXOS, Dataset, RETENCION, Value};
use kuraka_registry::{DatasetEdition, DatasetImport, DatasetReport, NoProgress, import_dataset, rollback_dataset};
use proptest::prelude::*;

use super::{Rows, described, undone};
use crate::dataset_editions::request;
use crate::workspace::{Workspace, company, date, padron};

fn import(workspace: &Workspace, dataset: &'static Dataset, day: u32, content: &[u8]) -> DatasetReport {
    let source = request(&workspace.file("published", content));
    let request = DatasetImport { date: Some(date(&format!("2026-11-{day:02}"))), force: true, ..source };
    import_dataset(&workspace.registry(), dataset, &request, &NoProgress).unwrap()
}

fn rows(edition: &DatasetEdition) -> Rows {
    let cell = |value: &Value<'_>| match value {
        Value::Absent => None,
        Value::Text(text) => Some((*text).to_owned()),
        Value::Date(date) => Some(date.to_string()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Ubigeo(ubigeo) => Some(ubigeo.to_string()),
        Value::Listed(entry) => Some(entry.text.to_owned()),
    };
    let row = |values: &[Value<'_>]| -> Row { values.iter().map(cell).collect() };
    let taxpayers = edition.iter().map(Result::unwrap);
    taxpayers.map(|(ruc, rows)| (ruc, rows.iter().map(|found| row(found.values())).collect())).collect()
}

fn only_list(workspace: &Workspace, dataset: &'static Dataset) -> ChangeList {
    let mut steps: Vec<_> = changes(&workspace.registry(), dataset, None).unwrap().collect();
    assert_eq!(steps.len(), 1, "{steps:?}");
    steps.remove(0).changes.unwrap()
}

/// Annexes of taxpayers, each by the numbers of its streets.
type Annexes = BTreeMap<u32, Vec<u32>>;

fn annexes(annexes: &Annexes) -> Vec<u8> {
    let header = "RUC|UBIGEO|TIPO DE VÍA|NOMBRE DE VÍA|CÓDIGO DE ZONA|TIPO DE ZONA|NÚMERO|KILÓMETRO|INTERIOR|LOTE|\
        DEPARTAMENTO|MANZANA|\n";
    let rows = annexes.iter().flat_map(|(&n, streets)| {
        streets
            .iter()
            .map(move |street| format!("{}|15010{}|CAL.|CALLE {street}|-|-|1|-|-|-|-|-|\n", company(n), street % 5 + 1))
    });
    encoding_rs::WINDOWS_1252.encode(&(header.to_owned() + &rows.collect::<String>())).0.into_owned()
}

/// A list of companies, each with its date and resolution.
fn agents(companies: &BTreeMap<u32, (u32, u32)>) -> Vec<u8> {
    let rows = companies
        .iter()
        .map(|(&n, (day, resolution))| format!("{}|EMPRESA|{:02}/01/2020|R.S. {resolution}|\r", company(n), day + 1));
    format!("Ruc|Nombre/Razon|A partir del|Resolucion|\r{}", rows.collect::<String>()).into_bytes()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn undoing_the_changes_of_many_rows_gives_the_edition_before(
        before in prop::collection::btree_map(0..30_u32, prop::collection::vec(0..6_u32, 1..5), 1..20),
        after in prop::collection::btree_map(0..30_u32, prop::collection::vec(0..6_u32, 1..5), 1..20),
    ) {
        let workspace = Workspace::new();
        import(&workspace, &ANEXOS, 1, &annexes(&before));
        let old = rows(&workspace.dataset(&ANEXOS));
        let after: Annexes = before.clone().into_iter().filter(|(n, _)| n % 3 == 0).chain(after).collect();
        import(&workspace, &ANEXOS, 2, &annexes(&after));
        let (list, new) = (only_list(&workspace, &ANEXOS), rows(&workspace.dataset(&ANEXOS)));
        let same = new.iter().filter(|(ruc, rows)| old.get(ruc) == Some(rows)).count();
        prop_assert_eq!(list.facts().counts.total() as usize, old.keys().chain(new.keys()).collect::<std::collections::BTreeSet<_>>().len() - same);
        prop_assert_eq!(undone(&list, new), old);
    }

    #[test]
    fn undoing_the_changes_of_a_list_gives_the_edition_before(
        before in prop::collection::btree_map(0..60_u32, (0..4_u32, 0..4_u32), 1..50),
        after in prop::collection::btree_map(0..60_u32, (0..4_u32, 0..4_u32), 1..50),
    ) {
        let workspace = Workspace::new();
        import(&workspace, &RETENCION, 1, &agents(&before));
        let old = rows(&workspace.dataset(&RETENCION));
        import(&workspace, &RETENCION, 2, &agents(&after));
        let list = only_list(&workspace, &RETENCION);
        prop_assert_eq!(undone(&list, rows(&workspace.dataset(&RETENCION))), old);
    }
}

#[test]
fn a_list_of_taxpayers_says_which_fields_changed() {
    let workspace = Workspace::new();
    import(&workspace, &RETENCION, 1, &agents(&[(1, (0, 7)), (2, (0, 7)), (3, (1, 8))].into()));
    let report = import(&workspace, &RETENCION, 2, &agents(&[(2, (0, 7)), (3, (4, 8)), (4, (0, 9))].into()));
    let list = only_list(&workspace, &RETENCION);
    assert_eq!(list.facts().dataset, "retencion");
    assert_eq!(report.changes.unwrap().counts, list.facts().counts);
    let expected = [
        format!("{} gone", company(1)),
        format!("{} desde 2020-01-02 > 2020-01-05", company(3)),
        format!("{} new", company(4)),
    ];
    assert_eq!(described(&list), expected);
    // The padrón has lists of its own.
    assert_eq!(super::steps(&workspace).len(), 0);
}

#[test]
fn annexes_are_removed_and_added_whole_and_another_order_changes_none() {
    let workspace = Workspace::new();
    import(&workspace, &ANEXOS, 1, &annexes(&[(1, vec![1, 2, 3]), (2, vec![1, 2])].into()));
    import(&workspace, &ANEXOS, 2, &annexes(&[(1, vec![1, 4, 3]), (2, vec![2, 1])].into()));
    let list = only_list(&workspace, &ANEXOS);
    let rows = list.changes().unwrap().map(|change| match change.unwrap().kind {
        ChangeKind::Rows { before, added } => (before, added),
        other => panic!("{other:?}"),
    });
    let street = |row: &Row| row[2].clone().unwrap();
    let texts = rows.map(|(before, added)| {
        let removed = before.iter().filter_map(|earlier| match earlier {
            kuraka_registry::changes::Earlier::Removed(row) => Some(street(row)),
            kuraka_registry::changes::Earlier::Kept(_) => None,
        });
        (removed.collect::<Vec<_>>(), added.iter().map(|(place, row)| (*place, street(row))).collect::<Vec<_>>())
    });
    let one = (vec!["CALLE 2".to_owned()], vec![(1, "CALLE 4".to_owned())]);
    assert_eq!(texts.collect::<Vec<_>>(), [one, (vec![], vec![])]);
}

#[test]
fn rows_of_a_taxpayer_longer_than_a_block_are_not_compared() {
    let workspace = Workspace::new();
    let streets: Vec<u32> = (0..60_000).map(|n| 1_000_000 + n).collect();
    let name = "A".repeat(60);
    let text = |streets: &[u32]| {
        let text = annexes(&[(1, streets.to_vec())].into());
        String::from_utf8_lossy(&encoding_rs::WINDOWS_1252.decode(&text).0.into_owned().into_bytes())
            .replace("CALLE", &name)
    };
    let bytes = |text: String| encoding_rs::WINDOWS_1252.encode(&text).0.into_owned();
    import(&workspace, &ANEXOS, 1, &bytes(text(&streets)));
    let report = import(&workspace, &ANEXOS, 2, &bytes(text(&streets[1..])));
    assert_eq!(report.changes.unwrap().gap.as_deref(), Some("a taxpayer has too many rows for a list"));
}

#[test]
fn an_adopted_dataset_records_its_changes_and_a_rollback_undoes_them() {
    let (builder, here) = (Workspace::new(), Workspace::new());
    for day in 1..=3 {
        import(&builder, &RETENCION, day, &agents(&(0..40).map(|n| (n, (u32::from(n < day), 1))).collect()));
        let folder = builder.registry().join("datasets/retencion");
        let current = fs::read_to_string(folder.join("CURRENT")).unwrap();
        let edition = fs::read(folder.join("editions").join(current.trim())).unwrap();
        let report = here.try_dataset(&RETENCION, "fetched", &edition).unwrap();
        assert!(report.adopted);
        assert_eq!(report.changes.map(|recorded| recorded.counts.changed), (day > 1).then_some(1));
    }
    let undone = || -> Vec<bool> {
        changes(&here.registry(), &RETENCION, None)
            .unwrap()
            .map(|step| {
                step.changes.unwrap();
                step.undone
            })
            .collect()
    };
    assert_eq!(undone(), [false, false]);
    rollback_dataset(&here.registry(), &RETENCION).unwrap();
    assert_eq!(undone(), [false, true]);
    // A padrón beside it changes nothing.
    here.import(&padron(["bad line".to_owned(), crate::workspace::line(company(1), "EMPRESA")]));
    assert_eq!(undone(), [false, true]);
}
