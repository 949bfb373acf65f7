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

#[cfg(test)]
mod tests {
    use kuraka_domain::{Date, IssueDate};

    use super::*;
    use crate::sources::sunat_vouchers::config::{Config, Credentials};

    fn voucher(series: &str) -> Voucher {
        let day = Date::new(2025, 10, 7).unwrap();
        Voucher {
            issuer: "20207845044".parse().unwrap(),
            kind: "01".parse().unwrap(),
            series: series.parse().unwrap(),
            number: "00100672".parse().unwrap(),
            issued: IssueDate::new(day, day).unwrap(),
            total: "70.1".parse().unwrap(),
        }
    }

    #[test]
    fn a_voucher_request_has_the_services_fields() {
        let asked = r#"{"numRuc":"20207845044","codComp":"01","numeroSerie":"F004","numero":100672,"fechaEmision":"07/10/2025","monto":70.10}"#;
        assert_eq!(body(&voucher("F004")), asked);
    }

    #[test]
    fn a_physical_voucher_is_asked_about_without_its_total() {
        let asked = body(&voucher("0001"));
        assert!(asked.ends_with(r#""fechaEmision":"07/10/2025"}"#), "{asked}");
        assert!(serde_json::from_str::<serde_json::Value>(&asked).is_ok());
    }

    #[test]
    fn credentials_are_sent_as_they_are() {
        let credentials = Credentials {
            ruc: "20207845044".parse().unwrap(),
            client_id: "a-b/c".to_owned(),
            client_secret: "0001.50+ñ&=%".to_owned().into(),
        };
        let config = Config::new("http://h/{client_id}/token/", "http://h/{ruc}", vec![credentials]).unwrap();
        let client = &config.clients[0];
        assert_eq!(client.token_url.as_str(), "http://h/a-b%2Fc/token/");
        assert_eq!(client.api_url.as_str(), "http://h/20207845044");
        let form = token_body(client);
        let sent: Vec<_> = form_urlencoded::parse(form.expose_secret().as_bytes()).into_owned().collect();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let expected = [
            pair("grant_type", "client_credentials"),
            pair("scope", SCOPE),
            pair("client_id", "a-b/c"),
            pair("client_secret", "0001.50+ñ&=%"),
        ];
        assert_eq!(sent, expected);
    }
}
