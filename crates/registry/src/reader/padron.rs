//! The fast reader of the padrón's eighteen million lines.
//!
//! A line has sixteen fields, the last one empty. A pipe inside a name adds fields, recognised by the columns around
//! the ubigeo. Old files have the addresses of persons (prefixes other than 20), which are dropped here.

use encoding_rs::WINDOWS_1252;
use kuraka_domain::{Ruc, TaxpayerStatus};

use super::bad_lines::{Reason, RefusedLine};
use super::error::FileProblemError;
use super::report::Report;
use super::windows_1252::{Scratch, decode, is_absent};
use crate::dataset::padron::{ADDRESS_COLUMNS, COLUMNS};
use crate::format::codes::{self, ELSEWHERE};
use crate::text::{Line, Mark, TextSlice};

/// The end of a line without address: most lines, and those of all natural persons.
const NO_ADDRESS: &[u8] = b"|-|-|-|-|-|-|-|-|-|-|-|";
/// Fields of a line with pipes in its name.
const MAX_FIELDS: usize = 64;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a> {
    pub(crate) ruc: Ruc,
    pub(crate) name: TextSlice<'a>,
    pub(crate) status: TextSlice<'a>,
    pub(crate) condition: TextSlice<'a>,
    /// From the ubigeo on, [`ADDRESS_COLUMNS`] columns; `None` if all are absent.
    pub(crate) address: Option<TextSlice<'a>>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Parsed<'a> {
    Row(Row<'a>),
    /// A key of zeros, which is known noise.
    Noise,
    Refused(RefusedLine<'a>),
}

#[derive(Default)]
pub(crate) struct PadronLines {
    /// Repeated RUCs count as rows.
    pub(crate) report: Report,
    pub(crate) has_header: bool,
    scratch: Scratch,
}

impl PadronLines {
    /// Passes the row to `each`, or counts the line as noise or refused. Only a wrong header is an error.
    pub(crate) fn line(
        &mut self,
        number: u64,
        line: Line<'_>,
        each: &mut impl FnMut(&Row<'_>),
    ) -> Result<(), FileProblemError> {
        if !self.has_header {
            self.has_header = true;
            let difference = header_difference(match line {
                Line::Whole(line) => line.bytes(),
                Line::TooLong(_) => &[],
            });
            return difference.map_or(Ok(()), |detail| Err(FileProblemError::Header { detail }));
        }
        let Self { report, scratch, .. } = self;
        let line = match line {
            Line::Whole(line) => line,
            Line::TooLong(length) => {
                report.bad_lines.add(Some(number), length, &RefusedLine::new(Reason::TooLong, None));
                return Ok(());
            }
        };
        let decoded;
        let parsed = if line.find(Mark::Odd).is_none() {
            parse(line)
        } else {
            match decode(line, scratch) {
                Ok(text) => {
                    decoded = text;
                    parse(decoded.whole())
                }
                Err(reason) => {
                    let ruc = line.split_first(Mark::Delimiter).and_then(|(key, _)| Ruc::from_ascii(key.bytes()).ok());
                    Parsed::Refused(RefusedLine::new(reason, ruc))
                }
            }
        };
        match parsed {
            Parsed::Row(mut row) => {
                report.rows += 1;
                if row.address.is_some() && row.ruc.is_personal() {
                    report.dropped_addresses += u64::from(row.address.take().is_some_and(has_value));
                }
                each(&row);
            }
            Parsed::Noise => report.left_out += 1,
            Parsed::Refused(refused) => report.bad_lines.add(Some(number), line.len() as u64, &refused),
        }
        Ok(())
    }
}

/// The header must match exactly: a changed header means changed columns.
fn header_difference(line: &[u8]) -> Option<String> {
    if !line.is_ascii() && std::str::from_utf8(line).is_ok() {
        return Some("it is UTF-8 instead of windows-1252".to_owned());
    }
    let text = WINDOWS_1252.decode_without_bom_handling(line).0;
    let Some(text) = text.strip_suffix('|') else {
        return Some(format!("it does not end with a pipe and the {} known columns", COLUMNS.len()));
    };
    let found: Vec<&str> = text.split('|').collect();
    for (number, (found, expected)) in (1..).zip(found.iter().zip(COLUMNS)) {
        if *found != expected.header {
            let found: String = found.chars().take(40).collect();
            return Some(format!("column {number} is {found:?} instead of {:?}", expected.header));
        }
    }
    (found.len() != COLUMNS.len()).then(|| format!("it has {} columns instead of {}", found.len(), COLUMNS.len()))
}

pub(crate) fn parse(line: TextSlice<'_>) -> Parsed<'_> {
    let (key, rest) = line.split_first(Mark::Delimiter).unwrap_or((line, line.after(line.len())));
    if !key.is_empty() && key.bytes().iter().all(|&byte| byte == b'0') {
        return Parsed::Noise;
    }
    let Ok(ruc) = Ruc::from_ascii(key.bytes()) else {
        let cell = Some((COLUMNS[0].header, key.bytes()));
        return Parsed::Refused(RefusedLine { reason: Reason::BadRuc, ruc: None, cell });
    };
    match row(ruc, rest) {
        None => Parsed::Refused(RefusedLine::new(Reason::ColumnCount, Some(ruc))),
        Some(row) if is_absent(row.name.bytes()) => {
            let cell = Some((COLUMNS[1].header, row.name.bytes()));
            Parsed::Refused(RefusedLine { reason: Reason::MissingValue, ruc: Some(ruc), cell })
        }
        Some(row) => Parsed::Row(row),
    }
}

/// The columns after the RUC, from the last to the first: pipes in the name add fields only there.
fn row(ruc: Ruc, rest: TextSlice<'_>) -> Option<Row<'_>> {
    let (head, address) = match rest.bytes().strip_suffix(NO_ADDRESS) {
        Some(head) => (rest.first(head.len()), None),
        None => split_address(rest).map(|(head, address)| (head, Some(address)))?,
    };
    let (head, condition) = head.split_last(Mark::Delimiter)?;
    let (name, status) = head.split_last(Mark::Delimiter)?;
    let has_pipes = name.find(Mark::Delimiter).is_some();
    let is_whole = !has_pipes || (is_repairable(name.bytes(), status.bytes()) && is_anchored(name, address));
    is_whole.then_some(Row { ruc, name, status, condition, address })
}

/// Splits at the address; only blanks may follow it.
fn split_address(rest: TextSlice<'_>) -> Option<(TextSlice<'_>, TextSlice<'_>)> {
    let (columns, end) = rest.split_last(Mark::Delimiter)?;
    let mut head = columns;
    for _ in 0..ADDRESS_COLUMNS {
        (head, _) = head.split_last(Mark::Delimiter)?;
    }
    end.bytes().trim_ascii().is_empty().then(|| (head, columns.after(head.len() + 1)))
}

fn is_anchored(name: TextSlice<'_>, address: Option<TextSlice<'_>>) -> bool {
    let Some(address) = address else { return true };
    let fields = name.split(Mark::Delimiter).count() + COLUMNS.len() - 1;
    let ubigeo = address.split(Mark::Delimiter).next().map_or([].as_slice(), TextSlice::bytes);
    fields <= MAX_FIELDS && (ubigeo == b"-" || is_ubigeo(ubigeo))
}

fn has_value(address: TextSlice<'_>) -> bool {
    address.split(Mark::Delimiter).any(|column| !is_absent(column.bytes()))
}

fn is_ubigeo(text: &[u8]) -> bool {
    text.len() == 6 && text.iter().all(u8::is_ascii_digit)
}

/// Whether a name with pipes is followed by a status and has no RUC inside, as two lines without a break would.
fn is_repairable(name: &[u8], status: &[u8]) -> bool {
    is_known_status(status) && !name.windows(11).any(|window| Ruc::from_ascii(window).is_ok())
}

/// Statuses are truncated in the padrón.
fn is_known_status(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| {
        let status = TaxpayerStatus::from_text(text);
        !status.as_str().is_empty() && codes::status_code(status.as_str()) != ELSEWHERE
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Marks;

    const TAIL: &str = "|150101|AV.|GRAU|URB.|SOL|1|2|3|4|5|6|";

    /// The name and the condition of a row.
    fn columns(line: &str) -> Result<[String; 2], Option<Reason>> {
        let text = |piece: TextSlice<'_>| String::from_utf8(piece.bytes().to_vec()).unwrap();
        match parse(Marks::default().mark(line.as_bytes()).whole()) {
            Parsed::Row(row) => Ok([row.name, row.condition].map(text)),
            Parsed::Noise => Err(None),
            Parsed::Refused(refused) => Err(Some(refused.reason)),
        }
    }

    #[track_caller]
    fn is_rejected(line: &str, reason: Reason) {
        assert_eq!(columns(line), Err(Some(reason)), "{line}");
    }

    #[test]
    fn pipes_in_a_name_are_part_of_it() {
        for name in ["A|B", "|A", "A|", "A|B|C", "A|ACTIVO|B"] {
            for tail in [TAIL, "|-|AV.|GRAU|-|-|1|-|-|-|-|-|", "|-|-|-|-|-|-|-|-|-|-|-|"] {
                let line = format!("20600000013|{name}|BAJA PROV. POR OFICI|NO HABIDO{tail}");
                assert_eq!(columns(&line).unwrap(), [name, "NO HABIDO"], "{line}");
            }
        }
    }

    #[test]
    fn a_line_with_an_address_has_at_most_64_fields_after_the_ruc() {
        let line = |pipes: usize, tail: &str| {
            let columns = columns(&format!("20600000013|{}|ACTIVO|HABIDO{tail}", "|".repeat(pipes)));
            columns.map(|[name, _]| name.len())
        };
        assert_eq!(line(49, TAIL), Ok(49));
        assert_eq!(line(50, TAIL), Err(Some(Reason::ColumnCount)));
        assert_eq!(line(50, "|-|-|-|-|-|-|-|-|-|-|-|"), Ok(50));
    }

    #[test]
    fn a_pipe_anywhere_else_is_a_wrong_number_of_columns() {
        for middle in ["ACTIVO|HABIDO|150101|AV.|GR|AU|-|-|1|-|-|-|-|-|", "ACTIVO|HAB|IDO|-|-|-|-|-|-|-|-|-|-|-|"] {
            is_rejected(&format!("20600000013|NAME|{middle}"), Reason::ColumnCount);
        }
    }

    #[test]
    fn two_lines_without_a_break_are_rejected() {
        for cut in ["", "|ACTIVO", "|ACTIVO|HABIDO|150101|AV.", "|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|"] {
            let line = format!("20600000013|NAME{cut}20600000021|OTHER|ACTIVO|HABIDO{TAIL}");
            is_rejected(&line, Reason::ColumnCount);
        }
    }

    #[test]
    fn bad_lines_are_rejected_with_their_reason() {
        let cases = [
            ("", Reason::BadRuc),
            ("2060000001|NAME|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|", Reason::BadRuc),
            (" 20600000013|NAME|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|", Reason::BadRuc),
            ("20600000014|NAME|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|", Reason::BadRuc),
            ("20600000013", Reason::ColumnCount),
            ("20600000013|NAME|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-", Reason::ColumnCount),
            ("20600000013|NAME|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|X", Reason::ColumnCount),
            ("20600000013|-|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|", Reason::MissingValue),
            ("20600000013|  |ACTIVO|HABIDO|150101|-|-|-|-|-|-|-|-|-|-|", Reason::MissingValue),
        ];
        for (line, reason) in cases {
            is_rejected(line, reason);
        }
        is_rejected(&format!("20600000013|{}", "|".repeat(10_000)), Reason::ColumnCount);
    }
}
