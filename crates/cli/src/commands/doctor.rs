//! `kuraka doctor`: diagnoses this machine and suggests fixes. Its checks run side by side and change nothing.

mod datasets;
mod finding;
mod machine;
mod mail;
mod network;
mod store;
mod unserved;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use futures_util::future::{BoxFuture, join_all};
use kuraka_server::logs;
use kuraka_server::settings::Settings;
use tokio::time::timeout;

use self::finding::{Finding, Severity};
use super::runtime::{Failure, block_on};
use super::{config, owner};
use crate::cli::{Doctor, Form};
use crate::console;

/// For all checks.
const WITHIN: Duration = Duration::from_secs(15);

type Check<'a> = (&'static str, BoxFuture<'a, Vec<Finding>>);

pub(crate) fn run(file: Option<&Path>, arguments: &Doctor) -> Result<ExitCode, Failure> {
    let findings = match Settings::load(file) {
        Err(error) => vec![Finding::error("settings", logs::chain(&error), "correct the setting")],
        Ok(settings) => {
            let owner = owner::check(&settings).err();
            block_on(async { Ok(examine(&settings, owner.map(|error| error.to_string()), arguments).await) })?
        }
    };
    print(&findings, arguments.form)?;
    let worst = findings.iter().map(|finding| finding.severity).max();
    Ok(ExitCode::from(worst.unwrap_or(Severity::Good) as u8))
}

/// `not_owner`: why this user may not write, and so must not open the store.
async fn examine(settings: &Settings, not_owner: Option<String>, arguments: &Doctor) -> Vec<Finding> {
    let mut checks: Vec<Check<'_>> = vec![
        ("settings", Box::pin(async { check_settings(settings) })),
        ("machine", Box::pin(machine::check(settings))),
        ("datasets", Box::pin(datasets::check(settings))),
        ("missing operations", Box::pin(unserved::check(settings))),
        ("network", Box::pin(network::check(settings))),
        ("voucher credentials", Box::pin(network::credentials(settings))),
    ];
    if arguments.live {
        checks.push(("live", Box::pin(network::live(settings))));
    }
    if let Some(address) = &arguments.mail {
        checks.push(("mail", Box::pin(mail::check(settings, address))));
    }
    match not_owner {
        Some(reason) => checks.push(("rights", Box::pin(async { vec![check_rights(reason)] }))),
        None => checks.push(("store", Box::pin(store::check(settings)))),
    }
    finish(checks, WITHIN).await
}

/// A check that takes longer than `within` is a warning.
async fn finish(checks: Vec<Check<'_>>, within: Duration) -> Vec<Finding> {
    let ended = checks.into_iter().map(async |(name, check)| {
        let late = format!("not finished within {} s", within.as_secs());
        let late = |_| vec![Finding::warning(name, late, "try again when the machine and its network are less busy")];
        timeout(within, check).await.unwrap_or_else(late)
    });
    join_all(ended).await.into_iter().flatten().collect()
}

fn check_settings(settings: &Settings) -> Vec<Finding> {
    let errors = config::errors(settings).into_iter();
    let errors: Vec<_> = errors.map(|error| Finding::error("settings", error, "correct the setting")).collect();
    let valid = || vec![Finding::good("settings", format!("valid; {}", settings.file_in_words()))];
    if errors.is_empty() { valid() } else { errors }
}

fn check_rights(reason: String) -> Finding {
    Finding::error("rights", reason, "run it as this user; the store was not checked")
}

fn print(findings: &[Finding], form: Form) -> Result<(), Failure> {
    if form.json {
        return Ok(console::json(findings)?);
    }
    let width = findings.iter().map(|finding| finding.check.chars().count()).max().unwrap_or_default();
    for Finding { check, severity, detail, advice } in findings {
        let mark = match severity {
            Severity::Good => '✔',
            Severity::Warning => '!',
            Severity::Error => '✘',
        };
        console::line(&format!("{mark} {check:<width$}  {detail}"));
        if let Some(advice) = advice {
            console::line(&format!("  {:<width$}  → {advice}", ""));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_check_that_does_not_end_is_a_warning() {
        let quick: Check<'_> = ("quick", Box::pin(async { vec![Finding::good("quick", "done")] }));
        let endless: Check<'_> = ("endless", Box::pin(std::future::pending()));
        let findings = finish(vec![quick, endless], WITHIN).await;
        let states: Vec<_> = findings.iter().map(|finding| (&*finding.check, finding.severity)).collect();
        assert_eq!(states, [("quick", Severity::Good), ("endless", Severity::Warning)]);
    }
}
