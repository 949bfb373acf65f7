//! Who may read what the program writes, and which user may run a command that writes.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

use kuraka_sandbox::sample;
use rustix::process::geteuid;

use super::files::{next_day, versions};
use super::program::Home;
use super::publisher::Publisher;
use super::update::url_of;

/// A user that no machine has.
const OTHER: u32 = 54_321;

/// Everything in a folder.
fn all_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { [all_in(&path), vec![path]].concat() } else { vec![path] }).collect()
}

/// A folder that someone else made, with rights for all, in which commands have no umask.
fn open_to_all() -> Home {
    let home = Home::new().through(["sh", "-c", "umask 000 && exec \"$0\" \"$@\""]);
    fs::create_dir(home.data("")).unwrap();
    fs::set_permissions(home.data(""), PermissionsExt::from_mode(0o777)).unwrap();
    home
}

#[track_caller]
fn assert_private(home: &Home) {
    let files = all_in(&home.data(""));
    for path in &files {
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        let mode = fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, expected, "{mode:o}: {}", path.display());
    }
    for name in ["kuraka.db", "serve.lock", "CURRENT", "editions", "changes", "rejects", "last_attempt", "ROLLED_BACK"]
    {
        assert!(files.iter().any(|path| path.ends_with(name)), "{name}: {files:?}");
    }
}

#[test]
fn everything_in_the_data_folder_is_its_owners_alone() {
    let home = open_to_all();
    let [padron, ..] = versions();
    home.token("ana@example.pe");
    home.import(sample::PADRON);
    home.import(&next_day());
    home.run(&["dataset", "rollback", "padron"]).succeeded();
    let publisher = Publisher::new(padron.file_name, b"no padron", "\"v1\"");
    let home = home.with(&url_of("padron"), &publisher.url);
    assert_eq!(home.run(&["dataset", "update", "padron"]).code, Some(1));
    let serving = home.serve();
    assert_private(&home);
    serving.stop();
    assert_private(&home);
}

#[test]
fn everything_of_the_demo_is_its_owners_alone() {
    let home = open_to_all();
    let mut demo = home.start(&["demo"]);
    demo.output("Ctrl-C stops it.");
    for path in all_in(&home.data("")) {
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o077;
        assert_eq!(mode, 0, "{mode:o}: {}", path.display());
    }
}

/// A data folder of another user, and that user. Only root can give a folder away; others take the root of the file
/// system.
pub(crate) fn home_of_another_user() -> (Home, String, String) {
    let home = Home::new();
    if !geteuid().is_root() {
        return (home.with("KURAKA__DATA_DIR", "/"), "/".to_owned(), "root".to_owned());
    }
    home.run(&["account", "create", "--email", "ana@example.pe"]).succeeded();
    home.import_padron(sample::PADRON);
    give(&home);
    let folder = home.path("data").to_str().unwrap().to_owned();
    (home, folder, format!("'#{OTHER}'"))
}

fn give(home: &Home) {
    for path in all_in(&home.data("")).iter().chain([&home.data("")]) {
        chown(path, Some(OTHER), Some(OTHER)).unwrap();
    }
}

