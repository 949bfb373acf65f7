//! Reads the field `ruc` of the lookups, and explains why one is refused.

use kuraka_domain::{ResultCode, Ruc, RucError};

use super::admission::Call;
use super::response::Failure;

/// The RUC in the body of a call.
pub(crate) fn ruc(call: &Call<'_>) -> Result<Ruc, Failure> {
    let text = call.fields()?.text("ruc").map_err(|error| call.invalid(&error))?;
    Ruc::parse(&text).map_err(|error| {
        Box::new(
            call.failed(ResultCode::InvalidInput).with_message(format!("El RUC es incorrecto: {}.", reason(&error))),
        )
    })
}

/// Why a RUC is not valid, in Spanish, as the end of a sentence.
pub(crate) fn reason(error: &RucError) -> String {
    match error {
        RucError::Length { found } => format!("debe tener 11 dígitos y tiene {found} caracteres"),
        RucError::NotADigit { position, .. } => {
            format!("solo admite dígitos del 0 al 9 y el carácter {position} no lo es")
        }
        RucError::Prefix { found } => format!("debe empezar con 10, 15, 16, 17 o 20 y empieza con {found:02}"),
        RucError::CheckDigit { .. } => {
            "el dígito verificador no corresponde; revise si hay un dígito errado".to_owned()
        }
        _ => "no es un RUC".to_owned(),
    }
}
