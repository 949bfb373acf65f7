//! Reads the field `ruc` of the lookups.

use kuraka_api::spanish;
use kuraka_domain::{ResultCode, Ruc};

use super::admission::Call;
use super::response::Failure;

/// The RUC in the body of a call.
pub(crate) fn ruc(call: &Call<'_>) -> Result<Ruc, Failure> {
    let text = call.fields()?.text("ruc").map_err(|error| call.invalid(&error))?;
    parse(&text).map_err(|message| Box::new(call.failed(ResultCode::InvalidInput).with_message(message)))
}

/// The RUC with this text, or why it is none, in Spanish.
pub(crate) fn parse(text: &str) -> Result<Ruc, String> {
    Ruc::parse(text).map_err(|error| spanish::wrong_ruc(&error))
}
