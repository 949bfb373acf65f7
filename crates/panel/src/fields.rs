//! The fields of a form or of a query, read by name. A field that nobody asks for is never looked at, so that a form
//! cannot set more than its page offers.

use actix_web::dev::{Payload, UrlEncoded};
use actix_web::error::UrlencodedError;
use actix_web::{HttpRequest, web};

use crate::problem::Problem;

/// The largest form, in bytes.
const LIMIT: usize = 16 * 1024;

/// Names and texts, in the order in which they came.
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Reads a form's body.
    pub(crate) async fn of_form(request: &HttpRequest, payload: &mut Payload) -> Result<Self, Problem> {
        match UrlEncoded::new(request, payload).limit(LIMIT).await {
            Ok(pairs) => Ok(Self(pairs)),
            Err(UrlencodedError::Overflow { .. }) => Err(Problem::TooLarge),
            Err(_) => Err(Problem::NotAForm),
        }
    }

    /// Reads the part of an address behind `?`; what cannot be read is left out.
    pub(crate) fn of_query(request: &HttpRequest) -> Self {
        web::Query::from_query(request.query_string()).map_or_else(|_| Self(Vec::new()), |pairs| Self(pairs.0))
    }

    /// The text of a field; empty if it is missing.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(found, _)| found == name).map_or("", |(_, text)| text)
    }
}
