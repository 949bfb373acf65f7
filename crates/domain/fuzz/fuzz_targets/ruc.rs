//! Any bytes as a RUC: accepted only if they are eleven digits with a known prefix and the right check digit, and printed
//! as they were.

#![no_main]

use kuraka_domain::Ruc;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let read = Ruc::from_ascii(bytes);
    assert_eq!(read.is_ok(), is_ruc(bytes), "{bytes:?} reads as {read:?}");
    if let Ok(text) = str::from_utf8(bytes) {
        let parsed = Ruc::parse(text);
        assert_eq!(parsed.ok(), read.ok());
        if let Err(error) = parsed {
            assert!(!error.to_string().chars().any(char::is_control), "{error}");
        }
    }
    if let Ok(ruc) = read {
        assert_eq!(ruc.to_string().as_bytes(), bytes);
        assert_eq!(Ruc::try_from(ruc.get()), Ok(ruc));
        assert_eq!(Ruc::from_parts(ruc.kind(), ruc.body()), Ok(ruc));
        assert_eq!(ruc.dni().map(Ruc::from_dni), Some(ruc).filter(|ruc| ruc.prefix() == 10));
    }
});

/// A second, simpler implementation of the rules.
fn is_ruc(bytes: &[u8]) -> bool {
    if bytes.len() != 11 || !bytes.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let digits: Vec<u32> = bytes.iter().map(|byte| u32::from(byte - b'0')).collect();
    let sum: u32 = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2].iter().zip(&digits).map(|(weight, digit)| weight * digit).sum();
    let check = match 11 - sum % 11 {
        10 => 0,
        11 => 1,
        check => check,
    };
    [10, 15, 16, 17, 20].contains(&(digits[0] * 10 + digits[1])) && digits[10] == check
}
