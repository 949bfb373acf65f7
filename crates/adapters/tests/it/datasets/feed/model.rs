//! The feed walked while editions of all datasets are published, rolled back and the server restarted, compared with a
//! model that knows the published states alone.

#![expect(clippy::indexing_slicing, reason = "a missing dataset fails the test")]

use std::collections::BTreeMap;

use kuraka_domain::{Ruc, Ubigeo};
use kuraka_ports::{ChangeFeed, FeedCursor, FeedQuery, FeedRucs};
use kuraka_registry::dataset::{Dataset, PADRON, RETENCION, SANCIONES, SSCO};
use kuraka_registry::rollback;
use proptest::prelude::*;
use tempfile::TempDir;

use super::super::files::{company, day, incapacities_of, list_of, padron, person, sanctions_of};
use super::{feed, publish, query, watched};
use kuraka_generators::workbook::Cell;

static DATASETS: [&Dataset; 4] = [&PADRON, &RETENCION, &SSCO, &SANCIONES];
const COMPANIES: u32 = 12;
/// Dates of first days, and the kind of a sanction that begins on them.
const SANCTIONS: [[&str; 3]; 3] = [
    ["20240806", "20270805", "TEMPORAL desde 2024-08-06"],
    ["20240806", "", "DEFINITIVA desde 2024-08-06"],
    ["20250101", "20260101", "TEMPORAL desde 2025-01-01"],
];

/// What an edition has of each taxpayer: a number whose bits are its values.
type State = BTreeMap<Ruc, u8>;

/// RUC, edition, datum, before, after.
type Told = (Ruc, String, &'static str, String, String);

fn rucs() -> impl Iterator<Item = Ruc> {
    (0..COMPANIES).map(company).chain([person()])
}

fn pick(state: u8, bit: u8, values: [&str; 2]) -> &str {
    values[usize::from(state >> bit & 1)]
}

/// The values of a padrón's row.
fn values(ruc: Ruc, state: u8) -> Vec<(&'static str, String)> {
    let place = Ubigeo::parse(pick(state, 3, ["150101", "040101"])).unwrap();
    let street = format!("JR. {}", pick(state, 4, ["UNO", "DOS"]));
    let mut values = vec![
        ("nombre_o_razon_social", pick(state, 0, ["EMPRESA UNO", "EMPRESA DOS"]).to_owned()),
        ("estado", pick(state, 1, ["ACTIVO", "BAJA DE OFICIO"]).to_owned()),
        ("condicion", pick(state, 2, ["HABIDO", "NO HABIDO"]).to_owned()),
    ];
    if !ruc.is_personal() {
        values.push(("direccion", street));
        values.push(("departamento", place.department().to_owned()));
        values.push(("provincia", place.province().unwrap().to_owned()));
        values.push(("distrito", place.district().unwrap().to_owned()));
    }
    values
}

fn file(dataset: &Dataset, state: &State, serial: u32) -> Vec<u8> {
    // A row that makes each file another one.
    let serial = company(1_000 + serial);
    if dataset.name == PADRON.name {
        let line = |(ruc, state): (&Ruc, &u8)| {
            let [name, status, condition] = [0, 1, 2].map(|at| values(*ruc, *state)[at].1.clone());
            let (place, street) = (pick(*state, 3, ["150101", "040101"]), pick(*state, 4, ["UNO", "DOS"]));
            format!("{ruc}|{name}|{status}|{condition}|{place}|JR.|{street}|-|-|-|-|-|-|-|-|")
        };
        padron(&state.iter().chain([(&serial, &0)]).map(line).collect::<Vec<_>>())
    } else if dataset.name == RETENCION.name {
        let rows = state.keys().chain([&serial]).map(|ruc| format!("{ruc}|EMPRESA|01/06/2002|RS {}|", state.len()));
        list_of(&rows.collect::<Vec<_>>(), "\r")
    } else if dataset.name == SSCO.name {
        let row = |ruc: &Ruc| {
            [Cell::Text(ruc.to_string()), Cell::Text("R.I. 1".to_owned()), day(2025, 3, 14), day(2025, 5, 6)]
        };
        incapacities_of(&state.keys().chain([&serial]).map(row).collect::<Vec<_>>())
    } else {
        let rows: Vec<(String, u8)> =
            state.iter().chain([(&serial, &1)]).map(|(ruc, state)| (ruc.to_string(), *state)).collect();
        let changes_for = |(ruc, state): &'_ (String, u8)| {
            let (ruc, state) = (ruc.clone(), *state);
            SANCTIONS
                .iter()
                .enumerate()
                .filter(move |(bit, _)| state >> bit & 1 == 1)
                .map(move |(_, s)| (ruc.clone(), s))
        };
        let rows: Vec<(String, &[&str; 3])> = rows.iter().flat_map(changes_for).collect();
        sanctions_of(
            &rows.iter().map(|(ruc, [since, until, _])| [&**ruc, since, until, "FALSEDAD"]).collect::<Vec<_>>(),
        )
    }
}

