use std::collections::HashSet;
use std::convert::Infallible;

use kuraka_app::token::{LENGTH, digest_of};
use kuraka_app::{ApiToken, TokenFormError};

use crate::fixture::token;

/// A generator of bytes that a test can repeat (splitmix64).
fn bytes_from(mut state: u64) -> impl FnMut(&mut [u8]) -> Result<(), Infallible> {
    move |bytes| {
        for chunk in bytes.chunks_mut(8) {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            chunk.copy_from_slice(&(z ^ (z >> 31)).to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

#[test]
fn a_token_is_kur_and_36_letters_and_digits() {
    let token = token(1);
    let text = token.reveal();
    assert_eq!(text.len(), LENGTH);
    assert!(text.starts_with("kur_"));
    assert!(text[4..].bytes().all(|byte| byte.is_ascii_alphanumeric()));
    assert_eq!(digest_of(text.as_bytes()), Ok(token.digest()));
}

#[test]
fn the_checksum_is_the_crc32_of_the_random_part_in_base62() {
    // The CRC32 of thirty zeros by the bitwise definition, not by the crate under test.
    let token = ApiToken::generate(|bytes| {
        bytes.fill(0);
        Ok::<(), Infallible>(())
    })
    .unwrap();
    let mut crc = u32::MAX;
    for byte in [b'0'; 30] {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    let mut rest = !crc;
    let mut expected = String::new();
    for _ in 0..6 {
        let letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        expected.insert(0, letters.chars().nth(rest as usize % 62).unwrap());
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
        assert!(digest_of(&wrong).is_err(), "position {position}");
    }
    assert_eq!(digest_of(&text.as_bytes()[..39]), Err(TokenFormError::Form));
    assert_eq!(digest_of(format!("{text}0").as_bytes()), Err(TokenFormError::Form));
    assert_eq!(digest_of(b""), Err(TokenFormError::Form));
    assert_eq!(digest_of("kur_ñandú".as_bytes()), Err(TokenFormError::Form));
    assert_eq!(digest_of(&vec![b'k'; 8192]), Err(TokenFormError::Form));
}

#[test]
fn a_hundred_thousand_tokens_are_unique_and_uniform() {
    let mut fill = bytes_from(42);
    let mut seen = HashSet::new();
    let mut counts = [0_u32; 128];
    for _ in 0..100_000 {
        let token = ApiToken::generate(&mut fill).unwrap();
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
