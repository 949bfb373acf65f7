//! The changes of one taxpayer as bytes.
//!
//! Each begins with a varint: its number times four, plus its kind. The number of the first, newest one is that of the
//! publication; of the others it is the difference from the number before. A value of a name or an address
//! is the number of its words and the words; of another field the word plus one. An absent value is 0.

use std::borrow::Cow;

use smallvec::SmallVec;

use crate::changes::ChangeKind;
use crate::edition::{Cell, Row};
use crate::format::varint::{push, take};
use crate::format::words::{END, LONGEST, Words};
use crate::index::{IndexError, Vocabulary};

/// The previous edition did not have the taxpayer.
const NEW: u32 = 0;
/// The resulting edition did not have it: the rows of the previous edition follow.
const GONE: u32 = 1;
/// Its row had other values: a mask of them, and the values before.
const CHANGED: u32 = 2;
/// It had other rows: those that were removed, and those that were added.
const ROWS: u32 = 3;
/// Bytes of the texts of one taxpayer that are put together of words.
const LONGEST_TEXTS: usize = 16 << 20;
/// Capacity that most names and addresses need.
const USUAL_TEXT: usize = 64;

/// Fields whose texts are stored word by word.
const SPLIT: [&str; 2] = ["nombre_o_razon_social", "direccion"];

/// How values are stored: for each field whether it is split into words.
#[derive(Clone, Debug)]
pub(super) struct Codec(Vec<bool>);

/// A value of an event; `None` = there was none.
pub(super) type Value<'h> = Option<Cow<'h, str>>;

