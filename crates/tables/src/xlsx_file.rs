//! Checks a workbook's file before the xlsx reader sees it.
//!
//! The xlsx reader trusts its input: it inflates whatever a part contains, and reserves memory for as many texts as a
//! part announces. Here each part is inflated once within the limits, its XML is checked, and what the xlsx reader will
//! keep of it is counted.

use std::io::{Cursor, Read};

use thiserror::Error;
use zip::ZipArchive;
use zip::read::{ArchiveOffset, Config};

/// Of a zip, without its comment.
const LAST: &[u8; 4] = b"PK\x05\x06";
const LAST_BYTES: usize = 22;
/// A published workbook has about 15.
const PARTS: usize = 200;
const DIRECTORY: u32 = 64 << 10;
/// An older Excel's workbook, or an encrypted one.
const COMPOUND_FILE: &[u8] = b"\xd0\xcf\x11\xe0";
/// Announces how many texts follow.
const ANNOUNCED: &[u8] = b"uniqueCount";
/// Elements that the xlsx reader keeps, of which five bytes can be one. `<sheet>` copies its part's name, `<xf>` the
/// names of font and format.
const KEPT_ELEMENTS: [&[u8]; 8] =
    [b"xf", b"font", b"fill", b"border", b"numFmt", b"sheet", b"definedName", b"Relationship"];
/// Counted for a kept element and for a shared text.
const KEPT_BYTES: u64 = 128;
const TEXT_BYTES: u64 = 16;

/// Sizes beyond which a workbook is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XlsxLimits {
    /// Bytes of the file, of its unpacked parts with their elements, and of the texts of all cells.
    pub text: u64,
    /// The same for each byte of the file.
    pub ratio: u64,
    /// Bytes from which the ratio is checked.
    pub ratio_from: u64,
}

impl XlsxLimits {
    /// At least the most bytes that [`Self::check`] takes.
    fn most(self, file: &[u8]) -> u64 {
        self.text.min(self.ratio_from.max(self.ratio.saturating_mul(file.len() as u64 + 1)))
    }

    pub(crate) fn check(self, bytes: u64, file: &[u8]) -> Result<(), XlsxError> {
        if bytes > self.text {
            return Err(XlsxError::TooLarge { limit: self.text });
        }
        if bytes > self.ratio_from && bytes / self.ratio > file.len() as u64 {
            return Err(XlsxError::Ratio { limit: self.ratio });
        }
        Ok(())
    }
}

/// Why a workbook is not read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum XlsxError {
    #[error("the file is empty")]
    Empty,
    #[error("it is an HTML page, perhaps a server's error page; download the file again")]
    HtmlPage,
    #[error("it is not an xlsx workbook: {0}")]
    NotXlsx(&'static str),
    #[error("it unpacks to more than {limit} bytes")]
    TooLarge { limit: u64 },
    #[error("it unpacks to more than {limit} times its size: not a text")]
    Ratio { limit: u64 },
    #[error("the workbook cannot be read: {0}")]
    Damaged(String),
}

/// The bytes of all parts, unpacked.
pub(crate) fn check(bytes: &[u8], limits: XlsxLimits) -> Result<u64, XlsxError> {
    if bytes.len() as u64 > limits.text {
        return Err(XlsxError::TooLarge { limit: limits.text });
    }
    check_start(bytes)?;
    check_directory(bytes)?;
    check_parts(bytes, limits)
}

fn check_start(bytes: &[u8]) -> Result<(), XlsxError> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    match text {
        [] => Err(XlsxError::Empty),
        [b'<', ..] => Err(XlsxError::HtmlPage),
        text if text.starts_with(COMPOUND_FILE) => {
            Err(XlsxError::NotXlsx("it is an xls workbook of an older Excel, or an encrypted one"))
        }
        text if !text.starts_with(b"PK") => Err(XlsxError::NotXlsx("it does not begin as a zip")),
        _ => Ok(()),
    }
}

/// The last record must end the file, and name a short directory right before it.
fn check_directory(bytes: &[u8]) -> Result<(), XlsxError> {
    let cut = || XlsxError::Damaged("the zip is damaged or cut short; download it again".to_owned());
    let tail = bytes.len().saturating_sub(LAST_BYTES + usize::from(u16::MAX));
    let window = bytes.get(tail..).unwrap_or_default();
    let at = tail + memchr::memmem::rfind(window, LAST).ok_or_else(cut)?;
    let last = bytes.get(at..).unwrap_or_default();
    let short = |offset: usize| -> Option<u16> { last.get(offset..)?.first_chunk().copied().map(u16::from_le_bytes) };
    let long = |offset: usize| -> Option<u32> { last.get(offset..)?.first_chunk().copied().map(u32::from_le_bytes) };
    let (Some(parts), Some(comment), Some(length), Some(start)) = (short(10), short(20), long(12), long(16)) else {
        return Err(cut());
    };
    if usize::from(parts) > PARTS || length > DIRECTORY {
        return Err(XlsxError::Damaged(format!("it has more than {PARTS} parts")));
    }
    let whole = last.len() == LAST_BYTES + usize::from(comment);
    let adjacent = u64::from(start) + u64::from(length) == at as u64;
    if whole && adjacent { Ok(()) } else { Err(cut()) }
}

