//! Reads the field `ruc`.

use kuraka_api::spanish;
use kuraka_domain::Ruc;

use super::admission::CheckedRequest;
use super::response::{ApiResponse, Failure};

pub(crate) fn ruc(request: &CheckedRequest<'_>) -> Result<Ruc, Failure> {
    parse(&request.fields()?.text("ruc")?).map_err(ApiResponse::invalid)
}

/// The RUC, or what is wrong, in Spanish.
pub(crate) fn parse(text: &str) -> Result<Ruc, String> {
    Ruc::parse(text).map_err(|error| spanish::wrong_ruc(&error))
}
