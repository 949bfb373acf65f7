//! The one type of error.

use kuraka_domain::RucError;
use serde_json::{Map, Value};

/// A result of a call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// There is no result: decide by `code` and `retryable`, never by `message`.
#[derive(Debug, Default)]
pub struct Error {
    /// A code of the API, such as `quota_exceeded`; `no_answer`; `webhook_invalid`.
    pub code: String,
    /// For people, in Spanish.
    pub message: String,
    /// Whether the same call may succeed later.
    pub retryable: bool,
    /// The HTTP status, if there was an answer.
    pub status: Option<u16>,
    /// The server's id of the call, with which the operator finds it in the logs.
    pub request_id: Option<Box<str>>,
    /// The seconds that the server asks to wait.
    pub retry_after: Option<u32>,
    /// The answer as the server sent it: `cubierto` of `date_not_covered`, `desde` of `cursor_expired`.
    pub details: Map<String, Value>,
    source: Option<reqwest::Error>,
}

impl Error {
    pub(crate) fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into(), ..Self::default() }
    }

    pub(crate) fn other_program(status: u16) -> Self {
        let message = format!("Respondió otro programa, no Kuraka (HTTP {status}).");
        Self { retryable: status >= 500, status: Some(status), ..Self::new("no_answer", message) }
    }

    /// Whether no answer of the API came: no connection, a timeout, or an answer of something else, such as a proxy.
    #[must_use]
    pub fn is_connection(&self) -> bool {
        self.code == "no_answer"
    }
}

pub(crate) const INVALID_RUC: &str = "El RUC no es válido: debe tener 11 dígitos y su dígito verificador.";

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}

impl From<RucError> for Error {
    fn from(_: RucError) -> Self {
        Self::new("invalid_input", INVALID_RUC)
    }
}

impl From<reqwest::Error> for Error {
    fn from(source: reqwest::Error) -> Self {
        Self { retryable: true, source: Some(source), ..Self::new("no_answer", "No hubo respuesta.") }
    }
}
