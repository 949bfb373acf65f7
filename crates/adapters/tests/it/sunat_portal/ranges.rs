//! Whole ranges between tags removed, doubled or swapped, and the contents of values, lines and labels swapped. Unlike
//! the changes of `mutation.rs`, some of these leave a page that is well formed and says something else.
//!
//! The record of a changed page is the record of the whole page, or an error, or differs from it in a way that no
//! reader can notice: [`undetectable`] names these ways, each with the fields that may differ. `RELIABILITY_RANGES` sets how many
//! changes each page goes through.

use std::collections::BTreeMap;
use std::ops::Range;

use kuraka_domain::{ActivityRank, ElectronicIssuing, TaxpayerDetail};
use memchr::memmem;

use super::mutation::Random;
use super::pages::{Case, cases};
use super::sandbox::simulated;
use crate::reliability;

/// Changes to each page in an ordinary run.
const CHANGES: u64 = 60;

/// One change; what was done, and the page after it.
fn change(page: &[u8], random: &mut Random) -> (&'static str, Vec<u8>) {
    let start = memmem::find(page, b"class=\"list-group\"").unwrap_or(0);
    let end = memmem::rfind(page, b"panel-footer").unwrap_or(page.len());
    // Most changes hit the result.
    let within = if random.below(8) == 0 { 0..page.len() } else { start..end };
    let kind = random.below(7);
    let ranges = match kind {
        0..=2 => between_tags(page, within, random),
        3 | 4 => two_of(&contents(page, &[b"<p class=\"list-group-item-text\">", b"<td>"]), random),
        5 => two_of(&contents(page, &[b"<div class=\"col-sm-7\">", b"<div class=\"col-sm-3\">"]), random),
        _ => two_of(&contents(page, &[b"<h4 class=\"list-group-item-heading\">"]), random),
    };
    let (a, b) = ranges;
    match kind {
        0 => ("a range removed", [&page[..a.start], &page[a.end..]].concat()),
        1 => ("a range doubled", [&page[..a.end], &page[a.start..]].concat()),
        _ => {
            let parts = [&page[..a.start], &page[b.clone()], &page[a.end..b.start], &page[a.clone()], &page[b.end..]];
            let what = match kind {
                2 => "two ranges swapped",
                3 | 4 => "two texts swapped",
                5 => "two cells swapped",
                _ => "two labels swapped",
            };
            (what, parts.concat())
        }
    }
}

/// Two ranges in order and apart, each from the start or end of a tag to that of another one.
fn between_tags(page: &[u8], within: Range<usize>, random: &mut Random) -> (Range<usize>, Range<usize>) {
    let bounds: Vec<usize> = within
        .filter_map(|at| match page[at] {
            b'<' => Some(at),
            b'>' => Some(at + 1),
            _ => None,
        })
        .collect();
    let last = bounds.len() - 1;
    // Short ranges are the ones that leave a page that looks whole.
    let reach = [4, 16, 64, last][random.below(4)];
    let from = random.below(last);
    let mut cuts = vec![from, from];
    for _ in 0..3 {
        let step = 1 + random.below(reach);
        cuts.push((cuts[cuts.len() - 1] + step).min(last));
    }
    let at = |index: usize| bounds[cuts[index]];
    (at(1)..at(2), at(3)..at(4))
}

/// The contents of the elements that begin with these tags, up to their end tag or the next such element's.
fn contents(page: &[u8], tags: &[&[u8]]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for tag in tags {
        let name: Vec<u8> = tag[1..].iter().copied().take_while(u8::is_ascii_alphanumeric).collect();
        let close = [b"</", name.as_slice(), b">"].concat();
        for at in memmem::find_iter(page, tag) {
            let from = at + tag.len();
            let end = memmem::find(&page[from..], &close).map_or(page.len(), |offset| from + offset);
            found.push(from..end);
        }
    }
    found.sort_by_key(|range| range.start);
    found
}

fn two_of(ranges: &[Range<usize>], random: &mut Random) -> (Range<usize>, Range<usize>) {
    let (mut a, mut b) = (random.below(ranges.len()), random.below(ranges.len()));
    if a > b {
        (a, b) = (b, a);
    }
    let (a, b) = (ranges[a].clone(), ranges[b].clone());
    if a.end <= b.start { (a, b) } else { (a.start..a.start, a.start..a.start) }
}

