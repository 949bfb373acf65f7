//! One line of the padrón as columns.
//!
//! A line has sixteen fields, the last one empty, because the line ends with a pipe. A pipe inside a name adds fields;
//! it is recognised by the columns around the ubigeo. This module does not encode rows.

use kuraka_domain::Ruc;

use super::rejections::RejectReason;
use super::text::is_absent;
use crate::dataset::padron::{ADDRESS_COLUMNS, COLUMNS};
use crate::format::codes::{self, ELSEWHERE};

/// The end of a line without address and ubigeo: most lines, and those of all natural persons.
const NO_ADDRESS: &[u8] = b"|-|-|-|-|-|-|-|-|-|-|-|";
/// Most fields that a line with pipes in its name may have.
const MAX_FIELDS: usize = 64;

/// A row's columns, as they are in the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row<'a> {
    pub(crate) ruc: Ruc,
    pub(crate) name: &'a [u8],
    pub(crate) status: &'a [u8],
    pub(crate) condition: &'a [u8],
    /// From the ubigeo on; `None` if all are absent.
    pub(crate) address: Option<[&'a [u8]; ADDRESS_COLUMNS]>,
}

/// What a line is.
#[allow(clippy::large_enum_variant, reason = "lives for one line on the stack; nearly every line is a row")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parsed<'a> {
    /// A taxpayer.
    Row(Row<'a>),
    /// The known noise: a key of zeros.
    Noise,
    /// Refused.
    Rejected(RejectReason),
}

/// Reads a decoded line.
pub(crate) fn parse(line: &[u8]) -> Parsed<'_> {
    let (key, rest) = match memchr::memchr(b'|', line) {
        Some(end) => (line.get(..end).unwrap_or_default(), line.get(end + 1..).unwrap_or_default()),
        None => (line, [].as_slice()),
    };
    if !key.is_empty() && key.iter().all(|&byte| byte == b'0') {
        return Parsed::Noise;
    }
    let Ok(ruc) = Ruc::from_ascii(key) else { return Parsed::Rejected(RejectReason::BadRuc) };
    let Some(row) = without_address(ruc, rest).or_else(|| with_address(ruc, rest)) else {
        return Parsed::Rejected(RejectReason::FieldCount);
    };
    if is_absent(row.name) { Parsed::Rejected(RejectReason::MissingName) } else { Parsed::Row(row) }
}

/// A line without address, the common case, parsed without finding each pipe.
fn without_address(ruc: Ruc, rest: &[u8]) -> Option<Row<'_>> {
    let head = rest.strip_suffix(NO_ADDRESS)?;
    let (head, condition) = split_last(head)?;
    let (name, status) = split_last(head)?;
    let row = Row { ruc, name, status, condition, address: None };
    (memchr::memchr(b'|', name).is_none() || is_repairable(name, status)).then_some(row)
}

/// Any other line. Fields are counted from the name, which is number 0.
fn with_address(ruc: Ruc, rest: &[u8]) -> Option<Row<'_>> {
    let mut starts = [0; MAX_FIELDS];
    let mut fields = 1;
    for pipe in memchr::memchr_iter(b'|', rest) {
        *starts.get_mut(fields)? = pipe + 1;
        fields += 1;
    }
    let extra = fields.checked_sub(COLUMNS.len())?;
    let field = |index: usize| {
        let index = index + extra;
        let end = if index + 1 == fields { rest.len() } else { starts.get(index + 1)? - 1 };
        rest.get(*starts.get(index)?..end)
    };
    let name = rest.get(..starts.get(1 + extra)? - 1)?;
    let (status, condition, ubigeo, end) = (field(1)?, field(2)?, field(3)?, field(COLUMNS.len() - 1)?);
    let mut address: [&[u8]; ADDRESS_COLUMNS] = [&[]; ADDRESS_COLUMNS];
    for (column, place) in address.iter_mut().enumerate() {
        *place = field(3 + column)?;
    }
    let anchored = is_repairable(name, status) && (ubigeo == b"-" || is_ubigeo(ubigeo));
    let whole = end.trim_ascii().is_empty() && (extra == 0 || anchored);
    whole.then_some(Row { ruc, name, status, condition, address: Some(address) })
}

fn split_last(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let pipe = memchr::memrchr(b'|', text)?;
    Some((text.get(..pipe)?, text.get(pipe + 1..)?))
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

    const TAIL: &str = "|150101|AV.|GRAU|URB.|SOL|1|2|3|4|5|6|";

    fn row(line: &str) -> Row<'_> {
        let Parsed::Row(row) = parse(line.as_bytes()) else { panic!("{line} is not a row") };
        row
    }

    #[test]
    fn a_plain_line_is_split_into_columns() {
        let line = format!("20600000013|COMERCIAL A|ACTIVO|HABIDO{TAIL}");
        let row = row(&line);
        assert_eq!((row.name, row.status, row.condition), (b"COMERCIAL A".as_slice(), &b"ACTIVO"[..], &b"HABIDO"[..]));
        let address = row.address.unwrap().map(|column| std::str::from_utf8(column).unwrap());
        assert_eq!(address, ["150101", "AV.", "GRAU", "URB.", "SOL", "1", "2", "3", "4", "5", "6"]);
    }

    #[test]
    fn pipes_in_a_name_are_part_of_it() {
        for name in ["A|B", "|A", "A|", "A|B|C", "A|ACTIVO|B"] {
            for tail in [TAIL, "|-|AV.|GRAU|-|-|1|-|-|-|-|-|", "|-|-|-|-|-|-|-|-|-|-|-|"] {
                let line = format!("20600000013|{name}|BAJA PROV. POR OFICI|NO HABIDO{tail}");
                assert_eq!(row(&line).name, name.as_bytes(), "{line}");
                assert_eq!(row(&line).condition, b"NO HABIDO");
            }
        }
    }

    #[test]
    fn a_pipe_anywhere_else_is_a_wrong_number_of_columns() {
        for middle in ["ACTIVO|HABIDO|150101|AV.|GR|AU|-|-|1|-|-|-|-|-|", "ACTIVO|HAB|IDO|-|-|-|-|-|-|-|-|-|-|-|"] {
            let line = format!("20600000013|NAME|{middle}");
            assert_eq!(parse(line.as_bytes()), Parsed::Rejected(RejectReason::FieldCount), "{line}");
        }
    }

    #[test]
    fn two_lines_without_a_break_are_rejected() {
        for cut in ["", "|ACTIVO", "|ACTIVO|HABIDO|150101|AV.", "|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|"] {
            let line = format!("20600000013|NAME{cut}20600000021|OTHER|ACTIVO|HABIDO{TAIL}");
            assert_eq!(parse(line.as_bytes()), Parsed::Rejected(RejectReason::FieldCount), "{line}");
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
            assert_eq!(parse(line.as_bytes()), Parsed::Rejected(reason), "{line}");
        }
        assert_eq!(parse(b"00|-|NUM. INTERNO IDENTIF|-|-|-|-|-|-|-|-|-|-|-|-|"), Parsed::Noise);
        assert_eq!(
            parse(&[&b"20600000013|"[..], &[b'|'; 10_000]].concat()),
            Parsed::Rejected(RejectReason::FieldCount)
        );
    }
}
