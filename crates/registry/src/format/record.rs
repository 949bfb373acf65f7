//! Decodes a taxpayer's record: flags, status and condition, address, name. Texts are dictionary numbers, so an
//! unchanged row keeps its bytes in the next edition.

use kuraka_domain::{Ruc, TaxpayerSummary, Ubigeo};

use super::address::{LINE, Storage};
use super::codes::{self, ELSEWHERE};
use super::varint;
use super::words::Words;
use crate::dataset::RecordForm;

/// An address mask follows; other flags must be 0.
pub(crate) const ADDRESS: u8 = 1;

const EXPECTED_TEXT_BYTES: usize = 96;

/// `None` if the bytes are no record. The flags of lists are not set.
pub(crate) fn decode(ruc: Ruc, record: &[u8], words: &Words) -> Option<TaxpayerSummary> {
    let (&[flags, state], mut rest) = record.split_first_chunk::<2>()?;
    if flags & !ADDRESS != 0 {
        return None;
    }
    let status = match state >> 4 {
        ELSEWHERE => kuraka_domain::TaxpayerStatus::from_text(text(&mut rest, words)?),
        code => codes::status_at(code)?,
    };
    let condition = match state & 0x0f {
        ELSEWHERE => kuraka_domain::DomicileCondition::from_text(text(&mut rest, words)?),
        code => codes::condition_at(code)?,
    };
    let (mut address, mut ubigeo) =
        if flags & ADDRESS == 0 { (String::new(), None) } else { decode_address(&mut rest, words)? };
    // An import drops persons' addresses, but another program may have written the file.
    if ruc.is_personal() {
        (address, ubigeo) = (String::new(), None);
    }
    Some(TaxpayerSummary {
        ruc,
        name: decode_name(rest, words)?,
        status,
        condition,
        address,
        ubigeo,
        withholding_agent: None,
        good_taxpayer: None,
    })
}

/// `None` if the bytes are no record.
pub(crate) fn name(record: &[u8], words: &Words) -> Option<String> {
    decode_name(parts(record)?.name, words)
}

fn decode_name(mut numbers: &[u8], words: &Words) -> Option<String> {
    let mut name = Vec::with_capacity(EXPECTED_TEXT_BYTES);
    while !numbers.is_empty() {
        separate(&mut name);
        words.append(varint::take(&mut numbers)?, &mut name)?;
    }
    String::from_utf8(name).ok()
}

/// What the index of names needs of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts<'r> {
    /// The code, or [`ELSEWHERE`] plus the text's dictionary number.
    pub(crate) status: u32,
    /// Likewise.
    pub(crate) condition: u32,
    /// Its dictionary number plus one; 0 = none.
    pub(crate) ubigeo: u32,
    pub(crate) name: &'r [u8],
}

/// `None` if the bytes are no record.
pub(crate) fn parts(record: &[u8]) -> Option<Parts<'_>> {
    let (&[flags, state], mut rest) = record.split_first_chunk::<2>()?;
    let [status, condition] = [state >> 4, state & 0x0f].map(|code| {
        let text = if code == ELSEWHERE { varint::take(&mut rest)? } else { 0 };
        u32::from(code).checked_add(text)
    });
    let mut ubigeo = 0;
    if flags & ADDRESS != 0 {
        let (mask, columns) = rest.split_first_chunk::<2>()?;
        let mask = u16::from_le_bytes(*mask);
        rest = columns;
        for (_, column) in LINE.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1) {
            let number = varint::take(&mut rest)?;
            if column.source == 0 {
                ubigeo = number.checked_add(1)?;
            }
            if column.storage == Storage::Words {
                (0..number).try_for_each(|_| varint::take(&mut rest).map(drop))?;
            }
        }
    }
    Some(Parts { status: status?, condition: condition?, ubigeo, name: rest })
}

/// The byte of status and condition; `None` if the form has none. All texts without a code have the same.
pub(crate) fn state(form: RecordForm, record: &[u8]) -> Option<u8> {
    record.get(1).copied().filter(|_| form == RecordForm::Summary)
}

