//! `kuraka lookup --file`: prints a file's rows with their answers, or writes the workbook of the panel's page *Lista*.

use std::fs::{self, File};
use std::io::{self, ErrorKind, IsTerminal, Read, Seek, Write, stderr, stdin, stdout};
use std::path::Path;

use jiff::Timestamp;
use kuraka_app::RegistryBatch;
use kuraka_domain::text::folded;
use kuraka_panel::list_workbook;
use kuraka_ports::{DatasetStatus, ProfileParts};
use kuraka_registry::{Advance, Progress};
use kuraka_tables::{
    Choice, ListColumn, NamedColumn, Source, SplitNames, StringRecord, TableError, TableReader, XlsxLimits, ruc_column,
};

use super::answers::{Row, RowAnswers};
use crate::cli::lookup::RowsForm;
use crate::cli::{LinesForm, Lookup};
use crate::commands::progress::ProgressReporter;
use crate::commands::runtime::Failure;

/// Rows printed together, and their bytes.
const GROUP: usize = 4_096;
const GROUP_BYTES: usize = 4 << 20;
/// Rows for recognising the columns.
const FIRST: usize = 200;
/// A workbook unpacks to about 600 bytes for each row of ten columns; a sheet has at most 1,048,576 rows.
const LIMITS: XlsxLimits = XlsxLimits { text: 1 << 30, ratio: 20, ratio_from: 16 << 20 };

/// Rows of a workbook, which are in memory until it is written.
const ROWS: usize = 100_000;

pub(super) fn run(path: &Path, lookup: &Lookup, batch: RegistryBatch, parts: ProfileParts) -> Result<(), Failure> {
    let (input, position): (Box<dyn Read + Send>, Option<File>) = if path == Path::new("-") {
        (Box::new(stdin()), None)
    } else {
        let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
        // A file and its clone share their position.
        let position = file.try_clone()?;
        (Box::new(file), Some(position).filter(|_| stderr().is_terminal() && !stdout().is_terminal()))
    };
    let input = TableReader::new(input, LIMITS)?;
    let progress = position.and_then(|file| {
        let bytes_total = file.metadata().ok()?.len();
        Some((ProgressReporter::new("lookup", None), file, Advance { bytes_read: 0, bytes_total, rows: 0 }))
    });
    let (batch, delimiter) = (Some((batch, parts)), input.delimiter());
    let mut reading =
        Reading { lookup, delimiter, batch, answers: None, rows: Vec::new(), bytes: 0, is_first: true, progress };
    let read = input.rows(|line, row| reading.push(line, row)).and_then(|()| reading.print());
    if let Some((reporter, ..)) = &reading.progress {
        reporter.done();
    }
    read?;
    if reading.is_first { Err(TableError::Empty.into()) } else { Ok(()) }
}

struct Reading<'a> {
    lookup: &'a Lookup,
    delimiter: u8,
    /// Set once the columns are known.
    batch: Option<(RegistryBatch, ProfileParts)>,
    answers: Option<(RowAnswers, Vec<String>)>,
    rows: Vec<Row>,
    /// Bytes of the rows.
    bytes: usize,
    /// Whether nothing is printed so far.
    is_first: bool,
    progress: Option<(ProgressReporter, File, Advance)>,
}

