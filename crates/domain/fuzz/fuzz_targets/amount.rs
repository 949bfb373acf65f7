//! Any text as an amount: an accepted text has the same value in 128-bit arithmetic, and its printed form parses again.

#![no_main]

use kuraka_domain::Amount;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match text.parse::<Amount>() {
        Ok(amount) => {
            assert!((0..100_000_000_000_000).contains(&amount.centimos()));
            let (integer, decimals) = text.split_once('.').unwrap_or((text, "0"));
            assert!(decimals.len() <= 2);
            let integer: i128 = integer.parse().expect("digits");
            let decimals: i128 = format!("{decimals:0<2}").parse().expect("digits");
            assert_eq!(i128::from(amount.centimos()), integer * 100 + decimals);
            assert_eq!(amount.to_string().parse(), Ok(amount));
        }
        Err(error) => {
            assert!(!error.to_string().chars().any(char::is_control), "{error}");
            // A short JSON number without sign and exponent is always accepted.
            let plain = text.len() <= 12 && text.bytes().all(|byte| byte.is_ascii_digit());
            assert!(!plain || text.is_empty() || text.len() > 1 && text.starts_with('0'), "{text:?}: {error}");
        }
    }
});
