//! The documents of a term, ascending.
//!
//! A *short* list is a sequence of varints: n + 1 skips n documents and names the next one; 0 and another varint n name
//! the next n documents. A list of more than [`SHORT`] documents is cut into *chunks* of 65,536 documents: where each
//! chunk's part ends (`u32`, from the end of these numbers), then the parts. A part of [`BITS`] bytes is a bit for each
//! document of the chunk, low bits first; a shorter one is written like a short list that begins at the chunk's first
//! document.

use std::ops::Range;

use super::blocks::Reader;
use crate::format::{u32_at, varint};

/// Documents of a short list.
const SHORT: usize = 8192;
/// Documents of a chunk, as a power of two.
pub(super) const CHUNK: u32 = 16;
/// Words of 64 bits for the documents of a chunk.
const WORDS: usize = 1 << (CHUNK - 6);
/// Bytes of them.
const BITS: usize = WORDS * 8;
/// Documents of a chunk that take less memory one by one than as bits.
const FEW: usize = BITS / 2;

/// A bit for each document of a chunk.
pub(super) type Bits = [u64; WORDS];

/// Chunks of `documents` documents.
pub(super) const fn chunks(documents: u32) -> usize {
    documents.div_ceil(1 << CHUNK) as usize
}

/// Appends a list. Returns whether it is cut into chunks.
pub(super) fn encode(list: &[u32], documents: u32, out: &mut Vec<u8>) -> bool {
    if list.len() <= SHORT {
        encode_part(list, 0, out);
        return false;
    }
    let (ends, mut rest) = (out.len(), list);
    let start = ends + 4 * chunks(documents);
    out.resize(start, 0);
    for chunk in 0..chunks(documents) {
        let first = (chunk as u32) << CHUNK;
        let (here, after) = rest.split_at(rest.partition_point(|&document| document >> CHUNK == first >> CHUNK));
        rest = after;
        let part = out.len();
        encode_part(here, first, out);
        if out.len() - part >= BITS {
            let mut bits = [0; WORDS];
            here.iter().for_each(|&document| set(&mut bits, document - first..document - first + 1));
            out.truncate(part);
            out.extend(bits.iter().flat_map(|word| word.to_le_bytes()));
        }
        let end = (out.len() - start) as u32;
        if let Some(place) = out.get_mut(ends + 4 * chunk..ends + 4 * chunk + 4) {
            place.copy_from_slice(&end.to_le_bytes());
        }
    }
    true
}

/// Appends ascending documents, of which the first possible one is `next`.
fn encode_part(list: &[u32], mut next: u32, out: &mut Vec<u8>) {
    for run in list.chunk_by(|a, b| a + 1 == *b) {
        let (first, length) = (run.first().copied().unwrap_or_default(), run.len() as u32);
        varint::push(out, first - next + 1);
        match length {
            1 => {}
            // Two bytes or more.
            2..4 => out.extend(std::iter::repeat_n(1, length as usize - 1)),
            _ => {
                out.push(0);
                varint::push(out, length - 1);
            }
        }
        next = first + length;
    }
}

/// Calls `each` with each run of documents below `end`; `None` if the bytes are not such a list.
fn decode(mut bytes: &[u8], end: u32, mut each: impl FnMut(Range<u32>)) -> Option<()> {
    let mut next = 0_u32;
    while !bytes.is_empty() {
        let (skipped, length) = match varint::take(&mut bytes)? {
            0 => (0, varint::take(&mut bytes)?),
            more => (more - 1, 1),
        };
        let first = next.checked_add(skipped)?;
        next = first.checked_add(length).filter(|&next| next <= end)?;
        each(first..next);
    }
    Some(())
}

