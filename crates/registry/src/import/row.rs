//! One line of the padrón as columns.
//!
//! A line has sixteen fields, the last one empty, because the line ends with a pipe. A pipe inside a name adds fields;
//! it is recognised by the columns around the ubigeo. This module does not encode rows.

use kuraka_domain::Ruc;

use super::marks::{Mark, Piece};
use super::rejections::RejectReason;
use super::text::is_absent;
use crate::dataset::padron::{ADDRESS_COLUMNS, COLUMNS};
use crate::format::codes::{self, ELSEWHERE};

/// The end of a line without address and ubigeo: most lines, and those of all natural persons.
const NO_ADDRESS: &[u8] = b"|-|-|-|-|-|-|-|-|-|-|-|";
/// Most fields that a line with pipes in its name may have.
const MAX_FIELDS: usize = 64;

/// A row's columns, as they are in the line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a> {
    pub(crate) ruc: Ruc,
    pub(crate) name: Piece<'a>,
    pub(crate) status: Piece<'a>,
    pub(crate) condition: Piece<'a>,
    /// From the ubigeo on, [`ADDRESS_COLUMNS`] columns; `None` if all are absent.
    pub(crate) address: Option<Piece<'a>>,
}

/// What a line is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Parsed<'a> {
    /// A taxpayer.
    Row(Row<'a>),
    /// The known noise: a key of zeros.
    Noise,
    /// Refused.
    Rejected(RejectReason),
}