/// One of a record's lists of texts.
type List = fn(&mut TaxpayerDetail) -> &mut Vec<String>;

/// What no reader can notice in the page, as names; `None` if there is more to the difference. `has` says whether the
/// changed page holds a text.
fn undetectable(
    whole: &TaxpayerDetail,
    changed: &TaxpayerDetail,
    has: impl Fn(&str) -> bool,
) -> Option<Vec<&'static str>> {
    let mut names = Vec::new();
    let mut explained = whole.clone();
    // A line less, or the lines in another order. A list never becomes empty, and the activities only end earlier.
    let lists: [List; 3] = [
        |record| &mut record.authorised_vouchers,
        |record| &mut record.electronic_issuing.systems,
        |record| &mut record.padrones,
    ];
    for list in lists {
        let (mut whole, mut changed) = (whole.clone(), changed.clone());
        let (before, after) = (list(&mut whole), list(&mut changed));
        if before != after && !after.is_empty() && after.iter().all(|line| before.contains(line)) {
            names.push(if before.len() == after.len() { "lines reordered" } else { "a line lost" });
            list(&mut explained).clone_from(after);
        }
    }
    if changed.activities.len() < whole.activities.len() && !changed.activities.is_empty() {
        explained.activities.truncate(changed.activities.len());
        names.push("a last activity lost");
    }
    // A row that some pages do not have.
    if changed.accounting_system.is_empty() && !whole.accounting_system.is_empty() && !has("Contabili") {
        explained.accounting_system.clear();
        names.push("an optional row lost");
    }
    // The two systems have the same words.
    let exchanged = (&changed.accounting_system, &changed.issuing_system);
    if exchanged == (&whole.issuing_system, &whole.accounting_system) && exchanged.0 != exchanged.1 {
        std::mem::swap(&mut explained.issuing_system, &mut explained.accounting_system);
        names.push("systems exchanged");
    }
    // A business may be called by anything.
    if changed.trade_name != explained.trade_name && is_swapped(&mut explained, changed) {
        names.push("swapped with the trade name");
    }
    // A date looks like any other date, and each of them may be a dash; one of the rows is optional.
    let (before, after) = (dates(&explained), dates(changed));
    if before != after {
        let lost = before.iter().flatten().count() - after.iter().flatten().count().min(4);
        let mut left = before.to_vec();
        let are_the_same = after.iter().flatten().all(|date| {
            let at = left.iter().position(|other| *other == Some(*date));
            at.map(|at| left.swap_remove(at)).is_some()
        });
        if are_the_same && lost == 0 {
            names.push("dates exchanged");
        } else if are_the_same && lost == 1 && !has("Afiliado al PLE") {
            names.push("an optional row lost");
        } else {
            return None;
        }
        [explained.registered, explained.activities_started] = [after[0], after[1]];
        let issuing = &mut explained.electronic_issuing;
        [issuing.since, issuing.electronic_books_since] = [after[2], after[3]];
    }
    // The day of deregistration follows the status, and has no row.
    if changed.deregistered.is_none() && whole.deregistered.is_some() {
        explained.deregistered = None;
        names.push("the day of deregistration lost");
    }
    names.dedup();
    (explained == *changed).then_some(names)
}