/// Sets the bits of these documents of a chunk.
pub(super) fn set(bits: &mut Bits, documents: Range<u32>) {
    let Some(last) = documents.end.checked_sub(1).filter(|&last| last >= documents.start) else { return };
    let (from, to) = (documents.start as usize / 64, last as usize / 64);
    for number in from..=to {
        let low = if number == from { documents.start % 64 } else { 0 };
        let high = if number == to { last % 64 } else { 63 };
        if let Some(word) = bits.get_mut(number) {
            *word |= u64::MAX << low & u64::MAX >> (63 - high);
        }
    }
}

/// The documents of some terms: those of short lists, and the lists that are cut into chunks.
pub(super) struct Documents {
    documents: u32,
    /// Of the short lists, by chunk.
    short: Vec<Few>,
    /// Where each other list is.
    long: Vec<usize>,
    /// Bytes of all lists.
    pub(super) bytes: usize,
}

/// Documents of a chunk: few of them one by one, without order, or a bit for each.
enum Few {
    Each(Vec<u16>),
    Bits(Box<Bits>),
}

impl Documents {
    pub(super) fn none(documents: u32) -> Self {
        let short = (0..chunks(documents)).map(|_| Few::Each(Vec::new())).collect();
        Self { documents, short, long: Vec::new(), bytes: 0 }
    }

    /// Adds the list at `at`; `None` if it is damaged.
    pub(super) fn add(&mut self, reader: &mut Reader<'_>, at: usize, length: usize, is_long: bool) -> Option<()> {
        self.bytes += length;
        if is_long {
            self.long.push(at);
            return Some(());
        }
        let short = &mut self.short;
        decode(reader.read(at, length)?, self.documents, |run| {
            let mut run = run;
            while !run.is_empty() {
                let after = run.end.min(((run.start >> CHUNK) + 1) << CHUNK);
                if let Some(few) = short.get_mut((run.start >> CHUNK) as usize) {
                    few.add(run.start & ((1 << CHUNK) - 1), after - run.start);
                }
                run.start = after;
            }
        })
    }

    /// Whether it is known without a read that no document of a chunk has any of the terms.
    pub(super) fn has_none_in(&self, chunk: usize) -> bool {
        self.long.is_empty() && matches!(self.short.get(chunk), Some(Few::Each(few)) if few.is_empty())
    }

    /// Sets the bits of the documents of a chunk; `None` if a list is damaged.
    pub(super) fn put(&self, reader: &mut Reader<'_>, chunk: usize, bits: &mut Bits) -> Option<()> {
        match self.short.get(chunk)? {
            Few::Each(documents) => {
                documents.iter().for_each(|&document| set(bits, u32::from(document)..u32::from(document) + 1))
            }
            Few::Bits(other) => bits.iter_mut().zip(other.iter()).for_each(|(word, other)| *word |= other),
        }
        for &list in &self.long {
            let chunks = chunks(self.documents);
            let (start, end) = match chunk.checked_sub(1) {
                None => (0, u32_at(reader.read(list, 4)?, 0)?),
                Some(before) => {
                    let ends = reader.read(list + 4 * before, 8)?;
                    (u32_at(ends, 0)?, u32_at(ends, 4)?)
                }
            };
            let at = list.checked_add(4 * chunks)?.checked_add(start as usize)?;
            let part = reader.read(at, end.checked_sub(start)? as usize)?;
            if part.len() == BITS {
                let words = part.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
                bits.iter_mut().zip(words).for_each(|(word, other)| *word |= other);
            } else {
                decode(part, 1 << CHUNK, |run| set(bits, run))?;
            }
        }
        Some(())
    }
}

impl Few {
    fn add(&mut self, first: u32, length: u32) {
        if let Self::Each(documents) = self {
            if documents.len() + length as usize <= FEW {
                documents.extend((first..first + length).map(|document| document as u16));
                return;
            }
            let mut bits = Box::new([0; WORDS]);
            documents.iter().for_each(|&document| set(&mut bits, u32::from(document)..u32::from(document) + 1));
            *self = Self::Bits(bits);
        }
        if let Self::Bits(bits) = self {
            set(bits, first..first + length);
        }
    }
}
