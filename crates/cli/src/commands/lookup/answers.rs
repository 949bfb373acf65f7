//! Answers rows of a file: each row's own cells, then what the registry says of its RUC.

use std::io::{self, Write};
use std::sync::Arc;

use kuraka_api::spanish;
use kuraka_api::spanish::not_covered;
use kuraka_api::table_row::{DAY_COLUMNS, FICHA_COLUMNS, SUMMARY_COLUMNS, day_cells, ficha_cells, summary_cells};
use kuraka_app::{HistoryError, LookupError, LookupHistory};
use kuraka_domain::{Date, OnDay, ResultCode, Ruc, TaxpayerProfile};
use kuraka_ports::{Parts, RegistrySnapshot};
use kuraka_server::http;
use kuraka_tables::{RucCellError, StringRecord, date_cell, ruc_cell, without_formula};

use crate::cli::LinesForm;
use crate::commands::lines::{self, Lines};

/// Where the answers come from.
pub(super) struct Source {
    pub(super) snapshot: Arc<dyn RegistrySnapshot>,
    /// The age of the padrón's edition, if it is too old to say that a RUC does not exist.
    pub(super) stale_days: Option<i32>,
    /// What is read of a taxpayer.
    pub(super) parts: Parts,
    /// What they were on a day.
    pub(super) history: LookupHistory,
}

/// A row of a file and its line.
pub(super) type Row = (u64, StringRecord);

/// How rows are answered.
pub(super) struct Answers {
    source: Source,
    form: LinesForm,
    delimiter: u8,
    /// The column with RUCs.
    ruc: usize,
    /// The column with days, if the taxpayers are asked for on these.
    date: Option<usize>,
    /// The file's columns.
    width: usize,
    /// The names of all columns of the output.
    names: Vec<String>,
}

/// The taxpayer of a row.
enum Found {
    Now(TaxpayerProfile),
    OnDay(OnDay),
}

/// Why a row has no taxpayer.
enum Miss {
    Day(HistoryError),
    Cell(RucCellError),
    /// It has these cells after the cells of the columns.
    Long(Vec<String>),
    Unknown,
    Unreadable,
}

impl Answers {
    /// For a file with these columns.
    pub(super) fn new(
        source: Source,
        form: LinesForm,
        delimiter: u8,
        (ruc, date): (usize, Option<usize>),
        columns: Vec<String>,
    ) -> Self {
        let (width, mut names) = (columns.len(), Vec::new());
        for name in columns {
            // An object needs different names.
            names.push(if matches!(form, LinesForm::Ndjson) { unused(name, &names) } else { name });
        }
        let more = match date {
            Some(_) => &DAY_COLUMNS[..],
            None if source.parts == Parts::FLAGS => &[],
            None => &FICHA_COLUMNS,
        };
        for name in ["resultado", "mensaje"].iter().chain(&SUMMARY_COLUMNS).chain(more) {
            names.push(unused((*name).to_owned(), &names));
        }
        Self { source, form, delimiter, ruc, date, width, names }
    }

    /// The lines of these rows, below the names of the columns if `is_first`.
    pub(super) fn lines(&self, rows: &[Row], is_first: bool) -> io::Result<Vec<u8>> {
        let room = Vec::with_capacity(400 * rows.len());
        let mut lines = Writing { answers: self, out: Lines::new(self.form, self.delimiter, room), cells: 0 };
        if is_first {
            lines.out.header(self.names.iter().map(String::as_str))?;
        }
        let rucs: Vec<_> = rows.iter().map(|(_, row)| self.ruc(row)).collect();
        let is_now = |_: &Ruc| self.date.is_none();
        let known: Vec<Ruc> = rucs.iter().filter_map(|ruc| ruc.as_ref().ok().copied()).filter(is_now).collect();
        let mut profiles = self.source.snapshot.profiles(&known, self.source.parts);
        for ((line, row), ruc) in rows.iter().zip(rucs) {
            let found = ruc.and_then(|ruc| match self.date {
                Some(date) => self.on_day(ruc, row.get(date).unwrap_or_default()).map(Found::OnDay),
                None => match profiles.next() {
                    Some(Ok(found)) => found.map(Found::Now).ok_or(Miss::Unknown),
                    Some(Err(_)) | None => Err(Miss::Unreadable),
                },
            });
            for at in 0..self.width {
                lines.cell(row.get(at).unwrap_or_default())?;
            }
            match found {
                Ok(found) => lines.taxpayer(&found)?,
                Err(miss) => lines.miss(&miss, *line)?,
            }
            lines.end()?;
        }
        lines.out.into_bytes()
    }

