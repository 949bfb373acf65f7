//! What the token endpoint and the service are asked, byte for byte.

use std::sync::Arc;

use kuraka_adapters::sources::sunat_vouchers::{Config, Credentials, SunatVouchers};
use kuraka_domain::{Date, IssueDate, Voucher};
use kuraka_ports::VoucherValidator;
use kuraka_ports::contract::samples::NOW;
use kuraka_ports::fake::ManualClock;
use tokio::runtime::Handle;

use crate::http::client;
use crate::script::{Server, answer};

const REQUESTER: &str = "20207845044";

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

fn config(base: &str) -> Config {
    let credentials = Credentials {
        ruc: REQUESTER.parse().unwrap(),
        client_id: "a-b/c".to_owned(),
        client_secret: "0001.50+ñ&=%".to_owned().into(),
    };
    Config::new(&format!("{base}/{{client_id}}/token/"), &format!("{base}/{{ruc}}"), vec![credentials]).unwrap()
}

/// The requests for a token and about a voucher of this series: heads in lower case, and bodies.
async fn asked(series: &str) -> [(String, String); 2] {
    let token = answer("200 OK", &[], r#"{"access_token":"t","expires_in":3600}"#);
    let valid = answer("200 OK", &[], r#"{"success":true,"message":"","data":{"estadoCp":"1"}}"#);
    let (server, clock) = (Server::start([token, valid]), Arc::new(ManualClock::at(NOW)));
    let service = SunatVouchers::new(config(&server.base), client("Kuraka tests"), clock, Handle::current());
    service.validate(voucher(series)).await.unwrap();
    let requests: [String; 2] = server.asked().try_into().unwrap();
    requests.map(|request| {
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    })
}

#[tokio::test]
async fn a_voucher_request_has_the_services_fields() {
    let [_, (head, body)] = asked("F004").await;
    assert!(head.starts_with("post /20207845044 http/1.1\r\n"), "{head}");
    for header in ["content-type: application/json", "authorization: bearer t"] {
        assert!(head.lines().any(|line| line == header), "{head}");
    }
    let expected = r#"{"numRuc":"20207845044","codComp":"01","numeroSerie":"F004","numero":100672,"fechaEmision":"07/10/2025","monto":70.10}"#;
    assert_eq!(body, expected);
}

#[tokio::test]
async fn a_physical_voucher_is_asked_about_without_its_total() {
    let [_, (_, body)] = asked("0001").await;
    assert!(body.ends_with(r#""fechaEmision":"07/10/2025"}"#), "{body}");
    assert!(serde_json::from_str::<serde_json::Value>(&body).is_ok());
}

#[tokio::test]
async fn credentials_are_sent_as_they_are() {
    let config = config("http://h");
    let addresses: Vec<_> = config.addresses().collect();
    assert_eq!(addresses, ["http://h/a-b%2Fc/token/", "http://h/20207845044"]);
    let [(head, form), _] = asked("F004").await;
    assert!(head.starts_with("post /a-b%2fc/token/ http/1.1\r\n"), "{head}");
    let sent: Vec<_> = form_urlencoded::parse(form.as_bytes()).into_owned().collect();
    let expected = [
        ("grant_type", "client_credentials"),
        ("scope", "https://api.sunat.gob.pe/v1/contribuyente/contribuyentes"),
        ("client_id", "a-b/c"),
        ("client_secret", "0001.50+ñ&=%"),
    ];
    assert_eq!(sent, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}
