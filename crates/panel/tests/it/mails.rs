//! The texts of mails.

use kuraka_panel::mail_message;
use kuraka_ports::contract::samples::{NOW, email};
use kuraka_ports::{LeasedMail, MailId, MailKind};

fn text(kind: MailKind, about: &str) -> String {
    let mail = LeasedMail { id: MailId(1), kind, to: email(1), about: about.to_owned(), created: NOW, attempts: 1 };
    mail_message(&mail, "https://api.kuraka.example", "").text
}

#[test]
fn a_failed_updates_mail_advises_force_only_where_it_helps() {
    let guarded = text(MailKind::UpdateFails, "padron\n2026-11-19\n--force\nthe file holds 2 rows");
    assert!(guarded.contains("kuraka dataset update padron --force") && guarded.contains("the file holds 2 rows"));
    assert!(guarded.contains("Sigue respondiendo la edición 2026-11-19."), "{guarded}");
    let other = text(MailKind::UpdateFails, "padron\n\n\nthe server answers 404");
    assert!(!other.contains("--force") && !other.contains("Sigue respondiendo"), "{other}");
    assert!(other.contains("the server answers 404"), "{other}");
}
