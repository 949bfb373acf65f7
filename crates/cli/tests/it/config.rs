//! Settings and `kuraka config`. Valid settings are shown with their origin; an invalid one stops every command with one
//! line that names the key and its origin.

use kuraka_registry::dataset;

use super::program::Home;

/// The program with the settings file of its folder, or of the machine.
fn unnamed() -> Home {
    Home::new().through(["env", "--unset=KURAKA_CONFIG"].map(str::to_owned).to_vec())
}

/// What `kuraka config show` says about a setting, with one blank between the columns.
fn shown(home: &Home, arguments: &[&str], key: &str) -> String {
    let out = home.run(&[&["config", "show"], arguments].concat()).succeeded();
    let line = out.lines().find(|line| line.split_whitespace().next() == Some(key));
    line.unwrap_or_else(|| panic!("{key} in {out}")).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn settings_are_shown_with_their_origin() {
    let home = Home::new().plan(7, 8);
    let file = home.write(
        "mine.toml",
        "[datasets.padron]\nmax_age_days = 3\n[http]\ntrusted_proxies = [\"10.0.0.0/8\", \"::1\"]\n",
    );
    for (key, row) in [
        ("SETTING", "SETTING VALUE ORIGIN".to_owned()),
        ("datasets.padron.max_age_days", format!("datasets.padron.max_age_days 3 from {file}")),
        ("http.trusted_proxies", format!("http.trusted_proxies 10.0.0.0/8, ::1 from {file}")),
        ("plans.free.queries", "plans.free.queries 7 from KURAKA__PLANS__FREE__QUERIES".to_owned()),
        ("datasets.ssco.max_age_days", "datasets.ssco.max_age_days 120 default".to_owned()),
        ("log.level", "log.level info default".to_owned()),
    ] {
        assert_eq!(shown(&home, &["--config", &file], key), row);
    }
    let checked = home.run(&["config", "check", "--config", &file]);
    let valid = format!("the settings are valid; the settings file is {file}\n");
    assert_eq!((checked.code, &*checked.stdout, &*checked.stderr), (Some(0), "", &*valid));
}

#[test]
fn a_builder_is_asked_every_ten_minutes_by_default() {
    let home = Home::new().through(["env", "--unset=KURAKA__DATASETS__UPDATE_EVERY"].map(str::to_owned).to_vec());
    assert_eq!(shown(&home, &[], "datasets.update_every"), "datasets.update_every 24h default");
    let home = home.with("KURAKA__DATASETS__BUILDER_URL", "http://10.0.0.5:9464/edition");
    assert_eq!(shown(&home, &[], "datasets.update_every"), "datasets.update_every 10m default");
}

#[test]
fn environment_variables_override_the_settings_file() {
    let home = unnamed().with("KURAKA__LOG__LEVEL", "error");
    home.write("kuraka.toml", "[log]\nlevel = \"debug\"\nformat = \"text\"\n");
    assert_eq!(shown(&home, &[], "log.level"), "log.level error from KURAKA__LOG__LEVEL");
    assert_eq!(shown(&home, &[], "log.format"), "log.format text from kuraka.toml");
}

#[test]
fn only_the_first_settings_file_is_read() {
    let home = unnamed();
    home.write("kuraka.toml", "official.user_agent = \"usual\"\nlog.level = \"error\"\n");
    let given = home.write("given.toml", "official.user_agent = \"given\"\n");
    let named = home.write("named.toml", "official.user_agent = \"named\"\n");
    let agent = |home: &Home, arguments: &[&str]| shown(home, arguments, "official.user_agent");
    assert_eq!(agent(&home, &[]), "official.user_agent usual from kuraka.toml");
    assert_eq!(agent(&home, &["--config", &given]), format!("official.user_agent given from {given}"));

    let home = Home::new().with("KURAKA_CONFIG", &named);
    home.write("kuraka.toml", "official.user_agent = \"usual\"\nlog.level = \"error\"\n");
    assert_eq!(agent(&home, &[]), format!("official.user_agent named from {named}"));
    assert_eq!(shown(&home, &[], "log.level"), "log.level info default");
    assert_eq!(agent(&home, &["--config", &given]), format!("official.user_agent given from {given}"));

    let home = Home::new().with("KURAKA_CONFIG", "");
    home.write("kuraka.toml", "official.user_agent = \"usual\"\n");
    assert_eq!(agent(&home, &[]), "official.user_agent default");
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
    let home = unnamed().with("KURAKA_CONFIG", "also-wrong.toml");
    for file in ["kuraka.toml", "also-wrong.toml"] {
        home.write(file, "[http\n");
    }
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
    for (variable, key) in [
        ("KURAKA__HTTP__BIN", "http.bin"),
        ("KURAKA__DATADIR", "datadir"),
        ("KURAKA__PLANS__FREE__QUOTA", "plans.free.quota"),
        ("KURAKA__HTTP__BIND__PORT", "http.bind.port"),
    ] {
        let line = home.run_with(&["config", "check"], &[(variable, "s3cr3t-value")], "").failed();
        assert!(line.contains(key) && line.contains(variable), "{variable}: {line}");
        assert!(!line.contains("s3cr3t"), "{line}");
    }
    let file = home.write("mine.toml", "[http]\nport = 80\n");
    let line = home.run(&["config", "check", "--config", &file]).failed();
    assert!(line.contains("http.port") && line.contains(&file), "{line}");
}

#[test]
fn an_invalid_value_is_reported_with_its_origin_but_not_printed() {
    let home = Home::new();
    for (variable, key) in [
        ("KURAKA__HTTP__BIND", "http.bind"),
        ("KURAKA__HTTP__WORKERS", "http.workers"),
        ("KURAKA__HTTP__TRUSTED_PROXIES", "http.trusted_proxies"),
        ("KURAKA__HTTP__PUBLIC_URL", "http.public_url"),
        ("KURAKA__HTTP__KEEP_ALIVE", "http.keep_alive"),
        ("KURAKA__HTTP__MAX_CONNECTIONS", "http.max_connections"),
        ("KURAKA__HTTP__MAX_CONNECTIONS_PER_ADDRESS", "http.max_connections_per_address"),
        ("KURAKA__PANEL__SIGN_UP", "panel.sign_up"),
        ("KURAKA__ADMIN__BIND", "admin.bind"),
        ("KURAKA__STORE__URL", "store.url"),
        ("KURAKA__DATASETS__UPDATE_EVERY", "datasets.update_every"),
        ("KURAKA__DATASETS__BUILDER_URL", "datasets.builder_url"),
        ("KURAKA__DATASETS__PADRON__SHA256_URL", "datasets.padron.sha256_url"),
        ("KURAKA__DATASETS__PADRON__MAX_AGE_DAYS", "datasets.padron.max_age_days"),
        ("KURAKA__DATASETS__ENABLED", "datasets.enabled"),
        ("KURAKA__DATASETS__DATOS_ABIERTOS__URL", "datasets.datos_abiertos.url"),
        ("KURAKA__DATASETS__CHANGES_KEPT_DAYS", "datasets.changes_kept_days"),
        ("KURAKA__PLANS__FREE__QUERIES", "plans.free.queries"),
        ("KURAKA__PLANS__FREE__RATE", "plans.free.rate"),
        ("KURAKA__PLANS__FREE__BURST", "plans.free.burst"),
        ("KURAKA__SOURCES__DEADLINE", "sources.deadline"),
        ("KURAKA__LOG__FORMAT", "log.format"),
    ] {
        let line = home.run_with(&["serve"], &[(variable, "ftp://ana:s3cr3t@x/,=")], "").failed();
        assert!(line.contains(key) && line.contains(&format!("(from {variable}) must be ")), "{variable}: {line}");
        assert!(!line.contains("s3cr3t"), "{line}");
    }
    for (variable, value, key) in [
        ("KURAKA__LOG__LEVEL", "=", "log.level"),
        ("KURAKA__LOG__LEVEL", "inof", "log.level"),
        ("KURAKA__LOG__LEVEL", "warn,kuraka", "log.level"),
        (
            "KURAKA__PLANS__FREE__RATE",
            "0",
            "plans.free.rate (from KURAKA__PLANS__FREE__RATE) must be a whole number from 1 to 1000000",
        ),
        (
            "KURAKA__PLANS__FREE__BURST",
            "1000001",
            "plans.free.burst (from KURAKA__PLANS__FREE__BURST) must be a whole number from 1",
        ),
        (
            "KURAKA__PLANS__FREE__QUERIES",
            "1000000000001",
            "plans.free.queries (from KURAKA__PLANS__FREE__QUERIES) must",
        ),
        ("KURAKA__OFFICIAL__URL", "ftp://x", "official.url (from KURAKA__OFFICIAL__URL) must be the full http"),
        ("KURAKA__OFFICIAL__OPEN_DATA", "si", "official.open_data (from KURAKA__OFFICIAL__OPEN_DATA) must be true or"),
        ("KURAKA__OFFICIAL__USER_AGENT", "ñ", "official.user_agent (from KURAKA__OFFICIAL__USER_AGENT) must be"),
        (
            "KURAKA__OFFICIAL__MIN_INTERVAL_MS",
            "60001",
            "official.min_interval_ms (from KURAKA__OFFICIAL__MIN_INTERVAL_MS)",
        ),
        (
            "KURAKA__SOURCES__DEADLINE",
            "15s",
            "sources.deadline (from KURAKA__SOURCES__DEADLINE) must be a time with its unit, such as 5s, from 100ms",
        ),
        (
            "KURAKA__DATASETS__UPDATE_EVERY",
            "5s",
            "datasets.update_every (from KURAKA__DATASETS__UPDATE_EVERY) must be a time with its unit, such as 5s, from 1m",
        ),
        ("KURAKA__DATASETS__PADRON__SHA256_URL", "https://x/sum", "must be empty, unless datasets.builder_url is set"),
        ("KURAKA__HTTP__PUBLIC_URL", "https://kuraka.example/panel", "http.public_url"),
        ("KURAKA__PANEL__SIGN_UP", "gold", "panel.sign_up (from KURAKA__PANEL__SIGN_UP) must be the name of a plan"),
        ("KURAKA__PANEL__NAME", "<b>Quispe", "panel.name (from KURAKA__PANEL__NAME) must be 1 to 40 letters"),
        ("KURAKA__PANEL__LOGO", "none.svg", "panel.logo (from KURAKA__PANEL__LOGO) must be the path of a readable SVG"),
        (
            "KURAKA__PANEL__LOGO",
            "/dev/zero",
            "panel.logo (from KURAKA__PANEL__LOGO) must be the path of a readable SVG",
        ),
        (
            "KURAKA__PANEL__COLOUR",
            "red",
            "panel.colour (from KURAKA__PANEL__COLOUR) must be a dark colour such as #a3123f",
        ),
        (
            "KURAKA__PANEL__COLOUR",
            "#ffcc00",
            "must be darker: its contrast with the light pages is 1.31, less than 4.5",
        ),
        ("KURAKA__PLANS__Pro__RATE", "1", "(not set) must be a whole number"),
        ("KURAKA__HTTP__TRUSTED_PROXIES", "10.0.0.0/33", "http.trusted_proxies"),
        ("KURAKA__DATA_DIR", "", "data_dir (from KURAKA__DATA_DIR) must be a path"),
        ("KURAKA__LOG__LEVEL", "", "log.level (from KURAKA__LOG__LEVEL) must be off, error"),
        ("KURAKA_HTTP__BIND", "127.0.0.1:1", "did you mean KURAKA__HTTP__BIND?"),
    ] {
        let line = home.run_with(&["config", "check"], &[(variable, value)], "").failed();
        assert!(line.contains(key), "{variable}={value}: {line}");
    }
    let same = [("KURAKA__HTTP__BIND", "127.0.0.1:1"), ("KURAKA__ADMIN__BIND", "127.0.0.1:1")];
    let line = home.run_with(&["config", "check"], &same, "").failed();
    assert!(line.contains("admin.bind (from KURAKA__ADMIN__BIND) must be another address than http.bind"), "{line}");
    let file = home.write("mine.toml", "[plans.free]\nqueries = \"many\"\n");
    let line = home.run(&["config", "check", "--config", &file]).failed();
    assert!(line.contains("plans.free.queries") && line.contains(&format!("(from {file})")), "{line}");
    let file = home.write("mine.toml", "[plans.free]\nqueries = \"many\"\nrat = 5\n[http]\nkeep_alive = \"5\"\n");
    let line = home.run_with(&["config", "check", "--config", &file], &[("KURAKA__LOG__LEVEL", "=")], "").failed();
    assert!(line.matches("; ").count() >= 3, "{line}");
    for key in ["plans.free.queries", "plans.free.rat ", "http.keep_alive", "log.level (from KURAKA__LOG__LEVEL)"] {
        assert!(line.contains(&format!(" {key}")), "{key}: {line}");
    }
}

#[test]
fn every_dataset_has_an_address_and_an_age_that_can_be_set() {
    let home = Home::new()
        .with("KURAKA__DATASETS__SSCO__URL", "http://10.0.0.5/ssco.xlsx?key=s3cr3t")
        .with("KURAKA__DATASETS__ENABLED", "anexos, ssco");
    for dataset in dataset::ALL.iter().filter(|dataset| dataset.name != "ssco") {
        for (field, default) in
            [("url", dataset.address.to_owned()), ("max_age_days", dataset.max_age_days.to_string())]
        {
            let key = format!("datasets.{}.{field}", dataset.name);
            assert_eq!(shown(&home, &[], &key), format!("{key} {default} default"));
        }
    }
    let ssco = "datasets.ssco.url http://10.0.0.5/ssco.xlsx?… from KURAKA__DATASETS__SSCO__URL";
    assert_eq!(shown(&home, &[], "datasets.ssco.url"), ssco);
    let enabled = "datasets.enabled anexos, ssco from KURAKA__DATASETS__ENABLED";
    assert_eq!(shown(&home, &[], "datasets.enabled"), enabled);
}

#[test]
fn an_unknown_dataset_in_the_settings_lists_the_known_ones() {
    for (variable, value) in [("KURAKA__DATASETS__ENABLED", "anexos, anexo"), ("KURAKA__DATASETS__ANEXO__URL", "")] {
        let line = Home::new().run_with(&["config", "check"], &[(variable, value)], "").failed();
        assert!(line.contains(variable), "{line}");
        assert!(dataset::ALL.iter().all(|dataset| line.contains(dataset.name)), "{line}");
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
        .with("KURAKA__STORE__URL", &store);
    for (key, row) in [
        ("providers.apisperu.url", "https://…@example.pe/v1/{ruc}?… from KURAKA__PROVIDERS__APISPERU__URL"),
        ("providers.apisperu.token", "… from KURAKA__PROVIDERS__APISPERU__TOKEN_FILE"),
        ("vouchers.client_secret", "… from KURAKA__VOUCHERS__CLIENT_SECRET"),
        ("store.url", "… from KURAKA__STORE__URL"),
    ] {
        assert_eq!(shown(&home, &[], key), format!("{key} {row}"));
    }
    assert!(!home.run(&["config", "show"]).succeeded().contains("s3cr3t"));
    let garbled = "export KURAKA__STORE__URL=$(printf 's3cr3t\\377') && exec \"$0\" \"$@\"";
    let line = Home::new().through(["sh", "-c", garbled].map(str::to_owned).to_vec()).run(&["config", "show"]).failed();
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
