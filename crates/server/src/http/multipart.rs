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

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDARY: &str = "----a b";

    fn read(body: &str) -> Result<Vec<(String, String)>, MultipartError> {
        let body = body.replace('\n', "\r\n");
        let fields = fields(body.as_bytes(), BOUNDARY)?;
        Ok(fields.into_iter().map(|(name, value)| (name.into_owned(), value.into_owned())).collect())
    }

    #[test]
    fn fields_are_read_with_their_line_breaks() {
        let body = "preamble\n------a b\nContent-Disposition: form-data; name=\"x;y=1\"\n\na\n\nb\n------a b \n\
                    content-type: text/plain; charset=utf-8\ncontent-disposition:form-data;name=z\nContent-Length: 0\n\n\n\
                    ------a b--\nepilogue";
        let expected = [("x;y=1", "a\r\n\r\nb"), ("z", "")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(read(body).as_deref(), Ok(expected.as_slice()));
        assert_eq!(read("------a b--").as_deref(), Ok([].as_slice()));
    }

    #[test]
    fn a_file_is_refused_and_an_input_without_one_is_left_out() {
        let part = |file: &str| {
            let head = format!("------a b\nContent-Disposition: form-data; name=\"f\"; filename=\"{file}\"\n");
            read(&format!("{head}Content-Type: text/csv\n\n1\n------a b--\n"))
        };
        assert_eq!(part("a.csv"), Err(MultipartError::File));
        assert_eq!(part(""), Ok(Vec::new()));
    }

    #[test]
    fn what_is_no_whole_form_is_refused() {
        let head = "------a b\nContent-Disposition: form-data; name=\"x\"\n";
        for body in [
            String::new(),
            "x=1".to_owned(),
            format!("{head}\n1\n"),
            format!("{head}\n1\n------a b"),
            format!("{head}\n1\n------a--"),
            format!("{head}1\n------a b--"),
            "------a b\nContent-Disposition: form-data\n\n1\n------a b--".to_owned(),
            "------a b\nX: form-data; name=\"x\"\n\n1\n------a b--".to_owned(),
        ] {
            assert_eq!(read(&body), Err(MultipartError::Broken), "{body}");
        }
    }
}
