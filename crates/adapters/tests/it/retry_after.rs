//! How long a source asks clients to wait.

use std::time::Duration;

use jiff::Timestamp;
use kuraka_adapters::sources::retry_after::read;

#[test]
fn seconds_and_dates_are_read() {
    let now: Timestamp = "2026-11-20T10:00:00Z".parse().unwrap();
    assert_eq!(read("3600", now), Some(Duration::from_secs(3600)));
    assert_eq!(read(" 0 ", now), Some(Duration::ZERO));
    assert_eq!(read("Fri, 20 Nov 2026 10:02:00 GMT", now), Some(Duration::from_secs(120)));
    assert_eq!(read("Fri, 20 Nov 2026 09:00:00 GMT", now), Some(Duration::ZERO));
    for nonsense in ["", "soon", "-5", "1.5"] {
        assert_eq!(read(nonsense, now), None, "{nonsense}");
    }
}
