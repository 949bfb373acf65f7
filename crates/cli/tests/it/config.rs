//! Settings and `kuraka config`. Valid settings are shown with their origin; an invalid one stops every command with one
//! line that names the key and its origin.

use kuraka_registry::dataset;

use super::program::Home;

/// The program without a variable that the tests set otherwise.
fn without(variable: &str) -> Home {
    Home::new().through(["env", &format!("--unset={variable}")])
}

/// Asserts that `kuraka config show` has these rows, with one blank between the columns, and returns its output.
#[track_caller]
fn shows(home: &Home, arguments: &[&str], rows: &[&str]) -> String {
    let out = home.run(&[&["config", "show"], arguments].concat()).succeeded();
    let shown: Vec<_> = out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for row in rows {
        assert!(shown.iter().any(|known| known == row), "{row} in {out}");
    }
    out
}

/// The variable of a setting.
fn variable(key: &str) -> String {
    format!("KURAKA__{}", key.replace('.', "__").to_uppercase())
}

/// The error of these settings.
fn refused(home: &Home, settings: &[(&str, &str)]) -> String {
    let variables: Vec<_> = settings.iter().map(|(key, value)| (variable(key), *value)).collect();
    let variables: Vec<_> = variables.iter().map(|(name, value)| (&**name, *value)).collect();
    home.run_with(&["config", "check"], &variables, "").failed()
}

#[test]
fn settings_are_shown_with_their_origin() {
    let home = Home::new().plan(7, 8);
    let file = home.write(
        "mine.toml",
        "[datasets.padron]\nmax_age_days = 3\n[http]\ntrusted_proxies = [\"10.0.0.0/8\", \"::1\"]\n\
         [plans.free]\nqueries = 6\n",
    );
    let rows = [
        "SETTING VALUE ORIGIN",
        &format!("datasets.padron.max_age_days 3 from {file}"),
        &format!("http.trusted_proxies 10.0.0.0/8, ::1 from {file}"),
        "plans.free.queries 7 from KURAKA__PLANS__FREE__QUERIES",
        "datasets.ssco.max_age_days 120 default",
        "log.level info default",
    ];
    shows(&home, &["--config", &file], &rows);
    let checked = home.run(&["config", "check", "--config", &file]);
    let valid = format!("the settings are valid; the settings file is {file}\n");
    assert_eq!((checked.code, &*checked.stdout, &*checked.stderr), (Some(0), "", &*valid));

    let home = without("KURAKA__DATASETS__UPDATE_EVERY");
    shows(&home, &[], &["datasets.update_every 24h default"]);
    let home = home.with("KURAKA__DATASETS__BUILDER_URL", "http://10.0.0.5:9464/edition");
    shows(&home, &[], &["datasets.update_every 10m default"]);
}

#[test]
fn a_named_settings_file_is_read_alone() {
    let home = Home::new();
    home.write("kuraka.toml", "log.level = \"error\"\n");
    let [named, given] =
        ["named", "given"].map(|name| home.write(&format!("{name}.toml"), format!("panel.name = \"{name}\"\n")));
    let home = home.with("KURAKA_CONFIG", &named);
    shows(&home, &[], &[&format!("panel.name named from {named}"), "log.level info default"]);
    shows(&home, &["--config", &given], &[&format!("panel.name given from {given}"), "log.level info default"]);
}

#[test]
fn a_dialect_that_cannot_be_served_or_needs_a_setting_is_told() {
    let home = Home::new();
    let check = |text: &str| {
        let file = home.write("mine.toml", text);
        home.run(&["config", "check", "--config", &file])
    };
    let told = check("compat.providers = \"apisperu, jsonpe\"\n");
    assert!(told.code == Some(0) && told.stderr.contains("clients of apisperu") && !told.stderr.contains("jsonpe"));
    assert!(told.stderr.contains("set compat.tokens_in_query to true"), "{told:?}");
    let told = check("compat.providers = \"apisperu\"\ncompat.tokens_in_query = \"true\"\n");
    assert!(told.code == Some(0) && !told.stderr.contains("clients of"), "{told:?}");
    let told = check("compat.providers = \"apiperudev\"\n");
    assert!(told.code == Some(1) && told.stderr.contains("apiperudev has no [dialect]"), "{told:?}");
    let told = check("compat.providers = \"nobody\"\n");
    assert!(told.code == Some(1) && told.stderr.contains("compat.providers names nobody"), "{told:?}");
}

