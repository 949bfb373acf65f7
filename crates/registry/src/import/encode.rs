//! A row's columns as a record: the writing side of [`crate::format::record`].

use kuraka_domain::{DomicileCondition, TaxpayerStatus};

use super::row::Row;
use super::text::{fold, is_absent, words};
use super::vocabulary::{Full, Vocabulary};
use crate::format::address::{LINE, Storage};
use crate::format::codes::{self, ELSEWHERE};
use crate::format::{record, varint};

/// Distinct texts remembered with their code; the padrón has some fifteen of each.
const REMEMBERED: usize = 64;

/// Turns rows into records, numbering their words.
pub(crate) struct Encoder {
    pub(crate) vocabulary: Vocabulary,
    status: Coder,
    condition: Coder,
    folded: Vec<u8>,
    ids: Vec<u8>,
}

/// From a column's text to its code, remembering what was seen.
struct Coder {
    known: Vec<(Box<[u8]>, Code)>,
    code: fn(&str) -> Code,
}

/// A code, and the text where the code does not say it.
#[derive(Clone)]
struct Code {
    code: u8,
    text: Box<str>,
}

impl Encoder {
    pub(crate) fn new(vocabulary: Vocabulary) -> Self {
        Self {
            vocabulary,
            status: Coder::new(|text| {
                let status = TaxpayerStatus::from_text(text);
                Code { code: codes::status_code(status.as_str()), text: status.as_str().into() }
            }),
            condition: Coder::new(|text| {
                let condition = DomicileCondition::from_text(text);
                Code { code: codes::condition_code(condition.as_str()), text: condition.as_str().into() }
            }),
            folded: Vec::new(),
            ids: Vec::new(),
        }
    }

    /// Replaces `out` by the record of `row`. The columns are UTF-8.
    pub(crate) fn encode(&mut self, row: &Row<'_>, out: &mut Vec<u8>) -> Result<(), Full> {
        out.clear();
        out.extend_from_slice(&[0, 0]);
        let status = self.status.code(row.status, &mut self.folded, &mut self.vocabulary, out)?;
        let condition = self.condition.code(row.condition, &mut self.folded, &mut self.vocabulary, out)?;
        let has_address = match &row.address {
            Some(columns) => self.address(columns, out)?,
            None => false,
        };
        if let Some(start) = out.first_chunk_mut::<2>() {
            *start = [if has_address { record::ADDRESS } else { 0 }, status << 4 | condition];
        }
        for word in words(row.name) {
            varint::push(out, self.vocabulary.number(word)?);
        }
        Ok(())
    }

    fn address(&mut self, columns: &[&[u8]], out: &mut Vec<u8>) -> Result<bool, Full> {
        let start = out.len();
        out.extend_from_slice(&[0, 0]);
        let mut mask = 0_u16;
        for (bit, place) in LINE.iter().enumerate() {
            let Some(column) = columns.get(place.source).filter(|column| !is_absent(column)) else { continue };
            mask |= 1 << bit;
            match place.storage {
                Storage::Whole => {
                    fold(column, &mut self.folded);
                    varint::push(out, self.vocabulary.number(&self.folded)?);
                }
                Storage::Words => {
                    let mut count = 0;
                    self.ids.clear();
                    for word in words(column) {
                        varint::push(&mut self.ids, self.vocabulary.number(word)?);
                        count += 1;
                    }
                    varint::push(out, count);
                    out.extend_from_slice(&self.ids);
                }
            }
        }
        if mask == 0 {
            out.truncate(start);
        } else if let Some(place) = out.get_mut(start..start + 2) {
            place.copy_from_slice(&mask.to_le_bytes());
        }
        Ok(mask != 0)
    }
}

impl Coder {
    const fn new(code: fn(&str) -> Code) -> Self {
        Self { known: Vec::new(), code }
    }

    /// The code of `column`; a text without one is appended to `out` as a dictionary number.
    fn code(
        &mut self,
        column: &[u8],
        folded: &mut Vec<u8>,
        vocabulary: &mut Vocabulary,
        out: &mut Vec<u8>,
    ) -> Result<u8, Full> {
        let new;
        let code = match self.known.iter().find(|(text, _)| **text == *column) {
            Some((_, code)) => code,
            None => {
                fold(if is_absent(column) { b"" } else { column }, folded);
                new = (self.code)(std::str::from_utf8(folded).unwrap_or_default());
                if self.known.len() < REMEMBERED {
                    self.known.push((column.into(), new.clone()));
                }
                &new
            }
        };
        if code.code == ELSEWHERE {
            varint::push(out, vocabulary.number(code.text.as_bytes())?);
        }
        Ok(code.code)
    }
}
