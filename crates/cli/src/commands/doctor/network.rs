//! Whether the hosts can be reached, the clock is right, and credentials are accepted.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use jiff::Timestamp;
use kuraka_adapters::download::USER_AGENT;
use kuraka_adapters::http::{ClientLimits, client, reach};
use kuraka_domain::Ruc;
use kuraka_ports::TaxpayerSource;
use kuraka_server::bootstrap::{self, sources};
use kuraka_server::logs;
use kuraka_server::settings::Settings;

use super::finding::{Finding, Severity};
use crate::commands::runtime::{clock, now};

/// Shorter than all checks, so that a silent host is named.
const ANSWERS_WITHIN: Duration = Duration::from_secs(8);
/// An HTTP date has whole seconds and travels for some time.
const SLIGHT: Duration = Duration::from_secs(5);
/// Beyond it, voucher tokens, days and months are wrong.
const GREAT: Duration = Duration::from_secs(60);
/// The contract's example, which every source knows.
const KNOWN: &str = "20100119227";

/// Without its host, the edition grows old.
const DATASET: Severity = Severity::Warning;
/// Without its host, calls fail or go to the next source.
const SOURCE: Severity = Severity::Error;

pub(super) async fn check(settings: &Settings) -> Vec<Finding> {
    let limits = ClientLimits { connect: ANSWERS_WITHIN, read: ANSWERS_WITHIN, total: ANSWERS_WITHIN };
    let client = match client(USER_AGENT, limits) {
        Ok(client) => client,
        Err(error) => return vec![Finding::error("network", logs::chain(&error), "install root certificates")],
    };
    let asked = hosts(settings).into_iter().map(async |(host, (without, names, address))| {
        let reached = reach(&client, &address).await;
        let error = reached.as_ref().err().map(|error| logs::chain(error.as_ref()));
        let finding = check_host(&host, without, &names.join(", "), error);
        (finding, reached.ok().flatten().map(|theirs| (!address.starts_with("https://"), host, theirs)))
    });
    let (mut findings, times): (Vec<_>, Vec<_>) = join_all(asked).await.into_iter().unzip();
    // Anyone may have changed a time that came over http, but with a wrong clock no certificate is valid.
    if let Some((_, host, theirs)) = times.into_iter().flatten().min_by_key(|(is_plain, ..)| *is_plain) {
        findings.push(compare_clocks(&format!("clock of {host}"), theirs, now()));
    }
    findings
}

/// The hosts: how bad it is without them, names and address of their uses.
fn hosts(settings: &Settings) -> BTreeMap<String, (Severity, Vec<String>, String)> {
    let datasets = bootstrap::updated(settings).into_iter();
    let datasets =
        datasets.map(|dataset| (dataset.name.to_owned(), bootstrap::update_source(settings, dataset).address));
    let sources = sources::addresses(settings).into_iter().map(|(name, address)| (SOURCE, name, address));
    let mut hosts: BTreeMap<String, (Severity, Vec<String>, String)> = BTreeMap::new();
    for (without, name, address) in sources.chain(datasets.map(|(name, address)| (DATASET, name, address))) {
        let after_scheme = address.split_once("://").map_or(&*address, |(_, rest)| rest);
        let host = after_scheme.split(['/', '?', '#']).next().unwrap_or(after_scheme);
        let host = host.rsplit('@').next().unwrap_or(host).to_owned();
        let entry = hosts.entry(host).or_insert_with(|| (without, Vec::new(), address));
        entry.0 = entry.0.max(without);
        if !entry.1.contains(&name) {
            entry.1.push(name);
        }
    }
    hosts
}

fn check_host(host: &str, without: Severity, names: &str, error: Option<String>) -> Finding {
    let advice = "let this machine reach the host: its network, name server, firewall and root certificates";
    match error {
        None => Finding::good(host, format!("reachable ({names})")),
        Some(error) => {
            let detail = format!("not reachable ({names}): {error}");
            Finding { severity: without, ..Finding::error(host, detail, advice) }
        }
    }
}

pub(super) fn compare_clocks(check: &str, theirs: Timestamp, ours: Timestamp) -> Finding {
    let apart = ours.duration_since(theirs).unsigned_abs();
    let advice = "set this machine's clock: start a time service such as chrony";
    let detail = format!("{:.0} s apart from this machine's clock", apart.as_secs_f64());
    match apart {
        _ if apart <= SLIGHT => Finding::good(check, "agrees with this machine's clock"),
        _ if apart <= GREAT => Finding::warning(check, detail, advice),
        _ => Finding::error(check, detail, advice),
    }
}

/// Requests a token with each set of voucher credentials.
pub(super) async fn credentials(settings: &Settings) -> Vec<Finding> {
    let check = |set: usize| format!("voucher credentials {set}");
    let advice = "create new credentials in SUNAT's portal, with Consulta Integrada ticked";
    match sources::vouchers(settings, &clock()) {
        Ok(None) => vec![Finding::good("voucher credentials", "none: /cpe is not offered")],
        Ok(Some(service)) => {
            let checked = service.check_credentials().await.into_iter().enumerate();
            let finding = |(at, result): (usize, Result<(), _>)| match result {
                Ok(()) => Finding::good(check(at + 1), "accepted"),
                Err(error) => Finding::error(check(at + 1), logs::chain(&error), advice),
            };
            checked.map(finding).collect()
        }
        Err(error) => vec![Finding::error("voucher credentials", logs::chain(&error), advice)],
    }
}

/// Queries each source of details about one RUC.
pub(super) async fn live(settings: &Settings) -> Vec<Finding> {
    let page = sources::official(settings, &clock()).ok().flatten();
    let providers = sources::providers(settings, &clock()).unwrap_or_default().into_iter();
    let sources = page.into_iter().chain(providers.map(|provider| provider as Arc<dyn TaxpayerSource>));
    let Ok(ruc) = KNOWN.parse::<Ruc>() else { return Vec::new() };
    let asked = sources.map(async |source| {
        let check = format!("query of {}", source.name());
        let advice = "kuraka explain shows how a saved answer is read; see the runbook for each cause";
        match source.detail(ruc).await {
            Ok(answer) if answer.taxpayer.is_some() => Finding::good(check, format!("knows the RUC {KNOWN}")),
            Ok(_) => Finding::warning(check, format!("says that the RUC {KNOWN} does not exist"), advice),
            Err(error) => Finding::error(check, logs::chain(&error), advice),
        }
    });
    join_all(asked).await
}

#[cfg(test)]
mod tests {
    use super::super::finding::Severity::{Error, Good, Warning};
    use super::*;

    #[test]
    fn clocks_that_differ_are_reported_in_both_directions() {
        let now = now();
        for (seconds, expected) in [(0, Good), (5, Good), (6, Warning), (60, Warning), (61, Error)] {
            let later = now + Duration::from_secs(seconds);
            let [behind, ahead] = [compare_clocks("clock", later, now), compare_clocks("clock", now, later)];
            assert_eq!([behind.severity, ahead.severity], [expected; 2], "{seconds}");
        }
    }

    #[test]
    fn an_unreachable_host_of_a_dataset_is_a_warning_and_of_a_source_an_error() {
        let found = |without, error: Option<&str>| check_host("x", without, "y", error.map(str::to_owned)).severity;
        assert_eq!(found(DATASET, Some("refused")), Warning);
        assert_eq!(found(SOURCE, Some("refused")), Error);
        assert_eq!([found(DATASET, None), found(SOURCE, None)], [Good; 2]);
    }
}
