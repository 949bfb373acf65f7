//! Names: of persons as surnames and given names, of companies as trade, distinguishing words and legal form.

use kuraka_domain::RucKind;

use super::random::{Random, total};
use super::word::{GIVEN_NAMES, PLACES, SURNAMES, TRADE_NAMES, TRADES};

/// Per thousand companies.
const LEGAL_FORMS: &[(u32, &str)] = &[
    (320, " S.A.C."),
    (280, " E.I.R.L."),
    (110, " S.R.L."),
    (70, " SOCIEDAD ANONIMA CERRADA"),
    (40, " S.A."),
    (40, " EMPRESA INDIVIDUAL DE RESPONSABILIDAD LIMITADA"),
    (40, ""),
    (30, " S A"),
    (25, " S.A.C"),
    (15, " SAC"),
    (10, " EIRL"),
    (10, " S.R.LTDA."),
    (10, " EN LIQUIDACION"),
];

const _: () = assert!(total(LEGAL_FORMS) == 1_000);

/// Appends the name of a taxpayer of this kind.
pub(crate) fn push(random: &mut Random, kind: RucKind, name: &mut String) {
    match kind {
        RucKind::NaturalPerson => push_person(random, name),
        RucKind::Estate => {
            if random.once_in(8) {
                name.push_str("SUCESION INDIVISA ");
            }
            push_person(random, name);
        }
        RucKind::Special | RucKind::Foreigner => {
            SURNAMES.push(random, name);
            name.push(' ');
            GIVEN_NAMES.push(random, name);
        }
        RucKind::LegalPerson => push_company(random, name),
    }
}

fn push_person(random: &mut Random, name: &mut String) {
    SURNAMES.push(random, name);
    name.push(' ');
    SURNAMES.push(random, name);
    let given = match random.below(20) {
        0..5 => 1,
        5..18 => 2,
        _ => 3,
    };
    for _ in 0..given {
        name.push(' ');
        GIVEN_NAMES.push(random, name);
    }
}

fn push_company(random: &mut Random, name: &mut String) {
    // Half of the names begin with a trade, some end with one.
    let trade = random.below(20);
    if trade < 10 {
        TRADES.push(random, name);
        match random.below(12) {
            0..2 => {
                name.push_str(" Y ");
                TRADES.push(random, name);
            }
            2 => {
                name.push_str(" & ");
                TRADES.push(random, name);
            }
            _ => {}
        }
        name.push(' ');
    }
    push_distinguishing(random, name);
    for _ in 0..random.below(3) {
        name.push(' ');
        push_distinguishing(random, name);
    }
    if trade > 17 {
        name.push(' ');
        TRADES.push(random, name);
    }
    name.push_str(random.weighted(LEGAL_FORMS));
}

/// Appends what distinguishes a company: an invented word, a person's name, a place, or initials.
fn push_distinguishing(random: &mut Random, name: &mut String) {
    match random.below(20) {
        0..12 => TRADE_NAMES.push(random, name),
        12..14 => SURNAMES.push(random, name),
        14 => GIVEN_NAMES.push(random, name),
        15..17 => PLACES.push(random, name),
        _ => {
            let separator = random.weighted(&[(6, ""), (3, "."), (1, " & ")]);
            let letter = |random: &mut Random| char::from(b'A' + random.below(26) as u8);
            name.push(letter(random));
            for _ in 0..=random.below(3) {
                name.push_str(separator);
                name.push(letter(random));
            }
        }
    }
}
