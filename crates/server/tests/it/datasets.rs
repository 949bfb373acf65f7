//! `kuraka dataset`: list, info, import, update, rollback; and the server's own updates.

use kuraka_registry::dataset;
use kuraka_sandbox::sample::{self, Piece};
use serde_json::{Value, json};

use super::program::Home;
use super::publisher::Publisher;

fn piece(name: &str) -> Piece {
    sample::datasets().unwrap().into_iter().find(|piece| piece.dataset == name).unwrap()
}

/// A dataset's piece of the sample, published under its own name.
fn published(name: &str) -> (Publisher, String) {
    let piece = piece(name);
    let publisher = Publisher::of(&piece.bytes, "\"v1\"");
    let url = publisher.url.replace("padron_reducido_ruc.zip", piece.file_name);
    (publisher, url)
}

fn import(home: &Home, name: &str) -> String {
    let piece = piece(name);
    let file = home.write(piece.file_name, &piece.bytes);
    home.run(&["dataset", "import", name, &file]).succeeded()
}

/// The row of a dataset in the list.
fn listed(home: &Home, name: &str) -> String {
    let out = home.run(&["dataset", "list"]).succeeded();
    out.lines().find(|line| line.split(' ').next() == Some(name)).unwrap_or_else(|| panic!("{out}")).to_owned()
}

fn info(home: &Home, name: &str) -> Value {
    serde_json::from_str(&home.run(&["dataset", "info", name, "--json"]).succeeded()).unwrap()
}

/// A variable that makes these the enabled datasets, beside the padrón.
const ENABLED: &str = "KURAKA__DATASETS__ENABLED";

#[test]
fn each_dataset_is_imported_listed_and_described() {
    let home = Home::new();
    for piece in sample::datasets().unwrap() {
        let (name, described) = (piece.dataset, dataset::named(piece.dataset).unwrap());
        assert!(listed(&home, name).contains("never imported  -"), "{}", listed(&home, name));
        let out = import(&home, name);
        assert!(out.starts_with("published edition ") && out.contains(&format!(" of {name}: ")), "{out}");
        let info = info(&home, name);
        let [edition] = info["editions"].as_array().unwrap().as_slice() else { panic!("{info:#}") };
        let label = edition["label"].as_str().unwrap();
        assert!(out.contains(label), "{out}");
        assert_eq!((&edition["current"], edition["source"]["name"].as_str()), (&true.into(), Some(piece.file_name)));
        assert_eq!(info["licence"], described.licence);
        assert_eq!(info["attribution"], described.attribution);
        assert_eq!(info["last_try"]["outcome"], "published");
        let row = listed(&home, name);
        assert!(row.contains(edition["date"].as_str().unwrap()) && row.contains(" current "), "{row}");
        assert!(row.ends_with(" published"), "{row}");
        let text = home.run(&["dataset", "info", name]).succeeded();
        assert!(text.contains(described.page) && text.contains(described.address) && text.contains(label), "{text}");
    }
    let again = import(&home, "anexos");
    assert!(again.starts_with("unchanged: edition ") && again.ends_with("of anexos was made from the same file\n"));
}

#[test]
fn info_tells_the_encoding_and_the_unknown_columns() {
    let home = Home::new();
    let text = "RUC|Nombre/Razon|A partir del|Resolucion|Nueva|\n20100119227|CAÑÓN|01/06/2002|RS Nº 1|x|\n";
    let file = home.write("AgenRet_TXT.txt", text);
    let out = home.run(&["dataset", "import", "retencion", &file]).succeeded();
    assert!(out.contains("unknown column      Nueva, not read") && out.contains("UTF-8"), "{out}");
    let edition = info(&home, "retencion")["editions"][0].clone();
    assert_eq!((&edition["encoding"], &edition["unknown_columns"]), (&json!("UTF-8"), &json!(["Nueva"])));
    let text = home.run(&["dataset", "info", "retencion"]).succeeded();
    assert!(text.contains("was read as UTF-8") && text.contains("unknown column: Nueva"), "{text}");
}

#[test]
fn list_and_info_of_nothing_make_no_folder() {
    let home = Home::new();
    let out = home.run(&["dataset", "list"]).succeeded();
    assert!(out.starts_with("NAME "), "{out}");
    assert_eq!(out.lines().count(), 1 + dataset::ALL.len(), "{out}");
    for dataset in dataset::ALL {
        let out = home.run(&["dataset", "info", dataset.name]).succeeded();
        assert!(out.contains("no edition yet: ") && out.contains(dataset.licence), "{out}");
    }
    assert!(!home.data("").exists());
}