/// What was there before an event.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Before<'h> {
    /// No rows.
    Nothing,
    /// These rows, and none after.
    Rows(Vec<Vec<Value<'h>>>),
    /// These values of the one row.
    Fields(SmallVec<[(usize, Value<'h>); 2]>),
    /// All rows but the added ones, and the removed ones.
    Difference { removed: Vec<Vec<Value<'h>>>, added: Vec<Vec<Value<'h>>> },
}

/// A change that is to be stored: its kind and the bytes after its number.
pub(super) type Stored = (u32, Vec<u8>);

impl Codec {
    pub(super) fn of<'a>(fields: impl IntoIterator<Item = &'a str>) -> Self {
        Self(fields.into_iter().map(|field| SPLIT.contains(&field)).collect())
    }

    /// The bytes of a change; `None` = it changes nothing that a history has. `places` are the places of the list's
    /// fields in a row.
    pub(super) fn encode(
        &self,
        change: &ChangeKind,
        places: &[Option<usize>],
        words: &mut Vocabulary,
    ) -> Result<Option<Stored>, IndexError> {
        let mut out = Vec::new();
        let row = |row: &Row| {
            let mut cells = vec![None; self.0.len()];
            for (place, cell) in places.iter().zip(row).filter_map(|(place, cell)| Some(((*place)?, cell))) {
                if let Some(own) = cells.get_mut(place) {
                    own.clone_from(cell);
                }
            }
            cells
        };
        let kind = match change {
            ChangeKind::New { .. } => NEW,
            ChangeKind::Gone { rows } => {
                self.push_rows(&rows.iter().map(row).collect::<Vec<_>>(), words, &mut out)?;
                GONE
            }
            ChangeKind::Changed { fields } => {
                let place = |field: usize| places.get(field).copied().flatten();
                let mut changed: Vec<_> = fields.iter().filter_map(|f| Some((place(f.field)?, &f.before))).collect();
                changed.sort_by_key(|(place, _)| *place);
                if changed.is_empty() {
                    return Ok(None);
                }
                push(&mut out, changed.iter().fold(0, |mask, (place, _)| mask | 1_u32.wrapping_shl(*place as u32)));
                for (place, before) in changed {
                    self.push_cell(place, before, words, &mut out)?;
                }
                CHANGED
            }
            ChangeKind::Rows { removed, added } => {
                let [mut removed, mut added]: [Vec<Row>; 2] =
                    [removed, added].map(|rows| rows.iter().map(row).collect());
                removed.retain(|row| added.iter().position(|new| new == row).map(|at| added.remove(at)).is_none());
                if removed.is_empty() && added.is_empty() || self.0.is_empty() {
                    return Ok(None);
                }
                self.push_rows(&removed, words, &mut out)?;
                self.push_rows(&added, words, &mut out)?;
                ROWS
            }
        };
        Ok(Some((kind, out)))
    }

    fn push_rows(&self, rows: &[Row], words: &mut Vocabulary, out: &mut Vec<u8>) -> Result<(), IndexError> {
        if self.0.is_empty() {
            return Ok(());
        }
        push(out, rows.len() as u32);
        rows.iter()
            .flat_map(|row| row.iter().enumerate())
            .try_for_each(|(at, cell)| self.push_cell(at, cell, words, out))
    }

    fn push_cell(&self, at: usize, cell: &Cell, words: &mut Vocabulary, out: &mut Vec<u8>) -> Result<(), IndexError> {
        let Some(text) = cell else {
            push(out, 0);
            return Ok(());
        };
        let mut number = |word: &str| {
            // Published texts have no such bytes. Without them the dictionary stays one.
            let is_word = !word.is_empty() && word.len() <= LONGEST && !word.bytes().any(|b| b == 0 || b == END);
            if is_word { Ok(words.number(word.as_bytes())?) } else { Err(IndexError::TooLarge { what: "a text" }) }
        };
        if !self.0.get(at).copied().unwrap_or_default() {
            push(out, number(text)?.saturating_add(1));
        } else if text.split(' ').any(str::is_empty) {
            push(out, 1);
            push(out, number(text)?);
        } else {
            push(out, text.split(' ').count() as u32);
            for word in text.split(' ') {
                push(out, number(word)?);
            }
        }
        Ok(())
    }

    /// Appends the events of `record` whose numbers `keep` says, after the event with the number `last`; `None` if the
    /// bytes are not events.
    pub(super) fn copy(
        &self,
        mut record: &[u8],
        keep: impl Fn(u32) -> bool,
        mut last: Option<u32>,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        let mut read = None;
        while !record.is_empty() {
            let (number, kind) = head(&mut record, read)?;
            let body = record;
            self.skip(kind, &mut record)?;
            if keep(number) {
                push_head(number, kind, last, out);
                out.extend_from_slice(body.get(..body.len() - record.len())?);
                last = Some(number);
            }
            read = Some(number);
        }
        Some(())
    }

    fn skip(&self, kind: u32, bytes: &mut &[u8]) -> Option<()> {
        let cell = |at: usize, bytes: &mut &[u8]| {
            let first = take(bytes)?;
            let more = if self.0.get(at).copied().unwrap_or_default() { first } else { 0 };
            (0..more).try_for_each(|_| take(bytes).map(drop))
        };
        let rows = |bytes: &mut &[u8]| {
            let count = if self.0.is_empty() { 0 } else { take(bytes)? };
            (0..count).try_for_each(|_| (0..self.0.len()).try_for_each(|at| cell(at, bytes)))
        };
        match kind {
            NEW => Some(()),
            GONE => rows(bytes),
            CHANGED => {
                let mask = take(bytes)?;
                (0..self.0.len()).filter(|at| mask >> at & 1 == 1).try_for_each(|at| cell(at, bytes))
            }
            _ => rows(bytes).and_then(|()| rows(bytes)),
        }
    }
}

/// The events in a record, the newest first.
pub(super) struct Events<'r, 'h> {
    codec: &'r Codec,
    words: &'h Words,
    rest: &'r [u8],
    /// The number of the last event.
    last: Option<u32>,
    /// Bytes of text that were put together, so that a hostile record cannot repeat a long word for ever.
    texts: usize,
}

impl<'r, 'h> Events<'r, 'h> {
    pub(super) const fn of(record: &'r [u8], codec: &'r Codec, words: &'h Words) -> Self {
        Self { codec, words, rest: record, last: None, texts: 0 }
    }

    /// The next event: the number of the edition that it led to, and what was there before. `Some(None)` = there are no
    /// more; `None` if the bytes are not events.
    pub(super) fn next(&mut self) -> Option<Option<(u32, Before<'h>)>> {
        if self.rest.is_empty() {
            return Some(None);
        }
        let (number, kind) = head(&mut self.rest, self.last)?;
        self.last = Some(number);
        let before = match kind {
            NEW => Before::Nothing,
            GONE => Before::Rows(self.take_rows()?),
            CHANGED => {
                let mask = take(&mut self.rest)?;
                (u64::from(mask) >> self.codec.0.len() == 0 && mask != 0).then_some(())?;
                let fields = (0..self.codec.0.len()).filter(|at| mask >> at & 1 == 1);
                Before::Fields(fields.map(|at| Some((at, self.take_cell(at)?))).collect::<Option<_>>()?)
            }
            _ => Before::Difference { removed: self.take_rows()?, added: self.take_rows()? },
        };
        Some(Some((number, before)))
    }

    fn take_rows(&mut self) -> Option<Vec<Vec<Value<'h>>>> {
        let width = self.codec.0.len();
        // Without fields there is nothing but that the taxpayer had rows.
        let count = if width == 0 { 1 } else { take(&mut self.rest)? };
        // Each row takes at least one byte, so hostile bytes cannot ask for much memory.
        let mut rows = Vec::new();
        for _ in 0..count {
            rows.push((0..width).map(|at| self.take_cell(at)).collect::<Option<_>>()?);
        }
        Some(rows)
    }

    fn take_cell(&mut self, at: usize) -> Option<Value<'h>> {
        let words = self.words;
        let word = |number| std::str::from_utf8(words.word(number)?).ok();
        let first = take(&mut self.rest)?;
        Some(match (first.checked_sub(1), self.codec.0.get(at)?) {
            (None, _) => None,
            (Some(number), false) => Some(Cow::Borrowed(word(number)?)),
            (Some(0), true) => Some(Cow::Borrowed(word(take(&mut self.rest)?)?)),
            (Some(more), true) => {
                let mut text = Vec::with_capacity(USUAL_TEXT);
                words.append(take(&mut self.rest)?, &mut text)?;
                for _ in 0..more {
                    text.push(b' ');
                    words.append(take(&mut self.rest)?, &mut text)?;
                }
                self.texts += text.len();
                (self.texts <= LONGEST_TEXTS).then_some(())?;
                Some(Cow::Owned(String::from_utf8(text).ok()?))
            }
        })
    }
}

