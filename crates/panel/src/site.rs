//! How this server is reached from outside, and whether anybody may sign up.

use std::net::IpAddr;
use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::header::HOST;
use kuraka_ports::PlanName;

/// Tells whose address a request comes from; `None` = that is not known.
pub type ClientAddress = Arc<dyn Fn(&HttpRequest) -> Option<IpAddr> + Send + Sync>;

/// A server as its visitors see it.
#[derive(Clone)]
pub struct Site {
    /// The address that callers use, such as `https://api.example.pe`, without a `/` at the end; `None` = as asked.
    pub public_url: Option<String>,
    /// The plan of somebody who signs up; `None` = nobody may.
    pub sign_up: Option<PlanName>,
    /// Whose address a request comes from: whom to believe about that is the server's business.
    pub client_address: ClientAddress,
}

impl Site {
    /// Whether visitors come over https, as far as the settings say.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.public_url.as_deref().is_some_and(|url| url.starts_with("https://"))
    }

    /// The address to call the API at: the public one, else the one that was asked.
    pub(crate) fn address(&self, request: &HttpRequest) -> String {
        match &self.public_url {
            Some(url) => url.clone(),
            None => {
                let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
                // A host is a name or an address and a port; anything else would end up in what people paste.
                let is_host = |host: &&str| host.bytes().all(|b| b.is_ascii_alphanumeric() || b".:-_[]".contains(&b));
                format!("http://{}", host.filter(is_host).unwrap_or("localhost"))
            }
        }
    }
}
