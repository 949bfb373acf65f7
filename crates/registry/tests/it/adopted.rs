//! Editions that another machine has built.

use std::fs;
use std::path::PathBuf;

use kuraka_registry::dataset::RETENCION;
use kuraka_registry::{
    AdoptError, Adoption, Guard, ImportRequest, Origin, PublishResult, Refusal, adopt, editions, rollback,
};

use crate::workspace::{Workspace, companies, company, date, line, padron};

/// A copy of the builder's current edition, as a transfer leaves it.
fn fetched(builder: &Workspace, here: &Workspace) -> PathBuf {
    here.file("fetched", &fs::read(builder.edition_path()).unwrap())
}

fn take(builder: &Workspace, here: &Workspace) -> Result<Adoption, AdoptError> {
    adopt(&here.registry(), &fetched(builder, here), None, false)
}

/// Builds an edition of so many companies on a day of November.
fn build(builder: &Workspace, day: u32, count: u32) -> String {
    let date = Some(date(&format!("2026-11-{day:02}")));
    builder.try_import(&ImportRequest { date, ..builder.request(&companies(count)) }).unwrap().label
}

#[test]
fn an_edition_built_on_one_machine_answers_on_another() {
    let (builder, here) = (Workspace::new(), Workspace::new());
    for day in 1..=5 {
        let label = build(&builder, day, 1_000 + day);
        let adoption = take(&builder, &here).unwrap();
        assert_eq!(
            (adoption.outcome, &adoption.label, adoption.rows),
            (PublishResult::Published, &label, u64::from(1_000 + day))
        );
        assert_eq!(here.edition().label(), label);
        assert_eq!(here.lookup(company(1_000)), builder.lookup(company(1_000)));
        let again = take(&builder, &here).unwrap();
        assert_eq!((again.outcome, again.previous), (PublishResult::Unchanged, Some(label)));
    }
    let kept: Vec<u32> = editions(&here.registry()).unwrap().iter().map(|kept| kept.meta.rows as u32 - 1_000).collect();
    assert_eq!(kept, [5, 4, 3], "three, the last published first");
}

#[test]
fn an_adopted_edition_can_be_rolled_back_from() {
    let (builder, here) = (Workspace::new(), Workspace::new());
    let mine = build(&here, 1, 1_001);
    let mine_too = build(&here, 2, 1_002);
    let theirs = build(&builder, 3, 1_003);
    take(&builder, &here).unwrap();
    let back = rollback(&here.registry()).unwrap();
    assert_eq!((back.from.as_str(), back.to.as_str()), (theirs.as_str(), mine_too.as_str()));
    assert!(
        matches!(take(&builder, &here), Err(AdoptError::Guard(Refusal { guard: Guard::RolledBack { label }, .. })) if label == theirs)
    );
    assert_eq!(here.edition().label(), mine_too);
    let forced = adopt(&here.registry(), &fetched(&builder, &here), None, true).unwrap();
    assert_eq!(
        (forced.outcome, forced.forced),
        (PublishResult::Published, vec![Guard::RolledBack { label: theirs.clone() }])
    );
    let labels: Vec<String> = editions(&here.registry()).unwrap().into_iter().map(|kept| kept.meta.label).collect();
    assert_eq!(labels, [theirs, mine_too, mine]);
}

