//! The requests for a token and about a voucher. Pure.

use kuraka_domain::Voucher;
use secrecy::{ExposeSecret, SecretString};

use super::config::Client;

/// The token is for the validation service only.
const SCOPE: &str = "https://api.sunat.gob.pe/v1/contribuyente/contribuyentes";

pub(super) fn token_body(client: &Client) -> SecretString {
    form_urlencoded::Serializer::new(String::new())
        .append_pair("grant_type", "client_credentials")
        .append_pair("scope", SCOPE)
        .append_pair("client_id", &client.id)
        .append_pair("client_secret", client.secret.expose_secret())
        .finish()
        .into()
}

/// The POST body about a voucher. The total keeps two decimals; physical vouchers have none, because the service knows
/// no totals of them.
pub(super) fn body(voucher: &Voucher) -> String {
    let Voucher { issuer, kind, series, number, issued, total } = voucher;
    let total = if series.is_physical() { String::new() } else { format!(r#","monto":{total}"#) };
    // Digits, letters and slashes need no escaping.
    format!(
        r#"{{"numRuc":"{issuer}","codComp":"{kind}","numeroSerie":"{series}","numero":{},"fechaEmision":"{}"{total}}}"#,
        number.get(),
        issued.dmy(),
    )
}