#[test]
fn a_missing_or_malformed_settings_file_is_named() {
    let home = Home::new();
    let line = home.run(&["config", "check", "--config", "nowhere.toml"]).failed();
    assert_eq!(line, "the settings file nowhere.toml cannot be read: No such file or directory (os error 2)");
    home.write("kuraka.toml", "");
    let line = home.run_with(&["config", "check"], &[("KURAKA_CONFIG", "nowhere.toml")], "").failed();
    assert_eq!(line, "the settings file nowhere.toml cannot be read: No such file or directory (os error 2)");
    let file = home.write("mine.toml", "[http\n");
    let done = home.run(&["config", "check", "--config", &file]);
    assert_eq!((done.code, done.stdout.as_str()), (Some(1), ""));
    assert!(done.stderr.starts_with("error: the settings file ") && done.stderr.contains(&file), "{done:?}");
    // The error names the position but not the text there, which may be a secret.
    let file = home.write("mine.toml", "[providers.apisperu]\ntoken = \"s3cr3t\n");
    let line = home.run(&["config", "check", "--config", &file]).failed();
    assert!(line.contains("line 2, column") && !line.contains("s3cr3t"), "{line}");
}

#[test]
fn a_secrets_file_that_cannot_be_read_is_named() {
    let setting = "KURAKA__VOUCHERS__CLIENT_SECRET_FILE";
    let start = |text: &str| Home::new().with(setting, text).run(&["config", "check"]).failed();
    let expected = format!("setting vouchers.client_secret_file (from {setting}) must be a file that can be read");
    let reason = "/nowhere/secret: No such file or directory (os error 2)";
    assert_eq!(start("/nowhere/secret"), format!("{expected} ({reason})"));
    assert_eq!(start("s3cr3t"), expected, "it may be the secret itself");
}

#[test]
fn commands_without_a_server_read_no_usual_settings_file() {
    let home = without("KURAKA_CONFIG");
    home.write("kuraka.toml", "[http\n");
    let answer = home.write("answer.json", "{}");
    for command in [&["openapi"][..], &["sandbox", "--outcomes"], &["explain", "vouchers", &answer]] {
        home.run(command).succeeded();
    }
    // The demo reads variables, and the file of --config.
    let wrong = ("KURAKA__HTTP__BIN", "x");
    assert!(home.run_with(&["demo"], &[wrong], "").failed().contains("http.bin (from KURAKA__HTTP__BIN)"));
    let line = home.run_with(&["demo", "--config", "kuraka.toml"], &[wrong], "").failed();
    assert!(line.contains("the settings file kuraka.toml"), "{line}");
}

#[test]
fn the_reference_page_ends_with_the_table_of_all_settings() {
    let page = include_str!("../../../../docs/reference/configuration.md");
    let printed = Home::new().run(&["config", "reference"]).succeeded();
    assert!(page.ends_with(&format!("\n\n{printed}")), "print it anew, as docs/reference/configuration.md says");
    assert!(printed.lines().count() > 40, "{printed}");
}

#[test]
fn an_unknown_setting_is_reported_with_its_origin() {
    let home = Home::new();
    for key in ["http.bin", "datadir", "plans.free.quota", "http.bind.port"] {
        let line = refused(&home, &[(key, "s3cr3t-value")]);
        assert!(line.contains(key) && line.contains(&variable(key)) && !line.contains("s3cr3t"), "{line}");
    }
    let file = home.write("mine.toml", "[http]\nport = 80\n");
    let line = home.run(&["config", "check", "--config", &file]).failed();
    assert!(line.contains("http.port") && line.contains(&file), "{line}");
    for (key, value) in [("datasets.enabled", "anexos, anexo"), ("datasets.anexo.url", "")] {
        let line = refused(&home, &[(key, value)]);
        assert!(line.contains(&variable(key)), "{line}");
        assert!(dataset::ALL.iter().all(|dataset| line.contains(dataset.name)), "{line}");
    }
    let line = home.run_with(&["config", "check"], &[("KURAKA_HTTP__BIND", "127.0.0.1:1")], "").failed();
    assert!(line.contains("did you mean KURAKA__HTTP__BIND?"), "{line}");
}

