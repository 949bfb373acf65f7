//! Refused lines: all are counted, the first hundred are written to a file, and persons are masked.
//!
//! A person's line is reduced to the masked RUC. A company's line keeps its text, unless it also contains a person's
//! RUC, as when a line break was lost. A line without a usable key is reduced to its length.

use std::fmt::Write;

use kuraka_domain::Ruc;

use super::rejections::{RejectReason, Rejections};
use super::row::holds_ruc;
use crate::row_id::ruc_at;

/// How many lines are written to the file.
const WRITTEN: usize = 100;
/// Characters kept of a company's line.
const KEPT_CHARS: usize = 200;

/// The refused lines of one import.
#[derive(Debug, Default)]
pub(crate) struct Rejects {
    pub(crate) counts: Rejections,
    text: String,
    written: usize,
}

impl Rejects {
    /// A refused line with its number and content.
    pub(crate) fn line(&mut self, number: u64, reason: RejectReason, line: &[u8]) {
        let key = line.split(|&byte| byte == b'|').next().and_then(|key| Ruc::from_ascii(key).ok());
        self.add(Some(number), reason, key, line.len() as u64, line);
    }

    /// A refused line with only its length.
    pub(crate) fn long_line(&mut self, number: u64, length: u64) {
        self.add(Some(number), RejectReason::TooLong, None, length, &[]);
    }

    /// A row with a repeated RUC. Sorting finds it, when line numbers are no longer known.
    pub(crate) fn duplicate(&mut self, row_id: u32) {
        self.add(None, RejectReason::Duplicate, ruc_at(row_id), 0, &[]);
    }

    /// The file's text; `None` if nothing was refused.
    pub(crate) fn into_text(self) -> Option<String> {
        (self.written > 0).then(|| format!("line\treason\tlength\tRUC\ttext\n{}", self.text))
    }

    fn add(&mut self, number: Option<u64>, reason: RejectReason, key: Option<Ruc>, length: u64, line: &[u8]) {
        self.counts.add(reason, 1);
        if self.written == WRITTEN {
            return;
        }
        self.written += 1;
        let number = number.map_or_else(|| "-".to_owned(), |number| number.to_string());
        let ruc = key.map_or_else(|| "-".to_owned(), masked);
        let text = if key.is_some_and(|ruc| !ruc.is_personal()) { kept_text(line) } else { String::new() };
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{number}\t{}\t{length}\t{ruc}\t{text}", reason.as_str());
    }
}

fn masked(ruc: Ruc) -> String {
    if ruc.is_personal() { format!("{}******{:03}", ruc.prefix(), ruc.get() % 1000) } else { ruc.to_string() }
}

fn kept_text(line: &[u8]) -> String {
    if holds_ruc(line, Ruc::is_personal) {
        return String::new();
    }
    let text = encoding_rs::WINDOWS_1252.decode_without_bom_handling(line).0;
    text.chars().take(KEPT_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect()
}
