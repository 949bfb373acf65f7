//! The page of metrics: sorted, because `prometheus-client` writes series in no fixed order, and read.

/// Metrics by name, series by labels. A histogram's series stay together.
pub(super) fn sorted(page: &str) -> String {
    let mut metrics: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in page.lines() {
        match (line.strip_prefix("# HELP "), metrics.last_mut()) {
            (None, Some((_, lines))) => lines.push(line),
            (name, _) => metrics.push((name.unwrap_or_default(), vec![line])),
        }
    }
    metrics.sort_by_key(|(name, _)| *name);
    let mut sorted = String::with_capacity(page.len());
    for (_, mut lines) in metrics {
        // Stable: comments have no labels and stay first.
        lines.sort_by_key(|line| (!line.starts_with('#'), labels(line)));
        for line in lines {
            sorted.push_str(line);
            sorted.push('\n');
        }
    }
    sorted
}

/// Without a bucket's bound, which comes first.
fn labels(line: &str) -> &str {
    let labels = line.split_once('{').map_or("", |(_, labels)| labels);
    let labels = labels.rsplit_once('}').map_or("", |(labels, _)| labels);
    let rest = labels.strip_prefix("le=\"").and_then(|bucket| bucket.split_once('"'));
    rest.map_or(labels, |(_, rest)| rest.trim_start_matches(','))
}

/// Name with labels, and value, of every series of whole numbers.
pub(super) fn series(page: &str) -> impl Iterator<Item = (&str, u64)> {
    page.lines().filter_map(|line| line.rsplit_once(' ')).filter_map(|(name, value)| Some((name, value.parse().ok()?)))
}

/// The value of a label of a series.
pub(super) fn label<'a>(series: &'a str, name: &str) -> Option<&'a str> {
    series.split(['{', ',']).find_map(|pair| pair.strip_prefix(name)?.strip_prefix("=\"")?.split('"').next())
}
