//! Addresses of mail servers.

use kuraka_adapters::mail::{MailSecurity, MailServer, is_sender};

#[test]
fn an_address_says_server_user_and_encryption() {
    use MailSecurity::{Plain, StartTls, Tls};
    for (text, host, port, user, security) in [
        ("smtps://ana@mail.example.pe:465", "mail.example.pe", 465, Some("ana"), Tls),
        ("smtps://ana@example.pe@mail.example.pe", "mail.example.pe", 465, Some("ana@example.pe"), Tls),
        ("smtp://ana%40example.pe@mail.example.pe", "mail.example.pe", 587, Some("ana@example.pe"), StartTls),
        ("smtp://10.0.0.5:25", "10.0.0.5", 25, None, StartTls),
        ("smtp://127.0.0.1", "127.0.0.1", 25, None, Plain),
        ("smtp://localhost:2525", "localhost", 2525, None, Plain),
        ("smtp://[::1]:2525", "::1", 2525, None, Plain),
        ("smtps://localhost", "localhost", 465, None, Tls),
    ] {
        let server = MailServer { host: host.to_owned(), port, user: user.map(str::to_owned), security };
        assert_eq!(text.parse(), Ok(server), "{text}");
    }
    for text in ["mail.example.pe", "http://mail.example.pe", "smtp://", "smtp://a b", "smtps://ana:x@b", "smtp://a:b"]
    {
        assert!(text.parse::<MailServer>().is_err(), "{text}");
    }
}

#[test]
fn a_sender_is_an_address_perhaps_with_a_name() {
    assert!(["kuraka@example.pe", "Kuraka <kuraka@example.pe>"].into_iter().all(is_sender));
    assert!(["", "Kuraka", "kuraka@", "a@b\r\nBcc: c@d"].into_iter().all(|text| !is_sender(text)));
}
