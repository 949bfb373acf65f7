//! Searching for companies by name.

mod fields;

use std::sync::Arc;

use jiff::Timestamp;
use kuraka_app::{AgeLimits, ChargedCall, LookupTaxpayer, SearchFieldError, SearchFields};
use kuraka_domain::{Ruc, TaxpayerStatus, TaxpayerSummary};
use kuraka_ports::NameQuery;
use kuraka_ports::fake::{ManualClock, ScriptedRegistry};

use super::{LABEL, admitted, edition, taxpayer};

/// A company with this name. The number makes its RUC.
fn company(number: u32, name: &str, status: TaxpayerStatus) -> TaxpayerSummary {
    let ruc = (0..10).find_map(|digit| Ruc::parse(&format!("20{number:08}{digit}")).ok()).unwrap();
    TaxpayerSummary { ruc, name: name.to_owned(), status, ..taxpayer() }
}

/// Molinos with equal names, most of them active.
fn mills() -> Vec<TaxpayerSummary> {
    let status = |number| if number % 3 == 0 { TaxpayerStatus::Deregistered } else { TaxpayerStatus::Active };
    (0..20).map(|number| company(number, &format!("MOLINO {} S.A.C.", number / 4), status(number))).collect()
}

fn lookup(registry: Arc<ScriptedRegistry>) -> LookupTaxpayer {
    LookupTaxpayer::new(registry, AgeLimits::new(Arc::new(ManualClock::at(Timestamp::UNIX_EPOCH)), []))
}

fn search(taxpayers: Vec<TaxpayerSummary>) -> (Arc<ScriptedRegistry>, LookupTaxpayer) {
    let registry = Arc::new(ScriptedRegistry::with(edition(LABEL), taxpayers));
    (Arc::clone(&registry), lookup(registry))
}

fn query(limit: &str, cursor: Option<&str>) -> Result<NameQuery, SearchFieldError> {
    SearchFields { name: "Molíno", limit: Some(limit), cursor, ..SearchFields::default() }.query()
}

/// Every page from the first to the last. `between` is called before each page.
fn pages(search: &LookupTaxpayer, call: &ChargedCall, limit: &str, mut between: impl FnMut(usize)) -> Vec<Vec<Ruc>> {
    let (mut pages, mut cursor) = (Vec::new(), None::<String>);
    loop {
        assert!(pages.len() < 100, "the search goes on for ever");
        between(pages.len());
        let answer = search.search(call, query(limit, cursor.as_deref()).unwrap()).unwrap();
        pages.push(answer.taxpayers.iter().map(|taxpayer| taxpayer.ruc).collect());
        cursor = answer.cursor;
        if cursor.is_none() {
            return pages;
        }
    }
}

#[tokio::test]
async fn the_pages_of_a_search_have_every_company_once_and_in_order() {
    let (_app, call) = admitted().await;
    let (_, search) = search(mills());
    let whole = pages(&search, &call, "50", |_| {});
    assert_eq!((whole.len(), whole[0].len()), (1, 20));
    for limit in ["1", "3", "7", "20"] {
        let pages = pages(&search, &call, limit, |_| {});
        assert_eq!(pages.concat(), whole[0], "{limit}");
        assert!(pages.iter().rev().skip(1).all(|page| page.len().to_string() == limit), "{pages:?}");
    }
    let suggested = search.suggest(query("8", None).unwrap()).unwrap();
    assert_eq!(suggested.iter().map(|taxpayer| taxpayer.ruc).collect::<Vec<_>>(), whole[0][..8]);
}

#[tokio::test]
async fn a_cursor_of_the_longest_names_has_512_characters_at_most() {
    let (_app, call) = admitted().await;
    let mut cursors = Vec::new();
    for length in [1, 300, 356, 357, 359, 360, 361, 5_000] {
        // Letters of one, two and three bytes.
        for letter in ["X", "ß", "Ð", "ｱ"] {
            let name = |nth: u32| format!("MOLINO {}{nth}", letter.repeat(length));
            let companies = (0..5).map(|nth| company(nth, &name(nth), TaxpayerStatus::Active)).collect();
            let (_, search) = search(companies);
            let found = pages(&search, &call, "2", |_| {});
            assert_eq!(found.concat(), pages(&search, &call, "50", |_| {}).concat(), "{length} {letter}");
            cursors.extend(search.search(&call, query("1", None).unwrap()).unwrap().cursor);
        }
    }
    let lengths: Vec<usize> = cursors.iter().map(String::len).collect();
    assert!(lengths.iter().all(|length| (20..=512).contains(length)), "{lengths:?}");
    assert!(lengths.iter().any(|length| *length > 500), "{lengths:?}");
}

#[tokio::test]
async fn a_cursor_is_refused_with_another_query_or_if_it_is_damaged() {
    let (_app, call) = admitted().await;
    let (_, search) = search(mills());
    let cursor = search.search(&call, query("3", None).unwrap()).unwrap().cursor.unwrap();
    let with = |fields: SearchFields<'_>| SearchFields { cursor: Some(&cursor), ..fields }.query();
    let same = SearchFields { name: "molino", ..SearchFields::default() };
    assert!(with(same).is_ok() && with(SearchFields { name: " MOLÍNO. ", limit: Some("50"), ..same }).is_ok());
    for other in [
        SearchFields { name: "molinos", ..same },
        SearchFields { name: "molino 1", ..same },
        SearchFields { mode: Some("comienzo"), ..same },
        SearchFields { mode: Some("contiene"), ..same },
        SearchFields { status: Some("ACTIVO"), ..same },
        SearchFields { condition: Some("HABIDO"), ..same },
        SearchFields { department: Some("LIMA"), ..same },
    ] {
        assert_eq!(with(other), Err(SearchFieldError::ForeignCursor), "{other:?}");
    }
    let changed = (0..cursor.len()).map(|at| {
        let other = if cursor[at..].starts_with('A') { "B" } else { "A" };
        [&cursor[..at], other, &cursor[at + 1..]].concat()
    });
    let cut = (0..cursor.len()).map(|at| cursor[..at].to_owned());
    let strange = ["", "no es un cursor", "====", "ñ", &"A".repeat(512), &format!("{cursor}A")].map(str::to_owned);
    for broken in changed.chain(cut).chain(strange) {
        assert_eq!(query("3", Some(&broken)), Err(SearchFieldError::BrokenCursor), "{broken}");
    }
}
