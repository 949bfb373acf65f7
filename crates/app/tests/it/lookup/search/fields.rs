//! The fields of a search.

use kuraka_app::{SearchFieldError as Refused, SearchFields};
use kuraka_domain::name::SearchMode;
use kuraka_domain::{DomicileCondition, TaxpayerStatus};
use kuraka_ports::NameQuery;

fn named(name: &str) -> SearchFields<'_> {
    SearchFields { name, ..SearchFields::default() }
}

#[test]
fn a_search_has_folded_words_and_a_page_of_twenty_by_default() {
    let query = named(" Molinos  D'Ávila s.a.c. ").query().unwrap();
    let words = ["MOLINOS", "DAVILA", "SAC"].map(str::to_owned).to_vec();
    let expected = NameQuery {
        words,
        mode: SearchMode::Words,
        status: None,
        condition: None,
        department: None,
        limit: 20,
        after: None,
    };
    assert_eq!(query, expected);
}

#[test]
fn modes_and_filters_are_read_whatever_their_case_and_accents() {
    let fields = SearchFields {
        mode: Some("Contiene"),
        status: Some("baja de oficio"),
        condition: Some("No Hallado"),
        department: Some("Áncash"),
        limit: Some("50"),
        ..named("molinos")
    };
    let query = fields.query().unwrap();
    assert_eq!((query.mode, query.limit, query.department), (SearchMode::Contains, 50, Some("ANCASH")));
    assert_eq!(query.status, Some(TaxpayerStatus::DeregisteredExOfficio));
    assert_eq!(query.condition, Some(DomicileCondition::NotFound));
    for known in TaxpayerStatus::KNOWN {
        assert_eq!(
            SearchFields { status: Some(known.as_str()), ..named("ab") }.query().unwrap().status.as_ref(),
            Some(known)
        );
    }
    for known in DomicileCondition::KNOWN {
        let query = SearchFields { condition: Some(known.as_str()), ..named("ab") }.query().unwrap();
        assert_eq!(query.condition.as_ref(), Some(known));
    }
}

#[test]
fn a_name_that_is_too_short_too_long_or_no_text_is_refused() {
    let long = "ab ".repeat(40);
    let many = "ab ".repeat(11);
    for (name, refused) in [
        ("", Refused::Length { found: 0 }),
        ("Ñ", Refused::Length { found: 1 }),
        (&*long, Refused::Length { found: 120 }),
        ("a\tb", Refused::Control),
        ("ab\u{0}", Refused::Control),
        ("ab\n", Refused::Control),
        ("ab\u{85}", Refused::Control),
        ("..", Refused::NoWord),
        ("¿?", Refused::NoWord),
        (" ñ ", Refused::OneLetter),
        ("7.", Refused::OneLetter),
        (&*many, Refused::Words { found: 11 }),
    ] {
        assert_eq!(named(name).query(), Err(refused), "{name:?}");
    }
    for name in ["ab", "a b", "S.A.", "3M", "ñ 1", &"x".repeat(100), &"ab ".repeat(10)] {
        assert!(named(name).query().is_ok(), "{name:?}");
    }
}

#[test]
fn a_limit_is_a_whole_number_from_1_to_50() {
    assert_eq!(SearchFields { limit: Some("5.0"), ..named("ab") }.query().unwrap().limit, 5);
    for limit in ["0", ".0", "5.0.0", "51", "-1", "+5", "", "1.5", "2e1", "99999999999999999999", "veinte"] {
        assert_eq!(SearchFields { limit: Some(limit), ..named("ab") }.query(), Err(Refused::Limit), "{limit}");
    }
}
