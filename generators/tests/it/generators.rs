//! The generated datasets have the published forms and shares, and are about the padrón's taxpayers.

use std::collections::BTreeSet;

use kuraka_domain::{Date, Ruc, RucKind};
use kuraka_generators::dataset::{
    ANNEX_COLUMNS, Annex, Encoding, OPEN_DATA_COLUMNS, OpenDataRow, SANCTION_COLUMNS, Since, TextForm, annexes,
    incapacities, list_entries, open_data, sanctions,
};
use kuraka_generators::padron::Padron;
use kuraka_generators::workbook::{Cell, Epoch};

const PADRON: u32 = 20_000;
const ROWS: u32 = 14_000;

fn padron() -> Padron {
    Padron::new(PADRON, 1)
}

fn share(rows: &[OpenDataRow], is: impl Fn(&OpenDataRow) -> bool) -> usize {
    rows.iter().filter(|row| is(row)).count() * 100 / rows.len()
}

#[test]
fn the_rucs_of_a_padron_are_those_of_its_rows() {
    let padron = padron().with_quirks(1_000);
    assert!(padron.rucs().eq(padron.rows().filter_map(|row| row.ruc)));
    assert!(padron.rucs().count() < PADRON as usize, "noise has none");
}

#[test]
fn the_open_data_have_persons_first_in_the_order_of_the_rucs() {
    let rows: Vec<_> = open_data(padron(), ROWS, 1).collect();
    assert!(rows.is_sorted_by_key(|row| row.ruc));
    let known: BTreeSet<Ruc> = padron().rucs().collect();
    assert!(rows.iter().all(|row| known.contains(&row.ruc)));
    let persons = share(&rows, |row| row.ruc.kind() == RucKind::NaturalPerson);
    assert_eq!(persons, 92, "of a hundred, rounded down");
    assert!(rows.len() > ROWS as usize && rows.len() < ROWS as usize + 30, "few rows are there twice");
    let companies: Vec<_> = rows.into_iter().filter(|row| row.ruc.kind() == RucKind::LegalPerson).collect();
    let counted = share(&companies, |row| row.workers.is_some());
    assert!((35..48).contains(&counted), "{counted} of an expected 41");
    assert!(companies.iter().any(|row| row.kind == "NUCLEOS EJECUTORES"));
    assert!(companies.iter().any(|row| row.workers == Some(0)));
    let cells = companies[0].cells("202609");
    assert_eq!(cells.len(), OPEN_DATA_COLUMNS.len());
    assert!(cells.iter().all(|cell| !cell.contains(',') && !cell.is_empty()), "{cells:?}");
    let activities: BTreeSet<_> = companies.iter().filter_map(|row| row.principal_4).collect();
    assert!(activities.len() > 100, "{} texts", activities.len());
}

#[test]
fn rows_of_the_open_data_are_as_long_as_published() {
    let mut text = Vec::new();
    let rows: Vec<_> = open_data(padron(), ROWS, 1).collect();
    for row in &rows {
        TextForm::OPEN_DATA.push_line(&row.cells("202609"), &mut text);
    }
    let length = text.len() / rows.len();
    // 3.1 GB of 12.5 million rows to 3.55 GB of about 13.4 million.
    assert!((240..270).contains(&length), "{length} bytes a row");
}

#[test]
fn annexes_of_a_company_are_together_and_few_companies_have_many() {
    let annexes: Vec<Annex> = annexes(padron(), 4_000, 100).collect();
    assert_eq!(annexes.len(), 4_000);
    assert!(annexes.iter().all(|annex| annex.ruc.kind() == RucKind::LegalPerson));
    assert!(annexes.windows(2).any(|pair| pair[0] == pair[1]), "some are there twice");
    let runs = annexes.chunk_by(|one, next| one.ruc == next.ruc).map(<[_]>::len).collect::<Vec<_>>();
    let rucs: BTreeSet<_> = annexes.iter().map(|annex| annex.ruc).collect();
    assert_eq!(runs.len(), rucs.len());
    assert!(runs.iter().any(|run| *run > 100) && runs.iter().filter(|run| **run <= 2).count() > runs.len() / 4);
    // The kilometre stands after the number, and the block last.
    let with_block = annexes.iter().find(|annex| annex.columns[10] != "-").unwrap();
    assert!(with_block.columns[10].chars().all(|sign| sign.is_ascii_uppercase()), "{with_block:?}");
    assert!(annexes.iter().any(|annex| annex.columns[6].ends_with(".5")));
    assert_eq!(annexes[0].cells().len(), ANNEX_COLUMNS.len());
}

