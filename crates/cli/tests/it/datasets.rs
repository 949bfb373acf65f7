//! `kuraka dataset`: list, info, import and rollback.

use kuraka_registry::dataset::{self, Dataset};
use kuraka_sandbox::sample::{self, Piece};
use serde_json::json;

use super::files::versions;
use super::program::Home;

pub(crate) fn piece(name: &str) -> Piece {
    sample::datasets().unwrap().into_iter().find(|piece| piece.dataset == name).unwrap()
}

/// Imports a dataset's piece of the sample and returns the report.
fn import(home: &Home, name: &str) -> String {
    let piece = piece(name);
    let file = home.write(piece.file_name, &piece.bytes);
    home.run(&["dataset", "import", name, &file]).succeeded()
}

/// The row of a dataset in the list.
pub(crate) fn listed(home: &Home, name: &str) -> String {
    let out = home.run(&["dataset", "list"]).stdout;
    out.lines().find(|line| line.split(' ').next() == Some(name)).unwrap_or_else(|| panic!("{out}")).to_owned()
}

#[test]
fn each_dataset_is_imported_listed_and_described() {
    // The pieces of the sample have a date of their own, and are of any age.
    let any_age = |home: Home, dataset: &&'static Dataset| {
        home.with(&format!("KURAKA__DATASETS__{}__MAX_AGE_DAYS", dataset.name.to_uppercase()), "0")
    };
    let home = dataset::ALL.iter().fold(Home::new(), any_age);
    for piece in sample::datasets().unwrap() {
        let (name, described) = (piece.dataset, dataset::named(piece.dataset).unwrap());
        assert!(listed(&home, name).contains("never imported  -"), "{}", listed(&home, name));
        let out = import(&home, name);
        assert!(out.starts_with("published edition ") && out.contains(&format!(" of {name}: ")), "{out}");
        let info = home.info(name);
        let [edition] = info["editions"].as_array().unwrap().as_slice() else { panic!("{info:#}") };
        let label = edition["label"].as_str().unwrap();
        assert!(out.contains(label), "{out}");
        assert_eq!((&edition["current"], edition["source"]["name"].as_str()), (&true.into(), Some(piece.file_name)));
        assert_eq!(info["licence"], described.licence);
        assert_eq!(info["attribution"], described.attribution);
        assert_eq!(
            (&info["last_attempt"]["outcome"], &info["last_attempt"]["edition"]),
            (&json!("published"), &json!(label))
        );
        let row = listed(&home, name);
        assert!(row.contains(edition["date"].as_str().unwrap()) && row.contains(" loaded "), "{row}");
        assert!(row.ends_with(" published"), "{row}");
        let text = home.run(&["dataset", "info", name]).succeeded();
        assert!(text.contains(described.page) && text.contains(described.address) && text.contains(label), "{text}");
        let again = import(&home, name);
        assert_eq!(again, format!("unchanged: edition {label} of {name} was made from the same file\n"));
    }
}

#[test]
fn info_tells_the_encoding_and_the_unknown_columns() {
    let home = Home::new();
    let text = "RUC|Nombre/Razon|A partir del|Resolucion|Nueva|\n20100119227|CAÑÓN|01/06/2002|RS Nº 1|x|\n";
    let file = home.write("AgenRet_TXT.txt", text);
    let out = home.run(&["dataset", "import", "retencion", &file]).succeeded();
    assert!(out.contains("unknown column      Nueva, not read") && out.contains("UTF-8"), "{out}");
    let edition = home.info("retencion")["editions"][0].clone();
    assert_eq!((&edition["encoding"], &edition["unknown_columns"]), (&json!("UTF-8"), &json!(["Nueva"])));
    let text = home.run(&["dataset", "info", "retencion"]).succeeded();
    assert!(text.contains("was read as UTF-8") && text.contains("unknown column: Nueva"), "{text}");
}

#[test]
fn list_and_info_of_nothing_make_no_folder() {
    let home = Home::new();
    let out = home.run(&["dataset", "list"]).stdout;
    assert!(out.starts_with("NAME "), "{out}");
    // The heading, and the exchange rates, which are in no index file.
    assert_eq!(out.lines().count(), 2 + dataset::ALL.len(), "{out}");
    for dataset in dataset::ALL {
        let out = home.run(&["dataset", "info", dataset.name]).succeeded();
        assert!(out.contains("no edition yet: ") && out.contains(dataset.licence), "{out}");
        assert_eq!(home.info(dataset.name)["editions"], json!([]));
    }
    assert!(!home.data("").exists());
}

