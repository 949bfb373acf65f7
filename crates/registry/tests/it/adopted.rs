//! Editions that another machine has built.

use std::fs;

use kuraka_domain::EditionOrigin;
use kuraka_registry::dataset::{Dataset, PADRON};
use kuraka_registry::{DateOrigin, GuardError, Import, ImportError, ImportReport, PublishResult, editions};

use crate::published::{KINDS, answers, company, published};
use crate::workspace::{Workspace, companies_of, date, guard, line, padron};

/// The file of the builder's current edition.
fn built(builder: &Workspace, dataset: &Dataset) -> Vec<u8> {
    fs::read(builder.edition_path(dataset)).unwrap()
}

/// An edition of another machine with so many companies, of a day of November.
fn build(dataset: &'static Dataset, day: u8, companies: std::ops::Range<u32>) -> Vec<u8> {
    let builder = Workspace::new();
    builder.import_on(dataset, day, &companies_of(dataset, companies));
    built(&builder, dataset)
}

fn forced(here: &Workspace, dataset: &'static Dataset, file: &[u8]) -> Result<ImportReport, ImportError> {
    here.try_import(dataset, &Import { force: true, ..here.request(file) })
}

#[test]
fn an_edition_built_on_one_machine_answers_on_another() {
    for dataset in KINDS {
        let (builder, here) = (Workspace::new(), Workspace::new());
        for day in 1..=5 {
            let theirs = builder.import_on(dataset, day, &companies_of(dataset, 0..100 + u32::from(day)));
            let file = built(&builder, dataset);
            let report = here.import(dataset, &file);
            assert!(report.adopted && report.date_origin == DateOrigin::Edition);
            let facts = |report: &ImportReport| (report.outcome, report.label.clone(), report.date, report.rows);
            assert_eq!(facts(&report), facts(&theirs));
            assert_eq!((report.rucs, report.rows), (100 + u64::from(day), 100 + u64::from(day)));
            let (adopted, original) = (here.edition(dataset), builder.edition(dataset));
            assert_eq!(adopted.meta(), original.meta());
            assert_eq!(answers(&adopted), answers(&original));
            let again = here.import(dataset, &file);
            assert_eq!((again.outcome, again.previous), (PublishResult::Unchanged, Some(theirs.label)));
            assert_eq!(fs::read(here.request(&file).source.path).unwrap(), file, "the fetched file stays");
        }
        let kept = editions(&here.registry(), dataset).unwrap();
        let kept: Vec<u64> = kept.iter().map(|kept| kept.meta.rows - 100).collect();
        assert_eq!(kept, [5, 4, 3], "three, the last published first");
    }
}

#[test]
fn the_guards_of_an_import_apply_to_an_adoption() {
    for dataset in KINDS {
        let here = Workspace::new();
        let current = here.import_on(dataset, 10, &companies_of(dataset, 0..200)).label;
        let refused = |file: &[u8]| guard(dataset, here.refusal(dataset, file));
        let older = build(dataset, 9, 0..200);
        let expected = GuardError::Older { found: date("2026-11-09"), current: date("2026-11-10") };
        assert_eq!(refused(&older), expected);
        let shrunken = refused(&build(dataset, 11, 0..80));
        assert!(matches!(shrunken, GuardError::Shrunk { found: 80, previous: 200, .. }), "{shrunken}");
        let others = refused(&build(dataset, 12, 200..400));
        assert!(matches!(others, GuardError::KeysGone { sampled: 200, present: 0, .. }), "{others}");
        let sample = Workspace::new();
        let request = Import { origin: EditionOrigin::Sample, ..sample.request(&companies_of(dataset, 0..200)) };
        sample.try_import(dataset, &request).unwrap();
        let sample = built(&sample, dataset);
        assert_eq!(refused(&sample), GuardError::SampleOverPublished { current: current.clone() });
        // The clock of the other machine is wrong, or this one's.
        let future = Import { today: date("2026-11-08"), ..here.request(&build(dataset, 10, 0..201)) };
        let future = guard(dataset, here.try_import(dataset, &future).unwrap_err());
        assert_eq!(future, GuardError::Future { found: date("2026-11-10") });
        assert_eq!(here.opened(dataset), current);
        assert_eq!(fs::read_dir(here.folder(dataset).join("editions")).unwrap().count(), 1);
        assert_eq!(forced(&here, dataset, &older).unwrap().forced, [expected]);
    }
}

#[test]
fn a_padron_with_many_changed_conditions_is_not_adopted() {
    let (builder, here) = (Workspace::new(), Workspace::new());
    let lines = |condition| padron((0..1_000).map(|n| line(company(n), "EMPRESA").replace("HABIDO", condition)));
    here.import(&PADRON, &lines("HABIDO"));
    builder.import(&PADRON, &lines("NO HABIDO"));
    let refused = here.refusal(&PADRON, &built(&builder, &PADRON));
    assert_eq!(guard(&PADRON, refused), GuardError::ValuesChanged { compared: 1_000, changed: 1_000, most: 5 });
}

#[test]
fn an_edition_with_the_same_label_and_other_content_is_adopted() {
    for dataset in KINDS {
        let (builder, other, here) = (Workspace::new(), Workspace::new(), Workspace::new());
        // Over another parent, so that its words have other numbers.
        other.import(dataset, &published(dataset, (0..50).map(|n| (n, 2))));
        let [first, second] = [&builder, &other].map(|workspace| {
            assert_eq!(workspace.import(dataset, &companies_of(dataset, 0..50)).rows, 50);
            built(workspace, dataset)
        });
        let [first, second, again] = [&first, &second, &second].map(|file| here.import(dataset, file));
        assert_eq!(first.label, second.label);
        assert_eq!((second.outcome, again.outcome), (PublishResult::Published, PublishResult::Unchanged));
        assert!(here.edition(dataset).is_intact());
        assert_eq!(answers(&here.edition(dataset)), answers(&builder.edition(dataset)));
    }
}

#[test]
fn a_damaged_edition_is_never_adopted() {
    for dataset in KINDS {
        let here = Workspace::new();
        let label = here.import(dataset, &build(dataset, 1, 0..50)).label;
        let good = build(dataset, 2, 0..60);
        let refused = |bad: &[u8], what: String| {
            let refusal = forced(&here, dataset, bad);
            assert!(matches!(refusal, Err(ImportError::Edition { .. })), "{}, {what}: {refusal:?}", dataset.name);
        };
        // The first bytes show that it is an edition.
        for at in (8..good.len()).step_by(good.len() / 100) {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            refused(&bad, format!("byte {at}"));
            refused(&good[..at], format!("{at} bytes"));
        }
        assert_eq!(here.opened(dataset), label);
        assert_eq!(here.import(dataset, &good).outcome, PublishResult::Published);
    }
}
