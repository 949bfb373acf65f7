//! Reads `multipart/form-data` (RFC 7578), without files.

use std::borrow::Cow;

use thiserror::Error;

/// Why a form is refused, in Spanish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum MultipartError {
    #[error("El formulario multipart está incompleto, o su separador no es el que dice Content-Type.")]
    Broken,
    #[error("El formulario no puede llevar archivos, solo campos.")]
    File,
}

type TextField<'a> = (Cow<'a, str>, Cow<'a, str>);

pub(super) fn fields<'a>(body: &'a [u8], boundary: &str) -> Result<Vec<TextField<'a>>, MultipartError> {
    let mut fields = Vec::new();
    let (mut part, mut at) = (None, 0);
    // A delimiter is a line, so every byte is read once.
    for line in body.split_inclusive(|byte| *byte == b'\n') {
        let text = line.trim_ascii_end().strip_prefix(b"--").and_then(|rest| rest.strip_prefix(boundary.as_bytes()));
        if let Some(end @ (b"" | b"--")) = text {
            if let Some(part) = part.and_then(|start| body.get(start..at)) {
                fields.extend(field(part)?);
            }
            if end == b"--" {
                return Ok(fields);
            }
            part = Some(at + line.len());
        }
        at += line.len();
    }
    Err(MultipartError::Broken)
}

/// A part's field; `None` = a file input without a file.
fn field(part: &[u8]) -> Result<Option<TextField<'_>>, MultipartError> {
    let part = part.strip_suffix(b"\n").ok_or(MultipartError::Broken)?;
    let part = part.strip_suffix(b"\r").unwrap_or(part);
    let end = (0..part.len()).find(|at| part.get(*at..).is_some_and(|rest| rest.starts_with(b"\r\n\r\n")));
    let (head, value) = part.split_at_checked(end.ok_or(MultipartError::Broken)?).ok_or(MultipartError::Broken)?;
    let value = value.get(4..).unwrap_or_default();
    let head = str::from_utf8(head).map_err(|_| MultipartError::Broken)?;
    let disposition = head.lines().find_map(|line| {
        let (name, text) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-disposition").then_some(text)
    });
    let disposition = disposition.ok_or(MultipartError::Broken)?;
    match parameter(disposition, "filename") {
        None => {}
        Some("") => return Ok(None),
        Some(_) => return Err(MultipartError::File),
    }
    let name = parameter(disposition, "name").ok_or(MultipartError::Broken)?;
    Ok(Some((Cow::Borrowed(name), String::from_utf8_lossy(value))))
}

/// A header parameter, without quotes.
pub(super) fn parameter<'a>(value: &'a str, name: &str) -> Option<&'a str> {
    let mut is_quoted = false;
    let mut parts = value.split(move |c| {
        is_quoted ^= c == '"';
        c == ';' && !is_quoted
    });
    parts.find_map(|part| {
        let (key, value) = part.split_once('=')?;
        key.trim().eq_ignore_ascii_case(name).then(|| value.trim().trim_matches('"'))
    })
}
