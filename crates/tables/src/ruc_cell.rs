//! The RUC in a spreadsheet cell.

use kuraka_domain::{Ruc, RucError};
use thiserror::Error;

/// Why a cell has no RUC. Commands print the English text; the panel and the API have their own in Spanish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RucCellError {
    /// It is empty.
    #[error("the cell is empty")]
    Empty,
    /// A spreadsheet program shortened the number, as in `2.01001E+10`; its last digits are lost.
    #[error("a spreadsheet program shortened the number; format the column as text and enter the RUC again")]
    Shortened,
    /// It is no RUC.
    #[error(transparent)]
    Invalid(#[from] RucError),
}

/// Reads a cell without blanks around it, a text mark (`'20100119227`, `="20100119227"`) and the end of a decimal
/// number (`20100119227.0`).
///
/// # Errors
/// See [`RucCellError`].
pub fn ruc_cell(text: &str) -> Result<Ruc, RucCellError> {
    let text =
        text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '=' | '\u{feff}' | '\u{200b}'));
    if text.is_empty() {
        return Err(RucCellError::Empty);
    }
    if is_shortened(text) {
        return Err(RucCellError::Shortened);
    }
    Ok(Ruc::parse(without_decimals(text))?)
}

/// A whole number without `.0` or `,00`.
pub(crate) fn without_decimals(text: &str) -> &str {
    let whole = text.trim_end_matches('0').strip_suffix(['.', ',']);
    whole.filter(|whole| !whole.is_empty()).unwrap_or(text)
}

fn is_shortened(text: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
    let parts = text.split_once(['E', 'e']);
    parts.is_some_and(|(number, exponent)| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        number.starts_with(|c: char| c.is_ascii_digit()) && digits(number) && !exponent.is_empty() && digits(exponent)
    })
}