#[test]
fn list_entries_have_the_known_errors() {
    let entries: Vec<_> = list_entries(padron(), 3, 2, 25).collect();
    assert!((1_000..1_600).contains(&entries.len()), "{}", entries.len());
    assert!(entries.windows(2).any(|pair| pair[0] == pair[1]));
    assert!(
        entries.iter().any(|entry| entry.name.contains('|')) && entries.iter().any(|entry| entry.name.contains('"'))
    );
    assert!(entries.iter().any(|entry| entry.resolution.is_none()));
    for since in [Since::Broken, Since::Missing] {
        assert!(entries.iter().any(|entry| entry.since == since), "{since:?}");
    }
    assert_ne!(entries.len(), list_entries(padron(), 4, 2, 25).count(), "each list is another");
}

#[test]
fn sanctions_are_of_companies_persons_and_foreigners() {
    let sanctions: Vec<_> = sanctions(padron(), 1_000, 50).collect();
    assert_eq!(sanctions.len(), 1_000);
    let of = |kind| sanctions.iter().filter(|one| one.ruc.is_some_and(|ruc| ruc.kind() == kind)).count();
    assert!(of(RucKind::LegalPerson) > 600 && of(RucKind::NaturalPerson) > 50);
    assert!(sanctions.iter().any(|one| one.ruc.is_none()) && sanctions.iter().any(|one| one.name.contains('|')));
    let definitive = sanctions.iter().filter(|one| one.until.is_none()).count();
    assert!((60..150).contains(&definitive), "{definitive} of an expected 100");
    assert_eq!(sanctions[0].cells(Date::new(2026, 10, 2).unwrap()).len(), SANCTION_COLUMNS.len());
    assert_eq!(sanctions[0].cells(Date::new(2026, 10, 2).unwrap())[0], "20261002");
}

#[test]
fn cells_of_a_workbook_have_every_form() {
    let day = Date::new(2026, 8, 31).unwrap();
    let rows: Vec<_> = incapacities(padron(), 200).map(|subject| subject.cells(Epoch::Windows, day)).collect();
    let is = |column: usize, form: fn(&Cell) -> bool| rows.iter().any(|row| form(&row[column]));
    for (column, number) in [(0, true), (4, true), (4, false), (5, false)] {
        assert!(is(column, |cell| matches!(cell, Cell::Text(_))) && is(column, |cell| matches!(cell, Cell::Inline(_))));
        assert!(!number || is(column, |cell| matches!(cell, Cell::Number(_))));
    }
    assert!(is(4, |cell| matches!(cell, Cell::Day(_))) && is(4, |cell| matches!(cell, Cell::Empty)));
    assert_eq!(rows[0][8], Cell::Day(46_265.0));
    assert_eq!(Epoch::Macintosh.serial(day), 46_265.0 - 1_462.0);
}

#[test]
fn a_form_writes_marks_blanks_quotes_and_ends() {
    let line = |form: TextForm, cells: &[&str]| {
        let mut out = Vec::new();
        form.push_line(cells, &mut out);
        out
    };
    assert_eq!(line(TextForm::LIST, &["20", "Ñ"]), b"20|\xd1|\r");
    let form = TextForm { encoding: Encoding::Utf8WithMark, quoted: true, ..TextForm::OPEN_DATA };
    assert_eq!(line(form, &["a,b", "\"c"]), b"\"a,b\",\"\"\"c\"\n");
    let mut header = Vec::new();
    form.push_header(&["RUC", "Tipo"], &mut header);
    assert_eq!(header, b"\xef\xbb\xbfRUC,Tipo\n");
    header.clear();
    TextForm::ANNEXES.push_header(&["RUC"], &mut header);
    assert_eq!(header, b" RUC|\n");
}