/// A district code that is not one is left out.
fn decode_address(rest: &mut &[u8], words: &Words) -> Option<(String, Option<Ubigeo>)> {
    let (mask, columns) = rest.split_first_chunk::<2>()?;
    let mut mask = u16::from_le_bytes(*mask);
    if mask == 0 {
        return None;
    }
    *rest = columns;
    let ubigeo = if mask & 1 == 0 { None } else { Ubigeo::parse(text(rest, words)?).ok() };
    mask &= !1;
    let mut line = Vec::with_capacity(EXPECTED_TEXT_BYTES);
    while mask != 0 {
        // A bit without a column makes the record invalid.
        let column = LINE.get(mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        separate(&mut line);
        line.extend_from_slice(column.prefix);
        let more = match column.storage {
            Storage::Whole => 0,
            Storage::Words => varint::take(rest)?.checked_sub(1)?,
        };
        words.append(varint::take(rest)?, &mut line)?;
        for _ in 0..more {
            line.push(b' ');
            words.append(varint::take(rest)?, &mut line)?;
        }
    }
    Some((String::from_utf8(line).ok()?, ubigeo))
}

/// Appends a blank, unless the line is empty.
fn separate(line: &mut Vec<u8>) {
    if !line.is_empty() {
        line.push(b' ');
    }
}

fn text<'a>(rest: &mut &[u8], words: &'a Words) -> Option<&'a str> {
    std::str::from_utf8(words.word(varint::take(rest)?)?).ok()
}

#[cfg(test)]
mod tests {
    use kuraka_domain::RucKind;
    use proptest::prelude::*;

    use super::*;
    use crate::format::words::Size;

    fn decoded(record: &[u8]) -> Option<TaxpayerSummary> {
        decoded_of("20100070970", record)
    }

    fn decoded_of(ruc: &str, record: &[u8]) -> Option<TaxpayerSummary> {
        let section = b"PEREZ\n150101\nAV.\n";
        let words = Words::decode(section, Size::read(section)?)?;
        decode(Ruc::parse(ruc).ok()?, record, &words)
    }

    #[test]
    fn a_record_reads_as_the_format_page_says() {
        let row = decoded(&[ADDRESS, 0x11, 0b101, 0, 1, 2, 2, 0, 0, 2]).unwrap();
        assert_eq!((row.name.as_str(), row.address.as_str(), row.department()), ("PEREZ AV.", "AV. PEREZ", "LIMA"));
        assert_eq!((row.status.as_str(), row.condition.as_str()), ("ACTIVO", "HABIDO"));
    }

    #[test]
    fn a_persons_stored_address_is_not_decoded() {
        for kind in RucKind::ALL.into_iter().filter(|&kind| kind != RucKind::LegalPerson) {
            let ruc = Ruc::from_parts(kind, 40_000_000).unwrap().to_string();
            let row = decoded_of(&ruc, &[ADDRESS, 0x11, 0b101, 0, 1, 2, 2, 0, 0, 2]).unwrap();
            assert_eq!((row.name.as_str(), row.address.as_str(), row.ubigeo), ("PEREZ AV.", "", None), "{ruc}");
        }
    }

    #[test]
    fn invalid_bytes_are_not_a_record() {
        for bad in
            [&[][..], &[0], &[2, 0x11, 0], &[0, 0xe1, 0], &[0, 0xf1], &[0, 0x11, 4], &[0, 0x11, 3], &[0, 0x11, 0x80]]
        {
            assert_eq!(decoded(bad), None, "{bad:?}");
        }
        for mask in [[0, 0], [0, 0x08], [0b100, 0]] {
            assert_eq!(decoded(&[ADDRESS, 0x11, mask[0], mask[1], 0, 0]), None);
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(record in proptest::collection::vec(prop_oneof![0..4_u8, any::<u8>()], 0..40)) {
            let _ = decoded(&record);
        }
    }
}
