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

/// Changes a name.
type Damage = fn(&mut String);

/// Errors that any name can have, each with the number of names per affected name: blanks, lower case, a tab.
const ANY: &[(u32, Damage)] = &[
    (200, |name| *name = name.replacen(' ', "     ", 2)),
    (50_000, |name| *name = name.to_lowercase()),
    (1_000_000, |name| *name = name.replacen(' ', "\t", 1)),
];

/// Errors that are known only in companies' names: quotes, a lone one, typographic ones, a dash, a backslash, a long
/// name, a pipe.
const COMPANY: &[(u32, Damage)] = &[
    (500, |name| name.push_str(" \"LA CASITA\"")),
    (5_000, |name| *name = name.replacen(' ', " \"", 1)),
    (20_000, |name| name.push_str(" “EL SOL”")),
    (20_000, |name| name.push_str(" – SUCURSAL")),
    (50_000, |name| *name = name.replacen(' ', " \\ ", 1)),
    (100_000, lengthen),
    (780_000, |name| *name = name.replacen(' ', "|", 1)),
];

/// Adds errors to `name` at random, `times` as often as in the published file.
pub(crate) fn damage(random: &mut Random, kind: RucKind, times: u32, name: &mut String) {
    let more = if kind == RucKind::LegalPerson { COMPANY } else { &[] };
    for &(rarity, damage) in ANY.iter().chain(more) {
        if random.once_in(more_frequent(rarity, times)) {
            damage(name);
            return;
        }
    }
}

/// A rarity `times` as frequent, at most [`FREQUENT_QUIRK_ROWS`], so that frequent errors leave room for rare ones.
pub(crate) const fn more_frequent(rarity: u32, times: u32) -> u32 {
    let raised = rarity / times;
    if raised < FREQUENT_QUIRK_ROWS { FREQUENT_QUIRK_ROWS } else { raised }
}

fn lengthen(name: &mut String) {
    let unit = format!("{name} - ");
    while name.len() <= 255 {
        name.push_str(" - ");
        name.push_str(&unit);
    }
}
