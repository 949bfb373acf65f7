//! The texts of mails.

use kuraka_panel::mail_message;
use kuraka_ports::contract::samples::{NOW, email};
use kuraka_ports::{LeasedMail, MailId, MailKind};

fn text(kind: MailKind, about: &str) -> String {
    text_with(None, kind, about)
}

fn text_with(contact: Option<&str>, kind: MailKind, about: &str) -> String {
    let mail = LeasedMail { id: MailId(1), kind, to: email(1), about: about.to_owned(), created: NOW, attempts: 1 };
    mail_message(&mail, "https://api.kuraka.example", contact, "").text
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

#[test]
fn a_quotas_mail_has_the_percentage_the_queries_and_the_month() {
    let most = text(MailKind::Quota, "80\n1000\n2026-11");
    assert!(most.contains("Su cuenta usó el 80 % de las 1,000 consultas que su plan tiene en noviembre."), "{most}");
    let all = text(MailKind::Quota, "100\n1000\n2026-11");
    assert!(all.contains("Su cuenta usó las 1,000 consultas que su plan tiene en noviembre."), "{all}");
    assert!(all.contains("https://api.kuraka.example/panel/consumo"), "{all}");
}

#[test]
fn a_disabled_webhooks_mail_says_why_and_leads_to_it() {
    let gone = text(MailKind::WebhookDisabled, "7\ngone");
    assert!(gone.contains("(410)") && gone.contains("https://api.kuraka.example/panel/avisos/7"), "{gone}");
    let failed = text(MailKind::WebhookDisabled, "7\nfailed");
    assert!(failed.contains("en cinco días"), "{failed}");
}

#[test]
fn a_mail_to_an_old_address_says_whom_to_tell() {
    let named = text_with(Some("ayuda@kuraka.example"), MailKind::AddressChanged, "");
    assert!(named.contains("avise cuanto antes a quien administra este servicio:\n\nayuda@kuraka.example"), "{named}");
    assert!(text(MailKind::AddressChanged, "").contains("https://api.kuraka.example"));
}