#[test]
fn an_invalid_value_is_reported_with_its_origin_but_not_printed() {
    let home = Home::new();
    for key in [
        "http.bind",
        "http.workers",
        "http.trusted_proxies",
        "http.public_url",
        "http.keep_alive",
        "http.max_connections",
        "http.max_connections_per_address",
        "panel.sign_up",
        "admin.bind",
        "store.url",
        "datasets.update_every",
        "datasets.builder_url",
        "datasets.padron.sha256_url",
        "datasets.padron.max_age_days",
        "datasets.enabled",
        "datasets.datos_abiertos.url",
        "datasets.changes_kept_days",
        "plans.free.queries",
        "plans.free.rate",
        "plans.free.burst",
        "sources.deadline",
        "vouchers.ruc",
        "vouchers.token_url",
        "vouchers.api_url",
        "log.format",
    ] {
        let line = refused(&home, &[(key, "ftp://ana:s3cr3t@x/,=")]);
        assert!(line.contains(&format!("{key} (from {}) must be ", variable(key))), "{key}: {line}");
        assert!(!line.contains("s3cr3t"), "{line}");
    }
    let darker = "darker: its contrast with the light pages is 1.31, less than 4.5";
    for (key, value, expected) in [
        ("log.level", "=", "off, error"),
        ("log.level", "inof", "off, error"),
        ("log.level", "warn,kuraka", "off, error"),
        ("log.level", "", "off, error"),
        ("plans.free.rate", "0", "a whole number from 1 to 1000000"),
        ("plans.free.burst", "1000001", "a whole number from 1"),
        ("plans.free.queries", "1000000000001", "a whole number from 0"),
        ("official.url", "ftp://x", "the full http"),
        ("official.open_data", "si", "true or"),
        ("official.user_agent", "ñ", "printable ASCII"),
        ("official.min_interval_ms", "60001", "a whole number from 0 to 60000"),
        ("sources.deadline", "15s", "a time with its unit, such as 5s, from 100ms"),
        ("datasets.update_every", "5s", "a time with its unit, such as 5s, from 1m"),
        ("datasets.padron.sha256_url", "https://x/sum", "empty, unless datasets.builder_url is set"),
        ("http.public_url", "https://kuraka.example/panel", "an address such as"),
        ("http.trusted_proxies", "10.0.0.0/33", "a list of which each item is an address or a network"),
        ("panel.sign_up", "gold", "the name of a plan"),
        ("panel.name", "<b>Quispe", "1 to 40 letters"),
        ("panel.logo", "none.svg", "the path of a readable SVG"),
        ("panel.logo", "/dev/zero", "the path of a readable SVG"),
        ("panel.colour", "red", "a dark colour such as #a3123f"),
        ("panel.colour", "#ffcc00", darker),
        ("vouchers.client_id", "two words", "printable ASCII without blanks"),
        ("data_dir", "", "a path"),
    ] {
        let line = refused(&home, &[(key, value)]);
        let expected = format!("{key} (from {}) must be {expected}", variable(key));
        assert!(line.contains(&expected), "{key}={value}: {line}");
    }
    let both = [("http.bind", "127.0.0.1:1"), ("admin.bind", "127.0.0.1:1")];
    let line = refused(&home, &both);
    assert!(line.contains("admin.bind (from KURAKA__ADMIN__BIND) must be another address than http.bind"), "{line}");
    for prefix in ["vouchers.", "vouchers.more.spare."] {
        let set = [("ruc", "20100119227"), ("client_id", "s3cr3t"), ("client_secret", "s3cr3t")];
        for (missing, _) in set {
            let rest = set.iter().filter(|(name, _)| *name != missing);
            let rest: Vec<_> = rest.map(|(name, value)| (format!("{prefix}{name}"), *value)).collect();
            let rest: Vec<_> = rest.iter().map(|(key, value)| (&**key, *value)).collect();
            let line = refused(&home, &rest);
            assert!(line.contains(&format!("{prefix}{missing}")) && !line.contains("s3cr3t"), "{line}");
        }
    }
    let line = home.run_with(&["config", "check"], &[("KURAKA__PLANS__Pro__RATE", "1")], "").failed();
    assert!(line.contains("(not set) must be a whole number"), "{line}");
    let file = home.write("mine.toml", "[plans.free]\nqueries = \"many\"\nrat = 5\n[http]\nkeep_alive = \"5\"\n");
    let line = home.run_with(&["config", "check", "--config", &file], &[("KURAKA__LOG__LEVEL", "=")], "").failed();
    assert!(line.matches("; ").count() >= 3, "{line}");
    let queries = format!("plans.free.queries (from {file})");
    for key in [&*queries, "plans.free.rat ", "http.keep_alive", "log.level (from KURAKA__LOG__LEVEL)"] {
        assert!(line.contains(&format!(" {key}")), "{key}: {line}");
    }
}

