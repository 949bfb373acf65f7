//! The operator's settings for the service.

use std::fmt;
use std::time::Duration;

use kuraka_domain::Ruc;
use reqwest::Url;
use secrecy::SecretString;
use thiserror::Error;

/// The full POST address for a token, with `{client_id}`.
pub const TOKEN_URL: &str = "https://api-seguridad.sunat.gob.pe/v1/clientesextranet/{client_id}/oauth2/token/";
/// The full POST address for a voucher, with `{ruc}` of the credentials.
pub const API_URL: &str = "https://api.sunat.gob.pe/v1/contribuyente/contribuyentes/{ruc}/validarcomprobante";

/// A refused set would be refused again, and repeated attempts may lock the client.
const REFUSED_PAUSE: Duration = Duration::from_secs(300);

/// Credentials that a taxpayer makes in SUNAT's portal, with "Consulta Integrada" ticked.
#[derive(Clone)]
pub struct Credentials {
    /// The RUC of the taxpayer who made them.
    pub ruc: Ruc,
    pub client_id: String,
    /// Neither trimmed nor read as a number.
    pub client_secret: SecretString,
}

#[derive(Clone, Debug)]
pub struct Config {
    pub(super) clients: Vec<Client>,
    pub(super) refused_pause: Duration,
}

#[derive(Clone)]
pub(super) struct Client {
    pub(super) id: String,
    pub(super) secret: SecretString,
    pub(super) token_url: Url,
    pub(super) api_url: Url,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    #[error("the token address is no http or https address: give the full address of the POST, as in {TOKEN_URL}")]
    TokenUrl,
    #[error("the API's address is no http or https address: give the full address of the POST, as in {API_URL}")]
    ApiUrl,
}

impl Config {
    /// Checks the two addresses and the credentials, which are used in turn.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn new(token_url: &str, api_url: &str, credentials: Vec<Credentials>) -> Result<Self, ConfigError> {
        let client = |Credentials { ruc, client_id, client_secret }: Credentials| {
            let id: String = form_urlencoded::byte_serialize(client_id.as_bytes()).collect();
            let whole = |url: &str| {
                let url = url.replace("{client_id}", &id).replace("{ruc}", &ruc.to_string());
                Url::parse(&url).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            };
            Ok(Client {
                token_url: whole(token_url).ok_or(ConfigError::TokenUrl)?,
                api_url: whole(api_url).ok_or(ConfigError::ApiUrl)?,
                id: client_id,
                secret: client_secret,
            })
        };
        let clients = credentials.into_iter().map(client).collect::<Result<_, _>>()?;
        Ok(Self { clients, refused_pause: REFUSED_PAUSE })
    }

    /// The same service, called again at once after a refusal: for a simulated one, which refuses for a test.
    #[must_use]
    pub fn without_pause(self) -> Self {
        Self { refused_pause: Duration::ZERO, ..self }
    }

    /// The request addresses, which hold the client ids.
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        self.clients.iter().flat_map(|client| [client.token_url.as_str(), client.api_url.as_str()])
    }
}

/// Hides id and secret, which together open the service.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("ruc", &self.ruc).finish_non_exhaustive()
    }
}

/// Its addresses hold the id.
impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").finish_non_exhaustive()
    }
}
