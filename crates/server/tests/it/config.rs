//! Settings and `kuraka config check`. Valid settings are printed with their origin; an invalid one stops every command
//! with one line that names the key and its origin.

use kuraka_registry::dataset;

use super::program::Home;

#[test]
fn settings_are_shown_with_their_origin() {
    let home = Home::new().plan(7, 8);
    let file =
        home.write("mine.toml", "[registry]\nmax_age_days = 3\n[http]\ntrusted_proxies = [\"10.0.0.0/8\", \"::1\"]\n");
    let done = home.run(&["config", "check", "--config", &file]);
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), "the settings are valid\n"));
    let row = |key: &str| {
        let line = done.stdout.lines().find(|line| line.split_whitespace().next() == Some(key));
        line.unwrap_or_else(|| panic!("{key} in {done:?}")).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(row("SETTING"), "SETTING VALUE ORIGIN");
    assert_eq!(row("registry.max_age_days"), format!("registry.max_age_days 3 from {file}"));
    assert_eq!(row("http.trusted_proxies"), format!("http.trusted_proxies 10.0.0.0/8, ::1 from {file}"));
    assert_eq!(row("plans.free.queries"), "plans.free.queries 7 from KURAKA__PLANS__FREE__QUERIES");
    assert_eq!(row("registry.update_every"), "registry.update_every off default");
    assert_eq!(row("log.level"), "log.level info default");
}

