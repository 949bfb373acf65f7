//! Finds the columns of a list. A heading proposes a column and its content decides; where several are possible, the
//! answer is a question and never a guess.

use std::collections::HashSet;

use csv::StringRecord;

use crate::columns::{Choice, ListColumn, Positions, RUC_ALONE, Unsure, position};
use crate::content::{self, bare};
use crate::date_cell::{date_cell, date_or_serial};
use crate::document::{documents_column, ruc_of_row};
use crate::forms;
use crate::heading::Header;
use crate::names::{OTHER, SILENT, is_buyer, is_client, is_of_sale, score};
use crate::reader::TableError;
use crate::ruc_cell::{RucCellError, is_shortened, ruc_cell};

#[derive(Debug, Default)]
pub(crate) struct Recognised {
    pub(crate) header: Header,
    pub(crate) columns: Positions,
    pub(crate) more_igv: Vec<usize>,
    /// The column with the kinds of the documents in the column of the RUC.
    pub(crate) documents: Option<usize>,
    pub(crate) unsure: Vec<Unsure>,
    pub(crate) is_sales: bool,
    /// Whether the totals are in soles, whatever the column of the currency says.
    pub(crate) is_in_soles: bool,
    /// Rows whose cells may be below others' headings, in order.
    pub(crate) moved: Vec<u64>,
}

/// A column, and the names of all columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedColumn {
    /// From 0.
    pub at: usize,
    /// All headings, if there are any.
    pub names: Vec<String>,
    /// Headings and titles.
    pub rows: usize,
    /// The column with the kinds of its documents; see [`ruc_of_row`](crate::ruc_of_row).
    pub documents: Option<usize>,
}

struct Table<'a> {
    header: Header,
    data: &'a [(u64, StringRecord)],
    width: usize,
    rucs: Vec<RucColumn>,
}

/// A column with RUCs.
struct RucColumn {
    at: usize,
    score: i8,
    is_constant: bool,
    rows: usize,
    /// The column with the kinds of its documents.
    documents: Option<usize>,
}

/// `file` is the file's name.
pub(crate) fn recognise(
    rows: &mut [(u64, StringRecord)],
    choice: &Choice,
    file: &str,
) -> Result<Recognised, TableError> {
    let header = choice.heading.map_or_else(|| Header::find(rows), |last| Header::until(rows, last));
    let moved = rows.iter_mut().skip(header.rows);
    let moved = moved.filter_map(|(line, row)| (!forms::join_split_names(row, &header.headings)).then_some(*line));
    let mut found = Recognised { moved: moved.collect(), ..Recognised::default() };
    let data = rows.get(header.rows..).unwrap_or_default();
    let width = data.iter().map(|(_, row)| row.len()).max().unwrap_or(0).max(header.headings.len());
    let mut table = Table { header, data, width, rucs: Vec::new() };
    table.rucs = (0..width).filter_map(|at| table.ruc_column(at)).collect();
    if let Some((columns, more_igv, currency)) = table.form() {
        (found.columns, found.more_igv) = (columns, more_igv.to_vec());
        found.is_in_soles = currency.is_soles(file).unwrap_or_else(|| {
            set(&mut found.columns, ListColumn::Currency, None);
            let currency = position(&columns, ListColumn::Currency);
            found.unsure.extend(currency.map(|at| table.unsure(ListColumn::Currency, [at])));
            false
        });
    } else if table.is_rucs_alone() {
        found.columns = RUC_ALONE;
    } else {
        table.find(choice, &mut found)?;
    }
    for (&column, &chosen) in &choice.columns {
        if column == ListColumn::Igv && chosen != position(&found.columns, column) {
            found.more_igv.clear();
        }
        set(&mut found.columns, column, chosen);
        found.unsure.retain(|unsure| unsure.column != column);
    }
    found.documents = position(&found.columns, ListColumn::Ruc).and_then(|at| table.documents(at));
    found.header = table.header;
    Ok(found)
}

/// Finds the column with RUCs by a table's first rows.
///
/// # Errors
/// [`TableError::NoRuc`] and [`TableError::Unsure`].
pub fn ruc_column(first: &[(u64, StringRecord)]) -> Result<NamedColumn, TableError> {
    let Recognised { header, columns, documents, mut unsure, is_sales, .. } =
        recognise(&mut first.to_vec(), &Choice::default(), "")?;
    if is_sales {
        return Err(TableError::Sales);
    }
    let question = unsure.iter().position(|unsure| unsure.column == ListColumn::Ruc);
    if let Some(at) = question {
        return Err(TableError::Unsure(unsure.swap_remove(at)));
    }
    let at = position(&columns, ListColumn::Ruc).ok_or(TableError::NoRuc)?;
    let names = header.headings.into_iter().map(|heading| heading.text).collect();
    Ok(NamedColumn { at, rows: header.rows, names, documents })
}

