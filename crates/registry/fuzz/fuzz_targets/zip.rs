//! Arbitrary bytes as the padrón's zip: refused with a reason, or imported and readable.
#![no_main]

mod importing;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let zip = [b"PK\x03\x04", data].concat();
    if let Ok((_folder, report, edition)) = importing::imported(&zip) {
        assert_eq!(edition.rucs().filter(Result::is_ok).count() as u64, report.rows);
        assert!(report.read.text_bytes <= 4 << 30);
    }
});
