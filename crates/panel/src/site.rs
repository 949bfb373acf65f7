//! How clients reach this server, and whether visitors may sign up.

use std::net::IpAddr;
use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::header::HOST;
use kuraka_ports::PlanName;

use crate::brand::Brand;

/// Finds the client's address; `None` = it is unknown.
pub(crate) type ClientAddress = Arc<dyn Fn(&HttpRequest) -> Option<IpAddr> + Send + Sync>;

/// This server as its visitors see it.
#[derive(Clone)]
pub struct Site {
    /// The callers' URL, such as `https://api.example.pe`, without a final `/`; `None` = the requested host.
    pub public_url: Option<String>,
    /// New accounts' plan; `None` = sign-up is closed.
    pub sign_up: Option<PlanName>,
    pub confirm_address: bool,
    /// Finds the client's address, by the server's trusted proxies.
    pub client_address: ClientAddress,
    /// The operator's contact, for visitors' questions: a text, a mail address or a URL.
    pub contact: Option<String>,
    pub brand: Arc<Brand>,
}

/// The link of a contact that is a mail address or a URL.
pub(crate) fn contact_link(contact: &str) -> Option<String> {
    if contact.contains(char::is_whitespace) {
        return None;
    }
    let is_url = contact.starts_with("https://") || contact.starts_with("http://");
    let is_mail = || contact.contains('@') && !contact.contains([':', '/', '?', '&']);
    if is_url { Some(contact.to_owned()) } else { is_mail().then(|| format!("mailto:{contact}")) }
}

impl Site {
    pub fn is_secure(&self) -> bool {
        self.public_url.as_deref().is_some_and(|url| url.starts_with("https://"))
    }

    /// The public URL, otherwise the requested host.
    pub(crate) fn url(&self, request: &HttpRequest) -> String {
        match &self.public_url {
            Some(url) => url.clone(),
            None => {
                let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
                // Visitors copy the host in code: only names, addresses and ports.
                let is_host = |host: &&str| host.bytes().all(|b| b.is_ascii_alphanumeric() || b".:-_[]".contains(&b));
                format!("http://{}", host.filter(is_host).unwrap_or("localhost"))
            }
        }
    }
}
