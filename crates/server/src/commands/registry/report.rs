//! Prints the report of an import.

use indicatif::HumanCount;
use kuraka_registry::{DateOrigin, ImportReport, List, ListMeta, PublishResult};

use crate::console;

pub(super) fn print(report: &ImportReport) {
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
        DateOrigin::Rows => "the month of its rows",
        DateOrigin::Edition => "of the finished edition",
        DateOrigin::ZipEntry => "from the zip entry",
        DateOrigin::Today => "today, because the file has no date; --edition sets it",
    };
    console::line(&format!("  date                {} ({origin})", report.date));
    for each in List::ALL {
        console::line(&format!("  {:<20}{}", each.title, list(report.lists.get(&each))));
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

fn list(list: Option<&ListMeta>) -> String {
    match list {
        None => "never imported: the flag is answered NO".to_owned(),
        Some(list) => format!("{}, of edition {}", HumanCount(list.count), list.edition),
    }
}