/// What the feed should tell.
fn expected(dataset: &Dataset, label: &str, before: &State, after: &State) -> Vec<Told> {
    let mut told = Vec::new();
    for ruc in rucs() {
        let mut tell = |datum, before: &str, after: &str| {
            told.push((ruc, label.to_owned(), datum, before.to_owned(), after.to_owned()));
        };
        let (old, new) = (before.get(&ruc), after.get(&ruc));
        let yes_no = |is: bool| if is { "SI" } else { "NO" };
        if dataset.name == SANCIONES.name {
            let (old, new) = (old.copied().unwrap_or_default(), new.copied().unwrap_or_default());
            // Temporal before definitive of the same day: an end comes after none.
            let order = [1, 0, 2];
            order.iter().filter(|bit| old >> *bit & !(new >> *bit) & 1 == 1).for_each(|bit| {
                tell("sancion", SANCTIONS[*bit as usize][2], "");
            });
            order.iter().filter(|bit| new >> *bit & !(old >> *bit) & 1 == 1).for_each(|bit| {
                tell("sancion", "", SANCTIONS[*bit as usize][2]);
            });
        } else if old.is_some() != new.is_some() {
            let datum = match dataset.name {
                "padron" => "existe",
                "ssco" => "sin_capacidad_operativa",
                list => list,
            };
            tell(datum, yes_no(old.is_some()), yes_no(new.is_some()));
        } else if let (Some(old), Some(new), "padron") = (old, new, dataset.name) {
            for ((datum, before), (_, after)) in values(ruc, *old).into_iter().zip(values(ruc, *new)) {
                if before != after {
                    tell(datum, &before, &after);
                }
            }
        }
    }
    // A RUC's place is by its number, and the person's begins with 10.
    told.sort_by_key(|(ruc, ..)| *ruc);
    told
}

/// A caller that asks again and again.
struct Follower {
    rucs: FeedRucs,
    cursor: FeedCursor,
    told: Vec<Told>,
}

impl Follower {
    async fn ask(&mut self, folder: &TempDir, limit: usize) {
        // A server that was just started, which reads little for a page.
        let feed = feed(folder).reading_at_most(2);
        loop {
            let query: FeedQuery = query(&self.cursor, &self.rucs, limit);
            let page = feed.page(query).await.unwrap();
            let told = page.changes.into_iter().map(|change| {
                let what = change.what;
                (
                    change.ruc,
                    change.edition.to_string(),
                    what.datum.name(),
                    what.before.into_owned(),
                    what.after.into_owned(),
                )
            });
            self.told.extend(told.filter(|(ruc, ..)| rucs().any(|known| known == *ruc)));
            self.cursor = page.next.to_string().parse().unwrap();
            if page.is_last {
                return;
            }
        }
    }
}

/// Of one dataset.
fn changes_for(dataset: usize, told: &[Told]) -> Vec<&Told> {
    let place = |datum: &str| match datum {
        "retencion" => 1,
        "sin_capacidad_operativa" => 2,
        "sancion" => 3,
        _ => 0,
    };
    told.iter().filter(|(_, _, datum, ..)| place(datum) == dataset).collect()
}