#[test]
fn a_date_is_taken_from_the_option_and_a_later_file_needs_force_to_be_older() {
    let home = Home::new();
    let (list, other) = (piece("retencion"), home.write("AgenRet_TXT.txt", sample::WITHHOLDING));
    let file = home.write(list.file_name, &list.bytes);
    let out = home.run(&["dataset", "import", "retencion", &file, "--date", "2026-11-02"]).succeeded();
    assert!(out.starts_with("published edition 2026-11-02-") && out.contains("(as given"), "{out}");
    let older = ["dataset", "import", "retencion", &other, "--date", "2026-11-01"];
    let line = home.run(&older).failed();
    assert!(line.contains("retencion") && line.contains("2026-11-02") && line.contains("force"), "{line}");
    assert!(listed(&home, "retencion").ends_with(" failed"), "{}", listed(&home, "retencion"));
    let out = home.run(&["dataset", "list"]).succeeded();
    let note = out.lines().last().unwrap();
    assert!(note.starts_with("retencion: ") && note.contains("2026-11-02"), "the cause: {out}");
    assert!(out.lines().take(1 + dataset::ALL.len()).all(|line| line.chars().count() <= 100), "{out}");
    let out = home.run(&[&older[..], &["--force"]].concat()).succeeded();
    assert!(out.contains("forced"), "{out}");
    let text = home.run(&["dataset", "info", "retencion"]).succeeded();
    assert!(text.contains(" was forced: "), "{text}");
}

#[test]
fn the_file_of_another_dataset_is_refused_by_name() {
    let home = Home::new();
    for (name, of) in [("anexos", "datos_abiertos"), ("retencion", "percepcion_combustibles"), ("ssco", "sanciones")] {
        let other = piece(of);
        let file = home.write(other.file_name, &other.bytes);
        let line = home.run(&["dataset", "import", name, &file]).failed();
        assert!(line.contains(name) && line.contains(of), "{line}");
        assert!(listed(&home, name).contains("never imported"), "{}", listed(&home, name));
    }
}

#[test]
fn an_unknown_dataset_lists_the_known_ones() {
    let home = Home::new();
    for command in [&["import", "anexo", "x.zip"][..], &["info", "anexo"], &["update", "anexo"], &["rollback", "anexo"]]
    {
        let done = home.run(&[&["dataset"], command].concat());
        assert_eq!((done.code, done.stdout.as_str()), (Some(2), ""));
        assert!(done.stderr.contains("\"anexo\""), "{done:?}");
        assert!(dataset::ALL.iter().all(|dataset| done.stderr.contains(dataset.name)), "{done:?}");
    }
}

#[test]
fn a_dataset_is_rolled_back() {
    let home = Home::new();
    assert_eq!(home.run(&["dataset", "rollback", "anexos"]).failed(), "there is no edition to roll back from");
    import(&home, "anexos");
    let text = "RUC|UBIGEO|TIPO DE VÍA|NOMBRE DE VÍA|CÓDIGO DE ZONA|TIPO DE ZONA|NÚMERO|KILÓMETRO|INTERIOR|LOTE|\
                DEPARTAMENTO|MANZANA|\n20100119227|150101|AV.|GRAU|-|-|1|-|-|-|-|-|\n";
    let file = home.write("padron_reducido_local_anexo.txt", text);
    home.run(&["dataset", "import", "anexos", &file, "--force"]).succeeded();
    let out = home.run(&["dataset", "rollback", "anexos"]).succeeded();
    assert!(out.contains(" of anexos is current again; "), "{out}");
    let editions = info(&home, "anexos")["editions"].clone();
    assert_eq!(editions[1]["current"], true, "{editions:#}");
    assert_eq!(editions[0]["rolled_back"], true, "{editions:#}");
    let line = home.run(&["dataset", "import", "anexos", &file]).failed();
    assert!(line.contains("anexos") && line.contains("rolled back"), "{line}");

    // The padrón is one of the datasets.
    let (first, _) = (home.import(sample::PADRON), home.import(&super::files::next_day()));
    let out = home.run(&["dataset", "rollback", "padron"]).succeeded();
    assert!(out.starts_with(&first), "{out}");
}

