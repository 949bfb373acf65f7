//! Searches by name, compared with the definition of their results, which goes through every taxpayer.
//! `RELIABILITY_SEARCHES` sets the number of searches in an edition of several chunks.
#![expect(clippy::indexing_slicing, reason = "a missing letter fails the test")]

use kuraka_domain::name::{SearchMode, words};
use kuraka_domain::{Ruc, RucKind, TaxpayerSummary};
use kuraka_generators::padron::Padron;
use kuraka_ports::fake::search::SearchModel;
use kuraka_ports::{NamePosition, NameQuery, ProfileParts, RegistrySnapshot, TaxpayerRegistry};
use kuraka_registry::dataset::{BUENOS_CONTRIBUYENTES, PADRON, RETENCION};
use tempfile::TempDir;

use super::files::import_file;
use super::{open, publish_lists};
use crate::reliability::{self, figure};

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

/// A line of a company with an odd name, status, condition and district, and with a word of its own.
fn odd_line(number: u32, word: &str, random: &mut Random) -> String {
    let ruc = Ruc::from_parts(RucKind::LegalPerson, 60_000_000 + number * 3).unwrap();
    let name = random.one(&ODD_NAMES);
    let status = random.one(&["ACTIVO", "ANULACION - ACTO ILI", "-", "EN OTRO ESTADO"]);
    let condition = random.one(&["HABIDO", "NO HABIDO", "EN OTRA CONDICION"]);
    let district = random.one(&["150101", "070101", "-", "990101"]);
    format!("{ruc}|{name}{word}|{status}|{condition}|{district}|-|-|-|-|-|-|-|-|-|-|\n")
}

/// A generated padrón of so many rows, and these lines.
fn padron(rows: u32, lines: impl Iterator<Item = String>) -> Vec<u8> {
    let mut text = Padron::new(rows, 7).with_quirks(100).to_text();
    text.extend(lines.flat_map(|line| line.chars().map(|c| u8::try_from(c).unwrap()).collect::<Vec<_>>()));
    text
}

/// Companies of two chunks, each with a word of its own. So many words have the same beginning and the same inner part
/// that they are compared with the names, and not looked up.
fn two_chunks(random: &mut Random) -> impl Iterator<Item = String> {
    (0..70_000_u32).map(|number| {
        let letter = |base: u32, at: u32| char::from(b'A' + (at % base) as u8);
        let word = [
            letter(8, number),
            'V',
            'A',
            'L',
            letter(26, number / 8),
            letter(26, number / 208),
            letter(26, number / 5_408),
        ];
        odd_line(number, &format!(" {}", word.iter().collect::<String>()), random)
    })
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

/// Compares `count` random queries in an edition of this padrón with the model; many of them have one of `wide` too.
fn compare(padron: &[u8], count: usize, wide: &[&str], random: &mut Random) {
    let folder = TempDir::new().unwrap();
    publish_lists(folder.path(), &[&RETENCION, &BUENOS_CONTRIBUYENTES]);
    import_file(folder.path(), &PADRON, padron);
    let registry = open(&folder);
    let snapshot = registry.snapshot().unwrap();
    let edition = kuraka_registry::open_current(folder.path(), &PADRON).unwrap().edition.unwrap();
    let summary = |ruc: Result<Ruc, _>| snapshot.profile(ruc.unwrap(), ProfileParts::FLAGS).unwrap().unwrap().summary;
    let taxpayers: Vec<TaxpayerSummary> = edition.rucs().map(summary).collect();
    let model = SearchModel::new(&taxpayers);
    for _ in 0..count {
        let (taxpayer, other) = (random.one(&taxpayers), random.one(&taxpayers));
        let mut query = query(random, &taxpayer, &other);
        if query.mode != SearchMode::Prefix && random.below(2) == 0 {
            query.words.extend((!wide.is_empty()).then(|| random.one(wide).to_owned()));
        }
        let all = model.page(&NameQuery { limit: usize::MAX, ..query.clone() }).taxpayers;
        // From the position of any taxpayer, and from one of a taxpayer that does not exist.
        let position = NamePosition::from_taxpayer(&random.one(&taxpayers));
        let name = format!("{}X", position.name);
        for after in [position.clone(), NamePosition { name, ..position }] {
            query.after = Some(after);
            assert!(snapshot.search(&query).unwrap() == Some(model.page(&query)), "{query:?}");
        }
        // A few pages of many results.
        let limit = query.limit.max(all.len() / 4);
        let found = walked(&*snapshot, &NameQuery { limit, after: None, ..query.clone() });
        assert!(found == all, "{query:?}: {} of {}", found.len(), all.len());
    }
}

#[test]
fn random_searches_agree_with_the_model() {
    let random = &mut Random(0x9e37_79b9_7f4a_7c15);
    let padron = padron(2_000, (0..150).map(|number| odd_line(number, "", random)));
    compare(&padron, 300, &[], random);
}

#[test]
fn random_searches_for_frequent_parts_agree_with_the_model() {
    let random = &mut Random(0x2545_f491_4f6c_dd1d);
    let count = reliability::number("SEARCHES", 8);
    let padron = padron(0, two_chunks(random));
    compare(&padron, count as usize, &["A", "B", "VAL"], random);
    figure("A10", &format!("{count} random searches by name among 70,000 companies"), "0 wrong answers");
}

#[test]
fn the_words_of_the_last_group_are_found() {
    // With the values of the filters, 64 terms and some more and fewer.
    for count in 58..=66 {
        let folder = TempDir::new().unwrap();
        let line = |number: u32| {
            let ruc = Ruc::from_parts(RucKind::LegalPerson, 60_000_000 + number).unwrap();
            let word = format!("Z{}{}", number / 10, number % 10);
            format!("{ruc}|{word}|ACTIVO|HABIDO|150101|-|-|-|-|-|-|-|-|-|-|\n")
        };
        publish_lists(folder.path(), &[&RETENCION, &BUENOS_CONTRIBUYENTES]);
        import_file(folder.path(), &PADRON, &padron(0, (0..count).map(line)));
        let registry = open(&folder);
        let snapshot = registry.snapshot().unwrap();
        for number in 0..count {
            let word = format!("Z{number:02}");
            for mode in [SearchMode::Words, SearchMode::Contains] {
                let (words, status, condition, department, after) = (vec![word.clone()], None, None, None, None);
                let found =
                    walked(&*snapshot, &NameQuery { words, mode, status, condition, department, limit: 2, after });
                assert_eq!(found.iter().map(|found| &found.name).collect::<Vec<_>>(), [&word]);
            }
        }
    }
}
