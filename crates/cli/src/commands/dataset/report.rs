//! Prints the report of a dataset's import.

use indicatif::HumanCount;
use kuraka_domain::Date;
use kuraka_registry::changes::{Counts, RecordedList};
use kuraka_registry::history::HistoryError;
use kuraka_registry::reader::Reason;
use kuraka_registry::{DateOrigin, ImportReport, PublishResult};
use kuraka_server::logs;

use crate::console;

pub(super) fn print(report: &ImportReport) {
    let (label, name) = (&report.label, report.dataset.name);
    match (report.outcome, report.adopted) {
        (PublishResult::Unchanged, true) => {
            console::line(&format!("unchanged: edition {label} of {name} is already current"));
            return;
        }
        (PublishResult::Unchanged, false) => {
            console::line(&format!("unchanged: edition {label} of {name} was made from the same file"));
            return;
        }
        (PublishResult::Published, _) => {}
    }
    let (rows, rucs) = (HumanCount(report.rows), HumanCount(report.rucs));
    console::line(&format!("published edition {label} of {name}: {rows} rows of {rucs} taxpayers"));
    for (what, text) in details(report) {
        console::line(&format!("  {what:<20}{text}"));
    }
}

fn details(report: &ImportReport) -> Vec<(&'static str, String)> {
    let mut lines = vec![("date", format!("{} ({})", report.date, why(report.date_origin, report.implausible_date)))];
    if report.without_tls {
        lines.push(("fetched over http", "no TLS connection could be made, so nothing protected the file".to_owned()));
    }
    for (what, count) in [("left out", report.left_out), ("repeated", report.repeated)] {
        if count > 0 {
            lines.push((what, format!("{} rows", HumanCount(count))));
        }
    }
    let read = &report.read;
    if read.dropped_addresses > 0 {
        lines.push(("addresses dropped", format!("{} of persons", HumanCount(read.dropped_addresses))));
    }
    let rejected =
        |(reason, count): (Reason, u64)| ("rejected", format!("{} lines: {}", HumanCount(count), reason.as_str()));
    lines.extend(read.bad_lines.iter().map(rejected));
    lines.extend(report.rejects_file.iter().map(|file| ("rejected lines in", file.display().to_string())));
    let unread = |(field, count): (&&str, &u64)| ("unreadable values", format!("{} of {field}", HumanCount(*count)));
    lines.extend(read.unread_values.iter().map(unread));
    let unlisted = |(field, count): (&&str, &u64)| ("unknown wordings", format!("{} of {field}", HumanCount(*count)));
    lines.extend(read.unlisted_values.iter().map(unlisted));
    lines.extend(read.unlisted_wordings.iter().map(|wording| ("unknown wording", wording.clone())));
    lines.extend(read.unknown_columns.iter().map(|column| ("unknown column", format!("{column}, not read"))));
    lines.extend(read.encoding.map(|encoding| ("encoding", encoding.name().to_owned())));
    lines.extend(report.changes.as_ref().map(|recorded| ("changes", changes(recorded))));
    let not_extended = |error: &HistoryError| ("history", format!("not extended: {}", logs::chain(error)));
    lines.extend(report.history_error.as_ref().map(not_extended));
    lines.extend(report.forced.iter().map(|guard| ("forced", guard.to_string())));
    if read.text_bytes > 0 {
        let share = report.index_bytes as f64 / read.text_bytes as f64;
        lines.push(("index", format!("{} bytes, {share:.3} of the text", HumanCount(report.index_bytes))));
    }
    lines
}

fn changes(recorded: &RecordedList) -> String {
    let Counts { new, gone, changed } = recorded.counts;
    match &recorded.gap {
        None => {
            format!("{} taxpayers new, {} gone, {} changed", HumanCount(new), HumanCount(gone), HumanCount(changed))
        }
        Some(reason) => format!("not recorded: {reason}"),
    }
}

/// A date's origin, and why another was not taken.
fn why(origin: DateOrigin, implausible: Option<Date>) -> String {
    let text = origin_text(origin);
    let reason = match (origin, implausible) {
        (_, Some(date)) => format!("because {date} is implausible"),
        (DateOrigin::Today, None) => "because the file has no date".to_owned(),
        (_, None) => return text.to_owned(),
    };
    let hint = if origin == DateOrigin::Today { "; --date sets it" } else { "" };
    format!("{text}, {reason}{hint}")
}

const fn origin_text(origin: DateOrigin) -> &'static str {
    match origin {
        DateOrigin::Request => "as given",
        DateOrigin::Server => "of the download",
        DateOrigin::ZipEntry => "from the zip entry",
        DateOrigin::Rows => "the month of its rows",
        DateOrigin::Edition => "of the edition",
        DateOrigin::Today => "today",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_says_why_a_date_was_taken() {
        let implausible = Date::new(2027, 1, 2).ok();
        for (origin, implausible, expected) in [
            (DateOrigin::Server, None, "of the download"),
            (DateOrigin::ZipEntry, implausible, "from the zip entry, because 2027-01-02 is implausible"),
            (DateOrigin::Today, implausible, "today, because 2027-01-02 is implausible; --date sets it"),
            (DateOrigin::Today, None, "today, because the file has no date; --date sets it"),
        ] {
            assert_eq!(why(origin, implausible), expected);
        }
    }
}
