//! `kuraka lookup`: taxpayers in the editions of this machine, without a server.

use kuraka_sandbox::sample;

use super::files::{NEW_COMPANY, versions};
use super::program::Home;

/// A home with the padrón of two days.
pub(crate) fn of_two_days() -> Home {
    let home = Home::new();
    for (day, padron) in
        [("2026-10-24", sample::earlier_padron().unwrap().bytes), ("2026-10-31", sample::PADRON.to_vec())]
    {
        home.import_of(day, "padron", padron);
    }
    home
}

#[test]
fn a_found_taxpayer_is_printed_with_eight_fields_and_an_invalid_ruc_refused() {
    let home = Home::new();
    home.import(sample::PADRON);
    let out = home.run(&["lookup", sample::COMPANY, sample::PERSON]).succeeded();
    let [heading, company, person] = out.lines().collect::<Vec<_>>()[..] else { panic!("{out}") };
    let heading: Vec<_> = heading.split_whitespace().collect();
    assert_eq!(heading, ["RUC", "NOMBRE", "ESTADO", "CONDICION", "DIRECCION", "DEPARTAMENTO", "RETENCION", "BUENO"]);
    for part in [sample::COMPANY, "3M PERU S A", "ACTIVO", "HABIDO", "AV. ENRIQUE CANAVAL Y MOREYRA NRO. 641", "LIMA"] {
        assert!(company.contains(part), "{part}: {company}");
    }
    assert!(person.starts_with(sample::PERSON), "{person}");
    let bad = home.run(&["lookup", sample::COMPANY, sample::BAD_CHECK_DIGIT]);
    assert_eq!((bad.code, bad.stdout.as_str()), (Some(2), ""), "it is refused before anything is read");
    assert!(bad.stderr.contains(sample::BAD_CHECK_DIGIT), "{bad:?}");
}

#[test]
fn a_lookup_has_the_flags_of_the_lists_or_names_the_missing_one() {
    let home = Home::new();
    home.import_dataset("padron", "padron_reducido_ruc.txt", sample::PADRON);
    let flags = |ruc: &str| {
        let out = home.run(&["lookup", ruc]).succeeded();
        let words: Vec<_> = out.split_whitespace().rev().take(2).map(str::to_owned).collect();
        [words[1].clone(), words[0].clone()]
    };
    let missing = |list: &str| {
        for command in [&["lookup", sample::ON_BOTH_LISTS][..], &["search", "3M"], &["lookup", "--file", "-"]] {
            let line = home.run(command).failed();
            assert!(line.starts_with(&format!("there is no usable edition of {list}: ")), "{command:?}: {line}");
        }
    };
    missing("retencion");
    home.import_dataset("retencion", "AgenRet_TXT.txt", sample::WITHHOLDING);
    missing("buenos_contribuyentes");
    let enabled = [("KURAKA__DATASETS__ENABLED", "padron")];
    let none = home.run_with(&["lookup", sample::ON_BOTH_LISTS], &enabled, "").succeeded();
    assert!([" SI", " NO"].iter().all(|flag| !none.trim_end().ends_with(flag)), "{none}");
    home.import_dataset("buenos_contribuyentes", "BueCont_TXT.txt", sample::GOOD_TAXPAYERS);
    assert_eq!(flags(sample::ON_BOTH_LISTS), ["SI", "SI"]);
    assert_eq!(flags(sample::COMPANY), ["SI", "NO"]);
}

#[test]
fn a_missing_taxpayer_ends_the_lookup_with_code_1() {
    let home = Home::new();
    let label = home.import(sample::PADRON);
    let line = home.run(&["lookup", NEW_COMPANY]).failed();
    assert_eq!(line, format!("edition {label} has no {NEW_COMPANY}"));
    let both = home.run(&["lookup", sample::COMPANY, NEW_COMPANY]);
    assert_eq!(both.code, Some(1));
    assert!(both.stdout.contains(sample::COMPANY) && both.stderr.contains(NEW_COMPANY), "{both:?}");

    let [padron, ..] = versions();
    padron.import(&home, 1);
    home.run(&["lookup", NEW_COMPANY]).succeeded();
    home.run(&["dataset", "rollback", "padron"]).succeeded();
    home.run(&["lookup", NEW_COMPANY]).failed();
}

#[test]
fn a_lookup_without_an_edition_of_the_padron_says_how_to_get_one() {
    let home = Home::new();
    let line = home.run(&["lookup", sample::COMPANY]).failed();
    assert!(line.starts_with("there is no edition of the padrón: kuraka dataset update "), "{line}");
    assert!(!home.data("").exists());
}

#[test]
fn a_lookup_warns_of_a_skipped_edition_that_it_needs() {
    let home = Home::new();
    for version in [0, 1] {
        for case in versions() {
            case.import(&home, version);
        }
    }
    let lookup = || home.run(&["lookup", sample::COMPANY]);
    assert_eq!(lookup().stderr, "");
    for (dataset, is_needed) in [("anexos", false), ("retencion", true), ("padron", true)] {
        let current = home.current(dataset);
        std::fs::write(&current, b"no edition").unwrap();
        let done = lookup();
        let warning = format!("warning: {} is skipped: ", current.display());
        assert_eq!((done.code, done.stderr.contains(&warning)), (Some(0), is_needed), "{done:?}");
    }
}

#[test]
fn a_lookup_prints_a_day_and_the_changes() {
    let home = of_two_days();
    let words = |out: &str| out.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let out = home.run(&["lookup", sample::DESCRIBED, "--date", "2026-10-30"]).succeeded();
    assert!(out.lines().any(|line| words(line) == ["condicion", "NO", "HABIDO"]), "{out}");
    let out = home.run(&["lookup", sample::DESCRIBED, "--history"]).succeeded();
    let change = out.lines().find(|line| line.contains("condicion") && line.contains("2026-10-31-")).unwrap();
    assert!(words(change).ends_with(&["condicion", "NO", "HABIDO", "HABIDO"].map(str::to_owned)), "{change}");
    assert!(out.lines().any(|line| words(line) == ["condicion", "vigente", "desde", "2026-10-31"]), "{out}");
    let error = home.run(&["lookup", sample::DESCRIBED, "--date", "2026-10-23"]).failed();
    assert!(error.contains("covers 2026-10-24 to "), "{error}");
    home.run(&["lookup", sample::ABSENT, "--history"]).failed();
}
