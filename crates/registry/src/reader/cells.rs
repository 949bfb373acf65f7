//! Splits a line into cells.

use super::bad_lines::Reason;
use crate::dataset::Quoting;

/// The cells of the last line; keeps its memory from line to line.
#[derive(Debug, Default)]
pub(super) struct Cells {
    bounds: Vec<(usize, usize)>,
    /// The line without the quotes around cells, if it has any.
    unquoted: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct SplitLine<'a> {
    text: &'a [u8],
    bounds: &'a [(usize, usize)],
}

impl Cells {
    pub(super) fn split<'a>(
        &'a mut self,
        line: &'a [u8],
        delimiter: u8,
        quoting: Quoting,
    ) -> Result<SplitLine<'a>, Reason> {
        self.bounds.clear();
        if quoting == Quoting::Csv && memchr::memchr(b'"', line).is_some() {
            self.unquote(line, delimiter)?;
            return Ok(SplitLine { text: &self.unquoted, bounds: &self.bounds });
        }
        let mut start = 0;
        for end in memchr::memchr_iter(delimiter, line) {
            self.bounds.push((start, end));
            start = end + 1;
        }
        self.bounds.push((start, line.len()));
        Ok(SplitLine { text: line, bounds: &self.bounds })
    }

    fn unquote(&mut self, line: &[u8], delimiter: u8) -> Result<(), Reason> {
        self.unquoted.clear();
        let mut rest = line;
        loop {
            let start = self.unquoted.len();
            if let Some(mut quoted) = rest.strip_prefix(b"\"") {
                rest = loop {
                    let end = memchr::memchr(b'"', quoted).ok_or(Reason::Quotes)?;
                    let (text, after) = quoted.split_at_checked(end).ok_or(Reason::Quotes)?;
                    self.unquoted.extend_from_slice(text);
                    match after.strip_prefix(b"\"\"") {
                        Some(after) => {
                            self.unquoted.push(b'"');
                            quoted = after;
                        }
                        None => break after.strip_prefix(b"\"").unwrap_or_default(),
                    }
                };
                if rest.first().is_some_and(|&byte| byte != delimiter) {
                    return Err(Reason::Quotes);
                }
            } else {
                let end = memchr::memchr(delimiter, rest).unwrap_or(rest.len());
                let (text, after) = rest.split_at_checked(end).unwrap_or((rest, &[]));
                self.unquoted.extend_from_slice(text);
                rest = after;
            }
            self.bounds.push((start, self.unquoted.len()));
            match rest.split_first() {
                Some((_, after)) => rest = after,
                None => return Ok(()),
            }
        }
    }
}

impl<'a> SplitLine<'a> {
    pub(super) fn len(self) -> usize {
        self.bounds.len()
    }

    pub(super) fn cell(self, index: usize) -> &'a [u8] {
        self.cells(index, index)
    }

    /// The text from one cell to another, inclusive, with the delimiters between them.
    pub(super) fn cells(self, first: usize, last: usize) -> &'a [u8] {
        let bounds = self.bounds.get(first).zip(self.bounds.get(last));
        bounds.and_then(|(first, last)| self.text.get(first.0..last.1)).unwrap_or_default()
    }

    pub(super) fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        (0..self.len()).map(move |index| self.cell(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str, quoting: Quoting) -> Result<Vec<String>, Reason> {
        let mut cells = Cells::default();
        let split = cells.split(line.as_bytes(), b',', quoting)?;
        Ok(split.iter().map(|cell| String::from_utf8(cell.to_vec()).unwrap()).collect())
    }

    #[test]
    fn a_quote_without_meaning_is_text() {
        assert_eq!(split(r#"a,"b,c",,"#, Quoting::None).unwrap(), ["a", "\"b", "c\"", "", ""]);
        assert_eq!(split("", Quoting::None).unwrap(), [""]);
    }

    #[test]
    fn a_quoted_cell_may_contain_delimiters_and_quotes() {
        assert_eq!(split(r#""a","b, ""c""",d"e,"""#, Quoting::Csv).unwrap(), ["a", r#"b, "c""#, r#"d"e"#, ""]);
        assert_eq!(split(r#"a,"b","#, Quoting::Csv).unwrap(), ["a", "b", ""]);
        assert_eq!(split("a,b", Quoting::Csv).unwrap(), ["a", "b"]);
    }

    #[test]
    fn an_unpaired_quote_is_refused() {
        for line in [r#"a,"b,c"#, r#""a"b,c"#, r#"""#, r#"a,"b"""#] {
            assert_eq!(split(line, Quoting::Csv), Err(Reason::Quotes), "{line}");
        }
    }

    #[test]
    fn a_range_of_cells_has_its_delimiters() {
        let mut cells = Cells::default();
        let split = cells.split(b"a,b,c,d", b',', Quoting::None).unwrap();
        assert_eq!(split.cells(1, 2), b"b,c");
        assert_eq!(split.cell(9), b"");
    }
}