fn check_parts(bytes: &[u8], limits: XlsxLimits) -> Result<u64, XlsxError> {
    let damaged = |detail: &dyn std::fmt::Display| XlsxError::Damaged(format!("the zip is damaged ({detail})"));
    let config = Config { archive_offset: ArchiveOffset::Known(0) };
    let mut archive = ZipArchive::with_config(config, Cursor::new(bytes)).map_err(|error| damaged(&error))?;
    if archive.len() > PARTS {
        return Err(XlsxError::Damaged(format!("it has more than {PARTS} parts")));
    }
    if !archive.file_names().any(|name| name.is_ok_and(|name| name.eq_ignore_ascii_case("xl/workbook.xml"))) {
        return Err(XlsxError::NotXlsx("it is a zip without xl/workbook.xml"));
    }
    let (mut total, mut part) = (0, Vec::new());
    let (mut texts, mut kept, mut longest) = (0, 0, 0);
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| damaged(&error))?;
        part.clear();
        let read = Read::by_ref(&mut entry).take(limits.most(bytes) - total + 1).read_to_end(&mut part);
        read.map_err(|error| damaged(&error))?;
        total += part.len() as u64;
        limits.check(total, bytes)?;
        let name = entry.name_raw().to_ascii_lowercase();
        if name.ends_with(b".xml") || name.ends_with(b".rels") {
            texts += check_xml(&part).map_err(|problem| XlsxError::Damaged(problem.to_owned()))?;
            kept += KEPT_ELEMENTS.iter().map(|name| elements(&part, name)).sum::<u64>();
        } else {
            // It may have another encoding.
            kept += memchr::memchr_iter(b'<', &part).count() as u64;
        }
        if name.ends_with(b"styles.xml") || name.ends_with(b".rels") {
            longest = longest.max(longest_value(&part));
        }
        limits.check(total + texts * TEXT_BYTES + kept.saturating_mul(KEPT_BYTES + longest), bytes)?;
    }
    Ok(total)
}

/// At least their number, with or without a prefix, in any form that an XML reader takes.
fn elements(part: &[u8], name: &[u8]) -> u64 {
    let is_element = |at: &usize| {
        let before = at.checked_sub(1).and_then(|before| part.get(before));
        let after = part.get(at + name.len());
        matches!(before, Some(b'<' | b':'))
            && after.is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'))
    };
    memchr::memmem::find_iter(part, name).filter(is_element).map(|_| 1).sum()
}

/// At least its bytes.
fn longest_value(part: &[u8]) -> u64 {
    let length = |at: usize| {
        let value = part.get(at + 1..)?.trim_ascii_start();
        let (quote, value) = value.split_first().filter(|(quote, _)| matches!(quote, b'"' | b'\''))?;
        Some(memchr::memchr(*quote, value).unwrap_or(value.len()) as u64)
    };
    memchr::memchr_iter(b'=', part).filter_map(length).max().unwrap_or(0)
}

/// The part must be UTF-8, so that elements can be found, and announce no more texts than it has bytes. Returns how
/// many the xlsx reader makes room for.
fn check_xml(part: &[u8]) -> Result<u64, &'static str> {
    let control = |byte: u8| byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r');
    if std::str::from_utf8(part).is_err() || part.iter().copied().any(control) {
        return Err("a part is not UTF-8");
    }
    let mut texts = elements(part, b"si");
    for at in memchr::memmem::find_iter(part, ANNOUNCED) {
        let value = part.get(at + ANNOUNCED.len()..).unwrap_or_default();
        let digits = value.iter().skip_while(|byte| byte.is_ascii_whitespace() || matches!(byte, b'=' | b'"' | b'\''));
        let digits = digits.take_while(|byte| byte.is_ascii_digit());
        let count = digits.fold(0_u64, |sum, byte| sum.saturating_mul(10).saturating_add(u64::from(byte - b'0')));
        if count > part.len() as u64 {
            return Err("a part announces more texts than it can have");
        }
        texts = texts.max(count);
    }
    Ok(texts)
}