#[test]
fn the_guards_of_an_import_apply_to_an_adoption() {
    let (builder, here) = (Workspace::new(), Workspace::new());
    build(&here, 10, 1_000);
    build(&builder, 9, 1_000);
    assert!(matches!(take(&builder, &here), Err(AdoptError::Guard(Refusal { guard: Guard::Older { .. }, .. }))));

    let shrunken = Workspace::new();
    build(&shrunken, 11, 980);
    let refusal = take(&shrunken, &here).unwrap_err();
    assert!(
        matches!(refusal, AdoptError::Guard(Refusal { guard: Guard::Shrunk { found: 980, previous: 1_000, .. }, .. })),
        "{refusal:?}"
    );
    assert!(refusal.to_string().contains("publish it with force"), "{refusal}");

    let others = Workspace::new();
    let rows: Vec<u8> = companies(2_000);
    let lines: Vec<&[u8]> = rows.split(|&byte| byte == b'\n').collect();
    let half: Vec<u8> = [lines[..1].concat(), b"\n".to_vec(), lines[1_001..].join(&b"\n"[..])].concat();
    let date = Some(date("2026-11-12"));
    others.try_import(&ImportRequest { date, ..others.request(&half) }).unwrap();
    assert!(matches!(
        take(&others, &here),
        Err(AdoptError::Guard(Refusal { guard: Guard::KeysGone { present: 0, .. }, .. }))
    ));

    let changed = Workspace::new();
    let lines = padron((0..1_000).map(|n| line(company(n), "EMPRESA").replace("|HABIDO|", "|NO HABIDO|")));
    changed.try_import(&ImportRequest { date, ..changed.request(&lines) }).unwrap();
    let refusal = take(&changed, &here).unwrap_err();
    let expected = Guard::ValuesChanged { compared: 1_000, changed: 1_000 };
    assert!(matches!(&refusal, AdoptError::Guard(Refusal { guard, .. }) if *guard == expected), "{refusal:?}");

    let sample = Workspace::new();
    sample.try_import(&ImportRequest { origin: Origin::Sample, ..sample.request(&companies(1_000)) }).unwrap();
    assert!(matches!(
        take(&sample, &here),
        Err(AdoptError::Guard(Refusal { guard: Guard::SampleOverPublished { .. }, .. }))
    ));
    assert_eq!(here.edition().rows(), 1_000);
    // A refused file is back at its place, so that an operator can force it.
    let file = fetched(&builder, &here);
    adopt(&here.registry(), &file, None, false).unwrap_err();
    adopt(&here.registry(), &file, None, true).unwrap();
    assert!(!file.exists());
}

#[test]
fn an_edition_that_lost_a_list_is_refused() {
    let (builder, here) = (Workspace::new(), Workspace::new());
    let list = format!("Ruc|Nombre/Razon|A partir del|Resolucion|\n{}|X|01/01/2020|1|\n", company(1));
    here.try_dataset(&RETENCION, "agents", list.as_bytes()).unwrap();
    here.import(&companies(1_000));
    assert!(here.lookup(company(1)).unwrap().withholding_agent);
    builder
        .try_import(&ImportRequest { date: Some(date("2026-11-21")), ..builder.request(&companies(1_001)) })
        .unwrap();
    assert!(matches!(take(&builder, &here), Err(AdoptError::Guard(Refusal { guard: Guard::EmptyList { .. }, .. }))));
}

#[test]
fn an_edition_with_the_same_label_and_other_content_is_adopted() {
    let (builder, other, here) = (Workspace::new(), Workspace::new(), Workspace::new());
    // Over another parent, so that its words have other numbers.
    other.import(&padron((0..50).map(|n| line(company(n), "OTRO NOMBRE"))));
    for (workspace, expected) in [(&builder, 50), (&other, 50)] {
        assert_eq!(workspace.import(&companies(50)).rows, expected);
    }
    assert_eq!(take(&builder, &here).unwrap().label, take(&other, &here).unwrap().label);
    let file = fetched(&other, &here);
    assert_eq!(adopt(&here.registry(), &file, None, false).unwrap().outcome, PublishResult::Unchanged);
    let built = fetched(&builder, &here);
    assert_eq!(adopt(&here.registry(), &built, None, false).unwrap().outcome, PublishResult::Published);
    assert_eq!(here.lookup(company(7)), builder.lookup(company(7)));
}

#[test]
fn a_damaged_edition_is_never_adopted() {
    let (builder, here) = (Workspace::new(), Workspace::new());
    let label = build(&builder, 1, 50);
    take(&builder, &here).unwrap();
    build(&builder, 2, 60);
    let good = fs::read(builder.edition_path()).unwrap();
    for at in (0..good.len()).step_by(131) {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        let refusal = adopt(&here.registry(), &here.file("fetched", &bad), None, true);
        assert!(matches!(refusal, Err(AdoptError::Edition(_))), "byte {at}: {refusal:?}");
    }
    for length in (0..good.len()).step_by(1_009) {
        let refusal = adopt(&here.registry(), &here.file("fetched", &good[..length]), None, true);
        assert!(matches!(refusal, Err(AdoptError::Edition(_))), "{length} bytes: {refusal:?}");
    }
    assert_eq!(here.edition().label(), label);
}
