//! Settings of the voucher service.

use kuraka_adapters::sources::sunat_vouchers::{API_URL, Config, ConfigError, Credentials, TOKEN_URL};

use super::credentials;

fn refused(token_url: &str, api_url: &str, sets: Vec<Credentials>) -> ConfigError {
    Config::new(token_url, api_url, sets).unwrap_err()
}

#[test]
fn the_published_addresses_are_good_ones() {
    Config::new(TOKEN_URL, API_URL, vec![credentials("secret")]).unwrap();
}

#[test]
fn settings_that_cannot_work_are_refused() {
    let set = || vec![credentials("secret")];
    assert_eq!(refused("api-seguridad.sunat.gob.pe/{client_id}", API_URL, set()), ConfigError::TokenUrl);
    assert_eq!(refused(TOKEN_URL, "ftp://api.sunat.gob.pe/{ruc}", set()), ConfigError::ApiUrl);
}

#[test]
fn neither_id_nor_secret_is_ever_printed() {
    let set = Credentials { client_id: "the-id".to_owned(), ..credentials("the-secret") };
    let config = Config::new(TOKEN_URL, API_URL, vec![set.clone()]).unwrap();
    let printed = format!("{set:?} {config:?}");
    assert!(!printed.contains("the-id") && !printed.contains("the-secret"), "{printed}");
}