#[test]
fn environment_variables_override_kuraka_toml() {
    let home = Home::new().with("KURAKA__LOG__LEVEL", "error");
    home.write("kuraka.toml", "[log]\nlevel = \"debug\"\nformat = \"text\"\n");
    let out = home.run(&["config", "check"]).succeeded();
    let line = |key: &str| out.lines().find(|line| line.starts_with(key)).unwrap().to_owned();
    assert!(line("log.level").contains("error") && line("log.level").ends_with("from KURAKA__LOG__LEVEL"));
    assert!(line("log.format").contains("text") && line("log.format").ends_with("from kuraka.toml"));
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
        ("KURAKA__HTTP__HEAD_TIMEOUT", "http.head_timeout"),
        ("KURAKA__HTTP__BODY_TIMEOUT", "http.body_timeout"),
        ("KURAKA__HTTP__RESPONSE_GRACE", "http.response_grace"),
        ("KURAKA__HTTP__RESPONSE_MIN_RATE", "http.response_min_rate"),
        ("KURAKA__HTTP__KEEP_ALIVE", "http.keep_alive"),
        ("KURAKA__HTTP__MAX_HEAD_BYTES", "http.max_head_bytes"),
        ("KURAKA__HTTP__MAX_CONNECTIONS", "http.max_connections"),
        ("KURAKA__HTTP__MAX_CONNECTIONS_PER_ADDRESS", "http.max_connections_per_address"),
        ("KURAKA__PANEL__SIGN_UP", "panel.sign_up"),
        ("KURAKA__ADMIN__BIND", "admin.bind"),
        ("KURAKA__STORE__URL", "store.url"),
        ("KURAKA__REGISTRY__PADRON_URL", "registry.padron_url"),
        ("KURAKA__REGISTRY__WITHHOLDING_URL", "registry.withholding_url"),
        ("KURAKA__REGISTRY__GOOD_TAXPAYERS_URL", "registry.good_taxpayers_url"),
        ("KURAKA__REGISTRY__EDITION_URL", "registry.edition_url"),
        ("KURAKA__REGISTRY__EDITION_SHA256_URL", "registry.edition_sha256_url"),
        ("KURAKA__REGISTRY__MAX_AGE_DAYS", "registry.max_age_days"),
        ("KURAKA__REGISTRY__UPDATE_EVERY", "registry.update_every"),
        ("KURAKA__DATASETS__ENABLED", "datasets.enabled"),
        ("KURAKA__DATASETS__DATOS_ABIERTOS__URL", "datasets.datos_abiertos.url"),
        ("KURAKA__DATASETS__CHANGES_KEPT_DAYS", "datasets.changes_kept_days"),
        ("KURAKA__PLANS__FREE__QUERIES", "plans.free.queries"),
        ("KURAKA__PLANS__FREE__RATE", "plans.free.rate"),
        ("KURAKA__PLANS__FREE__BURST", "plans.free.burst"),
        ("KURAKA__SOURCES__DEADLINE", "sources.deadline"),
        ("KURAKA__SOURCES__FOUND_FOR", "sources.found_for"),
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
            "plans.free.rate (from KURAKA__PLANS__FREE__RATE) must be from 1 to 1000000",
        ),
        ("KURAKA__PLANS__FREE__BURST", "1000001", "plans.free.burst (from KURAKA__PLANS__FREE__BURST) must be from 1"),
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
        ("KURAKA__SOURCES__PAGE", "15s", "sources.page (from KURAKA__SOURCES__PAGE) must be a time from 100ms to 14s"),
        ("KURAKA__SOURCES__VOUCHER", "-1s", "sources.voucher"),
        ("KURAKA__SOURCES__BREAKER_OPEN", "0s", "sources.breaker_open"),
        ("KURAKA__SOURCES__NOT_FOUND_FOR", "25h", "sources.not_found_for"),
        ("KURAKA__REGISTRY__UPDATE_EVERY", "5s", "registry.update_every"),
        (
            "KURAKA__REGISTRY__EDITION_SHA256_URL",
            "https://x/sum",
            "must be nothing, unless registry.edition_url is set",
        ),
        ("KURAKA__HTTP__PUBLIC_URL", "https://kuraka.example/panel", "http.public_url"),
        ("KURAKA__PANEL__SIGN_UP", "gold", "panel.sign_up (from KURAKA__PANEL__SIGN_UP) must be the name of a plan"),
        ("KURAKA__PLANS__Pro__RATE", "1", "plans.pro"),
        ("KURAKA__HTTP__TRUSTED_PROXIES", "10.0.0.0/33", "http.trusted_proxies"),
        ("KURAKA__CALLS__RUC", "0", "calls.ruc (from KURAKA__CALLS__RUC) must be a number of calls from 1 to 100000"),
        ("KURAKA__CALLS__RUC_OFFICIAL", "100001", "calls.ruc_official (from KURAKA__CALLS__RUC_OFFICIAL) must be"),
        ("KURAKA__CALLS__CPE", "many", "calls.cpe (from KURAKA__CALLS__CPE) must be"),
    ] {
        let line = home.run_with(&["config", "check"], &[(variable, value)], "").failed();
        assert!(line.contains(key), "{variable}={value}: {line}");
    }
    let file = home.write("mine.toml", "[plans.free]\nqueries = \"many\"\n");
    let line = home.run(&["config", "check", "--config", &file]).failed();
    assert!(line.contains("plans.free.queries") && line.contains(&format!("(from {file})")), "{line}");
}

