//! `kuraka registry`: import, info, lookup, rollback.

use kuraka_sandbox::sample;
use serde_json::Value;

use super::files::next_day;
use super::program::Home;
use super::publisher::Publisher;

#[test]
fn an_import_prints_a_report() {
    let home = Home::new();
    let padron = home.write("padron_reducido_ruc.txt", sample::PADRON);
    let withholding = home.write("AgenRet_TXT.txt", sample::WITHHOLDING);
    let arguments =
        ["registry", "import", "--padron", &padron, "--withholding", &withholding, "--edition", "2026-11-01"];
    let out = home.run(&arguments).succeeded();
    let (list, padron) = (out.find(" of retencion: ").unwrap(), out.find("published edition 2026-11-01-").unwrap());
    assert!(list < padron, "{out}");
    assert!(out.contains("555 taxpayers") && out.contains("2026-11-01 (as given)"), "{out}");
    assert!(out.contains("good taxpayers      never imported"), "{out}");
    assert!(out.contains("known noise         2 lines") && out.contains("rejected lines in"), "{out}");
    let again = home.run(&arguments).succeeded();
    assert!(again.starts_with("unchanged: edition ") && again.contains("of retencion was made from the same file"));
    assert!(again.contains("unchanged: edition 2026-11-01-"), "{again}");
}

#[test]
fn rejected_lines_are_saved_without_personal_names_and_rucs() {
    let home = Home::new();
    let person = "10999990075|VILCA CONDORI WILBER|ACTIVO|HABIDO\n";
    home.import(&[sample::PADRON, person.as_bytes()].concat());
    let rejects = std::fs::read_dir(home.data("registry/rejects")).unwrap().next().unwrap().unwrap().path();
    let kept = String::from_utf8_lossy(&std::fs::read(rejects).unwrap()).into_owned();
    assert!(!kept.contains("VILCA") && !kept.contains("10999990075"), "{kept}");
}

#[test]
fn info_prints_the_kept_editions_as_table_and_json() {
    let home = Home::new();
    let none = home.run(&["registry", "info"]).succeeded();
    assert!(none.starts_with("no edition yet: "), "{none}");
    assert_eq!(home.run(&["registry", "info", "--json"]).succeeded().trim(), "[]");

    let (first, second) = (home.import(sample::PADRON), home.import(&next_day()));
    let table = home.run(&["registry", "info"]).succeeded();
    let state = |label: &str| {
        let line = table.lines().find(|line| line.starts_with(label)).unwrap();
        line.split_whitespace().nth(1).unwrap().to_owned()
    };
    assert!(table.starts_with("EDITION"), "{table}");
    assert_eq!((state(&first), state(&second)), ("kept".to_owned(), "current".to_owned()));
    let json: Value = serde_json::from_str(&home.run(&["registry", "info", "--json"]).succeeded()).unwrap();
    let current: Vec<&Value> = json.as_array().unwrap().iter().filter(|edition| edition["current"] == true).collect();
    assert_eq!((current.len(), current[0]["label"].as_str(), &current[0]["rows"]), (1, Some(&*second), &556.into()));
}

#[test]
fn a_lookup_prints_eight_fields_and_fails_for_missing_rucs() {
    let home = Home::new();
    let line = home.run(&["registry", "lookup", sample::COMPANY]).failed();
    assert!(line.starts_with("the registry has no edition: "), "{line}");
    let label = home.import(sample::PADRON);
    let out = home.run(&["registry", "lookup", sample::COMPANY, sample::PERSON]).succeeded();
    assert_eq!(out.lines().count(), 3, "{out}");
    assert!(out.contains("3M PERU S A") && out.contains("AV. ENRIQUE CANAVAL Y MOREYRA NRO. 641"), "{out}");

    let line = home.run(&["registry", "lookup", sample::ABSENT]).failed();
    assert_eq!(line, format!("edition {label} has no {}", sample::ABSENT));
    let both = home.run(&["registry", "lookup", sample::COMPANY, sample::ABSENT]);
    assert_eq!(both.code, Some(1));
    assert!(both.stdout.contains(sample::COMPANY) && both.stderr.contains(sample::ABSENT), "{both:?}");

    let bad = home.run(&["registry", "lookup", sample::BAD_CHECK_DIGIT]);
    assert_eq!((bad.code, bad.stdout.as_str()), (Some(2), ""));
    assert!(bad.stderr.contains(sample::BAD_CHECK_DIGIT), "{bad:?}");
}

#[test]
fn a_rollback_returns_to_the_previous_edition() {
    let home = Home::new();
    assert_eq!(home.run(&["registry", "rollback"]).failed(), "there is no edition to roll back from");
    let first = home.import(sample::PADRON);
    let line = home.run(&["registry", "rollback"]).failed();
    assert!(line.starts_with(&format!("no usable edition before {first} is kept")), "{line}");
    let second = home.import(&next_day());
    let out = home.run(&["registry", "rollback"]).succeeded();
    assert!(out.starts_with(&format!("{first} is current again; {second} is not published again")), "{out}");
    home.run(&["registry", "lookup", sample::ABSENT]).failed();

    // The second edition is published again only with --force.
    let file = home.write("padron_reducido_ruc.txt", next_day());
    let line = home.run(&["registry", "import", "--padron", &file]).failed();
    assert!(line.contains(&second) && line.contains("force"), "{line}");
    home.run(&["registry", "import", "--padron", &file, "--force"]).succeeded();
    home.run(&["registry", "lookup", sample::ABSENT]).succeeded();
}

#[test]
fn an_invalid_padron_is_refused_and_the_edition_stays() {
    let home = Home::new();
    let label = home.import(sample::PADRON);
    let half = &sample::PADRON[..sample::PADRON.len() / 2];
    for (name, bytes, reason) in [
        ("page.zip", &b"<!DOCTYPE html><html><body>503</body></html>"[..], "HTML page"),
        ("empty.txt", b"", "header"),
        ("cut.zip", b"PK\x03\x04 and no more", "zip"),
        ("half.txt", half, "force"),
    ] {
        let file = home.write(name, bytes);
        let line = home.run(&["registry", "import", "--padron", &file]).failed();
        assert!(line.contains(reason), "{name}: {line}");
    }
    let line = home.run(&["registry", "import", "--padron", "nowhere.zip"]).failed();
    assert!(line.contains("nowhere.zip"), "{line}");
    let info = home.run(&["registry", "info"]).succeeded();
    assert_eq!(info.lines().count(), 2, "{info}");
    assert!(info.lines().nth(1).unwrap().starts_with(&label), "{info}");
}

#[test]
fn a_padron_is_imported_from_a_url() {
    let publisher = Publisher::of(sample::PADRON, "\"v1\"");
    let home = Home::new();
    let out = home.run(&["registry", "import", "--padron", &publisher.url]).succeeded();
    assert!(out.starts_with("published edition "), "{out}");
    home.run(&["registry", "lookup", sample::COMPANY]).succeeded();
}
