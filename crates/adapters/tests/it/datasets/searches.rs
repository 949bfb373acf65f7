//! Searches by name, compared with the definition of their results, which goes through every taxpayer.
#![expect(clippy::indexing_slicing, reason = "a missing letter fails the test")]

use kuraka_domain::name::words;
use kuraka_domain::{Ruc, RucKind, TaxpayerSummary};
use kuraka_generators::padron::Padron;
use kuraka_ports::fake::search::page_of;
use kuraka_ports::{NamePosition, NameQuery, Parts, RegistrySnapshot, SearchMode, TaxpayerRegistry};
use kuraka_registry::dataset::PADRON;
use tempfile::TempDir;

use super::files::import_file;
use super::open;

/// Names that are folded in every way, some of them of several companies.
const ODD_NAMES: [&str; 12] = [
    "MOLINOS DEL VALLE S.A.C.",
    "MOLINOS DEL VALLE SAC",
    "MOLINOS D'AÑÓN S A C",
    "H.V.C.EXPORTACIONES",
    "B.BRAUN PERÚ S.A.",
    "Ñ",
    "3.5 - S.A.",
    "SAC SAC SAC",
    "...",
    "&",
    "A",
    "MOLINO",
];

/// Numbers by xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

/// A padrón of generated rows and of companies with odd names, statuses, conditions and districts.
fn padron(rows: u32, odd: u32, random: &mut Random) -> Vec<u8> {
    let mut text = Padron::new(rows, 7).with_quirks(100).to_text();
    for number in 0..odd {
        let ruc = Ruc::from_parts(RucKind::LegalPerson, 60_000_000 + number * 3).unwrap();
        let name = random.one(&ODD_NAMES);
        let status = random.one(&["ACTIVO", "BAJA DE OFICIO", "-", "EN OTRO ESTADO"]);
        let condition = random.one(&["HABIDO", "NO HABIDO", "EN OTRA CONDICION"]);
        let district = random.one(&["150101", "070101", "-", "990101"]);
        let line = format!("{ruc}|{name}|{status}|{condition}|{district}|-|-|-|-|-|-|-|-|-|-|\n");
        text.extend(line.chars().map(|c| u8::try_from(c).unwrap()));
    }
    text
}

/// A query whose words are parts of this name, sometimes with filters that its taxpayer passes.
fn query(random: &mut Random, taxpayer: &TaxpayerSummary, other: &TaxpayerSummary) -> NameQuery {
    let mode = random.one(&[SearchMode::Words, SearchMode::Prefix, SearchMode::Contains]);
    let names = words(&taxpayer.name);
    let mut chosen: Vec<String> = match mode {
        SearchMode::Prefix => names.into_iter().take(1 + random.below(3)).collect(),
        SearchMode::Words | SearchMode::Contains => {
            (0..=random.below(3)).filter(|_| !names.is_empty()).map(|_| random.one(&names)).collect()
        }
    };
    for (place, word) in chosen.iter_mut().enumerate().rev() {
        let letters: Vec<char> = word.chars().collect();
        let start = if mode == SearchMode::Contains { random.below(letters.len()) } else { 0 };
        let is_cut = random.below(2) == 0 && (mode != SearchMode::Prefix || place > 0);
        let end = if is_cut { start + 1 + random.below(letters.len() - start) } else { letters.len() };
        *word = letters[start..end].iter().collect();
    }
    if random.below(20) == 0 {
        chosen.push(random.one(&["QQQ", "X", "", "\u{1}ACTIVO", "ACTIVO", "s"]).to_owned());
    }
    let of = if random.below(4) == 0 { other } else { taxpayer };
    NameQuery {
        words: chosen,
        mode,
        status: (random.below(4) == 0).then(|| of.status.clone()),
        condition: (random.below(4) == 0).then(|| of.condition.clone()),
        department: (random.below(4) == 0).then(|| of.department()),
        limit: 1 + random.below(50),
        after: None,
    }
}

/// Every page of a query, one after the other.
fn walked(snapshot: &dyn RegistrySnapshot, query: &NameQuery) -> Vec<TaxpayerSummary> {
    let (mut found, mut query) = (Vec::new(), query.clone());
    loop {
        let page = snapshot.search(&query).unwrap().unwrap();
        assert!(page.taxpayers.len() == query.limit || page.next.is_none(), "a page is short: {query:?}");
        found.extend(page.taxpayers);
        match page.next {
            Some(next) => query.after = Some(next),
            None => return found,
        }
    }
}

/// Compares `count` random queries with the model.
fn compare(snapshot: &dyn RegistrySnapshot, taxpayers: &[TaxpayerSummary], count: usize, random: &mut Random) {
    for _ in 0..count {
        let (taxpayer, other) = (random.one(taxpayers), random.one(taxpayers));
        let mut query = query(random, &taxpayer, &other);
        let all = page_of(&NameQuery { limit: usize::MAX, ..query.clone() }, taxpayers).taxpayers;
        assert_eq!(walked(snapshot, &query), all, "{query:?}");
        // From the position of any taxpayer, and from one of a taxpayer that does not exist.
        let position = NamePosition::of(&random.one(taxpayers));
        let name = format!("{}X", position.name);
        for after in [position.clone(), NamePosition { name, ..position }] {
            query.after = Some(after);
            assert_eq!(snapshot.search(&query).unwrap(), Some(page_of(&query, taxpayers)), "{query:?}");
        }
    }
}

#[test]
fn random_searches_agree_with_the_model() {
    let (random, folder) = (&mut Random(0x9e37_79b9_7f4a_7c15), TempDir::new().unwrap());
    import_file(folder.path(), &PADRON, &padron(2_000, 150, random));
    let registry = open(&folder);
    let snapshot = registry.snapshot().unwrap();
    let edition = kuraka_registry::open_current(folder.path(), &PADRON).unwrap().edition.unwrap();
    let rucs: Vec<Ruc> = edition.rucs().collect::<Result<_, _>>().unwrap();
    let summary = |ruc: &Ruc| snapshot.profile(*ruc, Parts::FLAGS).unwrap().unwrap().summary;
    let taxpayers: Vec<TaxpayerSummary> = rucs.iter().map(summary).collect();
    compare(&*snapshot, &taxpayers, 300, random);
}
