use kuraka_generators::padron::Padron;

const ROWS: u32 = 20_000;

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

#[test]
fn an_edition_without_changes_is_the_first() {
    let first = Padron::new(1_000, 1);
    assert_eq!(first.next_edition(0.0).to_text(), first.to_text());
}

#[test]
fn a_full_share_changes_three_rows_of_four() {
    let first = Padron::new(ROWS, 1);
    let changed = first.rows().zip(first.next_edition(1.0).rows()).filter(|(old, new)| old.line != new.line).count();
    assert!((14_700..15_300).contains(&changed), "{changed}");
}
