//! Finds the columns of a list by the names that people and SUNAT give them.

use csv::StringRecord;
use kuraka_domain::text::folded;

use crate::date_cell::date_cell;
use crate::ruc_cell::ruc_cell;

/// What a column of a list has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum ListColumn {
    /// The RUC; of a voucher, its issuer's.
    Ruc,
    /// The voucher's kind, such as `01`.
    Kind,
    /// The voucher's series.
    Series,
    /// The voucher's number.
    Number,
    /// The day of issue.
    Date,
    /// The voucher's total.
    Total,
    /// The currency of the total. SUNAT's registers have totals in soles, whatever this currency is.
    Currency,
}

pub(crate) const ALL: [ListColumn; COLUMNS] = [
    ListColumn::Ruc,
    ListColumn::Kind,
    ListColumn::Series,
    ListColumn::Number,
    ListColumn::Date,
    ListColumn::Total,
    ListColumn::Currency,
];
pub(crate) const COLUMNS: usize = 7;

pub(crate) type Positions = [Option<usize>; COLUMNS];

/// The names of each column after [`name`], the most exact first. A purchase register has the buyer's RUC as `RUC` and
/// the issuer's as `Nro Doc Identidad`.
const NAMES: [&[&str]; COLUMNS] = [
    &[
        "RUC EMISOR",
        "RUC PROVEEDOR",
        "NUMERO RUC EMISOR",
        "NUMERO RUC PROVEEDOR",
        "NUMERO DOCUMENTO IDENTIDAD",
        "NUMERO DOCUMENTO IDENTIDAD PROVEEDOR",
        "NUMERO DOCUMENTO PROVEEDOR",
        "NUMERO DOCUMENTO EMISOR",
        "RUC",
        "NUMERO RUC",
        "RUC NUMERO",
        "RUC CLIENTE",
        "DOCUMENTO IDENTIDAD",
        "NUMERO DOCUMENTO",
    ],
    &[
        "CODIGO TIPO DOCUMENTO",
        "TIPO CP DOCUMENTO",
        "TIPO COMPROBANTE",
        "TIPO COMPROBANTE PAGO",
        "TIPO COMPROBANTE PAGO DOCUMENTO",
        "TIPO CP",
        "TIPO DOCUMENTO",
        "TIPO",
    ],
    &["SERIE DOCUMENTO", "SERIE CDP", "SERIE CP", "SERIE COMPROBANTE", "SERIE COMPROBANTE PAGO", "SERIE"],
    &[
        "NUMERO CP DOCUMENTO NUMERO INICIAL RANGO",
        "NUMERO CP DOCUMENTO",
        "NUMERO CP",
        "NUMERO CDP",
        "NUMERO COMPROBANTE",
        "NUMERO COMPROBANTE PAGO",
        "NUMERO DOCUMENTO",
        "CORRELATIVO",
        "NUMERO",
    ],
    &["FECHA EMISION", "FECHA EMISION COMPROBANTE", "FECHA EMISION COMPROBANTE PAGO", "FECHA"],
    &["TOTAL CP", "IMPORTE TOTAL", "MONTO TOTAL", "TOTAL COMPROBANTE", "TOTAL", "MONTO", "IMPORTE"],
    &["MONEDA", "CODIGO MONEDA", "TIPO MONEDA"],
];

/// `None` if there is no name of a column with RUCs.
pub(crate) fn named<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<Positions> {
    let names: Vec<String> = names.into_iter().map(name).collect();
    let mut found = Positions::default();
    for (index, known) in NAMES.iter().enumerate() {
        let mut positions = known.iter().filter_map(|known| names.iter().position(|name| name == known));
        let position = positions.find(|position| !found.contains(&Some(*position)));
        if let Some(slot) = found.get_mut(index) {
            *slot = position;
        }
        if index == ListColumn::Ruc as usize && position.is_none() {
            return None;
        }
    }
    Some(found)
}

/// The columns of a row without names: the lines of the mass validator (`ruc|tipo|serie|numero|fecha|total`), else the
/// first column with a RUC, and of two columns the first with a date.
pub(crate) fn unnamed<'a>(cells: impl IntoIterator<Item = &'a str>) -> Option<Positions> {
    let cells: Vec<&str> = cells.into_iter().collect();
    let ruc = cells.iter().position(|cell| ruc_cell(cell).is_ok());
    match (ruc?, cells.as_slice()) {
        (0, [_, kind, series, ..]) if cells.len() == 6 && kind.len() == 2 && series.len() == 4 => {
            Some(std::array::from_fn(|index| (index < cells.len()).then_some(index)))
        }
        (ruc, _) => {
            let date = cells.iter().position(|cell| date_cell(cell).is_some()).filter(|_| cells.len() == 2);
            let mut found = Positions::default();
            for (column, position) in [(ListColumn::Ruc, Some(ruc)), (ListColumn::Date, date)] {
                found.get_mut(column as usize).map(|slot| *slot = position)?;
            }
            Some(found)
        }
    }
}

/// The column with RUCs in a table's first row, and whether that row has the columns' names.
#[must_use]
pub fn ruc_column(first: &StringRecord) -> Option<(usize, bool)> {
    let of = |positions: Positions| positions.first().copied().flatten();
    named(first).and_then(of).map(|at| (at, true)).or_else(|| Some((unnamed(first).and_then(of)?, false)))
}

/// The total of a printed voucher may be missing.
pub(crate) fn has_vouchers(positions: &Positions) -> bool {
    let needed = [ListColumn::Kind, ListColumn::Series, ListColumn::Number, ListColumn::Date];
    needed.iter().all(|column| positions.get(*column as usize).copied().flatten().is_some())
}

/// A column's name in capitals, without accents, signs and articles, with the usual abbreviations written out.
fn name(text: &str) -> String {
    let folded = folded(text);
    let words = folded.split(' ').filter_map(|word| match word {
        "DE" | "DEL" | "LA" | "EL" | "O" | "Y" | "E" => None,
        "NRO" | "NUM" | "NO" | "N" | "Nº" => Some("NUMERO"),
        "DOC" => Some("DOCUMENTO"),
        "COD" => Some("CODIGO"),
        "FEC" => Some("FECHA"),
        "IMP" => Some("IMPORTE"),
        other => Some(other),
    });
    words.collect::<Vec<_>>().join(" ")
}