    fn on_day(&self, ruc: Ruc, cell: &str) -> Result<OnDay, Miss> {
        let date = date_cell(cell).map_or_else(|| Date::parse(cell.trim()), Ok);
        match self.source.history.on_day(&*self.source.snapshot, ruc, date) {
            Ok(on_day) => on_day.ok_or(Miss::Unknown),
            Err(HistoryError::Registry(LookupError::StaleMiss { .. })) => Err(Miss::Unknown),
            Err(error) => Err(Miss::Day(error)),
        }
    }

    fn ruc(&self, row: &StringRecord) -> Result<Ruc, Miss> {
        let surplus = row.iter().skip(self.width);
        if surplus.clone().any(|cell| !cell.is_empty()) {
            return Err(Miss::Long(surplus.map(str::to_owned).collect()));
        }
        ruc_cell(row.get(self.ruc).unwrap_or_default()).map_err(Miss::Cell)
    }
}

/// `name`, with a number if another column has it.
fn unused(name: String, names: &[String]) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !names.contains(name)).unwrap_or(name)
}

/// The answers that are written, cell by cell: rows that are made first take twice as long, because all threads then ask
/// for memory and give it back.
struct Writing<'a> {
    answers: &'a Answers,
    out: Lines<Vec<u8>>,
    /// Cells of this line so far.
    cells: usize,
}

impl Writing<'_> {
    fn cell(&mut self, text: &str) -> io::Result<()> {
        match &mut self.out {
            Lines::Csv(csv) => csv.write_field(text).map_err(lines::failed)?,
            Lines::Ndjson(out) => {
                out.push(if self.cells == 0 { b'{' } else { b',' });
                serde_json::to_writer(&mut *out, self.answers.names.get(self.cells).map_or("", String::as_str))?;
                out.push(b':');
                serde_json::to_writer(out, text)?;
            }
        }
        self.cells += 1;
        Ok(())
    }

    /// A cell that the file does not have.
    fn new_cell(&mut self, text: &str) -> io::Result<()> {
        match self.out {
            Lines::Csv(_) => self.cell(&without_formula(text)),
            Lines::Ndjson(_) => self.cell(text),
        }
    }

    fn taxpayer(&mut self, found: &Found) -> io::Result<()> {
        self.cell(ResultCode::Found.as_str())?;
        self.cell("")?;
        let profile = match found {
            Found::Now(profile) => profile,
            Found::OnDay(on_day) => {
                day_cells(on_day).iter().try_for_each(|cell| self.new_cell(cell))?;
                return self.fill();
            }
        };
        summary_cells(&profile.summary).into_iter().try_for_each(|cell| self.new_cell(cell))?;
        if self.cells < self.answers.names.len() {
            ficha_cells(profile).iter().try_for_each(|cell| self.new_cell(cell))?;
        }
        Ok(())
    }

    fn miss(&mut self, miss: &Miss, line: u64) -> io::Result<()> {
        let wrong = |why: &str| (ResultCode::InvalidInput, format!("Línea {line}: {why}"));
        let (code, message) = match (miss, self.answers.source.stale_days) {
            (Miss::Cell(RucCellError::Empty), _) => wrong(spanish::NO_RUC),
            (Miss::Cell(RucCellError::Shortened), _) => wrong(spanish::SHORTENED_RUC),
            (Miss::Cell(RucCellError::Invalid(error)), _) => wrong(&spanish::wrong_ruc(error)),
            (Miss::Long(surplus), _) => {
                let columns = self.answers.width;
                wrong(&format!("El archivo tiene {columns} columnas, y después de ellas hay: {}.", surplus.join(" | ")))
            }
            (Miss::Unknown, Some(age_days)) => (ResultCode::UpstreamUnavailable, spanish::stale_miss(age_days)),
            (Miss::Unknown, None) => not_answered(ResultCode::DocumentNotFound),
            (Miss::Day(HistoryError::NotCovered { date, periods }), _) => wrong(&not_covered(date.ok(), periods)),
            (Miss::Day(_) | Miss::Unreadable, _) => not_answered(ResultCode::UpstreamUnavailable),
        };
        self.cell(code.as_str())?;
        self.cell(&message)?;
        self.fill()
    }

    /// Leaves the other cells of the line empty.
    fn fill(&mut self) -> io::Result<()> {
        while self.cells < self.answers.names.len() {
            self.cell("")?;
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.cells = 0;
        match &mut self.out {
            Lines::Csv(csv) => csv.write_record(None::<&[u8]>).map_err(lines::failed),
            Lines::Ndjson(out) => out.write_all(b"}\n"),
        }
    }
}

fn not_answered(code: ResultCode) -> (ResultCode, String) {
    (code, http::message(code).to_owned())
}
