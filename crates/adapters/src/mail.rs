//! Hands mails to a mail server over SMTP. Each mail has a connection of its own.

use std::net::IpAddr;
use std::str::FromStr;
use std::time::Duration;

use async_trait::async_trait;
use kuraka_ports::{MailError, MailMessage, MailSender};
use lettre::address::AddressError;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;
use tokio::time::timeout;

/// Enhanced codes that say that there is no such mailbox or domain (RFC 3463). Another refusal may be about the sender or a
/// limit, and pass.
const FINAL: [&str; 5] = ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailServer {
    /// Its name or address, which its certificate must have.
    pub host: String,
    pub port: u16,
    /// The user to log in as; `None` = without a log-in.
    pub user: Option<String>,
    pub security: MailSecurity,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailSecurity {
    /// TLS from the first byte.
    Tls,
    /// TLS before user and mail are sent.
    StartTls,
    /// Not at all, on this machine.
    Plain,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a mail server's address looks like smtps://user@host:465 or smtp://user@host:587, without a password")]
pub struct MailServerError;

impl FromStr for MailServer {
    type Err = MailServerError;

    fn from_str(text: &str) -> Result<Self, MailServerError> {
        let (scheme, rest) = text.split_once("://").ok_or(MailServerError)?;
        let (user, place) = rest.rsplit_once('@').map_or((None, rest), |(user, place)| (Some(user), place));
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, Some(port.parse().map_err(|_| MailServerError)?)),
            _ => (place, None),
        };
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let is_local = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        let (security, usual) = match scheme {
            "smtps" => (MailSecurity::Tls, 465),
            "smtp" if is_local => (MailSecurity::Plain, 25),
            "smtp" => (MailSecurity::StartTls, 587),
            _ => return Err(MailServerError),
        };
        let is_host =
            !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:".contains(&byte));
        let is_user = user.is_none_or(|user| !user.is_empty() && !user.contains([':', '/']));
        let user = user.map(|user| user.replace("%40", "@"));
        let server = Self { host: host.to_owned(), port: port.unwrap_or(usual), user, security };
        if is_host && is_user { Ok(server) } else { Err(MailServerError) }
    }
}

/// Whether a text is a sender, such as `Kuraka <kuraka@example.pe>`.
pub fn is_sender(text: &str) -> bool {
    text.parse::<Mailbox>().is_ok()
}

#[derive(Debug, Error)]
pub enum SmtpSenderError {
    #[error("mail.from is no address")]
    From(#[from] AddressError),
    #[error("TLS cannot be set up: check mail.server and the machine's root certificates")]
    Tls(#[from] lettre::transport::smtp::Error),
}

pub struct SmtpSender {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    within: Duration,
}

impl SmtpSender {
    /// A sender that gives up after `within`. `password` is the server's user's.
    ///
    /// # Errors
    /// [`SmtpSenderError`].
    pub fn new(
        server: &MailServer,
        from: &str,
        password: Option<&SecretString>,
        within: Duration,
    ) -> Result<Self, SmtpSenderError> {
        let from: Mailbox = from.parse()?;
        let tls = match server.security {
            MailSecurity::Tls => Tls::Wrapper(TlsParameters::new(server.host.clone())?),
            MailSecurity::StartTls => Tls::Required(TlsParameters::new(server.host.clone())?),
            MailSecurity::Plain => Tls::None,
        };
        let mut transport = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&server.host)
            .port(server.port)
            .tls(tls)
            .timeout(Some(within))
            .hello_name(ClientId::Domain(from.email.domain().to_owned()));
        if let (Some(user), Some(password)) = (&server.user, password) {
            transport = transport.credentials(Credentials::new(user.clone(), password.expose_secret().to_owned()));
        }
        Ok(Self { transport: transport.build(), from, within })
    }

    fn message(&self, mail: &MailMessage) -> Result<Message, Box<dyn std::error::Error + Send + Sync>> {
        let automatic = HeaderName::new_from_ascii_str("Auto-Submitted");
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(mail.to.as_str().parse::<Address>()?.into())
            .subject(&mail.subject)
            .message_id(Some(format!("<{}@{}>", mail.id, self.from.email.domain())))
            .raw_header(HeaderValue::new(automatic, "auto-generated".to_owned()));
        if let Some(url) = &mail.unsubscribe {
            for (name, value) in [
                ("List-Unsubscribe", format!("<{url}>")),
                ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()),
            ] {
                message = message.raw_header(HeaderValue::new(HeaderName::new_from_ascii_str(name), value));
            }
        }
        Ok(message.multipart(MultiPart::alternative_plain_html(mail.text.clone(), mail.html.clone()))?)
    }
}

#[async_trait]
impl MailSender for SmtpSender {
    async fn send(&self, mail: &MailMessage) -> Result<(), MailError> {
        let message = self.message(mail).map_err(|cause| MailError { is_final: true, cause })?;
        match timeout(self.within, self.transport.send(message)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => {
                let text = error.to_string();
                let is_final = FINAL.iter().any(|code| text.contains(&format!(": {code} ")));
                Err(MailError { is_final, cause: error.into() })
            }
            Err(_) => {
                let cause = format!("the mail server did not answer within {} s", self.within.as_secs());
                Err(MailError { is_final: false, cause: cause.into() })
            }
        }
    }
}
