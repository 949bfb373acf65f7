//! What a cell of a list can be, by its content alone.

use csv::StringRecord;
use kuraka_domain::text::folded;

use crate::date_cell::date_cell;
use crate::ruc_cell::{RucCellError, is_shortened, ruc_cell, without_decimals};

const KINDS: [(&str, &str); 14] = [
    ("FACTURA", "01"),
    ("FACTURAS", "01"),
    ("FT", "01"),
    ("FAC", "01"),
    ("RECIBO POR HONORARIOS", "02"),
    ("RH", "02"),
    ("BOLETA", "03"),
    ("BOLETA DE VENTA", "03"),
    ("BV", "03"),
    ("NOTA DE CREDITO", "07"),
    ("NC", "07"),
    ("NOTA DE DEBITO", "08"),
    ("ND", "08"),
    ("TICKET", "12"),
];
/// Without blanks. Numbers are no currency's alone: a column of them may be anything.
/// Before an amount.
const SIGNS: [&str; 9] = ["S/.", "S/", "US$", "U$S", "$", "€", "PEN", "USD", "EUR"];
const NUMBER: usize = 10;

/// Whether a cell is a RUC, a date or an amount, as in no heading.
pub(crate) fn is_data(row: &StringRecord) -> bool {
    row.iter().any(|cell| {
        let cell = cell.trim();
        let whole = without_decimals(cell);
        ruc_cell(cell).is_ok()
            || is_shortened(cell)
            || is_whole(whole) && matches!(whole.len(), 8 | 11)
            || date_cell(cell).is_some()
            || cell.contains(['.', ',']) && amount(cell).is_some()
    })
}

/// Without blanks and the mark of a text, as in `'01`.
pub(crate) fn bare(cell: &str) -> &str {
    let cell = cell.trim();
    cell.strip_prefix('\'').map_or(cell, str::trim)
}

pub(crate) fn is_whole(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A person's number who has no RUC.
pub(crate) fn is_dni(cell: &str) -> bool {
    let cell = without_decimals(cell.trim());
    is_whole(cell) && cell.len() == 8
}

/// Eleven digits, or a RUC that a spreadsheet program has shortened.
pub(crate) fn is_like_ruc(cell: &str) -> bool {
    match ruc_cell(cell) {
        Ok(_) | Err(RucCellError::Shortened) => true,
        Err(RucCellError::Empty | RucCellError::Moved | RucCellError::OtherDocument) => false,
        Err(error @ RucCellError::Invalid(_)) => error.is_wrong_ruc(),
    }
}

/// The sign of a currency before an amount.
pub(crate) fn sign(cell: &str) -> Option<&'static str> {
    let cell = cell.trim_start_matches(['-', '(', ' ']);
    SIGNS.into_iter().find(|sign| cell.starts_with(sign))
}

/// Such as `S/ 1,180.00` or `-20`.
pub(crate) fn amount(cell: &str) -> Option<&str> {
    let cell = cell.trim();
    let cell = cell.trim_start_matches(['-', '(', ' ']);
    let number = sign(cell).and_then(|sign| cell.strip_prefix(sign)).unwrap_or(cell);
    let number = number.trim_start_matches(['-', '(', ' ']).trim_end_matches(['-', ')', ' ']);
    let is_amount = number.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','))
        && number.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ' ' | '\''))
        && number.chars().any(|c| c.is_ascii_digit());
    is_amount.then_some(number)
}

/// The code of a kind such as `01`, `1`, `01 - FACTURA` or `FACTURA`.
pub(crate) fn kind(cell: &str) -> Option<String> {
    let code = without_decimals(cell.trim()).split([' ', '-']).next().unwrap_or_default();
    if is_whole(code) && code.len() <= 2 {
        return Some(format!("{code:0>2}"));
    }
    let folded = folded(cell);
    KINDS.iter().find(|(name, _)| *name == folded).map(|(_, code)| (*code).to_owned())
}

/// `F001`, `E001`, `0001`, or the customs code of an import.
pub(crate) fn is_series(cell: &str) -> bool {
    let cell = cell.trim();
    (3..=4).contains(&cell.len())
        && cell.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && cell.ends_with(|c: char| c.is_ascii_digit())
}

pub(crate) fn is_number(cell: &str) -> bool {
    let cell = without_decimals(cell.trim());
    is_whole(cell) && cell.len() <= NUMBER
}

pub(crate) fn is_currency(cell: &str) -> bool {
    currency_code(cell).is_some()
}

/// The code of a currency as registers write it, soles if the cell is empty.
pub fn currency(cell: &str) -> String {
    if let Some(code) = currency_code(cell) {
        return code.to_owned();
    }
    match folded(cell).as_str() {
        "" | "1" => "PEN".to_owned(),
        "2" => "USD".to_owned(),
        other => other.to_owned(),
    }
}

/// `None` = a number, or no known currency.
fn currency_code(cell: &str) -> Option<&'static str> {
    match (cell.trim(), folded(cell).replace(' ', "").as_str()) {
        ("$", _) | (_, "USD" | "US" | "USS" | "USDOLAR" | "DOLAR" | "DOLARES" | "DOLARESAMERICANOS" | "ME" | "D") => {
            Some("USD")
        }
        ("€", _) | (_, "EUR" | "EURO" | "EUROS") => Some("EUR"),
        (_, "PEN" | "S" | "MN" | "SOL" | "SOLES" | "NUEVOSSOLES") => Some("PEN"),
        _ => None,
    }
}

/// Kind, series and number in one cell, such as `F001-123` or `01 F001-123`.
pub(crate) fn voucher(cell: &str) -> Option<(Option<String>, &str, &str)> {
    let mut parts = cell.trim().rsplit([' ', '-', '/']).filter(|part| !part.is_empty());
    let (number, series) = (parts.next()?, parts.next()?);
    let kind = match parts.next() {
        None => None,
        Some(code) => Some(kind(code)?),
    };
    (is_number(number) && is_series(series) && parts.next().is_none()).then_some((kind, series, number))
}