/// Reads a decoded line.
pub(crate) fn parse(line: Piece<'_>) -> Parsed<'_> {
    let (key, rest) = line.split_first(Mark::Delimiter).unwrap_or((line, line.after(line.len())));
    if !key.is_empty() && key.bytes().iter().all(|&byte| byte == b'0') {
        return Parsed::Noise;
    }
    let Ok(ruc) = Ruc::from_ascii(key.bytes()) else { return Parsed::Rejected(RejectReason::BadRuc) };
    let Some(row) = row(ruc, rest) else { return Parsed::Rejected(RejectReason::FieldCount) };
    if is_absent(row.name.bytes()) { Parsed::Rejected(RejectReason::MissingName) } else { Parsed::Row(row) }
}

/// The columns after the RUC, from the last to the first, because pipes in the name only add fields there.
fn row(ruc: Ruc, rest: Piece<'_>) -> Option<Row<'_>> {
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

/// The columns before the address, and the address; only blanks may follow it.
fn split_address(rest: Piece<'_>) -> Option<(Piece<'_>, Piece<'_>)> {
    let (columns, end) = rest.split_last(Mark::Delimiter)?;
    let mut head = columns;
    for _ in 0..ADDRESS_COLUMNS {
        (head, _) = head.split_last(Mark::Delimiter)?;
    }
    end.bytes().trim_ascii().is_empty().then(|| (head, columns.after(head.len() + 1)))
}

/// Whether a name with pipes has few enough of them, and the address after it begins with an ubigeo.
fn is_anchored(name: Piece<'_>, address: Option<Piece<'_>>) -> bool {
    let Some(address) = address else { return true };
    let fields = name.split(Mark::Delimiter).count() + COLUMNS.len() - 1;
    let ubigeo = address.split(Mark::Delimiter).next().map_or([].as_slice(), Piece::bytes);
    fields <= MAX_FIELDS && (ubigeo == b"-" || is_ubigeo(ubigeo))
}

fn is_ubigeo(text: &[u8]) -> bool {
    text.len() == 6 && text.iter().all(u8::is_ascii_digit)
}

/// Whether a name with pipes is followed by a status, and is not two lines with a lost line break: then it would
/// contain the second line's RUC.
fn is_repairable(name: &[u8], status: &[u8]) -> bool {
    is_known_status(status) && !holds_ruc(name, |_| true)
}

/// Whether a text contains the eleven digits of such a RUC anywhere.
pub(crate) fn holds_ruc(text: &[u8], such: fn(Ruc) -> bool) -> bool {
    text.windows(11).any(|window| Ruc::from_ascii(window).is_ok_and(such))
}

/// Whether a text, truncated as in the padrón, is a status of the table.
fn is_known_status(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| {
        let status = kuraka_domain::TaxpayerStatus::from_text(text);
        !status.as_str().is_empty() && codes::status_code(status.as_str()) != ELSEWHERE
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::marks::Marks;

    const TAIL: &str = "|150101|AV.|GRAU|URB.|SOL|1|2|3|4|5|6|";

    /// The columns of a row as texts, `address` only if there is one.
    #[derive(Debug, PartialEq)]
    struct Columns {
        name: String,
        status: String,
        condition: String,
        address: Vec<String>,
    }

    fn columns(line: &[u8]) -> Result<Columns, Option<RejectReason>> {
        let text = |piece: Piece<'_>| String::from_utf8(piece.bytes().to_vec()).unwrap();
        match parse(Marks::default().mark(line).whole()) {
            Parsed::Row(Row { name, status, condition, address, .. }) => Ok(Columns {
                name: text(name),
                status: text(status),
                condition: text(condition),
                address: address.into_iter().flat_map(|address| address.split(Mark::Delimiter)).map(text).collect(),
            }),
            Parsed::Noise => Err(None),
            Parsed::Rejected(reason) => Err(Some(reason)),
        }
    }

    fn row(line: &str) -> Columns {
        columns(line.as_bytes()).unwrap_or_else(|reason| panic!("{line} is not a row: {reason:?}"))
    }

    #[track_caller]
    fn is_rejected(line: &str, reason: RejectReason) {
        assert_eq!(columns(line.as_bytes()), Err(Some(reason)), "{line}");
    }

    #[test]
    fn a_plain_line_is_split_into_columns() {
        let row = row(&format!("20600000013|COMERCIAL A|ACTIVO|HABIDO{TAIL}"));
        assert_eq!((&*row.name, &*row.status, &*row.condition), ("COMERCIAL A", "ACTIVO", "HABIDO"));
        assert_eq!(row.address, ["150101", "AV.", "GRAU", "URB.", "SOL", "1", "2", "3", "4", "5", "6"]);
    }

    #[test]
    fn pipes_in_a_name_are_part_of_it() {
        for name in ["A|B", "|A", "A|", "A|B|C", "A|ACTIVO|B"] {
            for tail in [TAIL, "|-|AV.|GRAU|-|-|1|-|-|-|-|-|", "|-|-|-|-|-|-|-|-|-|-|-|"] {
                let line = format!("20600000013|{name}|BAJA PROV. POR OFICI|NO HABIDO{tail}");
                assert_eq!(row(&line).name, name, "{line}");
                assert_eq!(row(&line).condition, "NO HABIDO");
            }
        }
    }

    #[test]
    fn a_line_with_an_address_has_at_most_64_fields_after_the_ruc() {
        let line = |pipes: usize, tail: &str| {
            columns(format!("20600000013|{}|ACTIVO|HABIDO{tail}", "|".repeat(pipes)).as_bytes())
        };
        assert_eq!(line(49, TAIL).unwrap().name.len(), 49);
        assert_eq!(line(50, TAIL), Err(Some(RejectReason::FieldCount)));
        assert_eq!(line(50, "|-|-|-|-|-|-|-|-|-|-|-|").unwrap().name.len(), 50);
    }

    #[test]
    fn a_pipe_anywhere_else_is_a_wrong_number_of_columns() {
        for middle in ["ACTIVO|HABIDO|150101|AV.|GR|AU|-|-|1|-|-|-|-|-|", "ACTIVO|HAB|IDO|-|-|-|-|-|-|-|-|-|-|-|"] {
            is_rejected(&format!("20600000013|NAME|{middle}"), RejectReason::FieldCount);
        }
    }

    #[test]
    fn two_lines_without_a_break_are_rejected() {
        for cut in ["", "|ACTIVO", "|ACTIVO|HABIDO|150101|AV.", "|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|"] {
            let line = format!("20600000013|NAME{cut}20600000021|OTHER|ACTIVO|HABIDO{TAIL}");
            is_rejected(&line, RejectReason::FieldCount);
        }
    }

    #[test]
    fn bad_lines_are_rejected_with_their_reason() {
        let cases = [
            ("", RejectReason::BadRuc),
            ("2060000001|NAME|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|", RejectReason::BadRuc),
            (" 20600000013|NAME|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|", RejectReason::BadRuc),
            ("20600000014|NAME|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|", RejectReason::BadRuc),
            ("20600000013", RejectReason::FieldCount),
            ("20600000013|NAME|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-", RejectReason::FieldCount),
            ("20600000013|NAME|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|X", RejectReason::FieldCount),
            ("20600000013|-|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|", RejectReason::MissingName),
            ("20600000013|  |ACTIVO|HABIDO|150101|-|-|-|-|-|-|-|-|-|-|", RejectReason::MissingName),
        ];
        for (line, reason) in cases {
            is_rejected(line, reason);
        }
        assert_eq!(columns(b"00|-|NUM. INTERNO IDENTIF|-|-|-|-|-|-|-|-|-|-|-|-|"), Err(None));
        is_rejected(&format!("20600000013|{}", "|".repeat(10_000)), RejectReason::FieldCount);
    }
}
