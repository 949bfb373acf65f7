//! The rows of a generated padrón: their bytes, RUCs, shares, addresses and changes.

use std::collections::{HashMap, HashSet};

use encoding_rs::WINDOWS_1252;
use kuraka_domain::{Ruc, RucKind, Ubigeo};
use kuraka_generators::padron::{HEADER, Padron, Row};

const ROWS: u32 = 20_000;

/// The columns of a row whose name holds no pipe.
fn columns(row: &Row) -> Vec<String> {
    WINDOWS_1252.decode(&row.line).0.split('|').map(str::to_owned).collect()
}

/// The rows that are taxpayers.
fn taxpayers(padron: Padron) -> Vec<(Ruc, Row)> {
    padron.rows().filter_map(|row| Some((row.ruc?, row))).collect()
}

/// FNV-1a, 64 bits: enough to see that bytes have changed.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

#[test]
fn the_same_seed_gives_the_same_bytes_for_ever() {
    // A change of these numbers makes measurements on older files incomparable: it is worth a line in the changelog.
    assert_eq!(fingerprint(&Padron::new(ROWS, 1).to_text()), 0x2695_b5ed_568d_8fd9);
    assert_eq!(fingerprint(&Padron::new(ROWS, 2).with_quirks(1_000).to_text()), 0x60a4_48cc_f2b9_58e3);
    assert_eq!(fingerprint(&Padron::new(ROWS, 1).next_edition(0.01).to_text()), 0xfaa6_1d7b_01cc_85de);
}

#[test]
fn the_text_is_the_header_and_one_line_a_row() {
    let text = Padron::new(50, 1).to_text();
    let text = WINDOWS_1252.decode(&text).0;
    let mut lines = text.split_terminator('\n');
    assert_eq!(lines.next(), Some(HEADER));
    for (line, row) in lines.zip(Padron::new(50, 1).rows()) {
        assert_eq!(line, WINDOWS_1252.decode(&row.line).0);
    }
    assert_eq!(text.matches('\n').count(), 51);
    assert!(text.ends_with("|\n"));
}

#[test]
fn rucs_are_unique_and_those_of_companies_rise_as_often_as_they_fall() {
    let rucs: Vec<_> = Padron::new(200_000, 1).rucs().collect();
    assert_eq!(rucs.iter().collect::<HashSet<_>>().len(), rucs.len());
    let companies: Vec<_> = rucs.into_iter().filter(|ruc| ruc.kind() == RucKind::LegalPerson).collect();
    let rising = companies.windows(2).filter(|pair| pair[0] < pair[1]).count();
    assert!(rising.abs_diff(companies.len() / 2) < companies.len() / 20, "{rising} of {} rise", companies.len());
    assert!(companies.iter().all(|ruc| (10_000_000..62_000_000).contains(&ruc.body())));
}

#[test]
fn prefixes_and_statuses_occur_as_often_as_in_the_published_file() {
    let mut counts: HashMap<String, u32> = HashMap::new();
    for (ruc, row) in taxpayers(Padron::new(ROWS, 3)) {
        *counts.entry(ruc.prefix().to_string()).or_default() += 1;
        *counts.entry(columns(&row)[2].clone()).or_default() += 1;
    }
    // Per thousand, with room for chance.
    for (what, share) in [
        ("10", 842),
        ("15", 25),
        ("17", 5),
        ("20", 128),
        ("ACTIVO", 509),
        ("BAJA DE OFICIO", 402),
        ("BAJA DEFINITIVA", 62),
    ] {
        let found = counts[what] * 1_000 / ROWS;
        assert!(found.abs_diff(share) <= 12.min(share / 2), "{what}: {found} per thousand, expected {share}");
    }
}

#[test]
fn only_companies_have_an_address() {
    for (ruc, row) in taxpayers(Padron::new(ROWS, 1)) {
        let columns = columns(&row);
        assert_eq!(columns.len(), 16, "{columns:?}");
        assert_eq!((&columns[0], &columns[1]), (&ruc.to_string(), &row.name));
        let company = ruc.kind() == RucKind::LegalPerson;
        assert_eq!(columns[4] != "-", company, "{columns:?}");
        assert!(company || columns[4..15].iter().all(|column| column == "-"));
    }
}

#[test]
fn an_address_has_eleven_columns_within_their_widths() {
    const WIDTHS: [usize; 11] = [6, 4, 25, 4, 25, 4, 4, 4, 4, 3, 4];
    for (ruc, row) in taxpayers(Padron::new(60_000, 1)) {
        if ruc.kind() != RucKind::LegalPerson || row.name.contains('|') {
            continue;
        }
        let columns = columns(&row);
        let address = &columns[4..15];
        for (column, width) in address.iter().zip(WIDTHS) {
            assert!((1..=width).contains(&column.chars().count()), "{column:?} in {address:?}");
        }
        assert!(Ubigeo::parse(&address[0]).is_ok(), "{address:?}");
    }
}

#[test]
fn a_row_is_about_as_long_as_in_the_published_file() {
    let length = Padron::new(ROWS, 1).to_text().len() as f64 / f64::from(ROWS);
    assert!((83.0..89.0).contains(&length), "{length} bytes a row, published 85.4");
}

#[test]
fn quirks_are_rare_by_default() {
    let odd = |padron: Padron| padron.rows().filter(|row| row.line.iter().any(|byte| b"\"\t\\".contains(byte))).count();
    assert!(odd(Padron::new(ROWS, 1)) < 20);
    let frequent = Padron::new(ROWS, 1).with_quirks(1_000);
    assert!(odd(frequent) > 200);
    let text = WINDOWS_1252.decode(&frequent.to_text()).0.into_owned();
    for quirk in
        ["\n00|-|", "“", "–", "     ", "\t", "\\", "\"", "|159999|", "|----|", "|S/N|", "|CIRCUNVALACIÓN DEL CLUB G|"]
    {
        assert!(text.contains(quirk), "{quirk:?}");
    }
    let pipes = frequent.rows().filter(|row| row.name.contains('|')).count();
    assert!(pipes > 0);
    assert!(frequent.rows().any(|row| row.name.len() > 255));
}

#[test]
fn a_larger_padron_begins_like_a_smaller_one() {
    let small = Padron::new(100, 9).to_text();
    assert!(Padron::new(200, 9).to_text().starts_with(&small));
}

#[test]
fn the_next_edition_changes_and_adds_the_share_asked_for() {
    let first = Padron::new(ROWS, 1);
    let next = first.next_edition(0.04);
    let changed = first.rows().zip(next.rows()).filter(|(old, new)| old.line != new.line).count();
    assert!((520..680).contains(&changed), "{changed} rows changed of an expected 600");
    assert_eq!(next.len(), ROWS + 200);
    assert_eq!(next.rows().count(), next.len() as usize);
}

#[test]
fn a_changed_row_keeps_its_ruc_and_name() {
    let first = Padron::new(ROWS, 1);
    for (old, new) in first.rows().zip(first.next_edition(0.5).rows()) {
        assert_eq!((old.ruc, &old.name), (new.ruc, &new.name));
    }
}
