//! Annex premises: many rows for a company, in another order of columns than the padrón's.

use kuraka_domain::{Ruc, RucKind};

use crate::padron::Padron;
use crate::padron::address;
use crate::padron::random::{Part, Random};

/// The header, without the blank before it.
pub const ANNEX_COLUMNS: [&str; 12] = [
    "RUC",
    "UBIGEO",
    "TIPO DE VÍA",
    "NOMBRE DE VÍA",
    "CÓDIGO DE ZONA",
    "TIPO DE ZONA",
    "NÚMERO",
    "KILÓMETRO",
    "INTERIOR",
    "LOTE",
    "DEPARTAMENTO",
    "MANZANA",
];

/// One row in this many is there twice.
const REPEATED: u32 = 5_000;

/// A premises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annex {
    /// The taxpayer.
    pub ruc: Ruc,
    /// The columns after the RUC, as published: `-` and `----` stand for nothing.
    pub columns: [String; 11],
}

impl Annex {
    fn draw(ruc: Ruc, random: &mut Random) -> Self {
        let mut text = String::with_capacity(80);
        address::push(random, &mut text);
        let mut columns = text.split('|').map(str::to_owned);
        let mut next = || columns.next().unwrap_or_default();
        let [ubigeo, street_kind, street, zone_kind, zone, number] = std::array::from_fn(|_| next());
        let [interior, lot, flat, block, kilometre] = std::array::from_fn(|_| next());
        let columns = [ubigeo, street_kind, street, zone_kind, zone, number, kilometre, interior, lot, flat, block];
        Self { ruc, columns }
    }

    /// The cells of the line.
    pub fn cells(&self) -> [String; 12] {
        let mut cells = [self.ruc.to_string()].into_iter().chain(self.columns.clone());
        std::array::from_fn(|_| cells.next().unwrap_or_default())
    }
}

/// `rows` premises of companies of the padrón, those of one company together; fewer if it has too few companies.
pub fn annexes(padron: Padron, rows: u32, quirks: u32) -> impl Iterator<Item = Annex> {
    let companies = padron.rucs().filter(|ruc| ruc.kind() == RucKind::LegalPerson);
    let repeated = (REPEATED / quirks.max(1)).max(20);
    let annexes = (0..).zip(companies).flat_map(move |(index, ruc)| {
        let mut random = Random::new(padron.seed(), index, Part::Annexes);
        // Half of the companies have none; most of the others one or two, a few hundreds.
        let count = match random.below(20) {
            0..10 => 0,
            10..17 => random.below(2) + 1,
            _ => random.rank(2, 8) + 1,
        };
        (0..count).flat_map(move |_| {
            let times = if random.once_in(repeated) { 2 } else { 1 };
            std::iter::repeat_n(Annex::draw(ruc, &mut random), times)
        })
    });
    annexes.take(rows as usize)
}
