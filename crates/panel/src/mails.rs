//! The texts of mails. A subject has no RUC and no name of a taxpayer.

use askama::Template;
use kuraka_api::spanish::month;
use kuraka_app::calendar;
use kuraka_ports::{LeasedMail, MailKind, MailMessage, WebhookStatus};

use crate::spanish::number;

/// Paragraphs; one that is an address is a link.
#[derive(Template)]
#[template(path = "mail.html")]
struct MailPage<'a> {
    title: &'a str,
    paragraphs: &'a [&'a str],
}

/// Subject and paragraphs, between blank lines.
#[derive(Template)]
#[template(path = "mails.txt")]
struct MailText<'a> {
    kind: MailKind,
    /// The first line of [`LeasedMail::about`], and the rest.
    name: &'a str,
    detail: &'a str,
    url: &'a str,
    contact: &'a str,
    code: &'a str,
}

/// A mail with its text. `url` is the server's public URL, `contact` the operator's, `code` the code of the mail's link.
pub fn mail_message(mail: &LeasedMail, url: &str, contact: Option<&str>, code: &str) -> MailMessage {
    let (name, detail) = mail.about.split_once('\n').unwrap_or((&mail.about, ""));
    let text = MailText { kind: mail.kind, name, detail, url, contact: contact.unwrap_or(url), code };
    let text = text.render().unwrap_or_default();
    let mut paragraphs = text.split("\n\n").map(str::trim).filter(|text| !text.is_empty());
    let subject = paragraphs.next().unwrap_or_default();
    let paragraphs: Vec<&str> = paragraphs.collect();
    let unsubscribe = paragraphs.iter().rev().nth(1).filter(|_| mail.kind == MailKind::Changes);
    let html = MailPage { title: subject, paragraphs: &paragraphs }.render().unwrap_or_default();
    // Unlike a number alone, the time tells the mails of two stores apart.
    let id = format!("{}.{}", mail.created.as_microsecond(), mail.id.0);
    let unsubscribe = unsubscribe.map(|url| (*url).to_owned());
    let (subject, text) = (subject.to_owned(), paragraphs.join("\n\n") + "\n");
    MailMessage { to: mail.to.clone(), id, subject, text, html, unsubscribe }
}

impl MailText<'_> {
    fn parts(&self) -> (&str, &str) {
        self.detail.split_once('\n').unwrap_or((self.detail, ""))
    }

    fn failure(&self) -> (&str, &str, &str) {
        let (edition, rest) = self.parts();
        let (force, cause) = rest.split_once('\n').unwrap_or_default();
        (edition, force, cause)
    }

    fn queries(&self) -> String {
        self.parts().0.parse().map(number).unwrap_or_default()
    }

    fn month(&self) -> &'static str {
        calendar::parse_month(self.parts().1).map_or("", |period| month(period.month))
    }

    fn changes(&self) -> u64 {
        self.name.parse().unwrap_or(0)
    }

    fn more(&self) -> u64 {
        self.changes().saturating_sub(self.parts().1.lines().count() as u64)
    }
}
