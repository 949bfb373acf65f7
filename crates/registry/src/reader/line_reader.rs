//! The lines of a text as rows.

use kuraka_domain::{Ruc, RucKind};

use super::bad_lines::{Reason, RefusedLine};
use super::cells::{Cells, SplitLine};
use super::decode::{Decoder, is_plain};
use super::error::{FileProblemError, ReadError};
use super::header::{Field, Layout, names, other_by_any_delimiter};
use super::row_fields::RowFields;
use crate::dataset::{Dataset, Encoding, Subjects, TextForm, Value};
use crate::text::Line;

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";
/// In both byte orders.
const UTF16_MARKS: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];
const LEGAL_PERSON: &[u8] = b"20";

pub(super) struct LineReader<'d> {
    dataset: &'d Dataset,
    form: TextForm,
    pub(super) decoder: Decoder,
    delimiter: u8,
    pub(super) layout: Option<Layout>,
    cells: Cells,
    decoded: String,
    pieces: Vec<FieldText>,
    pub(super) fields: RowFields,
}

enum FieldText {
    Cell,
    Decoded(usize, usize),
    Bad(Reason),
}

impl<'d> LineReader<'d> {
    pub(super) fn new(dataset: &'d Dataset, form: TextForm) -> Self {
        Self {
            dataset,
            form,
            decoder: Decoder::default(),
            delimiter: 0,
            layout: None,
            cells: Cells::default(),
            decoded: String::new(),
            pieces: Vec::new(),
            fields: RowFields::new(dataset.absent),
        }
    }