#[derive(Clone, Debug)]
enum Step {
    Publish { dataset: usize, day: u8, changed: Vec<(u32, u8)> },
    RollBack { dataset: usize },
}

fn step() -> impl Strategy<Value = Step> {
    let changed = prop::collection::vec((0..=COMPANIES, any::<u8>()), 0..6);
    prop_oneof![
        3 => (0..4_usize, 1..28_u8, changed).prop_map(|(dataset, day, changed)| Step::Publish { dataset, day, changed }),
        1 => (0..4_usize).prop_map(|dataset| Step::RollBack { dataset }),
    ]
}

async fn walk(steps: Vec<(Step, bool, usize)>) {
    let folder = TempDir::new().unwrap();
    let mut states: [State; 4] = Default::default();
    let mut known: BTreeMap<(usize, String), State> = BTreeMap::new();
    for dataset in 0..4 {
        states[dataset] = rucs().filter(|ruc| ruc.body() % 2 == 0).map(|ruc| (ruc, 1)).collect();
        let label = publish(&folder, DATASETS[dataset], 1, &file(DATASETS[dataset], &states[dataset], 0));
        known.insert((dataset, label), states[dataset].clone());
    }
    let cursor = feed(&folder).newest().await.unwrap();
    let follower = |rucs| Follower { rucs, cursor: cursor.clone(), told: Vec::new() };
    let some: Vec<Ruc> = rucs().filter(|ruc| ruc.body() % 3 == 0).collect();
    let [mut all, mut companies, mut late, mut some_of] =
        [watched(rucs()), FeedRucs::Companies, watched(rucs()), watched(some.clone())].map(follower);
    let mut model: Vec<Told> = Vec::new();
    for (serial, (step, asks, limit)) in (1..).zip(steps) {
        let (dataset, label, state) = match step {
            Step::Publish { dataset, day, changed } => {
                let mut state = states[dataset].clone();
                for (n, value) in changed {
                    let ruc = rucs().nth(n as usize).unwrap();
                    // Without a bit of its own it is not in the edition.
                    match value & 7 {
                        0 => state.remove(&ruc),
                        _ => state.insert(ruc, if dataset == 3 { value & 7 } else { value }),
                    };
                }
                let label = publish(&folder, DATASETS[dataset], day, &file(DATASETS[dataset], &state, serial));
                known.insert((dataset, label.clone()), state.clone());
                (dataset, label, state)
            }
            Step::RollBack { dataset } => match rollback(folder.path(), DATASETS[dataset]) {
                Ok(rolled) => (dataset, rolled.to.clone(), known[&(dataset, rolled.to)].clone()),
                Err(_) => continue,
            },
        };
        model.extend(expected(DATASETS[dataset], &label, &states[dataset], &state));
        states[dataset] = state;
        all.ask(&folder, limit).await;
        companies.ask(&folder, 1_000).await;
        if asks {
            some_of.ask(&folder, limit).await;
        }
    }
    late.ask(&folder, 3).await;
    some_of.ask(&folder, 3).await;
    assert_eq!(all.told, model);
    let of_companies: Vec<_> = model.iter().filter(|(ruc, ..)| !ruc.is_personal()).cloned().collect();
    assert_eq!(companies.told, of_companies);
    let some: Vec<_> = model.iter().filter(|(ruc, ..)| some.contains(ruc)).cloned().collect();
    for dataset in 0..4 {
        assert_eq!(changes_for(dataset, &late.told), changes_for(dataset, &model));
        assert_eq!(changes_for(dataset, &some_of.told), changes_for(dataset, &some));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3, ..ProptestConfig::default() })]
    #[test]
    fn every_change_is_told_once_and_in_order(
        steps in prop::collection::vec((step(), any::<bool>(), 1..9_usize), 1..25),
    ) {
        tokio::runtime::Runtime::new().unwrap().block_on(walk(steps));
    }
}