#[test]
fn one_dataset_that_fails_does_not_stop_the_update_of_others() {
    let (sanctions, url) = published("sanciones");
    let home = Home::new()
        .with(ENABLED, "anexos, sanciones, ssco")
        .with("KURAKA__REGISTRY__PADRON_URL", "")
        .with("KURAKA__DATASETS__ANEXOS__URL", "http://ana:s3cr3t@127.0.0.1:9/anexos.zip?key=s3cr3t")
        .with("KURAKA__DATASETS__SSCO__URL", &url)
        .with("KURAKA__DATASETS__SANCIONES__URL", &url);
    // A port without a server is tried again, so ssco is the one that fails at once.
    let done = home.run(&["dataset", "update", "ssco", "sanciones"]);
    assert_eq!(done.code, Some(1));
    assert!(done.stdout.starts_with("published edition ") && done.stdout.contains(" of sanciones: "), "{done:?}");
    assert!(done.stderr.contains("warning: ssco is not updated: "), "{done:?}");
    assert!(done.stderr.ends_with("error: not updated: ssco\n"), "{done:?}");
    assert!(listed(&home, "ssco").contains("never imported") && listed(&home, "ssco").ends_with(" failed"));
    let out = home.run(&["dataset", "update", "sanciones"]).succeeded();
    assert_eq!(out, "unchanged: the current edition of sanciones was built from this file\n");
    assert!(listed(&home, "sanciones").ends_with(" unchanged"), "{}", listed(&home, "sanciones"));
    let other = listed(&home, "percepcion_combustibles");
    assert!(other.contains("not enabled"), "{other}");
    let list = listed(&home, "retencion");
    assert!(list.contains("never imported"), "the lists of the padrón's flags are always enabled: {list}");
    let info = home.run(&["dataset", "info", "anexos"]).succeeded();
    assert!(info.contains("http://…@127.0.0.1:9/anexos.zip?…") && !info.contains("s3cr3t"), "{info}");
    assert!(sanctions.requests()[2].contains("if-none-match: \"v1\""), "{:?}", sanctions.requests());
}

#[test]
fn registry_update_publishes_a_changed_list_alone() {
    let padron = Publisher::of(sample::PADRON, "\"v1\"");
    let (list, url) = published("retencion");
    let home = Home::new()
        .with("KURAKA__REGISTRY__PADRON_URL", &padron.url)
        .with("KURAKA__REGISTRY__WITHHOLDING_URL", &url)
        .with("KURAKA__REGISTRY__GOOD_TAXPAYERS_URL", "");
    let out = home.run(&["registry", "update"]).succeeded();
    assert!(out.contains(" of retencion: ") && out.contains("555 taxpayers"), "{out}");
    let label = info(&home, "padron")["editions"][0]["label"].clone();
    let looked_up = home.run(&["registry", "lookup", sample::COMPANY]).succeeded();
    assert!(looked_up.trim_end().ends_with("SI         NO"), "{looked_up}");

    let flags = |ruc| home.run(&["registry", "lookup", ruc]).succeeded().trim_end().ends_with("SI         NO");
    assert!(!flags(sample::SANCTIONED));
    let longer = [sample::WITHHOLDING, format!("{}|NUEVA|01/11/2026|RS 1|\r", sample::SANCTIONED).as_bytes()].concat();
    list.publish(&longer, "\"v2\"");
    let out = home.run(&["registry", "update"]).succeeded();
    assert!(out.contains(" of retencion: "), "{out}");
    assert!(out.ends_with("unchanged: the current edition was built from these files\n"), "{out}");
    assert_eq!(info(&home, "padron")["editions"].as_array().unwrap().len(), 1);
    assert_eq!(info(&home, "padron")["editions"][0]["label"], label);
    assert_eq!(info(&home, "retencion")["editions"].as_array().unwrap().len(), 2);

    assert!(flags(sample::SANCTIONED), "by the list's own edition");

    // Without the list's server, the padrón is updated all the same.
    list.publish(b"<html>Mantenimiento</html>", "\"v3\"");
    padron.publish(&super::files::next_day(), "\"v2\"");
    let done = home.run(&["registry", "update"]);
    assert!(done.stderr.contains("warning: the list retencion stays as it was: "), "{done:?}");
    assert!(done.succeeded().contains("556 taxpayers"));
}

#[test]
fn an_update_of_all_takes_the_flags_of_the_lists() {
    let (padron, (_list, url)) = (Publisher::of(sample::PADRON, "\"v1\""), published("retencion"));
    let home = Home::new()
        .with(ENABLED, "padron")
        .with("KURAKA__REGISTRY__GOOD_TAXPAYERS_URL", "")
        .with("KURAKA__REGISTRY__PADRON_URL", &padron.url)
        .with("KURAKA__DATASETS__RETENCION__URL", &url);
    let out = home.run(&["dataset", "update"]).succeeded();
    let (list, padron) = (out.find(" of retencion: ").unwrap(), out.find("555 taxpayers").unwrap());
    assert!(list < padron, "{out}");
    let looked_up = home.run(&["registry", "lookup", sample::COMPANY]).succeeded();
    assert!(looked_up.trim_end().ends_with("SI         NO"), "the flag is in the record: {looked_up}");
}