    pub(super) fn line<E: From<ReadError>>(
        &mut self,
        number: u64,
        line: Line<'_>,
        each: &mut impl FnMut(Ruc, &[Value<'_>]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(layout) = self.layout.take() else {
            let header = match line {
                Line::Whole(line) => line.bytes(),
                Line::TooLong(_) => &[],
            };
            let failed = |problem| E::from(ReadError { dataset: self.dataset.name, problem });
            return self.header(header).map_err(failed);
        };
        let result = self.row(number, line, &layout, each);
        self.layout = Some(layout);
        result
    }

    fn header(&mut self, line: &[u8]) -> Result<(), FileProblemError> {
        if UTF16_MARKS.iter().any(|mark| line.starts_with(mark)) {
            return Err(FileProblemError::Utf16);
        }
        let marked = line.strip_prefix(UTF8_MARK);
        if marked.is_some() {
            self.decoder.encoding = Some(Encoding::Utf8);
        }
        let names;
        (self.delimiter, names) = self::names(self.dataset, self.form, marked.unwrap_or(line));
        let layout = Layout::new(self.dataset, &names).map_err(|problem| {
            let other = other_by_any_delimiter(self.dataset, line);
            other.map_or(problem, |dataset| FileProblemError::OtherHeader { dataset })
        });
        self.layout = Some(layout?);
        Ok(())
    }

    #[inline]
    fn row<E>(
        &mut self,
        number: u64,
        line: Line<'_>,
        layout: &Layout,
        each: &mut impl FnMut(Ruc, &[Value<'_>]) -> Result<(), E>,
    ) -> Result<(), E> {
        let line = match line {
            Line::Whole(line) => line.bytes(),
            Line::TooLong(length) => {
                self.fields.report.bad_lines.add(Some(number), length, &RefusedLine::new(Reason::TooLong, None));
                return Ok(());
            }
        };
        let only_legal_persons = self.dataset.subjects == Subjects::LegalPersons;
        // Most lines of the open data end here.
        if only_legal_persons && layout.ruc == 0 && !begins_legal_person(line) {
            self.fields.report.left_out += 1;
            return Ok(());
        }
        self.validated(number, line, layout, each)
    }

    fn validated<E>(
        &mut self,
        number: u64,
        line: &[u8],
        layout: &Layout,
        each: &mut impl FnMut(Ruc, &[Value<'_>]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Self { dataset, form, decoder, delimiter, cells, decoded, pieces, fields, .. } = self;
        let parsed = cells
            .split(line, *delimiter, form.quoting)
            .map_err(|reason| RefusedLine::new(reason, None))
            .and_then(|split| Row::new(split, layout))
            .and_then(|(ruc, row)| {
                if dataset.subjects == Subjects::LegalPersons && ruc.kind() != RucKind::LegalPerson {
                    return Ok(None);
                }
                decoded.clear();
                pieces.clear();
                pieces.extend(layout.fields.iter().map(|field| piece(row.cell(field.position), decoder, decoded)));
                Ok(Some((ruc, row.values(ruc, pieces, decoded, fields)?)))
            });
        match parsed {
            Ok(Some((ruc, values))) => {
                self.fields.report.rows += 1;
                each(ruc, &values)
            }
            Ok(None) => {
                self.fields.report.left_out += 1;
                Ok(())
            }
            Err(refused) => {
                self.fields.report.bad_lines.add(Some(number), line.len() as u64, &refused);
                Ok(())
            }
        }
    }
}

/// A line with the right number of cells.
#[derive(Clone, Copy)]
struct Row<'a> {
    split: SplitLine<'a>,
    layout: &'a Layout,
    /// Delimiters inside the column that may contain them.
    extra: usize,
}

impl<'a> Row<'a> {
    /// The row and its RUC.
    fn new(split: SplitLine<'a>, layout: &'a Layout) -> Result<(Ruc, Self), RefusedLine<'a>> {
        let Some(extra) = extra_cells(split, layout) else {
            let ruc = Ruc::from_ascii(split.cell(layout.ruc).trim_ascii()).ok();
            return Err(RefusedLine::new(Reason::ColumnCount, ruc));
        };
        let row = Self { split, layout, extra };
        let key = row.cell(layout.ruc);
        let no_ruc = |_| RefusedLine { reason: Reason::BadRuc, ruc: None, cell: Some((layout.ruc_header, key)) };
        let ruc = Ruc::from_ascii(key).map_err(no_ruc)?;
        // Two lines without a break: the column has a second RUC.
        let holding = layout.holds_delimiters.filter(|_| extra > 0);
        if holding.is_some_and(|position| row.cell(position).windows(11).any(|window| Ruc::from_ascii(window).is_ok()))
        {
            return Err(RefusedLine::new(Reason::ColumnCount, Some(ruc)));
        }
        Ok((ruc, row))
    }

    fn cell(&self, position: usize) -> &'a [u8] {
        let (first, last) = match self.layout.holds_delimiters.filter(|_| self.extra > 0) {
            Some(holding) if position == holding => (position, position + self.extra),
            Some(holding) if position > holding => (position + self.extra, position + self.extra),
            _ => (position, position),
        };
        self.split.cells(first, last).trim_ascii()
    }

    fn values<'t>(
        &self,
        ruc: Ruc,
        pieces: &[FieldText],
        decoded: &'t str,
        fields: &mut RowFields,
    ) -> Result<Vec<Value<'t>>, RefusedLine<'a>>
    where
        'a: 't,
    {
        let strict = self.extra > 0;
        let mut values = Vec::with_capacity(pieces.len());
        for (field, piece) in self.layout.fields.iter().zip(pieces) {
            let cell = self.cell(field.position);
            let text = match *piece {
                FieldText::Cell => std::str::from_utf8(cell).map_err(|_| Reason::OtherEncoding),
                FieldText::Decoded(start, end) => Ok(decoded.get(start..end).unwrap_or_default()),
                FieldText::Bad(reason) => Err(reason),
            };
            let value = fields.value(field, text, strict).and_then(|value| self.anchored(field, value));
            let refused = |reason| RefusedLine { reason, ruc: Some(ruc), cell: Some((field.header, cell)) };
            values.push(value.map_err(refused)?);
        }
        Ok(values)
    }

    /// Refuses a missing value where it must show that nothing is shifted.
    fn anchored<'t>(&self, field: &Field, value: Value<'t>) -> Result<Value<'t>, Reason> {
        let anchors = self.extra > 0 && self.layout.holds_delimiters == field.position.checked_sub(1);
        if anchors && value == Value::Absent { Err(Reason::ColumnCount) } else { Ok(value) }
    }
}

/// Surplus cells; `None` if they cannot be told from a missing or shifted cell.
fn extra_cells(split: SplitLine<'_>, layout: &Layout) -> Option<usize> {
    let count = split.len();
    let ends_empty = split.cell(count - 1).trim_ascii().is_empty();
    let extra = match (layout.trailing, ends_empty) {
        // The last cell follows the delimiter at the end.
        (true, true) => (count - 1).checked_sub(layout.columns),
        // The delimiter at the end was left out.
        (true, false) => (count == layout.columns).then_some(0),
        (false, true) if count > layout.columns => (count - 1).checked_sub(layout.columns),
        (false, _) => count.checked_sub(layout.columns),
    };
    extra.filter(|&extra| extra == 0 || layout.holds_delimiters.is_some())
}

fn piece(cell: &[u8], decoder: &mut Decoder, decoded: &mut String) -> FieldText {
    if is_plain(cell) {
        return FieldText::Cell;
    }
    let start = decoded.len();
    match decoder.append(cell, decoded) {
        Ok(()) => FieldText::Decoded(start, decoded.len()),
        Err(reason) => FieldText::Bad(reason),
    }
}

/// Whether the first cell may be a legal person's RUC, after blanks and a quote.
fn begins_legal_person(line: &[u8]) -> bool {
    let start = line.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'"')).unwrap_or(0);
    line.get(start..).is_some_and(|line| line.starts_with(LEGAL_PERSON))
}
