//! Printed lines: CSV or one JSON object per line.

use std::borrow::Cow;
use std::io::{self, BufWriter, ErrorKind, StdoutLock, Write, stdout};

use csv::Writer;
use kuraka_tables::{csv_writer, without_formula};
use serde::{Serialize, Serializer};

use crate::cli::LinesForm;

pub(super) enum Lines<W: Write> {
    Csv(Box<Writer<W>>),
    Ndjson(W),
}

impl<W: Write> Lines<W> {
    pub(super) fn new(form: LinesForm, delimiter: u8, out: W) -> Self {
        match form {
            LinesForm::Csv => Self::Csv(Box::new(csv_writer(delimiter).from_writer(out))),
            LinesForm::Ndjson => Self::Ndjson(out),
        }
    }

    pub(super) fn header<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) -> io::Result<()> {
        if let Self::Csv(csv) = self { csv.write_record(names).map_err(failed) } else { Ok(()) }
    }

    /// A cell that in a CSV is no formula for a spreadsheet.
    pub(super) fn guarded<'c>(&self, cell: Cow<'c, str>) -> Cow<'c, str> {
        match self {
            Self::Csv(_) => without_formula(&cell).into_owned().into(),
            Self::Ndjson(_) => cell,
        }
    }

    pub(super) fn row(&mut self, names: &[impl Serialize], cells: &[Cow<'_, str>]) -> io::Result<()> {
        match self {
            Self::Csv(csv) => csv.write_record(cells.iter().map(|cell| &**cell)).map_err(failed),
            Self::Ndjson(out) => {
                serde_json::Serializer::new(&mut *out).collect_map(names.iter().zip(cells))?;
                out.write_all(b"\n")
            }
        }
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Csv(csv) => csv.flush(),
            Self::Ndjson(out) => out.flush(),
        }
    }
}

/// On standard output, whose reader may close it.
pub(super) fn print(
    form: LinesForm,
    work: impl FnOnce(&mut Lines<BufWriter<StdoutLock<'static>>>) -> io::Result<()>,
) -> io::Result<()> {
    let mut lines = Lines::new(form, b',', BufWriter::new(stdout().lock()));
    let printed = work(&mut lines).and_then(|()| lines.flush());
    printed.or_else(|error| if error.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
}

impl Lines<Vec<u8>> {
    /// The lines in memory.
    pub(super) fn into_bytes(self) -> io::Result<Vec<u8>> {
        match self {
            Self::Csv(csv) => csv.into_inner().map_err(csv::IntoInnerError::into_error),
            Self::Ndjson(out) => Ok(out),
        }
    }
}

/// The output's error; the CSV writer takes every record.
pub(super) fn failed(error: csv::Error) -> io::Error {
    let csv::ErrorKind::Io(error) = error.into_kind() else { return io::ErrorKind::InvalidInput.into() };
    error
}
