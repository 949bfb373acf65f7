//! Earlier editions follow from the last one and the lists of changes.

use std::collections::{BTreeMap, BTreeSet};

use kuraka_registry::dataset::{ANEXOS, Dataset, PADRON, RETENCION};
use kuraka_registry::editions;
use proptest::prelude::*;

use super::{Rows, import, only_list, rows, steps, undone};
use crate::published::company;
use crate::workspace::{Workspace, padron, windows_1252};

/// What varies of a company: name, status, condition, address, district.
type Variant = [u32; 5];

/// Companies by number, each with at least one row.
type Companies = BTreeMap<u32, Vec<Variant>>;

/// The dataset's file; the padrón and the list have the first row of a company.
pub(crate) fn text(dataset: &Dataset, companies: &Companies) -> Vec<u8> {
    let rows = companies.iter().flat_map(|(&n, rows)| rows.iter().map(move |row| (company(n), row)));
    if dataset.name == ANEXOS.name {
        let header = "RUC|UBIGEO|TIPO DE VÍA|NOMBRE DE VÍA|CÓDIGO DE ZONA|TIPO DE ZONA|NÚMERO|KILÓMETRO|INTERIOR|LOTE|\
            DEPARTAMENTO|MANZANA|\n";
        let rows = rows.map(|(ruc, [name, a, b, c, district])| {
            format!("{ruc}|15010{}|CAL.|CALLE {name}|-|-|{a}|{b}|{c}|-|-|-|\n", district + 1)
        });
        return windows_1252(&(header.to_owned() + &rows.collect::<String>()));
    }
    if dataset.name == RETENCION.name {
        let rows =
            rows.map(|(ruc, [name, day, ..])| format!("{ruc}|EMPRESA|{:02}/01/2020|R.S. {name}|\r", day % 28 + 1));
        return windows_1252(&format!("Ruc|Nombre/Razon|A partir del|Resolucion|\r{}", rows.collect::<String>()));
    }
    let status = ["ACTIVO", "BAJA DE OFICIO", "-", "UN ESTADO NUEVO"];
    let condition = ["HABIDO", "NO HALLADO", "", "UNA CONDICION NUEVA"];
    let address = ["-|-|-|-|-|-|-|-|-|-", "AV.|GRAU|-|-|12|-|-|-|-|-", "JR.|AÑO 12|URB.|EL SOL|-|2|-|-|A|-"];
    let ubigeo = ["150101", "-", "040101"];
    let pick = |texts: &[&'static str], at: u32| texts[at as usize % texts.len()];
    padron(companies.iter().map(|(&n, rows)| {
        let [name, of_status, of_condition, street, district] = rows[0];
        let (status, condition) = (pick(&status, of_status), pick(&condition, of_condition));
        let (ubigeo, address) = (pick(&ubigeo, district), pick(&address, street));
        format!("{}|EMPRESA {n} NUMERO {name}|{status}|{condition}|{ubigeo}|{address}|", company(n))
    }))
}

fn companies() -> impl Strategy<Value = Companies> {
    let rows = prop::collection::vec(prop::array::uniform5(0..3_u32), 1..4);
    // Few or many, near each other or not, so that the division into buckets varies.
    prop_oneof![
        prop::collection::btree_map(0..40_u32, rows.clone(), 1..30),
        prop::collection::btree_map(0..900_u32, rows, 1..400),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 72, ..ProptestConfig::default() })]
    #[test]
    fn undoing_the_changes_gives_the_previous_edition(
        dataset in prop::sample::select(&[&PADRON, &RETENCION, &ANEXOS][..]),
        before in companies(),
        after in companies(),
        kept in 0..100_u32,
    ) {
        let workspace = Workspace::new();
        import(&workspace, dataset, 1, &text(dataset, &before));
        let old = rows(&workspace.edition(dataset));
        // Some companies stay as they are.
        let stays = before.iter().filter(|(n, _)| *n % 100 < kept).map(|(&n, rows)| (n, rows.clone()));
        let after: Companies = after.into_iter().chain(stays).collect();
        import(&workspace, dataset, 2, &text(dataset, &after));
        let (list, new) = (only_list(&workspace, dataset), rows(&workspace.edition(dataset)));
        let rucs: BTreeSet<_> = old.keys().chain(new.keys()).collect();
        let expected = rucs.into_iter().filter(|ruc| old.get(ruc) != new.get(ruc)).count();
        prop_assert_eq!(list.facts().counts.total(), expected as u64);
        prop_assert_eq!(list.changes().count(), expected);
        prop_assert_eq!(undone(&list, new), old);
    }
}

#[test]
fn thirty_days_replayed_backwards_give_each_edition() {
    let workspace = Workspace::new();
    let mut companies: Companies = (0..2_000).map(|n| (n * 7 % 5_000, vec![[0, 0, n, n, n]])).collect();
    let mut days: Vec<(String, Rows)> = Vec::new();
    for day in 0..30_u32 {
        // Each day some companies are new, some gone, and some change one value.
        for n in 0..20 {
            let any = (day * 997 + n * 131) % 5_000;
            let company = companies.entry(any).or_insert(vec![[day, 1, 1, 1, 1]]);
            company[0][n as usize % 5] += day;
            companies.remove(&((any + 7) % 5_000));
        }
        let report = import(&workspace, &PADRON, day + 1, &text(&PADRON, &companies));
        days.push((report.label, rows(&workspace.edition(&PADRON))));
    }
    assert_eq!(editions(&workspace.registry(), &PADRON).unwrap().len(), 3);
    let steps = steps(&workspace, &PADRON);
    assert_eq!(steps.len(), 29);
    let mut changes = 0;
    let mut replayed = rows(&workspace.edition(&PADRON));
    for (step, pair) in steps.iter().zip(days.windows(2)).rev() {
        assert_eq!((&step.from.label, &step.to.label), (&pair[0].0, &pair[1].0));
        let list = step.changes().unwrap();
        changes += list.facts().counts.total();
        replayed = undone(&list, replayed);
        assert!(replayed == pair[0].1, "{}", pair[0].0);
    }
    assert!(changes > 29 * 20, "only {changes} changes");
}
