//! `kuraka doctor --mail` with a mail server that takes mails, refuses them, or has a bad certificate.

use serde_json::Value;

use super::certificates::authority::{Authority, Kind};
use super::mailbox::Mailbox;
use super::program::Home;

/// Settings with this mail server.
fn home(server: &str) -> Home {
    Home::new()
        .with("KURAKA__MAIL__SERVER", server)
        .with("KURAKA__MAIL__FROM", "Kuraka <kuraka@example.pe>")
        .with("KURAKA__HTTP__PUBLIC_URL", "https://api.example.pe")
}

/// Severity and detail of the check of mail.
fn check(home: &Home) -> (String, String) {
    let out = home.run(&["doctor", "--json", "--mail", "operadora@example.pe"]);
    let list: Vec<Value> = serde_json::from_str(&out.stdout).unwrap_or_else(|_| panic!("{out:?}"));
    let found = list.iter().find(|finding| finding["check"] == "mail").unwrap_or_else(|| panic!("{list:?}"));
    (found["severity"].as_str().unwrap().to_owned(), found["detail"].as_str().unwrap().to_owned())
}

#[test]
fn a_mail_server_takes_the_mail_or_its_answer_is_told() {
    let mailbox = Mailbox::start();
    let home = home(&format!("smtp://{}", mailbox.address));
    let (severity, detail) = check(&home);
    assert_eq!(severity, "good", "{detail}");
    let [mail] = &*mailbox.mails() else { panic!("{:?}", mailbox.mails()) };
    assert_eq!(mail.to, "operadora@example.pe");
    assert_eq!(mail.header("From"), Some("Kuraka <kuraka@example.pe>"));
    assert_eq!(mail.header("Auto-Submitted"), Some("auto-generated"));
    assert!(mail.header("Message-ID").unwrap().ends_with("@example.pe>"), "{}", mail.source);
    assert!(mail.part("text/plain").contains("https://api.example.pe"), "{}", mail.source);
    assert!(mail.part("text/html").contains("<a href=\"https://api.example.pe\">"), "{}", mail.source);
    for answer in ["550 5.1.1 no such mailbox", "451 greylisted"] {
        mailbox.answer(answer);
        let (severity, detail) = check(&home);
        assert!(severity == "error" && detail.contains(&answer[4..]), "{severity} {detail}");
    }
    assert_eq!(mailbox.mails().len(), 1);
}

#[test]
fn a_bad_certificate_is_refused_before_the_log_in() {
    let authority = Authority::new();
    let folder = tempfile::tempdir().unwrap();
    let (trusted, password) = (folder.path().join("trusted.pem"), folder.path().join("password"));
    std::fs::write(&trusted, authority.pem()).unwrap();
    std::fs::write(&password, "secreto\n").unwrap();
    for kind in Kind::FAULTY.into_iter().chain([Kind::Valid]) {
        let mailbox = Mailbox::start_with(Some(authority.server(kind)));
        let home = home(&format!("smtps://ana@example.pe@{}", mailbox.address))
            .with("KURAKA__MAIL__PASSWORD_FILE", password.to_str().unwrap())
            .with("SSL_CERT_FILE", trusted.to_str().unwrap());
        let (severity, detail) = check(&home);
        if kind == Kind::Valid {
            assert_eq!(severity, "good", "{detail}");
            // "\0ana@example.pe\0secreto".
            assert_eq!(mailbox.log_ins(), ["AGFuYUBleGFtcGxlLnBlAHNlY3JldG8="]);
            mailbox.refuse_log_ins();
            assert_eq!(check(&home).0, "error");
            assert_eq!(mailbox.mails().len(), 1);
        } else {
            assert!(severity == "error" && detail.contains(kind.reason()), "{kind:?}: {severity} {detail}");
            assert_eq!(mailbox.log_ins().len(), 0);
        }
    }
}

#[test]
fn a_mail_server_without_what_it_needs_is_an_error_of_the_settings() {
    for (name, value, error) in [
        ("KURAKA__MAIL__FROM", "", "mail.from"),
        ("KURAKA__HTTP__PUBLIC_URL", "", "http.public_url"),
        ("KURAKA__MAIL__SERVER", "smtps://ana@mail.example.pe", "mail.password"),
        ("KURAKA__MAIL__SERVER", "smtps://ana:secreto@mail.example.pe", "mail.server"),
        ("KURAKA__MAIL__SERVER", "mail.example.pe:25", "mail.server"),
    ] {
        let out = home("smtp://127.0.0.1:25").with(name, value).run(&["config", "check"]);
        assert!(out.code == Some(1) && out.stderr.contains(error) && !out.stderr.contains("secreto"), "{out:?}");
    }
    let (severity, detail) = check(&Home::new());
    assert!(severity == "error" && detail.contains("mail.server is not set"), "{severity} {detail}");
}
