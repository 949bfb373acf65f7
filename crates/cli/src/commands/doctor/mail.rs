//! Whether the mail server takes a mail.

use std::time::Duration;

use kuraka_panel::mail_message;
use kuraka_ports::{Email, LeasedMail, MailId, MailKind, MailSender};
use kuraka_server::logs;
use kuraka_server::settings::Settings;

use super::finding::Finding;
use crate::commands::runtime::now;

/// Shorter than all checks.
const WITHIN: Duration = Duration::from_secs(10);

pub(super) async fn check(settings: &Settings, to: &str) -> Vec<Finding> {
    let Some(mail) = &settings.mail else {
        let advice = "set mail.server, mail.from and http.public_url";
        return vec![Finding::error("mail", "mail.server is not set", advice)];
    };
    let Ok(to) = Email::parse(to) else {
        return vec![Finding::error("mail", format!("{to} is no e-mail address"), "name another address")];
    };
    let (kind, created) = (MailKind::Test, now());
    let test = LeasedMail { id: MailId(0), kind, to, about: String::new(), created, attempts: 1 };
    let server = format!("{}:{}", mail.server.host, mail.server.port);
    let sent = match mail.sender(WITHIN) {
        Ok(sender) => {
            sender.send(&mail_message(&test, &mail.public_url, None, "")).await.map_err(|error| logs::chain(&error))
        }
        Err(error) => Err(logs::chain(&error)),
    };
    vec![match sent {
        Ok(()) => Finding::good("mail", format!("{server} has taken a mail; look whether it arrives")),
        Err(cause) => {
            let advice =
                "correct mail.server, mail.password or mail.from, or let the mail server take mails of this machine";
            Finding::error("mail", format!("{server}: {cause}"), advice)
        }
    }]
}