impl Reading<'_> {
    fn push(&mut self, line: u64, row: &mut StringRecord) -> Result<(), Failure> {
        self.bytes += row.as_slice().len();
        self.rows.push((line, std::mem::take(row)));
        let enough = if self.answers.is_none() { FIRST } else { GROUP };
        if self.rows.len() < enough && self.bytes < GROUP_BYTES { Ok(()) } else { self.print() }
    }

    fn recognise(&mut self) -> Result<(), Failure> {
        let Some(((batch, parts), (_, first))) = self.batch.take().zip(self.rows.first()) else { return Ok(()) };
        let NamedColumn { at: ruc, rows, names, documents } = match &self.lookup.column {
            None => ruc_column(&self.rows)?,
            Some(name) => {
                let names: Vec<String> = first.iter().map(str::to_owned).collect();
                NamedColumn { at: named(&names, name)?, rows: 1, names, documents: None }
            }
        };
        let date = self.lookup.date_column.as_ref().map(|name| named(&names, name)).transpose()?;
        let width = self.rows.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
        let unnamed = |at| if at == ruc { "ruc".to_owned() } else { format!("columna_{}", at + 1) };
        let split = SplitNames::from_names(&names);
        let columns = if names.is_empty() { (0..width).map(unnamed).collect() } else { names };
        let (is_csv, delimiter) = (self.lookup.output != RowsForm::Ndjson, self.delimiter);
        let form = if is_csv { LinesForm::Csv } else { LinesForm::Ndjson };
        let answers = RowAnswers { batch, parts, form, delimiter, ruc, documents, date, split, columns };
        let names = answers.names();
        self.answers = Some((answers, names));
        self.rows.drain(..rows);
        Ok(())
    }

    fn print(&mut self) -> Result<(), Failure> {
        self.recognise()?;
        let Some((answers, names)) = &self.answers else { return Ok(()) };
        let lines = answers.lines(&mut self.rows, names, self.is_first)?;
        if let Some((reporter, file, advance)) = &mut self.progress {
            advance.rows += self.rows.len() as u64;
            advance.bytes_read = file.stream_position().unwrap_or(advance.bytes_read);
            reporter.advanced(*advance);
        }
        self.rows.clear();
        self.bytes = 0;
        self.is_first = false;
        let mut out = stdout();
        out.write_all(&lines).and_then(|()| out.flush()).map_err(closed)
    }
}

pub(super) fn write_workbook(
    path: &Path,
    lookup: &Lookup,
    batch: &RegistryBatch,
    (statuses, now): (&[DatasetStatus], Timestamp),
) -> Result<(), Failure> {
    if stdout().is_terminal() {
        return Err("a workbook cannot be printed: write it to a file, as in --output xlsx > lista.xlsx".into());
    }
    let input = Path::new(if path == Path::new("-") { "/dev/stdin".as_ref() } else { path.as_os_str() });
    let bytes = fs::read(input).map_err(|error| format!("{}: {error}", input.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let reading = list(Source::read(&name, &bytes, ROWS, || true)?, lookup)?;
    let book = list_workbook((&name, &reading, lookup.date_column.is_some()), batch, statuses, now)?;
    stdout().write_all(&book).and_then(|()| stdout().flush()).map_err(closed)
}

/// The list in the columns that the options name.
fn list(source: Source, lookup: &Lookup) -> Result<kuraka_tables::Reading, Failure> {
    let mut choice = Choice { heading: lookup.column.is_some().then_some(1), ..Choice::default() };
    let kuraka_tables::Reading { sheet, names, .. } = source.clone().reading(&choice, ROWS)?;
    choice.sheet = Some(sheet);
    for (column, name) in [(ListColumn::Ruc, &lookup.column), (ListColumn::Date, &lookup.date_column)] {
        if let Some(name) = name {
            choice.columns.insert(column, Some(named(&names, name)?));
        }
    }
    let reading = source.reading(&choice, ROWS)?;
    let unsure = reading.question(ListColumn::Ruc).cloned();
    unsure.map_or(Ok(reading), |several| Err(TableError::Unsure(several).into()))
}

fn closed(error: io::Error) -> Failure {
    if error.kind() == ErrorKind::BrokenPipe {
        return "the output was closed before every row was written".into();
    }
    error.into()
}

/// The position of the column with this name.
fn named(header: &[String], name: &str) -> Result<usize, Failure> {
    let same = header.iter().position(|column| column.trim() == name.trim());
    let alike = || header.iter().position(|column| folded(column) == folded(name));
    same.or_else(alike).ok_or_else(|| {
        let columns: Vec<_> = header.iter().map(|column| format!("{:?}", column.trim())).collect();
        format!("the file has no column {name:?}; its first row is {}", columns.join(", ")).into()
    })
}
