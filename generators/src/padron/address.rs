//! Addresses of companies: the eleven columns from UBIGEO to KILÓMETRO.
//!
//! Widths, placeholders and shares follow a thousand published rows.

use std::fmt::Write;

use super::random::Random;
use super::word::PLACES;

/// Characters kept of the name of a street or a zone.
const NAME_WIDTH: usize = 25;

/// The number of provinces of each department, in the order of the codes. The first district of each province is 01.
const PROVINCES: [u32; 25] = [7, 20, 7, 8, 11, 13, 1, 13, 7, 11, 5, 9, 12, 3, 10, 8, 3, 3, 3, 8, 13, 10, 4, 3, 4];

const STREET_KINDS: &[(u32, &str)] = &[
    (430, "AV."),
    (200, "CAL."),
    (180, "JR."),
    (60, "----"),
    (50, "CAR."),
    (40, "PJ."),
    (10, "PRO"),
    (5, "MLC."),
    (3, "PQ."),
    (2, "OVA."),
];

const ZONE_KINDS: &[(u32, &str)] = &[
    (500, "URB."),
    (150, "A.H."),
    (80, "Z.I."),
    (70, "----"),
    (50, "P.J."),
    (50, "ASC."),
    (40, "COO."),
    (20, "RES."),
    (15, "FND."),
    (15, "GRU."),
    (5, "ANX."),
    (5, "CAS."),
];

/// Appends the eleven columns, each ended by a pipe.
pub(crate) fn push(random: &mut Random, text: &mut String) {
    push_ubigeo(random, text);
    let street = random.below(100) < 96;
    let zone = random.below(100) < 48;
    // Addresses with blocks and lots have no door numbers.
    let block = zone && random.below(100) < 45;
    push_place(random, street, STREET_KINDS, text);
    push_place(random, zone, ZONE_KINDS, text);
    push_number(random, !block, text);
    push_interior(random, text);
    push_column(text, block.then(|| random.below(60) + 1), "");
    let floor = (random.below(100) < 7).then(|| 100 * (random.below(12) + 1) + random.below(6) + 1);
    push_column(text, floor, "");
    if block {
        text.push(char::from(b'A' + random.below(26) as u8));
    } else {
        text.push('-');
    }
    text.push('|');
    push_column(text, random.once_in(120).then(|| random.below(99)), ".5");
}

fn push_ubigeo(random: &mut Random, text: &mut String) {
    let code = match random.below(1_000) {
        // A district that is not in the tables.
        0 if random.once_in(2) => 159_999,
        0..500 => 150_101 + random.rank(3, 4).min(42),
        500..540 => 70_101 + random.below(7),
        540..800 => 10_101 + 10_000 * random.below(25),
        _ => {
            let department = random.below(25);
            let provinces = PROVINCES.get(department as usize).copied().unwrap_or(1);
            10_001 + 10_000 * department + 100 * (random.below(provinces) + 1)
        }
    };
    let _ = write!(text, "{code:06}|");
}

/// A kind and a name, of a street or of a zone.
fn push_place(random: &mut Random, present: bool, kinds: &[(u32, &'static str)], text: &mut String) {
    if !present {
        return text.push_str("-|-|");
    }
    text.push_str(random.weighted(kinds));
    text.push('|');
    let start = text.len();
    PLACES.push(random, text);
    if random.once_in(5) {
        text.push(' ');
        PLACES.push(random, text);
    }
    cut(text, start, NAME_WIDTH);
    text.push('|');
}

/// Keeps `width` characters after `start`.
fn cut(text: &mut String, start: usize, width: usize) {
    let end = text.get(start..).and_then(|name| name.char_indices().nth(width)).map(|(index, _)| start + index);
    text.truncate(end.unwrap_or(text.len()));
}

fn push_number(random: &mut Random, present: bool, text: &mut String) {
    match random.below(100) {
        _ if !present => text.push('-'),
        0..6 => text.push_str("S/N"),
        6..8 => text.push_str("SN"),
        8..11 => text.push('-'),
        11 => _ = write!(text, "M-{:02}", random.below(100)),
        12 => _ = write!(text, "{:03}", random.below(100)),
        13..60 => _ = write!(text, "{}", random.below(1_000) + 1),
        _ => _ = write!(text, "{}", random.below(4_000) + 1),
    }
    text.push('|');
}

fn push_interior(random: &mut Random, text: &mut String) {
    match random.below(1_000) {
        0..130 => _ = write!(text, "{}0{}", random.below(20) + 1, random.below(9) + 1),
        130..150 => _ = write!(text, "PIS{}", random.below(9) + 1),
        150..160 => _ = write!(text, "INT{}", random.below(9) + 1),
        160..165 => text.push_str("4TO"),
        _ => text.push('-'),
    }
    text.push('|');
}

/// A number followed by this text, or the placeholder.
fn push_column(text: &mut String, value: Option<u32>, ending: &str) {
    match value {
        Some(value) => _ = write!(text, "{value}{ending}|"),
        None => text.push_str("-|"),
    }
}