fn set(columns: &mut Positions, column: ListColumn, position: Option<usize>) {
    if let Some(slot) = columns.get_mut(column as usize) {
        *slot = position;
    }
}

impl Table<'_> {
    /// Finds the columns of a table that is no form of SUNAT's without headings.
    fn find(&self, choice: &Choice, found: &mut Recognised) -> Result<(), TableError> {
        found.is_sales = self.is_of_sales();
        let ruc = match choice.columns.get(&ListColumn::Ruc).copied() {
            Some(chosen) => chosen,
            None if found.is_sales => {
                found.unsure.push(self.unsure(ListColumn::Ruc, self.rucs.iter().map(|it| it.at)));
                None
            }
            None => match self.ruc() {
                Ok(ruc) => Some(ruc),
                Err(several) => {
                    // What a person chose is read, and asked for the rest.
                    let nothing = || Unsure { column: ListColumn::Ruc, found: Vec::new() };
                    let is_chosen = choice.sheet.is_some() || choice.heading.is_some();
                    found.unsure.push(several.or(is_chosen.then(nothing)).ok_or(TableError::NoRuc)?);
                    None
                }
            },
        };
        set(&mut found.columns, ListColumn::Ruc, ruc);
        if found.is_sales {
            return Ok(());
        }
        match choice.columns.get(&ListColumn::Date).copied().map_or_else(|| self.date(ruc), Ok) {
            Ok(date) => set(&mut found.columns, ListColumn::Date, date),
            Err(several) => found.unsure.push(several),
        }
        if !self.header.headings.is_empty() {
            self.voucher(choice, &mut found.columns, &mut found.unsure);
            let igv = self.igv();
            set(&mut found.columns, ListColumn::Igv, igv.first().copied());
            found.more_igv = igv.into_iter().skip(1).collect();
        }
        found.is_in_soles = self.header.headings.iter().any(|heading| heading.own == forms::SIRE);
        Ok(())
    }

    /// The columns of IGV, which are added; of a total beside its parts, the total alone.
    fn igv(&self) -> Vec<usize> {
        let heading = |at: usize| self.header.heading(at);
        let is_igv = |at: &usize| {
            score(ListColumn::Igv, heading(*at)) > SILENT && self.agrees(*at, |cell| content::amount(cell).is_some())
        };
        let found: Vec<usize> = (0..self.width).filter(is_igv).collect();
        let total = found.iter().find(|at| heading(**at).has("TOTAL"));
        total.map_or(found.clone(), |total| vec![*total])
    }

    /// The cells of a column that are not empty.
    fn cells(&self, column: usize) -> impl Iterator<Item = &str> {
        self.data.iter().filter_map(move |(_, row)| row.get(column)).map(bare).filter(|cell| !cell.is_empty())
    }

    /// At least half of the cells.
    fn agrees(&self, column: usize, is: impl Fn(&str) -> bool) -> bool {
        let (hits, cells) =
            self.cells(column).fold((0, 0), |(hits, cells), cell| (hits + usize::from(is(cell)), cells + 1));
        hits > 0 && hits * 2 >= cells
    }

    /// The columns of a form of SUNAT's without headings, if their content agrees.
    fn form(&self) -> Option<(Positions, &'static [usize], forms::Currency)> {
        let first = self.data.first().filter(|_| self.header.headings.is_empty())?;
        let agrees = |(columns, ..): &(Positions, _, _)| {
            let agrees = |column, is: fn(&str) -> bool| position(columns, column).is_some_and(|at| self.agrees(at, is));
            let has_rucs = self.rucs.iter().any(|it| position(columns, ListColumn::Ruc) == Some(it.at));
            (has_rucs || agrees(ListColumn::Ruc, content::is_dni))
                && agrees(ListColumn::Date, |cell| date_cell(cell).is_some())
                && agrees(ListColumn::Series, content::is_series)
        };
        forms::columns(&first.1).find(agrees)
    }

    /// As people paste them into one line.
    fn is_rucs_alone(&self) -> bool {
        let mut cells = self.data.iter().flat_map(|(_, row)| row).filter(|cell| !cell.trim().is_empty()).peekable();
        self.header.headings.is_empty() && cells.peek().is_some() && cells.all(|cell| ruc_cell(cell).is_ok())
    }

    fn is_of_sales(&self) -> bool {
        let headings = &self.header.headings;
        let may_be = headings.iter().any(|it| it.has("SERIE COMPROBANTE")) && headings.iter().any(is_client);
        // The vouchers of a register with clients' RUCs alone are the owner's.
        let mut rucs = self.rucs.iter().filter(|it| may_be && (!it.is_constant || it.rows == 1)).peekable();
        let mut are_clients = || rucs.peek().is_some() && rucs.all(|it| is_client(self.header.heading(it.at)));
        headings.iter().any(is_of_sale) || are_clients()
    }

    /// The error has the possible columns, if any.
    fn ruc(&self) -> Result<usize, Option<Unsure>> {
        let mut found: Vec<&RucColumn> = self.rucs.iter().collect();
        if found.is_empty() {
            // A person named it, so each row says what is wrong.
            return self.named_ruc().ok_or(None);
        }
        if let [only] = found.as_slice() {
            // The buyer's RUC in every row, beside suppliers without one.
            let other = (0..self.width).filter(|at| *at != only.at).find(|at| {
                score(ListColumn::Ruc, self.header.heading(*at)) > only.score && self.cells(*at).next().is_some()
            });
            return match other.filter(|_| only.is_constant && only.rows > 1) {
                Some(other) => Err(Some(self.unsure(ListColumn::Ruc, [only.at, other]))),
                None => Ok(only.at),
            };
        }
        let several = |found: &[&RucColumn]| Err(Some(self.unsure(ListColumn::Ruc, found.iter().map(|it| it.at))));
        let varied: Vec<&RucColumn> = found.iter().copied().filter(|it| !it.is_constant).collect();
        if let [only] = varied.as_slice() {
            let is_opposite = is_buyer(self.header.heading(only.at))
                || found.iter().any(|it| it.is_constant && it.score > only.score.max(1));
            return if is_opposite { several(&found) } else { Ok(only.at) };
        }
        // A heading that only says RUC can be the buyer's too.
        let least = if varied.is_empty() { SILENT + 1 } else { SILENT };
        if !varied.is_empty() {
            found = varied;
        }
        found.retain(|it| it.score > OTHER);
        let best = found.iter().map(|it| it.score).max().unwrap_or(SILENT);
        let best: Vec<&RucColumn> = found.iter().copied().filter(|it| it.score == best).collect();
        match best.as_slice() {
            [only] if only.score > least || found.len() == 1 => Ok(only.at),
            _ => several(&found),
        }
    }

    /// At least half of the cells are RUCs; empty cells, other documents and shortened numbers aside.
    fn ruc_column(&self, at: usize) -> Option<RucColumn> {
        let (mut valid, mut rows, mut rucs) = (0, 0, HashSet::new());
        self.cells(at).find(|cell| ruc_cell(cell).is_ok())?;
        let documents = documents_column(&self.header, self.data, at);
        for (row, cell) in self.data.iter().filter_map(|(_, row)| Some((row, row.get(at)?.trim()))) {
            match ruc_of_row(row, at, documents) {
                Ok(ruc) => {
                    valid += 1;
                    rows += 1;
                    rucs.insert(ruc.get());
                }
                Err(RucCellError::Empty | RucCellError::OtherDocument) => {}
                Err(_) if content::is_dni(cell) || is_shortened(cell) => {}
                Err(_) => rows += 1,
            }
        }
        let (score, is_constant) = (score(ListColumn::Ruc, self.header.heading(at)), rucs.len() == 1);
        (valid > 0 && valid * 2 >= rows).then_some(RucColumn { at, score, is_constant, rows: valid, documents })
    }

    /// The column with the kinds of the documents in a column of RUCs.
    fn documents(&self, ruc: usize) -> Option<usize> {
        let known = self.rucs.iter().find(|it| it.at == ruc);
        known.map_or_else(|| documents_column(&self.header, self.data, ruc), |it| it.documents)
    }

    /// The best named column, if its cells look like RUCs.
    fn named_ruc(&self) -> Option<usize> {
        let scored = (0..self.width).map(|at| (score(ListColumn::Ruc, self.header.heading(at)), at));
        let named = scored.filter(|(score, at)| {
            *score > SILENT && (self.agrees(*at, content::is_like_ruc) || self.cells(*at).next().is_none())
        });
        named.max_by_key(|(score, at)| (*score, std::cmp::Reverse(*at))).map(|(_, at)| at)
    }

    /// The day of issue. Without a heading, of two dates the fuller and earlier one.
    fn date(&self, ruc: Option<usize>) -> Result<Option<usize>, Unsure> {
        let dates = |at: usize| self.cells(at).filter_map(date_cell).filter(|date| date.year() > 1);
        let found: Vec<usize> = (0..self.width)
            .filter(|at| {
                let score = score(ListColumn::Date, self.header.heading(*at));
                // Serial numbers are days only below a heading that says so.
                let is_date = if score > SILENT { date_or_serial } else { date_cell };
                Some(*at) != ruc && score > OTHER && self.agrees(*at, |cell| is_date(cell).is_some())
            })
            .collect();
        let named = self.best(ListColumn::Date, &found)?;
        match (named, found.as_slice()) {
            (Some(at), _) => Ok(Some(at)),
            (None, [only]) => Ok(Some(*only)),
            (None, [first, second]) => {
                let is_before = |one: usize, other: usize| {
                    let pairs = self
                        .data
                        .iter()
                        .filter_map(|(_, row)| Some((date_cell(row.get(one)?)?, date_cell(row.get(other)?)?)));
                    dates(one).count() >= dates(other).count() && pairs.into_iter().all(|(one, other)| one <= other)
                };
                match (is_before(*first, *second), is_before(*second, *first)) {
                    (true, false) => Ok(Some(*first)),
                    (false, true) => Ok(Some(*second)),
                    _ => Err(self.unsure(ListColumn::Date, found.iter().copied())),
                }
            }
            (None, []) => Ok(None),
            (None, _) => Err(self.unsure(ListColumn::Date, found.iter().copied())),
        }
    }

    /// The other columns of vouchers, by headings with which the content agrees.
    fn voucher(&self, choice: &Choice, columns: &mut Positions, unsure: &mut Vec<Unsure>) {
        let is_found = |column| matches!(column, ListColumn::Ruc | ListColumn::Date | ListColumn::Igv);
        let documents = position(columns, ListColumn::Ruc).and_then(|at| self.documents(at));
        for column in ListColumn::ALL.into_iter().filter(|column| !is_found(*column)) {
            if let Some(chosen) = choice.columns.get(&column) {
                set(columns, column, *chosen);
                continue;
            }
            let agrees = |cell: &str| match column {
                ListColumn::Kind => content::kind(cell).is_some(),
                ListColumn::Series => content::is_series(cell),
                ListColumn::Number => content::is_number(cell),
                ListColumn::Total => content::amount(cell).is_some(),
                ListColumn::Currency => content::is_currency(cell),
                ListColumn::Code => !content::is_like_ruc(cell),
                ListColumn::Ruc | ListColumn::Date | ListColumn::Igv => false,
            };
            // A kind of identity document has two digits too, and is almost always 6.
            let is_identity =
                |at| column == ListColumn::Kind && self.agrees(at, |cell| content::kind(cell).as_deref() == Some("06"));
            let free = |at: &usize| !columns.contains(&Some(*at)) && Some(*at) != documents;
            let found: Vec<usize> =
                (0..self.width).filter(free).filter(|at| self.agrees(*at, agrees) && !is_identity(*at)).collect();
            let after_series = position(columns, ListColumn::Series).map(|at| at + 1);
            match self.best(column, &found) {
                // `Nro.` also heads the rows' own numbers.
                Err(_) if column == ListColumn::Number && after_series.is_some_and(|at| found.contains(&at)) => {
                    set(columns, column, after_series);
                }
                Ok(best) => set(columns, column, best),
                Err(several) => unsure.push(several),
            }
        }
        // Series, number and perhaps kind in one cell.
        let mut whole: Vec<usize> =
            (0..self.width).filter(|at| self.agrees(*at, |cell| content::voucher(cell).is_some())).collect();
        if whole.len() > 1 {
            whole.retain(|at| score(ListColumn::Number, self.header.heading(*at)) > OTHER);
        }
        if let ([at], None) = (whole.as_slice(), position(columns, ListColumn::Series)) {
            set(columns, ListColumn::Series, Some(*at));
            set(columns, ListColumn::Number, Some(*at));
            let has_kind = self.agrees(*at, |cell| content::voucher(cell).is_some_and(|(kind, ..)| kind.is_some()));
            if has_kind && position(columns, ListColumn::Kind).is_none() {
                set(columns, ListColumn::Kind, Some(*at));
            }
        }
    }

    /// None if no heading names one.
    fn best(&self, column: ListColumn, found: &[usize]) -> Result<Option<usize>, Unsure> {
        let scored: Vec<(usize, i8)> = found.iter().map(|at| (*at, score(column, self.header.heading(*at)))).collect();
        let best = scored.iter().map(|(_, score)| *score).max().filter(|score| *score > SILENT);
        let best: Vec<usize> = scored.iter().filter(|(_, score)| Some(*score) == best).map(|(at, _)| *at).collect();
        match best.as_slice() {
            [] => Ok(None),
            [only] => Ok(Some(*only)),
            several => Err(self.unsure(column, several.iter().copied())),
        }
    }

    fn unsure(&self, column: ListColumn, found: impl IntoIterator<Item = usize>) -> Unsure {
        let name = |at: usize| {
            let text = &self.header.heading(at).text;
            if text.is_empty() { format!("columna {}", at + 1) } else { text.clone() }
        };
        Unsure { column, found: found.into_iter().map(name).collect() }
    }
}
