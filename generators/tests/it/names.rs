//! The names of a generated padrón: their words, and the errors of the published file.

use std::collections::HashSet;

use kuraka_domain::RucKind;
use kuraka_generators::padron::Padron;

const ROWS: u32 = 20_000;
const SURNAMES: &str = include_str!("../../words/surnames.txt");
const SYLLABLES: &str = include_str!("../../words/syllables.txt");
/// The files of frequent words.
const FREQUENT: [&str; 5] = [
    SURNAMES,
    include_str!("../../words/given_names.txt"),
    include_str!("../../words/places.txt"),
    include_str!("../../words/trade_names.txt"),
    include_str!("../../words/trades.txt"),
];

/// The names of the taxpayers of this kind.
fn names(padron: Padron, kind: RucKind) -> Vec<String> {
    padron.rows().filter(|row| row.ruc.is_some_and(|ruc| ruc.kind() == kind)).map(|row| row.name).collect()
}

fn is_lower_case(name: &str) -> bool {
    name == name.to_lowercase()
}

#[test]
fn no_frequent_word_or_syllable_is_listed_twice() {
    for file in FREQUENT.into_iter().chain([SYLLABLES]) {
        let different: HashSet<_> = file.lines().collect();
        assert_eq!(different.len(), file.lines().count(), "{file}");
    }
}

#[test]
fn a_word_can_be_split_into_syllables_in_one_way_only() {
    let (mut longest, mut words) = (vec![String::new()], Vec::new());
    for _ in 0..3 {
        longest = longest.iter().flat_map(|word| SYLLABLES.lines().map(move |next| format!("{word}{next}"))).collect();
        words.extend(longest.clone());
    }
    let count = words.len();
    assert_eq!(words.into_iter().collect::<HashSet<_>>().len(), count);
}

#[test]
fn few_surnames_are_frequent_and_most_are_rare() {
    let persons = names(Padron::new(ROWS, 1), RucKind::NaturalPerson);
    let frequent: Vec<_> = SURNAMES.lines().take(6).map(|surname| format!("{surname} ")).collect();
    let count = persons.iter().filter(|name| frequent.iter().any(|surname| name.starts_with(surname))).count();
    let share = count * 1_000 / persons.len();
    assert!((105..138).contains(&share), "{share} per thousand of an expected 121");
    let surnames: HashSet<_> = persons.iter().filter_map(|name| name.split(' ').next()).collect();
    assert!(surnames.len() > 4_000, "{} surnames", surnames.len());
}

#[test]
fn names_of_persons_have_few_errors_and_none_of_those_of_companies() {
    let persons = names(Padron::new(60_000, 1), RucKind::NaturalPerson);
    let is_damaged = |name: &&String| name.contains("  ") || name.contains('\t') || is_lower_case(name);
    let share = persons.iter().filter(is_damaged).count() * 10_000 / persons.len();
    assert!((35..66).contains(&share), "{share} of ten thousand, expected 50");
    let frequent = names(Padron::new(ROWS, 1).with_quirks(1_000), RucKind::NaturalPerson);
    assert!(!frequent.iter().any(|name| name.contains(['|', '"', '“'])));
}
