//! Adds the registry's fields to each row of a file.

use std::borrow::Cow;
use std::io;

use kuraka_api::spanish;
use kuraka_api::table_row::TaxpayerColumns;
use kuraka_app::{Causes, ListItem, RegistryBatch};
use kuraka_domain::{Date, ResultCode};
use kuraka_panel::ruc_cell_error;
use kuraka_ports::ProfileParts;
use kuraka_server::http::{ItemError, listed_taxpayer};
use kuraka_tables::{SplitNames, StringRecord, date_cell, ruc_of_row};

use crate::cli::LinesForm;
use crate::commands::lines::Lines;

/// Rows that are answered together.
const AT_ONCE: usize = 64;

/// A row of a file and its line.
pub(super) type Row = (u64, StringRecord);

/// How rows are answered.
pub(super) struct RowAnswers {
    pub(super) batch: RegistryBatch,
    pub(super) parts: ProfileParts,
    pub(super) form: LinesForm,
    pub(super) delimiter: u8,
    pub(super) ruc: usize,
    /// The column with the kinds of the RUCs' documents, if any.
    pub(super) documents: Option<usize>,
    /// The column with dates, if any.
    pub(super) date: Option<usize>,
    /// Joins the cells of a register of SIRE's.
    pub(super) split: Option<SplitNames>,
    pub(super) columns: Vec<String>,
}

impl RowAnswers {
    fn taxpayer_columns(&self) -> TaxpayerColumns {
        let days = self.date.is_some();
        TaxpayerColumns { ficha: !days && self.parts != ProfileParts::FLAGS, days }
    }

    /// An object needs different names.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for name in &self.columns {
            names.push(if matches!(self.form, LinesForm::Ndjson) { unused(name, &names) } else { name.clone() });
        }
        for name in ["resultado", "mensaje"].into_iter().chain(self.taxpayer_columns().names()) {
            names.push(unused(name, &names));
        }
        names
    }

    /// The rows' lines, below the names if `is_first`.
    pub(super) fn lines(&self, rows: &mut [Row], names: &[String], is_first: bool) -> io::Result<Vec<u8>> {
        let mut lines = Lines::new(self.form, self.delimiter, Vec::with_capacity(400 * rows.len()));
        if is_first {
            lines.header(names.iter().map(String::as_str))?;
        }
        for rows in rows.chunks_mut(AT_ONCE) {
            let items: Vec<_> = rows.iter_mut().map(|(_, row)| self.item(row)).collect();
            let valid: Vec<ListItem> = items.iter().filter_map(|item| item.as_ref().ok().copied()).collect();
            let mut answers = self.batch.answers(&valid, self.parts).into_iter();
            for ((line, row), item) in rows.iter().zip(items) {
                let answer = item.and_then(|_| {
                    let answer = answers.next().ok_or_else(|| ItemError::new(ResultCode::UpstreamUnavailable))?;
                    listed_taxpayer(answer, &mut Causes::default())
                });
                let own = (0..self.columns.len()).map(|at| Cow::Borrowed(row.get(at).unwrap_or_default()));
                let mut cells: Vec<Cow<'_, str>> = own.collect();
                match &answer {
                    Ok(taxpayer) => {
                        let added = self.taxpayer_columns().cells(taxpayer);
                        cells.extend([ResultCode::Found.as_str(), ""].map(Cow::Borrowed));
                        cells.extend(added.into_iter().map(|cell| lines.guarded(cell)));
                    }
                    Err(ItemError { code, message, .. }) => {
                        let is_of_row = matches!(code, ResultCode::InvalidInput | ResultCode::DateNotCovered);
                        let message =
                            if is_of_row { format!("Línea {line}: {message}").into() } else { message.clone() };
                        cells.extend([code.as_str().into(), message]);
                    }
                }
                cells.resize(names.len(), Cow::Borrowed(""));
                lines.row(names, &cells)?;
            }
        }
        lines.into_bytes()
    }

    fn item(&self, row: &mut StringRecord) -> Result<ListItem, ItemError> {
        if self.split.as_ref().is_some_and(|split| !split.join(row)) {
            return Err(ItemError::invalid(spanish::MOVED_ROW));
        }
        let width = self.columns.len();
        let surplus = row.iter().skip(width);
        if surplus.clone().any(|cell| !cell.is_empty()) {
            let surplus = surplus.collect::<Vec<_>>().join(" | ");
            let message = format!("El archivo tiene {width} columnas, y después de ellas hay: {surplus}.");
            return Err(ItemError::invalid(message));
        }
        let ruc = ruc_of_row(row, self.ruc, self.documents);
        let ruc = ruc.map_err(|error| ItemError::invalid(ruc_cell_error(&error)))?;
        let date = |cell: &str| date_cell(cell).map_or_else(|| Date::parse(cell.trim()), Ok);
        Ok((ruc, self.date.map(|column| date(row.get(column).unwrap_or_default()))))
    }
}

/// `name`, with a number if taken.
fn unused(name: &str, names: &[String]) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut free = std::iter::once(name.to_owned()).chain(numbered).filter(|name| !names.contains(name));
    free.next().unwrap_or_default()
}