#[test]
fn a_server_updates_each_enabled_dataset() {
    let (padron, (annexes, url)) = (Publisher::of(b"no padron", "\"v1\""), published("retencion"));
    let home = Home::new()
        .with("KURAKA__REGISTRY__UPDATE_EVERY", "24h")
        .with("KURAKA__REGISTRY__PADRON_URL", &padron.url)
        .with(ENABLED, "padron")
        .with("KURAKA__REGISTRY__GOOD_TAXPAYERS_URL", "")
        .with("KURAKA__REGISTRY__WITHHOLDING_URL", &url);
    let mut serving = home.serve();
    // The padrón is updated two seconds after the list, from which it takes its flags.
    let line = serving.log("the registry is updated");
    assert!(line.contains("\"dataset\":\"retencion\""), "{line}");
    let line = serving.log("the registry could not be updated");
    assert!(line.contains("\"dataset\":\"padron\""), "{line}");
    serving.stop();
    assert_eq!(annexes.requests().len(), 1);
    assert!(listed(&home, "retencion").ends_with(" published"), "{}", listed(&home, "retencion"));
    assert!(listed(&home, "padron").ends_with(" failed"), "{}", listed(&home, "padron"));
}

#[test]
fn a_list_that_only_the_padron_has_is_listed_with_its_count() {
    let home = Home::new();
    let (padron, list) = (home.write("padron.txt", sample::PADRON), home.write("agents.txt", sample::WITHHOLDING));
    let out = home.run(&["registry", "import", "--padron", &padron, "--withholding", &list]).succeeded();
    assert!(out.contains(" of retencion: ") && out.contains("555 taxpayers"), "both reports: {out}");
    let row = listed(&home, "retencion");
    let rows = row.split_whitespace().nth(2).unwrap().to_owned();
    assert!(row.contains(" current "), "{row}");
    std::fs::remove_dir_all(home.data("registry/datasets")).unwrap();
    let row = listed(&home, "retencion");
    assert!(row.contains("in the padrón") && row.split_whitespace().nth(2) == Some(&*rows), "{row}");
    assert!(listed(&home, "buenos_contribuyentes").contains("never imported"));
}

#[test]
fn a_replica_updates_only_what_its_server_updates() {
    let (list, url) = published("retencion");
    let replica = Home::new()
        .with("KURAKA__REGISTRY__EDITION_URL", "http://127.0.0.1:9/edition")
        .with("KURAKA__REGISTRY__UPDATE_EVERY", "24h")
        .with("KURAKA__DATASETS__RETENCION__URL", &url);
    let out = replica.run(&["dataset", "update"]).succeeded();
    assert!(out.contains(" of retencion: "), "{out}");
    assert_eq!((list.requests().len(), replica.data("registry/downloads").exists()), (1, false));
}

#[test]
fn a_replica_gets_a_dataset_from_the_builder() {
    let builder = Home::new();
    import(&builder, "anexos");
    let label = info(&builder, "anexos")["editions"][0]["label"].clone();
    let serving = builder.serve();
    let edition = |name: &str| format!("http://{}/edition/{name}", serving.admin);
    let replica = Home::new()
        .with("KURAKA__DATASETS__ANEXOS__URL", &edition("anexos"))
        .with("KURAKA__DATASETS__SSCO__URL", &edition("ssco"));
    let out = replica.run(&["dataset", "update", "anexos"]).succeeded();
    assert!(out.contains(label.as_str().unwrap()) && out.contains("of the edition"), "{out}");
    let out = replica.run(&["dataset", "update", "anexos"]).succeeded();
    assert_eq!(out, "unchanged: the current edition of anexos was built from this file\n");
    let done = replica.run(&["dataset", "update", "ssco"]);
    assert!(done.stderr.contains("404"), "{done:?}");
    let out = replica.run(&["dataset", "import", "anexos", &edition("anexos")]).succeeded();
    assert_eq!(out, format!("unchanged: edition {} of anexos is already current\n", label.as_str().unwrap()));
    let unknown = super::http::get(serving.admin, "/edition/anexo");
    assert!(unknown.status == 404 && unknown.body.contains("sanciones"), "{unknown:?}");
    serving.stop();
}
