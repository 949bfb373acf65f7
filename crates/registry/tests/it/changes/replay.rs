//! Earlier editions follow from the last one and the lists of changes.

use std::collections::BTreeMap;

use kuraka_registry::editions;
use proptest::prelude::*;

use super::{Rows, import, only_list, rows, steps, undone};
use crate::workspace::{Workspace, company, padron};

/// What varies of a company: name, status, condition, address, district.
type Variant = [u32; 5];

/// Companies by number.
type Companies = BTreeMap<u32, Variant>;

fn text(companies: &Companies) -> Vec<u8> {
    let status = ["ACTIVO", "BAJA DE OFICIO", "-", "UN ESTADO NUEVO"];
    let condition = ["HABIDO", "NO HALLADO", "", "UNA CONDICION NUEVA"];
    let address = ["-|-|-|-|-|-|-|-|-|-", "AV.|GRAU|-|-|12|-|-|-|-|-", "JR.|AÑO 12|URB.|EL SOL|-|2|-|-|A|-"];
    let ubigeo = ["150101", "-", "040101"];
    let pick = |texts: &[&'static str], at: u32| texts[at as usize % texts.len()];
    padron(companies.iter().map(|(&n, &[name, of_status, of_condition, street, district])| {
        let (status, condition) = (pick(&status, of_status), pick(&condition, of_condition));
        let (ubigeo, address) = (pick(&ubigeo, district), pick(&address, street));
        format!("{}|EMPRESA {n} NUMERO {name}|{status}|{condition}|{ubigeo}|{address}|", company(n))
    }))
}

fn companies() -> impl Strategy<Value = Companies> {
    let variant = prop::array::uniform5(0..3_u32);
    // Few or many, near each other or not, so that the division into buckets varies.
    prop_oneof![
        prop::collection::btree_map(0..40_u32, variant.clone(), 1..30),
        prop::collection::btree_map(0..900_u32, variant, 1..400),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn undoing_the_changes_gives_the_edition_before(before in companies(), after in companies(), kept in 0..100_u32) {
        let workspace = Workspace::new();
        import(&workspace, 1, &text(&before));
        let old = rows(&workspace.edition());
        // Some companies stay as they are.
        let stays = before.iter().filter(|(n, _)| *n % 100 < kept).map(|(&n, &variant)| (n, variant));
        let after: Companies = after.into_iter().chain(stays).collect();
        import(&workspace, 2, &text(&after));
        let (list, new) = (only_list(&workspace), rows(&workspace.edition()));
        let differ = |(ruc, row): (_, &Vec<_>)| old.get(ruc) != Some(row);
        let expected = new.iter().filter(|&row| differ(row)).count() + old.keys().filter(|ruc| !new.contains_key(ruc)).count();
        prop_assert_eq!(list.facts().counts.total(), expected as u64);
        prop_assert_eq!(list.changes().unwrap().count(), expected);
        prop_assert_eq!(undone(&list, new), old);
    }
}

#[test]
fn thirty_days_replayed_backwards_give_each_edition() {
    let workspace = Workspace::new();
    let mut companies: Companies = (0..2_000).map(|n| (n * 7 % 5_000, [0, 0, n, n, n])).collect();
    let mut days: Vec<(String, Rows)> = Vec::new();
    for day in 0..30_u32 {
        // Each day some companies are new, some gone, and some change one value.
        for n in 0..20 {
            let any = (day * 997 + n * 131) % 5_000;
            let company = companies.entry(any).or_insert([day, 1, 1, 1, 1]);
            company[n as usize % 5] += day;
            companies.remove(&((any + 7) % 5_000));
        }
        let report = import(&workspace, day + 1, &text(&companies));
        days.push((report.label, rows(&workspace.edition())));
    }
    assert_eq!(editions(&workspace.registry()).unwrap().len(), 3);
    let steps = steps(&workspace);
    assert_eq!(steps.len(), 29);
    let mut changes = 0;
    let mut replayed = rows(&workspace.edition());
    for (step, pair) in steps.iter().zip(days.windows(2)).rev() {
        assert_eq!((&step.from, &step.to, step.undone), (&pair[0].0, &pair[1].0, false));
        let list = step.changes.as_ref().unwrap();
        changes += list.facts().counts.total();
        replayed = undone(list, replayed);
        assert!(replayed == pair[0].1, "{}", step.from);
    }
    assert!(changes > 29 * 20, "only {changes} changes");
}
