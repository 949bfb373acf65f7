//! What a list of changes has.

use std::collections::BTreeMap;
use std::fs;

use kuraka_registry::changes::{ChangeKind, Counts, Row};
use kuraka_registry::dataset::{ANEXOS, PADRON, RETENCION};

use super::{described, import, only_list, rows, undone};
use crate::published::company;
use crate::workspace::{Workspace, line, padron};

#[test]
fn a_list_names_both_editions_and_each_changed_field() {
    let workspace = Workspace::new();
    let unchanged = (100..200).map(|n| line(company(n), "UNA EMPRESA"));
    let with_address =
        |ruc, street: &str| format!("{ruc}|EMPRESA B|ACTIVO|HABIDO|150101|AV.|{street}|-|-|1|-|-|-|-|-|");
    let before = [
        line(company(1), "EMPRESA A"),
        with_address(company(2), "GRAU"),
        line(company(3), "EMPRESA C"),
        line(company(5), "EMPRESA E"),
    ];
    let after = [
        line(company(1), "EMPRESA A").replace("ACTIVO|HABIDO", "BAJA DE OFICIO|NO HABIDO"),
        with_address(company(2), "BOLOGNESI").replace("150101", "-"),
        line(company(4), "EMPRESA D"),
        line(company(5), "EMPRESA ÉÑE"),
    ];
    let first = import(&workspace, &PADRON, 1, &padron(unchanged.clone().chain(before)));
    assert_eq!(first.changes, None);
    let report = import(&workspace, &PADRON, 2, &padron(unchanged.chain(after)));
    let list = only_list(&workspace, &PADRON);
    assert_eq!(
        described(&list),
        [
            format!("{} estado ACTIVO > BAJA DE OFICIO; condicion HABIDO > NO HABIDO", company(1)),
            format!("{} direccion AV. GRAU NRO. 1 > AV. BOLOGNESI NRO. 1; ubigeo 150101 > ", company(2)),
            format!("{} gone", company(3)),
            format!("{} new", company(4)),
            format!("{} nombre_o_razon_social EMPRESA E > EMPRESA ÉÑE", company(5)),
        ]
    );
    let facts = list.facts();
    assert_eq!(facts.dataset, "padron");
    assert_eq!((&facts.from.label, facts.from.taxpayers), (&first.label, 104));
    assert_eq!((&facts.to.label, facts.to.date, facts.to.taxpayers), (&report.label, report.date, 104));
    let recorded = report.changes.unwrap();
    assert_eq!(recorded.counts, Counts { new: 1, gone: 1, changed: 3 });
    assert_eq!((recorded.gap, recorded.bytes), (None, fs::metadata(list.path()).unwrap().len()));
}

#[test]
fn an_adopted_edition_with_its_own_dictionary_is_compared_by_values() {
    let (builder, here) = (Workspace::new(), Workspace::new());
    let lines = |other: u32| {
        (0..300).map(move |n| line(company(n), &format!("EMPRESA {} S.A.", if n == other { 7 } else { n })))
    };
    import(&here, &PADRON, 1, &padron(lines(20)));
    // Built in an empty folder and in another order, so that its words have other numbers.
    import(&builder, &PADRON, 2, &padron(lines(30).rev()));
    let before = here.edition(&PADRON);
    let report = here.import(&PADRON, &fs::read(builder.edition_path(&PADRON)).unwrap());
    assert_eq!(report.changes.unwrap().counts, Counts { new: 0, gone: 0, changed: 2 });
    let list = only_list(&here, &PADRON);
    let expected = [(20, "EMPRESA 7 S.A. > EMPRESA 20 S.A."), (30, "EMPRESA 30 S.A. > EMPRESA 7 S.A.")];
    assert_eq!(described(&list), expected.map(|(n, texts)| format!("{} nombre_o_razon_social {texts}", company(n))));
    assert_eq!(undone(&list, rows(&here.edition(&PADRON))), rows(&before));
}

#[test]
fn equal_bytes_with_another_dictionary_are_not_equal_values() {
    let (builder, here) = (Workspace::new(), Workspace::new());
    let lines = |names: [&str; 2]| padron([line(company(1), names[0]), line(company(2), names[1])]);
    // Each dictionary begins with the first name, so both have the same numbers.
    import(&here, &PADRON, 1, &lines(["ALFA", "BETA"]));
    import(&builder, &PADRON, 2, &lines(["BETA", "ALFA"]));
    here.import(&PADRON, &fs::read(builder.edition_path(&PADRON)).unwrap());
    let expected = [(1, "ALFA > BETA"), (2, "BETA > ALFA")];
    let expected = expected.map(|(n, names)| format!("{} nombre_o_razon_social {names}", company(n)));
    assert_eq!(described(&only_list(&here, &PADRON)), expected);
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
    assert_eq!(super::steps(&workspace, &PADRON).len(), 0);
}

#[test]
fn annexes_are_removed_and_added_whole_and_another_order_changes_none() {
    let workspace = Workspace::new();
    import(&workspace, &ANEXOS, 1, &annexes(&[(1, vec![1, 2, 3]), (2, vec![1, 2])].into()));
    import(&workspace, &ANEXOS, 2, &annexes(&[(1, vec![1, 4, 3]), (2, vec![2, 1])].into()));
    let list = only_list(&workspace, &ANEXOS);
    let rows = list.changes().map(|change| match change.unwrap().kind {
        ChangeKind::Rows { removed, added } => [removed, added],
        other => panic!("{other:?}"),
    });
    let streets = |rows: Vec<Row>| rows.iter().map(|row| row[2].clone().unwrap()).collect::<Vec<_>>();
    let found: Vec<_> = rows.map(|rows| rows.map(streets)).collect();
    assert_eq!(found, [["CALLE 2", "CALLE 4"].map(|street| vec![street.to_owned()])]);
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