#[test]
fn every_dataset_has_an_address_that_can_be_set() {
    let home = Home::new()
        .with("KURAKA__DATASETS__SSCO__URL", "http://10.0.0.5/ssco.xlsx?key=s3cr3t")
        .with("KURAKA__DATASETS__ENABLED", "anexos, ssco");
    let out = home.run(&["config", "check"]).succeeded();
    let row = |key: &str| {
        let line = out.lines().find(|line| line.split_whitespace().next() == Some(key));
        line.unwrap_or_else(|| panic!("{key} in {out}")).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for dataset in dataset::ALL.iter().filter(|dataset| dataset.name != "ssco") {
        let (name, address) = (dataset.name, dataset.address);
        assert_eq!(row(&format!("datasets.{name}.url")), format!("datasets.{name}.url {address} default"));
    }
    let ssco = "datasets.ssco.url http://10.0.0.5/ssco.xlsx?… from KURAKA__DATASETS__SSCO__URL";
    assert_eq!(row("datasets.ssco.url"), ssco);
    assert_eq!(row("datasets.enabled"), "datasets.enabled anexos, ssco from KURAKA__DATASETS__ENABLED");
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
fn the_older_setting_of_an_address_takes_precedence() {
    for (older, name) in
        [("PADRON_URL", "padron"), ("WITHHOLDING_URL", "retencion"), ("GOOD_TAXPAYERS_URL", "buenos_contribuyentes")]
    {
        let own = format!("KURAKA__DATASETS__{}__URL", name.to_uppercase());
        let older = format!("KURAKA__REGISTRY__{older}");
        let address = |variables: &[(&str, &str)]| {
            let out = Home::new().run_with(&["dataset", "info", name], variables, "").succeeded();
            out.lines().find_map(|line| line.strip_prefix("  address      ")).unwrap().to_owned()
        };
        let is_default = address(&[]) == dataset::named(name).unwrap().address;
        assert!(is_default, "{name}");
        assert_eq!(address(&[(&own, "http://own/")]), "http://own/");
        assert_eq!(address(&[(&own, "http://own/"), (&older, "http://older/")]), "http://older/");
        assert_eq!(address(&[(&own, "http://own/"), (&older, "")]), "none: it is not downloaded");
    }
}

#[test]
fn a_bound_on_calls_of_an_unknown_operation_is_an_error() {
    let home = Home::new().with("KURAKA__CALLS__FICHA", "9");
    let message = "there is no setting calls.ficha: the operations are ruc, ruc-official, cpe, ruc-ficha, ruc-anexos, ruc-ssco, usage";
    for command in [&["config", "check"][..], &["serve"]] {
        let done = home.run(command);
        assert_eq!(done.code, Some(1));
        assert!(done.stderr.contains(message), "{done:?}");
    }
}

#[test]
fn a_missing_or_malformed_settings_file_is_named() {
    let home = Home::new();
    let line = home.run(&["config", "check", "--config", "nowhere.toml"]).failed();
    assert!(line.contains("nowhere.toml"), "{line}");
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
fn secrets_in_a_url_are_not_printed() {
    let home = Home::new();
    let variable = ("KURAKA__PROVIDERS__APISPERU__URL", "https://ana:s3cr3t@example.pe/v1/{ruc}?token=s3cr3t");
    let out = home.run_with(&["config", "check"], &[variable], "").succeeded();
    assert!(out.contains("https://…@example.pe/v1/{ruc}?…") && !out.contains("s3cr3t"), "{out}");
}

#[test]
fn the_store_url_is_never_printed() {
    let home = Home::new();
    let url = format!("sqlite://{}", home.path("s3cr3t.db").display());
    let out = home.run_with(&["config", "check"], &[("KURAKA__STORE__URL", &url)], "").succeeded();
    assert!(out.contains("store.url") && out.contains("from KURAKA__STORE__URL") && !out.contains("s3cr3t"), "{out}");
}

#[test]
fn invalid_settings_stop_every_command_before_it_writes() {
    let home = Home::new().with("KURAKA__HTTP__BIN", "x");
    for command in [
        &["serve"][..],
        &["demo"],
        &["registry", "info"],
        &["registry", "update"],
        &["registry", "rollback"],
        &["registry", "lookup", "20100119227"],
        &["registry", "import", "--padron", "x"],
        &["account", "create", "--email", "a@b"],
        &["account", "set-password", "--email", "a@b"],
        &["token", "create", "--email", "a@b", "--name", "x"],
        &["token", "list", "--email", "a@b"],
        &["token", "revoke", "--id", "1"],
        &["config", "check"],
    ] {
        assert!(home.run(command).failed().contains("KURAKA__HTTP__BIN"), "{command:?}");
        assert!(!home.path("data").exists(), "{command:?}");
    }
}
