//! Bytes to text. The charset is the HTTP header's if it names one, else UTF-8 if valid beyond ASCII, else
//! windows-1252. SUNAT sends UTF-8 as ISO-8859-1 too, so for that header the bytes decide. The page's meta tag is wrong:
//! it says utf-8, but the bytes are ISO-8859-1.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use crate::sources::sunat_portal::error::UnreadablePageError;
use crate::sources::text::is_mojibake;

pub(super) fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>) -> Result<Cow<'a, str>, UnreadablePageError> {
    let encoding = match content_type.and_then(named_charset) {
        Some(named) if named != WINDOWS_1252 => named,
        _ if std::str::from_utf8(bytes).is_ok() => UTF_8,
        _ => WINDOWS_1252,
    };
    let bytes = if encoding == UTF_8 { bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes) } else { bytes };
    encoding
        .decode_without_bom_handling_and_without_replacement(bytes)
        .ok_or(UnreadablePageError::Charset(encoding.name()))
}

fn named_charset(content_type: &str) -> Option<&'static Encoding> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let charset = name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']))?;
        Encoding::for_label(charset.as_bytes())
    })
}

/// Whether the wrong charset was used: mojibake or C1 control characters.
pub(super) fn is_garbled(text: &str) -> bool {
    !text.is_ascii() && (is_mojibake(text) || text.contains(|c| matches!(c, '\u{80}'..='\u{9F}')))
}
