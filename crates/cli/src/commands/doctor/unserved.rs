//! Missing operations that programs request from the running server.

use kuraka_server::settings::Settings;

use super::finding::Finding;
use super::machine;

/// The start of the metric's lines.
const METRIC: &str = "kuraka_unserved_calls_total{name=\"";

/// Nothing without a server, which counts them.
pub(super) async fn check(settings: &Settings) -> Vec<Finding> {
    let answer = machine::ask(settings.admin_bind, "/metrics").await;
    answer.ok().and_then(|(_, metrics)| finding(&metrics)).into_iter().collect()
}

fn finding(metrics: &str) -> Option<Finding> {
    let counted = metrics.lines().filter_map(|line| line.strip_prefix(METRIC)?.split_once("\"} "));
    let counted: Vec<_> = counted.map(|(name, calls)| format!("{name} ({calls})")).collect();
    let detail =
        format!("since its start the server was asked for operations that it does not have: {}", counted.join(", "));
    let advice = "leave these with the programs' former provider, or turn them off there; see the migration guide";
    (!counted.is_empty()).then(|| Finding::warning("missing operations", detail, advice))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_that_were_asked_for_are_named_with_their_calls() {
        assert_eq!(finding("kuraka_ready 1\n# HELP kuraka_unserved_calls x\n"), None);
        let page = format!("x 1\n{METRIC}dni\"}} 12\n{METRIC}placa\"}} 1\nkuraka_ready 1\n");
        let found = finding(&page).unwrap();
        assert!(found.detail.ends_with(": dni (12), placa (1)"), "{found:?}");
    }
}
