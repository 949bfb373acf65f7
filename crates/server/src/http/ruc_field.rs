//! Reads the field `ruc` of the lookups.

use kuraka_api::spanish;
use kuraka_domain::Ruc;

use super::admission::CheckedRequest;
use super::response::{ApiResponse, Failure};

/// The RUC in the body of a request.
pub(crate) fn ruc(request: &CheckedRequest<'_>) -> Result<Ruc, Failure> {
    parse(&request.fields()?.text("ruc")?).map_err(ApiResponse::invalid)
}

/// The RUC with this text, or why it is none, in Spanish.
pub(crate) fn parse(text: &str) -> Result<Ruc, String> {
    Ruc::parse(text).map_err(|error| spanish::wrong_ruc(&error))
}
