//! Addresses of mail servers, and what their answers mean.

use std::time::Duration;

use kuraka_adapters::mail::{MailSecurity, MailServer, SmtpSender, is_sender};
use kuraka_ports::{Email, MailMessage, MailSender};

use crate::mailbox::Mailbox;

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

#[tokio::test]
async fn only_a_mailbox_that_does_not_exist_is_a_final_refusal() {
    let mailbox = Mailbox::start();
    let server = format!("smtp://{}", mailbox.address).parse().unwrap();
    let sender = SmtpSender::new(&server, "kuraka@example.pe", None, Duration::from_secs(60)).unwrap();
    let mail = MailMessage {
        to: Email::parse("ana@example.pe").unwrap(),
        id: "1".to_owned(),
        subject: "Prueba".to_owned(),
        text: "Prueba".to_owned(),
        html: "<p>Prueba</p>".to_owned(),
        unsubscribe: None,
    };
    for (answer, is_final) in
        [("451 greylisted", false), ("550 5.1.1 no such mailbox", true), ("550 5.7.1 not from this address", false)]
    {
        mailbox.answer(answer);
        assert_eq!(sender.send(&mail).await.unwrap_err().is_final, is_final, "{answer}");
    }
    assert_eq!(mailbox.mails().len(), 0);
    sender.send(&mail).await.unwrap();
    mailbox.be_silent();
    let hasty = SmtpSender::new(&server, "kuraka@example.pe", None, Duration::from_secs(1)).unwrap();
    let error = hasty.send(&mail).await.unwrap_err();
    assert!(!error.is_final && error.cause.to_string().contains("did not answer within 1 s"), "{error:?}");
    assert_eq!(mailbox.mails().len(), 1);
}
