//! Which settings are meant by an unknown name, and which file is read without the option `--config`.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use kuraka_server::settings::{Values, environment};

use super::own_process;
use super::reliability::detail;

/// Precedes what a process says of its settings.
const READ: &str = "read: ";
/// Options of `unshare` that allow a mount. A user without privileges needs a user namespace too.
const NAMESPACES: [&[&str]; 2] = [&["--mount"], &["--user", "--map-root-user", "--mount"]];
/// Mounts a folder as `/etc`, and becomes the rest of the command line.
const WITH_ETC: &str = r#"mount --bind "$1" /etc && shift && exec "$@""#;

#[test]
fn a_hint_is_the_setting_with_the_least_edit_distance() {
    for (key, hint) in [
        ("http_bind", "did you mean http.bind?"),
        ("logs.level", "did you mean log.level?"),
        ("provider.chain", "did you mean providers.chain?"),
        ("plans.free.query", "did you mean plans.*.queries?"),
        ("webhook.enabled", "did you mean webhooks.enabled?"),
        ("datasets.padron.urls", "did you mean datasets.*.url?"),
        ("http.foo", "kuraka config reference lists them all"),
        ("http", "kuraka config reference lists them all"),
    ] {
        let variable = format!("KURAKA__{}", key.to_uppercase().replace('.', "__"));
        let written = environment().source(Some([(variable.clone(), "x".to_owned())].into_iter().collect()));
        let error = Values::load_with(None, written, &[]).err().unwrap().to_string();
        assert_eq!(error, format!("there is no setting {key} (from {variable}); {hint}"));
    }
}

/// Runs [`a_process_reads_its_settings`] by this command, with these variables only, in this folder.
fn read_by(mut command: Command, folder: &Path, variables: &[(&str, &str)]) -> String {
    command.env_clear().env(own_process::VARIABLE, "1").envs(variables.iter().copied()).current_dir(folder);
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let read = text.lines().find_map(|line| Some(line.split_once(READ)?.1.to_owned()));
    read.unwrap_or_else(|| panic!("{output:?}"))
}

fn command_line() -> [String; 4] {
    own_process::command_line("settings::a_process_reads_its_settings")
}

fn command() -> Command {
    let [program, arguments @ ..] = command_line();
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// The same with this folder as `/etc`.
fn command_with_etc(etc: &Path) -> Command {
    let may_mount = |options: &&&[&str]| {
        let mut mount = Command::new("unshare");
        mount.args(**options).args(["sh", "-c", "mount --bind \"$1\" /etc", "sh"]).arg(etc);
        mount.output().unwrap_or_else(|error| panic!("util-linux has unshare, install it: {error}")).status.success()
    };
    let namespaces = NAMESPACES.iter().find(may_mount).unwrap_or_else(|| {
        panic!(
            "this test mounts a folder in a namespace of its own. Run it as root with the capability CAP_SYS_ADMIN, or \
             allow user namespaces (sysctl kernel.unprivileged_userns_clone=1; in a container also a seccomp profile \
             that allows unshare and mount)"
        )
    });
    let mut command = Command::new("unshare");
    command.args(*namespaces).args(["sh", "-c", WITH_ETC, "sh"]).arg(etc).args(command_line());
    command
}

#[test]
fn a_process_reads_its_settings() {
    if !own_process::is_one() {
        return;
    }
    let read = match Values::load(None) {
        Ok(values) => values.file().map_or_else(|| "no file".to_owned(), |file| file.display().to_string()),
        Err(error) => format!("error: {error}"),
    };
    detail(&format!("{READ}{read}"));
}

#[test]
fn a_variable_with_too_few_underscores_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name, value| read_by(command(), folder.path(), &[("KURAKA_CONFIG", ""), (name, value)]);
    for (name, hint) in [
        ("KURAKA_HTTP__BIND", "KURAKA__HTTP__BIND"),
        ("KURAKA_HTTP_BIND", "KURAKA__HTTP__BIND"),
        ("KURAKA_NONSENSE", "KURAKA__SECTION__KEY"),
    ] {
        let expected = format!("error: {name} is no variable of a setting; did you mean {hint}?");
        assert_eq!(read(name, "127.0.0.1:1"), expected);
    }
    for name in
        ["KURAKA__HTTP__BIND", "KURAKA_TOKEN", "KURAKA_URL", "KURAKA_PORT_80_TCP", "KURAKA_SERVICE_HOST", "PATH"]
    {
        assert_eq!(read(name, "127.0.0.1:1"), "no file", "{name}");
    }
}

#[test]
fn the_first_usual_file_that_exists_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let [here, etc] = ["here", "etc"].map(|name| folder.path().join(name));
    fs::create_dir(&here).unwrap();
    fs::create_dir_all(etc.join("kuraka")).unwrap();
    let read = |variables: &[(&str, &str)]| read_by(command_with_etc(&etc), &here, variables);
    assert_eq!(read(&[]), "no file");
    fs::write(etc.join("kuraka/kuraka.toml"), "").unwrap();
    assert_eq!(read(&[]), "/etc/kuraka/kuraka.toml");
    fs::write(here.join("kuraka.toml"), "").unwrap();
    assert_eq!(read(&[]), "kuraka.toml");
    assert_eq!(read(&[("KURAKA_CONFIG", "")]), "no file");
    let missing = "error: the settings file missing.toml cannot be read";
    assert_eq!(read(&[("KURAKA_CONFIG", "missing.toml")]), missing);
    // One that may exist is not skipped, unless it is of the current folder.
    fs::remove_file(here.join("kuraka.toml")).unwrap();
    symlink("kuraka.toml", here.join("kuraka.toml")).unwrap();
    assert_eq!(read(&[]), "/etc/kuraka/kuraka.toml");
    fs::remove_dir_all(etc.join("kuraka")).unwrap();
    fs::write(etc.join("kuraka"), "no folder").unwrap();
    assert_eq!(read(&[]), "error: the settings file /etc/kuraka/kuraka.toml cannot be read");
}
