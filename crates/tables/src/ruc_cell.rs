//! The RUC in a spreadsheet cell.

use kuraka_domain::{Ruc, RucError};
use thiserror::Error;

const DIGITS: usize = 11;
/// A name has fewer digits together, as in `3M PERU`; so many are a DNI or a RUC.
const NAME_DIGITS: usize = 8;

/// Commands print the English text; panel and API have their own in Spanish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RucCellError {
    #[error("the cell is empty")]
    Empty,
    /// A spreadsheet program shortened the number, as in `2.01001E+10`; digits are lost.
    #[error("a spreadsheet program shortened the number; format the column as text and enter the RUC again")]
    Shortened,
    /// A comma in a name moved the cells of its row, so it may be another column's.
    #[error("a comma in a name moved the cells of this row; put the name in quotes")]
    Moved,
    /// The kind of document beside it is none of a RUC.
    #[error("the kind of document says that the number is no RUC")]
    OtherDocument,
    #[error(transparent)]
    Invalid(#[from] RucError),
}

impl RucCellError {
    /// Whether the cell has eleven digits that are no RUC: a wrong one, and no DNI or name.
    #[must_use]
    pub const fn is_wrong_ruc(self) -> bool {
        matches!(self, Self::Invalid(RucError::Prefix { .. } | RucError::CheckDigit { .. }))
    }
}

/// Ignores blanks, a text mark (`'20100119227`, `="20100119227"`), the word RUC before the number, a name after it,
/// marks in it (`20,100,119,227`) and decimals (`20100119227.0`).
///
/// # Errors
pub fn ruc_cell(text: &str) -> Result<Ruc, RucCellError> {
    let text =
        text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '=' | '\u{feff}' | '\u{200b}'));
    if text.is_empty() {
        return Err(RucCellError::Empty);
    }
    if is_shortened(text) {
        return unshortened(text).and_then(|digits| Ruc::parse(&digits).ok()).ok_or(RucCellError::Shortened);
    }
    Ruc::parse(without_decimals(text))
        .or_else(|error| written(text).map_or(Err(error), |digits| Ruc::parse(&digits)))
        .map_err(RucCellError::from)
}

/// A RUC written with its word, a name or marks.
fn written(text: &str) -> Option<String> {
    let word = text.get(..3).filter(|word| word.eq_ignore_ascii_case("RUC"));
    let text = word.and(text.get(3..)).unwrap_or(text).trim_start_matches([':', '.', ' ']);
    let is_mark = |c: char| matches!(c, ',' | '.' | '-' | ' ');
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    // A cut cell may have had more digits, and a cell with two numbers is none.
    let is_name = rest.contains(char::is_alphabetic)
        && !rest.contains('…')
        && rest.split(|c: char| !c.is_ascii_digit()).all(|digits| digits.len() < NAME_DIGITS);
    if digits.len() == DIGITS && rest.starts_with([' ', '-']) && is_name {
        return Some(digits.to_owned());
    }
    let digits: String = text.chars().filter(|c| !is_mark(*c)).collect();
    (digits.len() == DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(digits)
}

/// Of a number such as `2.0100119227E+10`, if none is lost.
fn unshortened(text: &str) -> Option<String> {
    let (number, exponent) = text.split_once(['E', 'e'])?;
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    (exponent.trim_start_matches('+') == "10" && digits.len() == DIGITS && number.find(['.', ',']) == Some(1))
        .then_some(digits)
}

/// Without `.0` or `,00`.
pub(crate) fn without_decimals(text: &str) -> &str {
    let whole = text.trim_end_matches('0').strip_suffix(['.', ',']);
    whole.filter(|whole| !whole.is_empty()).unwrap_or(text)
}

pub(crate) fn is_shortened(text: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
    let parts = text.split_once(['E', 'e']);
    parts.is_some_and(|(number, exponent)| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        number.starts_with(|c: char| c.is_ascii_digit()) && digits(number) && !exponent.is_empty() && digits(exponent)
    })
}