#[test]
fn secrets_are_not_shown() {
    let home = Home::new();
    let file = home.write("secret", "s3cr3t\n");
    let store = format!("sqlite://{}", home.path("s3cr3t.db").display());
    let home = home
        .with("KURAKA__PROVIDERS__APISPERU__URL", "https://ana:s3cr3t@example.pe/v1/{ruc}?token=s3cr3t")
        .with("KURAKA__PROVIDERS__APISPERU__TOKEN_FILE", &file)
        .with("KURAKA__VOUCHERS__RUC", "20100119227")
        .with("KURAKA__VOUCHERS__CLIENT_ID", "s3cr3t")
        .with("KURAKA__VOUCHERS__CLIENT_SECRET", "s3cr3t")
        .with("KURAKA__DATASETS__SSCO__URL", "http://10.0.0.5/ssco.xlsx?key=s3cr3t")
        .with("KURAKA__DATASETS__ENABLED", "anexos, ssco")
        .with("KURAKA__STORE__URL", &store);
    let rows = [
        "datasets.ssco.url http://10.0.0.5/ssco.xlsx?… from KURAKA__DATASETS__SSCO__URL",
        "datasets.enabled anexos, ssco from KURAKA__DATASETS__ENABLED",
        "providers.apisperu.url https://…@example.pe/v1/{ruc}?… from KURAKA__PROVIDERS__APISPERU__URL",
        "providers.apisperu.token … from KURAKA__PROVIDERS__APISPERU__TOKEN_FILE",
        "vouchers.ruc 20100119227 from KURAKA__VOUCHERS__RUC",
        "vouchers.client_secret … from KURAKA__VOUCHERS__CLIENT_SECRET",
        "store.url … from KURAKA__STORE__URL",
    ];
    assert!(!shows(&home, &[], &rows).contains("s3cr3t"));
    let garbled = "export KURAKA__STORE__URL=$(printf 's3cr3t\\377') && exec \"$0\" \"$@\"";
    let line = Home::new().through(["sh", "-c", garbled]).run(&["config", "show"]).failed();
    assert!(line.contains("not UTF-8") && !line.contains("s3cr3t"), "{line}");
}

#[test]
fn invalid_settings_stop_every_command_before_it_writes() {
    let home = Home::new().with("KURAKA__HTTP__BIN", "x");
    for command in [
        &["serve"][..],
        &["demo"],
        &["dataset", "list"],
        &["dataset", "info", "padron"],
        &["dataset", "update"],
        &["dataset", "rollback", "padron"],
        &["dataset", "changes", "padron"],
        &["dataset", "import", "padron", "x"],
        &["lookup", "20100119227"],
        &["account", "create", "--email", "a@b"],
        &["account", "set-password", "--email", "a@b"],
        &["token", "create", "--email", "a@b", "--name", "x"],
        &["token", "list", "--email", "a@b"],
        &["token", "revoke", "--id", "1"],
        &["config", "check"],
        &["config", "show"],
    ] {
        assert!(home.run(command).failed().contains("KURAKA__HTTP__BIN"), "{command:?}");
        assert!(!home.path("data").exists(), "{command:?}");
    }
}
