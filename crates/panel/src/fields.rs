//! The fields of a form or of a query string, read by name. Handlers read only the fields that their page offers, so
//! that extra fields have no effect.

use actix_web::dev::{Payload, UrlEncoded};
use actix_web::error::UrlencodedError;
use actix_web::{HttpRequest, web};

use crate::error::PageError;

/// The largest form, in bytes.
const LIMIT: usize = 16 * 1024;

/// Names and values in the order of the request.
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Reads a form's body.
    pub(crate) async fn of_form(request: &HttpRequest, payload: &mut Payload) -> Result<Self, PageError> {
        match UrlEncoded::new(request, payload).limit(LIMIT).await {
            Ok(pairs) => Ok(Self(pairs)),
            Err(UrlencodedError::Overflow { .. }) => Err(PageError::TooLarge),
            Err(_) => Err(PageError::NotAForm),
        }
    }

    /// Reads a query string; one that cannot be read has no fields.
    pub(crate) fn of_query(request: &HttpRequest) -> Self {
        web::Query::from_query(request.query_string()).map_or_else(|_| Self(Vec::new()), |pairs| Self(pairs.0))
    }

    /// The value of the first field with this name; empty if there is none.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(found, _)| found == name).map_or("", |(_, text)| text)
    }
}
