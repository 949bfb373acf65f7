//! Any text as `Retry-After`: seconds are read exactly, and nothing but digits and dates is read.

#![no_main]

use std::time::Duration;

use jiff::Timestamp;
use kuraka_adapters::sources::retry_after;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let now: Timestamp = "2026-11-20T10:00:00Z".parse().expect("a time");
    let read = retry_after::read(text, now);
    let trimmed = text.trim();
    if let Ok(seconds) = trimmed.parse::<u64>() {
        assert_eq!(read, Some(Duration::from_secs(seconds)));
    } else if read.is_some() {
        assert!(trimmed.is_ascii() && trimmed.contains(':'), "{text:?} is read as {read:?}");
        let later = retry_after::read(text, now + Duration::from_secs(60));
        assert!(later <= read, "a later time waits no longer");
    }
});