/// Appends the beginning of the event with this number, after the event with the number `last`.
pub(super) fn push_head(number: u32, kind: u32, last: Option<u32>, out: &mut Vec<u8>) {
    push(out, last.map_or(number, |last| last.saturating_sub(number)) << 2 | kind);
}

/// Reads the beginning of the event after the one with the number `last`: its number, which is smaller, and its kind.
pub(super) fn head(bytes: &mut &[u8], last: Option<u32>) -> Option<(u32, u32)> {
    let first = take(bytes)?;
    let number = match last {
        None => first >> 2,
        Some(last) => last.checked_sub((first >> 2).max(1))?,
    };
    Some((number, first & 3))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::changes::FieldChange;
    use crate::format::words::Size;

    const FIELDS: [&str; 3] = ["direccion", "estado", "desde"];

    fn words(vocabulary: &Vocabulary) -> Words {
        let section = vocabulary.encode();
        Words::decode(&section, Size::of(&section).unwrap()).unwrap()
    }

    fn text(text: &str) -> Cell {
        Some(text.to_owned())
    }

    #[test]
    fn each_kind_of_change_reads_back_as_what_was_before() {
        let (codec, mut vocabulary) = (Codec::of(FIELDS), Vocabulary::new());
        let row = vec![text("AV. LIMA  NRO. 1"), None, text("ACTIVO"), text("OTRO")];
        // The list has a field that the history does not have, and another order.
        let places = [Some(0), Some(2), Some(1), None];
        let fields = vec![
            FieldChange { field: 2, before: text("BAJA DE OFICIO"), after: None },
            FieldChange { field: 0, before: text("JR. UNO DOS"), after: None },
        ];
        let (removed, added) = (vec![row.clone()], vec![vec![None, text("B"), None, None]]);
        let changes = [
            ChangeKind::New { rows: Vec::new() },
            ChangeKind::Gone { rows: vec![row] },
            ChangeKind::Changed { fields },
            ChangeKind::Rows { removed, added },
        ];
        let (mut record, mut last) = (Vec::new(), None);
        for (number, change) in [900, 899, 500, 3].into_iter().zip(&changes) {
            let (kind, bytes) = codec.encode(change, &places, &mut vocabulary).unwrap().unwrap();
            push_head(number, kind, last, &mut record);
            record.extend(bytes);
            last = Some(number);
        }
        let words = words(&vocabulary);
        let (mut events, mut found) = (Events::of(&record, &codec, &words), Vec::new());
        while let Some(event) = events.next().unwrap() {
            found.push(event);
        }
        let (value, gone) = (|text| Some(Cow::Borrowed(text)), |text| vec![text, Some(Cow::Borrowed("ACTIVO")), None]);
        let row = || gone(value("AV. LIMA  NRO. 1"));
        let fields = [(0, value("JR. UNO DOS")), (1, value("BAJA DE OFICIO"))].into();
        let difference = Before::Difference { removed: vec![row()], added: vec![vec![None, None, value("B")]] };
        let expected = [Before::Nothing, Before::Rows(vec![row()]), Before::Fields(fields), difference];
        assert_eq!(found, [900, 899, 500, 3].into_iter().zip(expected).collect::<Vec<_>>());
        let mut kept = Vec::new();
        codec.copy(&record, |number| [899, 3].contains(&number), Some(1_000), &mut kept).unwrap();
        assert_eq!(head(&mut kept.as_slice(), Some(1_000)), Some((899, GONE)));
    }

    #[test]
    fn rows_that_differ_in_other_fields_are_no_change() {
        let (codec, mut vocabulary) = (Codec::of(["desde"]), Vocabulary::new());
        let row = |day: &str| vec![text("2026-01-01"), text(day)];
        let change = |removed: Vec<Row>, added: Vec<Row>| ChangeKind::Rows { removed, added };
        let mut encode = |change| codec.encode(&change, &[Some(0), None], &mut vocabulary).unwrap();
        assert_eq!(encode(change(vec![row("1"), row("2")], vec![row("3"), row("4")])), None);
        assert!(encode(change(vec![row("1"), row("2")], vec![row("3")])).is_some());
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(prop_oneof![0..16_u8, any::<u8>()], 0..60)) {
            let mut vocabulary = Vocabulary::new();
            vocabulary.number(b"UNO").unwrap();
            let (words, codec) = (words(&vocabulary), Codec::of(FIELDS));
            let (mut events, mut last) = (Events::of(&bytes, &codec, &words), None);
            while let Some(Some((number, _))) = events.next() {
                prop_assert!(last.is_none_or(|last| number < last));
                last = Some(number);
            }
            let _ = codec.copy(&bytes, |_| true, None, &mut Vec::new());
        }
    }
}
