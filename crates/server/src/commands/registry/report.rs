//! Prints the report of an import.

use indicatif::HumanCount;
use kuraka_registry::{DateOrigin, ImportReport, List, ListMeta, PublishResult};
use kuraka_server::settings::Settings;

use crate::console;

pub(in crate::commands) fn print(report: &ImportReport, settings: &Settings) {
    match report.outcome {
        PublishResult::Unchanged => {
            console::line(&format!("unchanged: edition {} was made from the same files", report.label));
            return;
        }
        PublishResult::Published => {}
    }
    console::line(&format!("published edition {}: {} taxpayers", report.label, HumanCount(report.rows)));
    let origin = match report.date_origin {
        DateOrigin::Request => "as given",
        DateOrigin::Server => "of the download",
        DateOrigin::Rows => "the month of its rows",
        DateOrigin::Edition => "of the finished edition",
        DateOrigin::ZipEntry => "from the zip entry",
        DateOrigin::Today => "today, because the file has no date; --edition sets it",
    };
    console::line(&format!("  date                {} ({origin})", report.date));
    for each in List::ALL {
        console::line(&format!("  {:<20}{}", each.title, list(each, report, settings)));
    }
    for list in &report.damaged_lists {
        console::line(&format!(
            "  damaged             the edition of {list}: its flags are those of an edition before"
        ));
    }
    if report.skipped > 0 {
        console::line(&format!("  known noise         {} lines left out", HumanCount(report.skipped)));
    }
    for (reason, lines) in report.rejections.iter() {
        console::line(&format!("  rejected            {} lines: {}", HumanCount(lines), reason.as_str()));
    }
    if let Some(file) = &report.rejects_file {
        console::line(&format!("  rejected lines in   {}", file.display()));
    }
    for guard in &report.forced {
        console::line(&format!("  forced              {guard}"));
    }
    let (text, index) = (report.text_bytes, report.index_bytes);
    let share = index as f64 / text.max(1) as f64;
    console::line(&format!("  index               {} bytes, {share:.3} of the text", HumanCount(index)));
}

/// A list's taxpayers; a list without an edition of its own is taken from the edition of the padrón before.
fn list(list: List, report: &ImportReport, settings: &Settings) -> String {
    let Some(ListMeta { count, edition, .. }) = report.lists.get(&list) else {
        return "never imported: the flag is answered NO".to_owned();
    };
    let own = kuraka_registry::dataset_editions(&settings.registry_dir(), list.dataset()).unwrap_or_default();
    if own.iter().any(|kept| kept.meta.label == *edition) {
        HumanCount(*count).to_string()
    } else {
        format!("{}, carried over from {edition}", HumanCount(*count))
    }
}
