//! The errors that names have in the published file, equally rare.
//!
//! The three names with a pipe and the thirty lines of noise among 18.3 million rows are known figures; the other
//! frequencies are guesses.

use kuraka_domain::RucKind;

use super::random::Random;

/// One line in this many is noise: the key `00` instead of a RUC.
pub(crate) const NOISE: u32 = 610_000;

/// Even with more frequent quirks, each affects at most one name in this many.
const FREQUENT_QUIRK_ROWS: u32 = 20;

/// The line of noise, without its end.
pub(crate) const NOISE_LINE: &str = "00|-|NUM. INTERNO IDENTIF|-|-|-|-|-|-|-|-|-|-|-|-|";

/// Errors that any name can have, each with the number of names per affected name.
const ANY: &[(u32, Damage)] = &[(200, Damage::Blanks), (50_000, Damage::LowerCase), (1_000_000, Damage::Tab)];

/// Errors that are known only in companies' names.
const COMPANY: &[(u32, Damage)] = &[
    (500, Damage::Quotes),
    (5_000, Damage::LoneQuote),
    (20_000, Damage::TypographicQuotes),
    (20_000, Damage::Dash),
    (50_000, Damage::Backslash),
    (100_000, Damage::Long),
    (780_000, Damage::Pipe),
];

#[derive(Clone, Copy, Debug)]
enum Damage {
    Blanks,
    LowerCase,
    Tab,
    Quotes,
    LoneQuote,
    TypographicQuotes,
    Dash,
    Backslash,
    Long,
    Pipe,
}

/// Adds errors to `name` at random, `times` as often as in the published file.
pub(crate) fn damage(random: &mut Random, kind: RucKind, times: u32, name: &mut String) {
    let more = if kind == RucKind::LegalPerson { COMPANY } else { &[] };
    for &(rarity, damage) in ANY.iter().chain(more) {
        if random.once_in(more_frequent(rarity, times)) {
            damage.apply(name);
            return;
        }
    }
}

/// A rarity `times` as frequent, at most [`FREQUENT_QUIRK_ROWS`], so that frequent errors leave room for rare ones.
pub(crate) const fn more_frequent(rarity: u32, times: u32) -> u32 {
    let raised = rarity / times;
    if raised < FREQUENT_QUIRK_ROWS { FREQUENT_QUIRK_ROWS } else { raised }
}

impl Damage {
    fn apply(self, name: &mut String) {
        match self {
            Self::Blanks => *name = name.replacen(' ', "     ", 2),
            Self::LowerCase => *name = name.to_lowercase(),
            Self::Tab => *name = name.replacen(' ', "\t", 1),
            Self::Quotes => name.push_str(" \"LA CASITA\""),
            Self::LoneQuote => *name = name.replacen(' ', " \"", 1),
            Self::TypographicQuotes => name.push_str(" “EL SOL”"),
            Self::Dash => name.push_str(" – SUCURSAL"),
            Self::Backslash => *name = name.replacen(' ', " \\ ", 1),
            Self::Long => {
                let unit = format!("{name} - ");
                while name.len() <= 255 {
                    name.push_str(" - ");
                    name.push_str(&unit);
                }
            }
            Self::Pipe => *name = name.replacen(' ', "|", 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use kuraka_domain::RucKind;

    use super::damage;
    use crate::padron::random::{Part, Random};

    fn damaged(kind: RucKind, times: u32) -> Vec<String> {
        (0..50_000)
            .map(|row| {
                let mut name = String::from("UNO DOS TRES");
                damage(&mut Random::new(1, row, Part::Name), kind, times, &mut name);
                name
            })
            .filter(|name| name != "UNO DOS TRES")
            .collect()
    }

    #[test]
    fn every_damage_occurs_when_it_is_made_frequent() {
        let names = damaged(RucKind::LegalPerson, 1_000);
        for sign in ["     ", "uno", "\t", " \"DOS", "\"LA CASITA\"", "“", "–", "\\", "|"] {
            assert!(names.iter().any(|name| name.contains(sign)), "{sign:?}");
        }
        assert!(names.iter().any(|name| name.len() > 255));
    }

    #[test]
    fn damage_is_as_rare_as_published_by_default() {
        let share = damaged(RucKind::NaturalPerson, 1).len();
        assert!((200..310).contains(&share), "{share} of an expected 251");
        assert!(!damaged(RucKind::NaturalPerson, 1_000).iter().any(|name| name.contains(['|', '"', '“'])));
    }
}
