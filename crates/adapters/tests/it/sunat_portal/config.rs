//! The operator's settings.

use kuraka_adapters::sources::sunat_portal::{Config, ConfigError, MIN_INTERVAL, OFFICIAL_URL, USER_AGENT};

#[test]
fn an_address_that_cannot_work_is_refused() {
    for url in [OFFICIAL_URL, "http://127.0.0.1:8090/x"] {
        assert!(Config::new(url, USER_AGENT, MIN_INTERVAL).is_ok());
    }
    for url in ["", "e-consultaruc", "ftp://host/x", "file:///x", "https://"] {
        let ConfigError(named) = Config::new(url, USER_AGENT, MIN_INTERVAL).unwrap_err();
        assert_eq!(named, url);
    }
}
