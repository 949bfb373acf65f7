//! Damaged pages: the same answer, or none. `KURAKA_MUTATIONS` sets how many changes each page goes through; above the
//! default, every cut is tried too.

use std::time::Duration;

use kuraka_adapters::sources::sunat_portal::read;
use kuraka_domain::TaxpayerDetail;
use tokio::time::Instant;

use super::mutation::{Random, mutate};
use super::pages::{Case, bytes, case, cases};

/// Changes to each page in an ordinary run.
const MUTATIONS: usize = 60;
/// Distance between the cuts of a long page in an ordinary run.
const STRIDE: usize = 293;

#[expect(clippy::disallowed_methods, reason = "a test has no settings module")]
fn mutations() -> usize {
    std::env::var("KURAKA_MUTATIONS").ok().map_or(MUTATIONS, |count| count.parse().unwrap())
}

/// What a case says; `None` if it is no answer at all.
fn answer(case: &Case) -> Option<Option<TaxpayerDetail>> {
    case.read(&case.body).ok()
}

/// Whether a damaged page still answers; it may, if it says what the whole one says.
fn still_answers(case: &Case, whole: &Option<Option<TaxpayerDetail>>, body: &[u8], damage: &str) -> bool {
    let read = case.read(body).ok();
    assert!(read.is_none() || read == *whole, "{}, {damage}: {read:?}", case.name);
    read.is_some()
}

#[test]
fn a_cut_page_gives_the_same_answer_or_an_error() {
    let stride = if mutations() > MUTATIONS { 1 } else { STRIDE };
    for case in cases() {
        let whole = answer(&case);
        let length = case.body.len();
        // Where a page could be taken for whole, every byte counts.
        let dense = length.saturating_sub(if length < 1_000 { length } else { 100 });
        for at in (0..dense).step_by(stride).chain(dense..length) {
            still_answers(&case, &whole, &case.body[..at], &format!("cut at {at}"));
        }
    }
}

#[test]
fn a_changed_page_gives_the_same_answer_or_an_error() {
    for case in cases() {
        let whole = answer(&case);
        let unharmed = (0..mutations())
            .filter(|&seed| {
                let (done, body) = mutate(&case.body, &mut Random::new(seed as u64));
                still_answers(&case, &whole, &body, &format!("seed {seed}: {done}"))
            })
            .count();
        // Neither all nor none may get through, or nothing is tried.
        if let Some(Some(_)) = whole {
            assert!((1..mutations()).contains(&unharmed), "{}: {unharmed} got through", case.name);
        }
    }
}

#[test]
fn two_pages_in_one_body_are_an_error() {
    let cases = cases();
    let answers = |case: &&Case| answer(case).is_some();
    for first in cases.iter().filter(|case| !case.body.trim_ascii().is_empty()) {
        for second in cases.iter().filter(answers) {
            for pair in [[first, second], [second, first]] {
                let body = pair.map(|case| case.body.as_slice()).concat();
                for ruc in [first.ruc, second.ruc] {
                    let read = read(&body, pair[0].content_type.as_deref(), ruc);
                    assert!(read.is_err(), "{} and then {}", pair[0].name, pair[1].name);
                }
            }
        }
    }
}

/// Damage that seeded runs once found to be missed.
#[test]
fn damage_that_was_once_missed_is_found() {
    const BOOKS: &str = "<h4 class=\"list-group-item-heading\">Afiliado al PLE desde:</h4>";
    const TRADE_NAME: &str = "<h4 class=\"list-group-item-heading\">Nombre Comercial:</h4>\r\n";
    for (name, whole, damaged) in [
        // A label that would pass for the value of its copy.
        (
            "regional_government",
            TRADE_NAME,
            format!("{}</div>\r\n<div class=\"col-sm-5\">{TRADE_NAME}", TRADE_NAME.replace("h4", "p")),
        ),
        // A row that may be absent, renamed and then switched off.
        ("regional_government", BOOKS, format!("<!-- {} -->", BOOKS.replace("Afiliado al PLE desde", "Dato"))),
    ] {
        let case = case(name);
        assert!(case.text().contains(whole), "{name} holds {whole}");
        let body = bytes(&case.text().replacen(whole, &damaged, 1));
        assert!(case.read(&body).is_err(), "{name} with {damaged}");
    }
}

#[test]
fn a_renamed_or_commented_out_row_does_not_count_as_absent() {
    let page = case("regional_government");
    let text = page.text();
    let start = text[..text.find("Afiliado al PLE").unwrap()].rfind("<div class=\"list-group-item\">").unwrap();
    let end = start + 20 + text[start + 20..].find("<div class=\"list-group-item\">").unwrap();
    let row = &text[start..end];

    let removed = page.read(&bytes(&text.replace(row, ""))).unwrap().unwrap();
    assert_eq!(removed.electronic_issuing.electronic_books_since, None);
    let renamed = row.replace("Afiliado al PLE desde:", "Libros desde:");
    let switched_off = format!("<!-- {row} -->");
    for damaged in [renamed, switched_off] {
        let error = page.read(&bytes(&text.replace(row, &damaged))).unwrap_err();
        assert!(error.to_string().contains("Afiliado al PLE"), "{error}");
    }
    // A new row is welcome as long as every known one is there.
    let added = format!("{row}{}", row.replace("Afiliado al PLE desde:", "Libros desde:"));
    assert_eq!(page.read(&bytes(&text.replace(row, &added))).ok(), answer(&page));
}

#[test]
fn a_deeply_nested_page_is_read_quickly_without_overflow() {
    let page = case("regional_government");
    for depth in [5_000, 400_000] {
        let deep = "<div>".repeat(depth);
        for body in [[deep.as_bytes(), &page.body].concat(), [&page.body, deep.as_bytes(), b"</html>"].concat()] {
            let began = Instant::now();
            still_answers(&page, &answer(&page), &body, "depth");
            // A parser whose time grows with the square of the depth would need minutes.
            assert!(began.elapsed() < Duration::from_secs(5), "{depth} deep: {:?}", began.elapsed());
        }
    }
}
