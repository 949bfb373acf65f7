//! The operator's settings.

use std::time::Duration;

use kuraka_adapters::sources::sunat_portal::{Config, ConfigError, MIN_INTERVAL, OFFICIAL_URL, USER_AGENT};

#[test]
fn the_defaults_are_accepted() {
    assert!(Config::new(OFFICIAL_URL, USER_AGENT, MIN_INTERVAL).is_ok());
    for interval in [0, 60_000].map(Duration::from_millis) {
        assert!(Config::new("http://127.0.0.1:8090/x", "a b/1", interval).is_ok());
    }
}

#[test]
fn a_setting_that_cannot_work_is_refused_with_what_to_do() {
    for url in ["", "e-consultaruc", "ftp://host/x", "file:///x", "https://"] {
        let error = Config::new(url, USER_AGENT, MIN_INTERVAL).unwrap_err();
        assert!(matches!(&error, ConfigError::Url { url: named } if named == url), "{url}: {error}");
    }
    for user_agent in ["", "  ", "a\r\nX-Other: b", "ñ"] {
        let error = Config::new(OFFICIAL_URL, user_agent, MIN_INTERVAL).unwrap_err();
        assert!(matches!(error, ConfigError::UserAgent), "{user_agent:?}");
    }
    let error = Config::new(OFFICIAL_URL, USER_AGENT, Duration::from_millis(60_001)).unwrap_err();
    assert_eq!(error.to_string(), "the interval between requests is 60001 ms: 0 to 60000 are accepted");
}