#[test]
fn an_import_of_the_padron_reports_what_it_has_left_out_and_why_a_file_is_refused() {
    let home = Home::new();
    let mut text = sample::PADRON.to_vec();
    let find = |text: &[u8], what: &str| text.windows(what.len()).position(|found| found == what.as_bytes()).unwrap();
    let line = find(&text, &format!("\n{}|", sample::PERSON));
    let ubigeo = line + find(&text[line..], "|-|");
    text.splice(ubigeo + 1..ubigeo + 2, *b"150101");
    let out = home.import_of("2026-11-01", "padron", &text);
    assert!(out.starts_with("published edition 2026-11-01-"), "{out}");
    for part in [
        "555 rows of 555 taxpayers",
        "2026-11-01 (as given)",
        "left out            2 rows",
        "addresses dropped   1 of persons",
        "rejected lines in",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let half = home.write("half.txt", &sample::PADRON[..sample::PADRON.len() / 2]);
    let line = home.run(&["dataset", "import", "padron", &half, "--date", "2026-11-20"]).failed();
    assert!(line.contains("as padron: the file holds ") && line.ends_with("; --force publishes it"), "{line}");
    let line = home.run(&["dataset", "import", "padron", "nowhere.zip"]).failed();
    let reason = "the file cannot be read: No such file or directory (os error 2)";
    assert_eq!(line, format!("nowhere.zip is not imported as padron: {reason}"));
    // A refusal of a file that an operator names is no attempt to update.
    assert!(listed(&home, "padron").ends_with(" published"), "{}", listed(&home, "padron"));
    let forced = ["dataset", "import", "padron", &half, "--date", "2026-11-20", "--force"];
    assert!(home.run(&forced).succeeded().contains("forced  "));
    assert!(home.run(&["dataset", "info", "padron"]).succeeded().contains(" was forced: "));
}

#[test]
fn info_names_the_address_that_updates_use_without_its_secrets() {
    let home = Home::new().with("KURAKA__DATASETS__BUILDER_URL", "http://10.0.0.5:9464/edition/");
    assert_eq!(home.info("padron")["address"], "http://10.0.0.5:9464/edition/padron");
    let home = Home::new().with("KURAKA__DATASETS__ANEXOS__URL", "http://ana:s3cr3t@127.0.0.1:9/anexos.zip?key=s3cr3t");
    let info = home.run(&["dataset", "info", "anexos"]).succeeded();
    assert!(info.contains("http://…@127.0.0.1:9/anexos.zip?…") && !info.contains("s3cr3t"), "{info}");
}

#[test]
fn an_unknown_dataset_lists_the_known_ones() {
    let home = Home::new();
    for command in [
        &["import", "anexo", "x.zip"][..],
        &["info", "anexo"],
        &["update", "anexo"],
        &["rollback", "anexo"],
        &["changes", "anexo"],
    ] {
        let done = home.run(&[&["dataset"], command].concat());
        assert_eq!((done.code, done.stdout.as_str()), (Some(2), ""));
        assert!(done.stderr.contains("\"anexo\""), "{done:?}");
        assert!(dataset::ALL.iter().all(|dataset| done.stderr.contains(dataset.name)), "{done:?}");
    }
}

#[test]
fn a_dataset_is_rolled_back() {
    let [_, case, _] = versions();
    let (home, name) = (Home::new(), case.dataset.name);
    let rollback = ["dataset", "rollback", name];
    assert_eq!(home.run(&rollback).failed(), "there is no edition to roll back from");
    let first = case.import(&home, 0);
    let line = home.run(&rollback).failed();
    assert!(line.starts_with(&format!("no usable edition before {first} is kept")), "{line}");
    let second = case.import(&home, 1);
    let states = || {
        let table = home.run(&["dataset", "info", name]).succeeded();
        let (_, editions) = table.split_once("\nEDITION ").unwrap();
        let rows = editions.lines().skip(1).map(|line| line.split_whitespace().take(2).collect::<Vec<_>>().join(" "));
        rows.take(2).collect::<Vec<_>>()
    };
    assert_eq!(states(), [format!("{second} current"), format!("{first} kept")]);
    assert!(!listed(&home, name).contains("rolled back"));
    let out = home.run(&rollback).succeeded();
    let done = format!("{first} of {name} is current again; {second} is not published again");
    assert!(out.starts_with(&done), "{out}");
    let editions = home.info(name)["editions"].take();
    assert_eq!([&editions[0]["rolled_back"], &editions[1]["current"]], [&json!(true); 2], "{editions:#}");
    let list = home.run(&["dataset", "list"]).stdout;
    assert!(listed(&home, name).contains(" rolled back "), "{list}");
    assert!(list.contains(&format!("\n{name}: edition {second} was rolled back\n")), "{list}");

    // The second edition is published again only with --force.
    let file = home.write(case.file_name, &case.files[1]);
    let line = home.run(&["dataset", "import", name, &file]).failed();
    assert!(line.contains(name) && line.contains("rolled back") && line.contains(&second), "{line}");
    home.run(&["dataset", "import", name, &file, "--force"]).succeeded();
    assert_eq!(home.current(name), home.edition(name, &second));
}

/// The downloads of a dataset that stay: neither notes nor locks.
pub(crate) fn downloads(home: &Home, dataset: &str) -> Vec<String> {
    let files = std::fs::read_dir(home.dataset(dataset, "downloads")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name != "last_attempt" && !name.ends_with(".note") && !name.ends_with(".lock")).collect()
}
