//! The kind of document (SUNAT's table 2) of the number in a column of RUCs.

use csv::StringRecord;
use kuraka_domain::Ruc;
use kuraka_domain::text::folded;

use crate::columns::{ListColumn, position};
use crate::content::{is_dni, is_like_ruc};
use crate::forms;
use crate::heading::Header;
use crate::names::{is_buyer, names_documents};
use crate::ruc_cell::{RucCellError, ruc_cell};

const RUC: char = '6';
const DNI: char = '1';
const KINDS: [(char, &[&str]); 5] = [
    (RUC, &["6", "RUC"]),
    (DNI, &["1", "DNI", "LE", "NACIONAL"]),
    ('4', &["4", "CE", "CARNE", "CARNET"]),
    ('7', &["7", "PASAPORTE", "PAS"]),
    ('0', &["", "A", "B", "C", "D", "E", "F", "G", "H", "OTRO", "OTROS", "NO", "SIN", "TRIB", "VARIOS"]),
];

/// The code of a kind such as `6`, `06`, `6 - RUC` or `RUC`; `None` = the cell has none.
fn document(cell: &str) -> Option<char> {
    // A longer text is none, and folding it takes time.
    let folded = folded(cell.get(..cell.len().min(40)).unwrap_or_default());
    let folded = folded.replace("D N I", "DNI").replace("R U C", "RUC");
    let word = folded.split(' ').find(|word| !["", "DOC", "DOCUMENTO"].contains(word))?;
    let code = word.trim_start_matches('0');
    KINDS.iter().find(|(_, words)| words.contains(&code)).map(|(kind, _)| *kind)
}

/// The RUC of a row, unless the column of kinds of documents says that it is another document.
///
/// # Errors
pub fn ruc_of_row(row: &StringRecord, ruc: usize, documents: Option<usize>) -> Result<Ruc, RucCellError> {
    let cell = row.get(ruc).unwrap_or_default();
    let found = ruc_cell(cell);
    match documents.and_then(|at| document(row.get(at)?)) {
        None | Some(RUC) => found,
        Some(DNI) if is_dni(cell) => found,
        Some(_) if found == Err(RucCellError::Empty) => found,
        Some(_) => Err(RucCellError::OtherDocument),
    }
}

/// The column with the kinds of the documents in the column `ruc`: before it, or another that is named so. Where its
/// heading says less, the numbers decide, because kinds of vouchers have the same codes.
pub(crate) fn documents_column(header: &Header, data: &[(u64, StringRecord)], ruc: usize) -> Option<usize> {
    let kinds = |at: usize| data.iter().filter_map(move |(_, row)| row.get(at)).filter(|cell| !cell.trim().is_empty());
    let has_kinds = |at: &usize| {
        let known = kinds(*at).filter(|cell| document(cell).is_some()).count();
        *at != ruc && known > 0 && known * 2 >= kinds(*at).count()
    };
    let is_form = || {
        let is_of_form = |(_, row): &(u64, StringRecord)| {
            forms::columns(row).any(|(columns, ..)| position(&columns, ListColumn::Ruc) == Some(ruc))
        };
        header.headings.is_empty() && data.first().is_some_and(is_of_form)
    };
    let is_named = |at: &usize| names_documents(header.heading(*at)) && !is_buyer(header.heading(*at));
    let may_be = |at: &usize| {
        let heading = header.heading(*at);
        heading.own.is_empty() || heading.has("TIPO") || heading.has("DOCUMENTO") && !heading.has("NUMERO")
    };
    // How many numbers fit the kind beside them, and how many RUCs do not.
    let fits = |at: usize| {
        let pairs = data.iter().filter_map(|(_, row)| Some((document(row.get(at)?)?, row.get(ruc)?)));
        pairs.fold((0, 0), |(fit, others), (kind, cell)| match kind {
            RUC => (fit + usize::from(is_like_ruc(cell)), others),
            DNI if is_dni(cell) => (fit + 1, others),
            _ => (fit, others + usize::from(ruc_cell(cell).is_ok())),
        })
    };
    let before = ruc.checked_sub(1).filter(may_be).filter(has_kinds).filter(|at| {
        let (fit, others) = fits(*at);
        is_form() || is_named(at) && (fit > 0 || others == 0) || fit > 0 && fit >= others
    });
    let is_likely = |at: &usize| {
        let (fit, others) = fits(*at);
        fit > others
    };
    before.or_else(|| (ruc + 1..header.headings.len()).chain(0..ruc).filter(is_named).filter(has_kinds).find(is_likely))
}
