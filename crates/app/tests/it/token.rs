use std::collections::HashSet;

use kuraka_app::{ApiToken, PresentedToken};
use kuraka_ports::fake::MemoryStore;
use kuraka_ports::{TokenKey, TokenKind};
use sha2::{Digest, Sha256};

use crate::fixture::{bytes_from, token};

const KEY: TokenKey = MemoryStore::TOKEN_KEY;

#[test]
fn a_token_is_kur_and_36_letters_and_digits() {
    let token = token(1);
    let text = token.reveal();
    assert_eq!(text.len(), 40);
    assert!(text.starts_with("kur_"));
    assert!(text[4..].bytes().all(|byte| byte.is_ascii_alphanumeric()));
    let presented = PresentedToken::read(text.as_bytes()).unwrap();
    assert_eq!(presented.digest(), token.digest());
    assert_eq!(token.digest().0[..], Sha256::digest(text)[..]);
    assert!(presented.is_genuine(&KEY));
}

#[test]
fn a_test_token_is_known_by_its_prefix() {
    let token = ApiToken::generate(TokenKind::Test, &KEY, bytes_from(7)).unwrap();
    let text = token.reveal();
    assert_eq!((text.len(), &text[..9], token.prefix()), (45, "kur_test_", &text[..15]));
    let presented = PresentedToken::read(text.as_bytes()).unwrap();
    assert!(presented.kind == TokenKind::Test && presented.is_genuine(&KEY));
    // The same letters are another token.
    let live = format!("kur_{}", &text[9..]);
    let live = PresentedToken::read(live.as_bytes()).unwrap();
    assert!(live.kind == TokenKind::Live && live.digest() != token.digest());
    for text in [text, &format!("a-{text}-b"), &format!("-{}", crate::fixture::token(1).reveal())] {
        assert!(PresentedToken::is_in(text.as_bytes()), "{text}");
    }
    assert!(!PresentedToken::is_in(&text.as_bytes()[1..]));
}

#[test]
fn the_checksum_is_a_truncated_hmac_of_the_random_part() {
    // By the definition of HMAC, not by the crate under test.
    let token = token(4);
    let pad = |with: u8| (0..64).map(|at| KEY.0.get(at).unwrap_or(&0) ^ with).collect::<Vec<u8>>();
    let inner = Sha256::digest([&pad(0x36)[..], &token.reveal().as_bytes()[4..34]].concat());
    let code = Sha256::digest([&pad(0x5c)[..], &inner[..]].concat());
    let mut rest = u64::from_be_bytes(code[..8].try_into().unwrap());
    let mut expected = String::new();
    for _ in 0..6 {
        let letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        expected.insert(0, letters.chars().nth((rest % 62) as usize).unwrap());
        rest /= 62;
    }
    assert_eq!(&token.reveal()[34..], expected);
}

#[test]
fn every_mistyped_character_is_refused() {
    let token = token(3);
    let text = token.reveal();
    for position in 0..text.len() {
        let mut wrong = text.as_bytes().to_vec();
        wrong[position] = if wrong[position] == b'x' { b'y' } else { b'x' };
        let is_refused = PresentedToken::read(&wrong).is_none_or(|wrong| !wrong.is_genuine(&KEY));
        assert!(is_refused, "position {position}");
    }
    let (shorter, longer) = (&text.as_bytes()[..39], format!("{text}0"));
    for wrong in [shorter, longer.as_bytes(), b"", "kur_ñandú".as_bytes(), &[b'k'; 8192]] {
        assert!(PresentedToken::read(wrong).is_none(), "{}", String::from_utf8_lossy(wrong));
    }
}

#[test]
fn a_hundred_thousand_tokens_are_unique_and_uniform() {
    let mut fill = bytes_from(42);
    let mut seen = HashSet::new();
    let mut counts = [0_u32; 128];
    for _ in 0..100_000 {
        let token = ApiToken::generate(TokenKind::Live, &KEY, &mut fill).unwrap();
        for byte in token.reveal().bytes().skip(4).take(30) {
            counts[usize::from(byte)] += 1;
        }
        assert!(seen.insert(token.reveal().to_owned()));
    }
    let expected = 3_000_000.0 / 62.0;
    let letters = counts.iter().filter(|count| **count > 0);
    let chi_squared: f64 = letters.clone().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum();
    assert_eq!(letters.count(), 62);
    // 61 degrees of freedom: a uniform generator exceeds 111 once in 10,000 runs; this one has a fixed seed.
    assert!(chi_squared < 111.0, "χ² = {chi_squared}");
}

#[test]
fn the_debug_text_of_a_token_hides_it() {
    assert_eq!(format!("{:?}", token(5)), "ApiToken(kur_…)");
}
