//! Any text as `kuraka.toml`, then `KEY=value` lines of the environment after a line `---`: refused in one line, or read; a
//! secret is shown in neither case.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use config::Environment;
use kuraka_server::settings::{Settings, Values};
use libfuzzer_sys::fuzz_target;

/// Stands where the fuzzer puts a secret.
const SECRET: &str = "s3cr3t-canary";

/// The settings file, in a folder of this process.
static FILE: LazyLock<PathBuf> = LazyLock::new(|| tempfile::tempdir().unwrap().keep().join("kuraka.toml"));

fn read(text: &str, environment: Environment) -> Result<String, String> {
    std::fs::write(&*FILE, text).unwrap();
    let values = Values::load_with(Some(FILE.clone()), environment, &[]).map_err(|error| error.to_string())?;
    let settings = Settings::read(&values).map_err(|error| error.to_string())?;
    Ok(format!("{settings:?} {:?}", values.effective()))
}

fuzz_target!(|text: &str| {
    let (file, variables) = text.split_once("\n---\n").unwrap_or((text, ""));
    // A file that a setting names is read, and this one would not end.
    if text.contains("/dev/") || text.contains("/proc/") {
        return;
    }
    let variables = variables.lines().filter_map(|line| line.split_once('='));
    let variables = variables.map(|(key, value)| (format!("KURAKA__{key}"), value.to_owned())).collect();
    let environment = Environment::with_prefix("KURAKA").prefix_separator("__").separator("__").source(Some(variables));
    let secret = format!("vouchers.client_secret = {SECRET:?}\n{file}");
    match read(&secret, environment) {
        Ok(shown) => assert!(!shown.contains(SECRET), "{shown}"),
        Err(error) => {
            assert!(!error.contains(SECRET), "{error}");
            assert!(!error.is_empty() && !error.contains('\n'), "{error:?}");
        }
    }
});
