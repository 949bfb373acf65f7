//! Texts that look like digits to people or to careless parsers. No parser of this crate may accept one.

use kuraka_domain::{Amount, Date, Dni, ExchangeRate, Ruc, Ubigeo, VoucherNumber};

/// Whether a parser accepts a text.
type Accepts = fn(&str) -> bool;

/// Digits, and whether a text in place of them is read.
const PARSERS: [(&str, Accepts); 7] = [
    ("20131312955", |text| Ruc::parse(text).is_ok() || Ruc::from_ascii(text.as_bytes()).is_ok()),
    ("12345678", |text| Dni::parse(text).is_ok()),
    ("150131", |text| Ubigeo::parse(text).is_ok()),
    ("100672", |text| VoucherNumber::parse(text).is_ok()),
    ("2025", |text| Date::parse(&format!("{text}-10-07")).is_ok() || Date::parse_dmy(&format!("07/10/{text}")).is_ok()),
    ("336", |text| ExchangeRate::parse(text).is_ok() || ExchangeRate::parse(&format!("3.{text}")).is_ok()),
    // An amount may have six digits, and no text of it three decimals.
    ("118", |text| text != "118118" && [text, &format!("{text}.50")].iter().any(|text| Amount::parse(text).is_ok())),
];

#[test]
fn no_parser_accepts_a_hostile_text() {
    for (digits, is_read) in PARSERS {
        for text in spoilt(digits) {
            assert!(!is_read(&text), "{text:?} in place of {digits}");
        }
    }
}

/// Changes a valid text of ASCII digits in every way that is known to have fooled a parser.
fn spoilt(digits: &str) -> Vec<String> {
    let (first, rest) = digits.split_at(1);
    let other_script = |zero: u32| -> String {
        digits.chars().map(|c| char::from_u32(zero + c as u32 - '0' as u32).expect("a digit of the script")).collect()
    };
    let mut texts = vec![
        other_script('\u{660}' as u32),   // Arabic-Indic
        other_script('\u{6f0}' as u32),   // Extended Arabic-Indic
        other_script('\u{966}' as u32),   // Devanagari
        other_script('\u{ff10}' as u32),  // full width
        other_script('\u{1d7ce}' as u32), // mathematical bold
        format!("{first}\u{b2}{}", &rest[1..]),
        format!("{first}\u{2460}{}", &rest[1..]),
        format!("{first}\u{ff11}{}", &rest[1..]),
        format!("{first}_{rest}"),
        format!("{first},{rest}"),
        format!("0x{rest}"),
        format!("{digits}e0"),
        format!("\"{digits}\""),
        digits.to_owned() + digits,
        String::new(),
    ];
    let intruders =
        ["+", "-", "\u{2212}", " ", "\u{a0}", "\u{2007}", "\u{200b}", "\u{200d}", "\u{feff}", "\t", "\n", "\r\n", "\0"];
    for intruder in intruders {
        texts.push(format!("{intruder}{digits}"));
        texts.push(format!("{digits}{intruder}"));
        texts.push(format!("{first}{intruder}{rest}"));
        texts.push(format!("{intruder}{rest}"));
        texts.push(format!("{first}{intruder}{}", &rest[1..]));
    }
    texts
}
