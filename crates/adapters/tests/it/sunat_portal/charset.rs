//! The charset comes from the header, unless that is Latin-1, else from the bytes, and never from the page's meta tag.

use encoding_rs::WINDOWS_1252;
use kuraka_adapters::sources::sunat_portal::{UnreadablePageError, read};

use super::pages::case;

/// The page with every accent in it, in both charsets; it claims utf-8 in a meta tag.
fn both() -> [Vec<u8>; 2] {
    let latin1 = case("everything_else").body;
    let utf8 = WINDOWS_1252.decode(&latin1).0.into_owned().into_bytes();
    assert_ne!(latin1, utf8);
    [latin1, utf8]
}

#[test]
fn the_meta_tag_does_not_decide_the_charset() {
    let ruc = case("everything_else").ruc;
    let [latin1, utf8] = both();
    let expected = read(&latin1, None, ruc).unwrap();
    let record = expected.as_ref().unwrap();
    assert_eq!(record.name, "INVENTOS - Y - ÑANDÚES S.A.C.");
    let with_bom = [b"\xEF\xBB\xBF".as_slice(), &utf8].concat();
    for (body, content_type) in [
        (&latin1, "text/html"),
        (&latin1, "text/html;charset=ISO-8859-1"),
        (&latin1, "text/html; charset=\"windows-1252\""),
        (&latin1, "text/html; charset=no-such-charset"),
        (&utf8, "text/html"),
        (&utf8, "text/html; CHARSET=utf-8"),
        (&utf8, "text/html; charset=iso-8859-1"),
        (&utf8, "text/html; charset=windows-1252"),
        (&with_bom, "text/html"),
        (&with_bom, "text/html; charset=utf-8"),
    ] {
        assert_eq!(read(body, Some(content_type), ruc), Ok(expected.clone()), "{content_type}");
    }
}

#[test]
fn a_charset_header_that_contradicts_the_bytes_is_an_error() {
    let ruc = case("everything_else").ruc;
    let [latin1, utf8] = both();
    let labelled_utf8 = read(&latin1, Some("text/html; charset=utf-8"), ruc);
    assert_eq!(labelled_utf8, Err(UnreadablePageError::Charset("UTF-8").into()));
    for charset in ["utf-16le", "koi8-r", "shift_jis"] {
        let read = read(&utf8, Some(&format!("text/html; charset={charset}")), ruc);
        assert!(read.is_err(), "{charset}");
    }
}

#[test]
fn a_garbled_value_in_a_page_is_an_error() {
    let ruc = case("everything_else").ruc;
    let [_, utf8] = both();
    let text = String::from_utf8(utf8).unwrap();
    for (good, garbled) in [("ÑANDÚES", "Ã‘ANDÃšES"), ("ÑANDÚES", "\u{FFFD}AND\u{FFFD}ES"), ("ÑANDÚES", "â€œANDUES")]
    {
        assert!(text.contains(good));
        let body = text.replace(good, garbled).into_bytes();
        assert_eq!(
            read(&body, Some("text/html; charset=utf-8"), ruc),
            Err(UnreadablePageError::Garbled.into()),
            "{garbled}"
        );
    }
}