/// Whether a text has changed places with the trade name; if so, it does the same in `explained`.
fn is_swapped(explained: &mut TaxpayerDetail, changed: &TaxpayerDetail) -> bool {
    let old = std::mem::replace(&mut explained.trade_name, changed.trade_name.clone());
    if old.is_empty() && changed.trade_name == explained.electronic_issuing.vouchers.join(",") {
        explained.electronic_issuing.vouchers.clear();
        return true;
    }
    // An address is answered in another order than the page has. A person's is not answered.
    let street = explained.full_address.split(" - ").next().unwrap();
    let has_lost_address = !street.is_empty() && changed.full_address.is_empty();
    if old.is_empty() && has_lost_address && changed.trade_name.starts_with(street) {
        explained.full_address.clear();
        return true;
    }
    let issuing = &mut explained.electronic_issuing;
    let days = [&mut explained.activities_started, &mut issuing.since, &mut issuing.electronic_books_since];
    for (day, after) in days.into_iter().zip(dates(changed).into_iter().skip(1)) {
        if old.is_empty() && after.is_none() && day.is_some_and(|day| day.dmy().to_string() == changed.trade_name) {
            *day = None;
            return true;
        }
    }
    let mut lists = [
        (&mut explained.authorised_vouchers, &changed.authorised_vouchers),
        (&mut explained.electronic_issuing.systems, &changed.electronic_issuing.systems),
        (&mut explained.padrones, &changed.padrones),
    ];
    for (before, after) in &mut lists {
        let mut swapped = before.clone();
        match swapped.iter_mut().find(|line| **line == changed.trade_name) {
            Some(line) => line.clone_from(&old),
            // An empty list says so with a word.
            None if before.is_empty() && changed.trade_name == "NINGUNO" => swapped.push(old.clone()),
            None => continue,
        }
        swapped.retain(|line| !line.is_empty());
        if swapped == **after {
            **before = swapped;
            return true;
        }
    }
    if explained.taxpayer_type == changed.trade_name && changed.taxpayer_type == old {
        explained.taxpayer_type = old;
        return true;
    }
    // A person's address is a dash, and is not kept.
    let is_address = explained.ruc.is_personal() && changed.trade_name.is_empty();
    if !is_address {
        explained.trade_name = old;
    }
    is_address
}

fn dates(record: &TaxpayerDetail) -> [Option<kuraka_domain::Date>; 4] {
    let ElectronicIssuing { since, electronic_books_since, .. } = record.electronic_issuing;
    [record.registered, record.activities_started, since, electronic_books_since]
}

/// Whether the numbering of the activities can be seen to be right.
fn is_numbered(record: &TaxpayerDetail) -> bool {
    let ranks: Vec<ActivityRank> = record.activities.iter().map(|activity| activity.rank).collect();
    ranks.iter().enumerate().all(|(at, rank)| (at == 0) == (*rank == ActivityRank::Principal))
}

/// How many changes ended in each class.
fn classes(case: &Case, changes: usize, classes: &mut BTreeMap<String, usize>, wrong: &mut Vec<String>) {
    let whole = case.read(&case.body).unwrap().unwrap();
    for seed in 0..changes {
        let (what, body) = change(&case.body, &mut Random::new(seed as u64));
        let has = |text: &str| memmem::find(&body, text.as_bytes()).is_some();
        let class = match case.read(&body) {
            Err(_) => "unreadable".to_owned(),
            Ok(None) => "absent".to_owned(),
            Ok(Some(record)) if record == whole => "the same record".to_owned(),
            Ok(Some(record)) => match undetectable(&whole, &record, has).filter(|_| is_numbered(&record)) {
                Some(names) => format!("cannot be noticed: {}", names.join(", ")),
                None => {
                    wrong.push(format!("{}, seed {seed}, {what}: {record:?}", case.name));
                    "a wrong record".to_owned()
                }
            },
        };
        *classes.entry(class).or_default() += 1;
    }
}

#[tokio::test]
async fn a_page_with_ranges_removed_doubled_or_swapped_shows_its_damage() {
    let changes = reliability::number("RANGES", CHANGES) as usize;
    let (mut found, mut wrong) = (BTreeMap::new(), Vec::new());
    // One page is recorded in both charsets.
    let is_record = |case: &Case| case.name != "utf8" && matches!(case.read(&case.body), Ok(Some(_)));
    let pages: Vec<Case> = cases().into_iter().filter(is_record).chain(simulated().await).collect();
    for case in &pages {
        classes(case, changes, &mut found, &mut wrong);
    }
    let tried = format!("{} changes of ranges between tags in each of {} pages", changes, pages.len());
    let measured: Vec<String> = found.iter().map(|(class, count)| format!("{count} {class}")).collect();
    reliability::figure("U10", &tried, &measured.join("; "));
    assert!(wrong.is_empty(), "{} of {tried}\n{}", wrong.len(), wrong.join("\n"));
    // Each class occurs, or the changes are not the ones meant.
    assert!(found["unreadable"] > changes && found["the same record"] > changes / 10, "{found:?}");
    let undetectable: usize =
        found.iter().filter(|(class, _)| class.starts_with("cannot be")).map(|(_, count)| count).sum();
    assert!((1..changes * pages.len() / 20).contains(&undetectable), "{found:?}");
}
