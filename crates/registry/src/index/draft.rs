//! Drafts of records, complete but for the dictionary numbers of their words. They depend only on their lines, so
//! another thread than the dictionary's can make them.

use kuraka_domain::{DomicileCondition, TaxpayerStatus};

use super::word::{Word, WordHasher};
use crate::format::address::{COLUMNS, LINE, Storage};
use crate::format::codes::{self, ELSEWHERE};
use crate::format::{record, varint};
use crate::reader::padron::Row;
use crate::reader::{fold, is_absent};
use crate::row_id::row_id_of;
use crate::text::{Mark, TextSlice};

/// Remembered texts with their codes; the padrón has about fifteen of each.
const REMEMBERED: usize = 64;

#[derive(Default)]
pub(crate) struct Draft {
    pub(super) rows: Vec<DraftRow>,
    /// The bytes of the records without the dictionary numbers.
    pub(super) literals: Vec<u8>,
    pub(super) words: Vec<Word>,
    /// For each word before a name, the literals of its record before it.
    pub(super) places: Vec<u8>,
    /// The text of the long words, and where each ends.
    long_text: Vec<u8>,
    long_ends: Vec<u32>,
}

#[derive(Clone, Copy)]
pub(crate) struct DraftRow {
    pub(crate) row_id: u32,
    pub(crate) literals: u32,
    /// Words before the name, between literals.
    pub(crate) placed: u32,
    /// Words of the name, after all literals.
    pub(crate) name: u32,
}

pub(crate) struct Drafter {
    hasher: WordHasher,
    status: CodeTable,
    condition: CodeTable,
    folded: Vec<u8>,
}

/// Codes of a column's texts, remembered.
struct CodeTable {
    known: Vec<(Box<[u8]>, ColumnCode)>,
    code: fn(&str) -> ColumnCode,
}

/// The text is stored if the code is [`ELSEWHERE`].
struct ColumnCode {
    code: u8,
    text: String,
}

impl Draft {
    pub(crate) fn long_words(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.long_ends.iter().map(move |&end| {
            let text = self.long_text.get(start..end as usize).unwrap_or_default();
            start = end as usize;
            text
        })
    }

    #[inline]
    fn add(&mut self, word: Word, text: &[u8]) {
        if word.is_long() {
            self.long_text.extend_from_slice(text);
            self.long_ends.push(self.long_text.len() as u32);
        }
        self.words.push(word);
    }

    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.literals.clear();
        self.words.clear();
        self.places.clear();
        self.long_text.clear();
        self.long_ends.clear();
    }
}

impl Drafter {
    pub(crate) fn new(hasher: WordHasher) -> Self {
        Self {
            hasher,
            status: CodeTable::new(|text| {
                let status = TaxpayerStatus::from_text(text);
                ColumnCode { code: codes::status_code(status.as_str()), text: status.as_str().to_owned() }
            }),
            condition: CodeTable::new(|text| {
                let condition = DomicileCondition::from_text(text);
                ColumnCode { code: codes::condition_code(condition.as_str()), text: condition.as_str().to_owned() }
            }),
            folded: Vec::new(),
        }
    }

    /// The columns of `row` are UTF-8.
    pub(crate) fn push(&mut self, row: &Row<'_>, draft: &mut Draft) {
        let Self { hasher, status, condition, folded } = self;
        let mut record = NewRecord { start: draft.literals.len(), first_word: draft.words.len(), hasher, draft };
        record.draft.literals.extend_from_slice(&[0, 0]);
        let status = record.code(status.code(row.status, folded));
        let condition = record.code(condition.code(row.condition, folded));
        let has_address = row.address.is_some_and(|address| record.address(address, folded));
        let start = record.start;
        if let Some(place) = record.draft.literals.get_mut(start..start + 2) {
            place.copy_from_slice(&[if has_address { record::ADDRESS } else { 0 }, status << 4 | condition]);
        }
        record.finish(row_id_of(row.ruc), row.name);
    }
}

struct NewRecord<'a> {
    draft: &'a mut Draft,
    hasher: &'a WordHasher,
    start: usize,
    first_word: usize,
}

impl NewRecord<'_> {
    fn word(&mut self, text: TextSlice<'_>) {
        self.place();
        self.draft.add(self.hasher.word_at(text.onwards(), text.len()), text.bytes());
    }

    fn text(&mut self, text: &[u8]) {
        self.place();
        self.draft.add(self.hasher.word(text), text);
    }

    /// The next word comes after the literals so far.
    fn place(&mut self) {
        // A record has some ten literals: two codes, a mask, a few counts.
        self.draft.places.push((self.draft.literals.len() - self.start) as u8);
    }

    fn code(&mut self, code: Option<&ColumnCode>) -> u8 {
        let Some(ColumnCode { code, text }) = code else { return 0 };
        if *code == ELSEWHERE {
            self.text(text.as_bytes());
        }
        *code
    }

    fn address(&mut self, address: TextSlice<'_>, folded: &mut Vec<u8>) -> bool {
        let mut columns = [address; COLUMNS];
        columns.iter_mut().zip(address.split(Mark::Delimiter)).for_each(|(place, column)| *place = column);
        let start = self.draft.literals.len();
        self.draft.literals.extend_from_slice(&[0, 0]);
        let mut mask = 0_u16;
        for (bit, place) in LINE.iter().enumerate() {
            let Some(&column) = columns.get(place.source).filter(|column| !is_absent(column.bytes())) else { continue };
            mask |= 1 << bit;
            match place.storage {
                Storage::Whole if column.find(Mark::Blank).is_none() => self.word(column),
                Storage::Whole => {
                    fold(column, folded);
                    self.text(folded);
                }
                Storage::Words => {
                    varint::push(&mut self.draft.literals, column.words().count() as u32);
                    for word in column.words() {
                        self.word(word);
                    }
                }
            }
        }
        if mask == 0 {
            self.draft.literals.truncate(start);
        } else if let Some(place) = self.draft.literals.get_mut(start..start + 2) {
            place.copy_from_slice(&mask.to_le_bytes());
        }
        mask != 0
    }

    fn finish(self, row_id: u32, name: TextSlice<'_>) {
        let Self { draft, hasher, start, first_word } = self;
        let first_of_name = draft.words.len();
        for word in name.words() {
            draft.add(hasher.word_at(word.onwards(), word.len()), word.bytes());
        }
        draft.rows.push(DraftRow {
            row_id,
            literals: (draft.literals.len() - start) as u32,
            placed: (first_of_name - first_word) as u32,
            name: (draft.words.len() - first_of_name) as u32,
        });
    }
}

impl CodeTable {
    const fn new(code: fn(&str) -> ColumnCode) -> Self {
        Self { known: Vec::new(), code }
    }

    fn code(&mut self, column: TextSlice<'_>, folded: &mut Vec<u8>) -> Option<&ColumnCode> {
        let bytes = column.bytes();
        let index = self.known.iter().position(|(text, _)| **text == *bytes).unwrap_or_else(|| {
            fold(if is_absent(bytes) { column.first(0) } else { column }, folded);
            let code = (self.code)(std::str::from_utf8(folded).unwrap_or_default());
            if self.known.len() == REMEMBERED {
                self.known.pop();
            }
            self.known.push((bytes.into(), code));
            self.known.len() - 1
        });
        self.known.get(index).map(|(_, code)| code)
    }
}