#[test]
fn a_command_that_writes_as_another_user_names_the_owner() {
    let (home, folder, owner) = home_of_another_user();
    let before = all_in(&home.path(""));
    for command in [
        &["serve"][..],
        &["demo"],
        &["dataset", "import", "padron", "x"],
        &["dataset", "update"],
        &["dataset", "backfill", "datos_abiertos"],
        &["dataset", "rollback", "padron"],
        &["store", "migrate"],
        &["store", "check"],
        &["backup", "x"],
        &["restore", "x"],
        &["store", "copy", "--from", &format!("sqlite://{folder}/kuraka.db"), "--to", "postgres://x/x"],
        &["account", "create", "--email", "luz@example.pe"],
        &["account", "set-password", "--email", "ana@example.pe"],
        &["account", "set-plan", "--email", "ana@example.pe", "--plan", "free"],
        &["account", "suspend", "--email", "ana@example.pe"],
        &["account", "activate", "--email", "ana@example.pe"],
        &["account", "delete", "--email", "ana@example.pe", "--yes"],
        &["token", "create", "--email", "ana@example.pe", "--name", "x"],
        &["token", "revoke", "--id", "1"],
        &["webhook", "create", "--email", "ana@example.pe", "--url", "https://example.pe/"],
        &["webhook", "test", "1"],
        &["webhook", "rotate", "1"],
        &["webhook", "pause", "1"],
        &["webhook", "resume", "1"],
        &["webhook", "delete", "1"],
    ] {
        let line = home.run(command).failed();
        let run_as = if geteuid().is_root() && !owner.starts_with('\'') {
            format!("runuser -u {owner} --")
        } else {
            format!("sudo -u {owner}")
        };
        let expected = format!(" belongs to the user {owner}: run this command with {run_as}");
        assert!(line.starts_with(&folder) && line.ends_with(&expected), "{command:?}: {line}");
    }
    assert_eq!(all_in(&home.path("")), before);
}

/// A data folder with rights for all that `owner` made, whose commands run as [`OTHER`]. Only root can make one; others
/// take the root of the file system, to which they cannot write.
fn open_to_another_user(owner: u32) -> Home {
    let to_other = ["setpriv", "--reuid", "54321", "--regid", "54321", "--clear-groups"];
    let home = Home::new();
    if !geteuid().is_root() {
        return home.with("KURAKA__DATA_DIR", "/");
    }
    fs::set_permissions(home.path(""), PermissionsExt::from_mode(0o711)).unwrap();
    fs::create_dir(home.data("")).unwrap();
    fs::set_permissions(home.data(""), PermissionsExt::from_mode(0o777)).unwrap();
    chown(home.data(""), Some(owner), None).unwrap();
    home.through(to_other)
}

#[test]
fn a_folder_that_all_may_write_to_is_still_its_owners() {
    let home = open_to_another_user(OTHER - 1);
    for command in [&["account", "create", "--email", "ana@example.pe"][..], &["dataset", "update"], &["serve"]] {
        let line = home.run(command).failed();
        assert!(line.contains(" belongs to the user "), "{line}");
    }
    assert!(!home.data("kuraka.db").exists());
}

#[test]
fn a_volume_of_root_becomes_the_first_users() {
    let home = open_to_another_user(0);
    let created = home.run(&["account", "create", "--email", "ana@example.pe"]);
    if geteuid().is_root() {
        created.succeeded();
        let line = home.through([""; 0]).run(&["account", "create", "--email", "luz@example.pe"]).failed();
        assert!(line.contains("kuraka.db belongs to the user '#54321': run this command with sudo -u"), "{line}");
    } else {
        assert!(created.failed().contains(" belongs to the user root"));
    }
}

#[test]
fn a_command_that_reads_leaves_no_file_of_its_user() {
    let home = Home::new();
    home.token("ana@example.pe");
    home.import_padron(sample::PADRON);
    // A command that writes makes this file anew.
    fs::remove_file(home.data("kuraka.db.lock")).unwrap();
    let owner = if geteuid().is_root() { OTHER } else { geteuid().as_raw() };
    if geteuid().is_root() {
        give(&home);
    }
    for command in [
        &["account", "list"][..],
        &["account", "show", "--email", "ana@example.pe"],
        &["token", "list", "--email", "ana@example.pe"],
        &["dataset", "info", "padron"],
        &["dataset", "changes", "padron"],
        &["lookup", sample::COMPANY],
    ] {
        home.run(command).succeeded();
    }
    assert!(home.run(&["dataset", "list"]).stdout.contains(" loaded "));
    assert!(!home.data("kuraka.db.lock").exists());
    for path in all_in(&home.data("")) {
        assert_eq!(fs::metadata(&path).unwrap().uid(), owner, "{}", path.display());
    }
}
