//! Ranges of a recorded page between two tags are removed, doubled or swapped: the answer is the record of the whole page,
//! an error, or a record with a part of the whole page's values; never an absence and never a value of its own.

#![no_main]

use std::collections::BTreeSet;
use std::sync::LazyLock;

use kuraka_adapters::sources::sunat_portal::read;
use kuraka_domain::{Ruc, TaxpayerDetail};
use libfuzzer_sys::fuzz_target;

/// Recorded pages with a record, and their RUCs.
const PAGES: [(&[u8], &str); 3] = [
    (include_bytes!("../../fixtures/sunat_portal/regional_government/response.html"), "20440374248"),
    (include_bytes!("../../fixtures/sunat_portal/natural_person/response.html"), "10999990075"),
    (include_bytes!("../../fixtures/sunat_portal/everything_else/response.html"), "20999991018"),
];

/// A page, where its tags begin, and its values.
struct Page {
    bytes: &'static [u8],
    ruc: Ruc,
    tags: Vec<usize>,
    values: BTreeSet<String>,
    /// Its other texts, and its source with single blanks.
    others: Vec<String>,
    text: String,
}

impl Page {
    /// A business may be called by anything, so any text of the page may take the place of the trade name.
    fn may_be_a_trade_name(&self, text: &str) -> bool {
        self.others.iter().any(|other| other == text) || self.text.contains(text)
    }
}

static WHOLE: LazyLock<Vec<Page>> = LazyLock::new(|| {
    let page = |(bytes, ruc): (&'static [u8], &str)| {
        let ruc = Ruc::parse(ruc).expect("a RUC");
        let record = read(bytes, None, ruc).expect("a page").expect("a record");
        let tags = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'<').map(|(at, _)| at).collect();
        let (values, others) = (values(&record), others(&record));
        let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Page { bytes, ruc, tags, values, others, text }
    };
    PAGES.into_iter().map(page).collect()
});

/// The names and texts of a record.
fn values(record: &TaxpayerDetail) -> BTreeSet<String> {
    let texts = [&record.name, &record.full_address, &record.trade_name, &record.taxpayer_type, &record.issuing_system];
    let more = [&record.foreign_trade, &record.accounting_system];
    let words = [record.status.to_string(), record.condition.to_string()];
    let activities = record.activities.iter().map(|activity| format!("{activity:?}"));
    let single = texts.into_iter().chain(more).cloned().chain(words).chain(activities);
    single.chain(record.authorised_vouchers.iter().cloned()).collect()
}

/// The texts of a record that [`values`] does not have.
fn others(record: &TaxpayerDetail) -> Vec<String> {
    let issuing = &record.electronic_issuing;
    let days = [record.registered, record.activities_started, issuing.since, issuing.electronic_books_since];
    let days = days.into_iter().flatten().map(|day| day.dmy().to_string());
    let lines = record.padrones.iter().chain(&issuing.systems).cloned();
    lines.chain(days).chain(["NINGUNO".to_owned(), issuing.vouchers.join(",")]).collect()
}

fuzz_target!(|data: &[u8]| {
    let Some((&chosen, edits)) = data.split_first() else { return };
    let page = &WHOLE[usize::from(chosen) % WHOLE.len()];
    let tag = |high: u8, low: u8| page.tags[usize::from(u16::from_be_bytes([high, low])) % page.tags.len()];
    let mut bytes = page.bytes.to_vec();
    // One edit, because the places of the tags are those of the whole page.
    let Some(edit) = edits.first_chunk::<7>() else { return };
    let mut at = [tag(edit[1], edit[2]), tag(edit[3], edit[4]), tag(edit[5], edit[6])];
    at.sort_unstable();
    let [from, middle, to] = at;
    match edit[0] % 3 {
        0 => drop(bytes.drain(from..to)),
        1 => drop(bytes.splice(to..to, page.bytes[from..to].iter().copied())),
        _ => bytes[from..to].rotate_left(middle - from),
    }
    if let Ok(answer) = read(&bytes, None, page.ruc) {
        let record = answer.expect("a damaged page proves no absence");
        assert_eq!(record.ruc, page.ruc);
        let strange: Vec<_> =
            values(&record).difference(&page.values).cloned().filter(|value| !value.is_empty()).collect();
        let is_free = |value: &String| *value == record.trade_name && page.may_be_a_trade_name(value);
        let strange: Vec<_> = strange.into_iter().filter(|value| !is_free(value)).collect();
        assert!(strange.is_empty(), "{strange:?}");
    }
});
