//! Splits chunks into lines, and keeps at most the longest allowed line. A chunk is marked as a whole, so its lines
//! come with their marks.

use super::marks::{Mark, Marks, TextSlice};
use crate::dataset::LineEnd;

pub(crate) const MAX_LINE: usize = 64 << 10;

/// One line without its ending.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Line<'a> {
    Whole(TextSlice<'a>),
    /// A line over [`MAX_LINE`], by its length.
    TooLong(u64),
}

/// Empty lines are left out, but counted by [`Lines::number`].
#[derive(Debug)]
pub(crate) struct Lines {
    line_end: LineEnd,
    marks: Marks,
    /// The beginning of an unfinished line.
    carry: Vec<u8>,
    /// Length so far of a line that is too long.
    dropped: u64,
    number: u64,
}

impl Lines {
    pub(crate) fn new(line_end: LineEnd) -> Self {
        Self { line_end, marks: Marks::default(), carry: Vec::new(), dropped: 0, number: 0 }
    }

    /// Calls `each` with every line that ends in the chunk, and its number from 1.
    pub(crate) fn feed<E>(
        &mut self,
        mut chunk: &[u8],
        each: &mut impl FnMut(u64, Line<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.has_kept() {
            let Some(end) = self.line_end.find(chunk) else {
                self.keep(chunk);
                return Ok(());
            };
            let (line, rest) = chunk.split_at(end);
            chunk = rest.get(1..).unwrap_or_default();
            self.keep(line);
            self.end_kept(each)?;
        }
        let marked = self.marks.mark(chunk);
        let mut rest = marked.whole();
        let mut length = 0;
        while let Some(at) = rest.after(length).find(Mark::Odd) {
            length += at;
            if self.line_end.is_at(rest.after(length)) {
                self.number += 1;
                hand_on(self.number, rest.first(length), each)?;
                rest = rest.after(length + 1);
                length = 0;
            } else {
                length += 1;
            }
        }
        let unfinished = rest.len();
        self.keep(chunk.get(chunk.len() - unfinished..).unwrap_or_default());
        Ok(())
    }

    pub(crate) fn finish<E>(mut self, each: &mut impl FnMut(u64, Line<'_>) -> Result<(), E>) -> Result<(), E> {
        if self.has_kept() { self.end_kept(each) } else { Ok(()) }
    }

    const fn has_kept(&self) -> bool {
        !self.carry.is_empty() || self.dropped > 0
    }

    fn keep(&mut self, part: &[u8]) {
        if self.dropped > 0 {
            self.dropped += part.len() as u64;
        } else if self.carry.len() + part.len() > MAX_LINE + 1 {
            self.dropped = (self.carry.len() + part.len()) as u64;
            self.carry = Vec::new();
        } else {
            self.carry.extend_from_slice(part);
        }
    }

    fn end_kept<E>(&mut self, each: &mut impl FnMut(u64, Line<'_>) -> Result<(), E>) -> Result<(), E> {
        self.number += 1;
        if self.dropped > 0 {
            return each(self.number, Line::TooLong(std::mem::take(&mut self.dropped)));
        }
        let result = hand_on(self.number, self.marks.mark(&self.carry).whole(), each);
        self.carry.clear();
        result
    }
}

impl LineEnd {
    fn find(self, chunk: &[u8]) -> Option<usize> {
        match self {
            Self::Lf => memchr::memchr(b'\n', chunk),
            Self::LfOrCr => memchr::memchr2(b'\n', b'\r', chunk),
        }
    }

    fn is_at(self, rest: TextSlice<'_>) -> bool {
        match rest.bytes().first() {
            Some(b'\n') => true,
            Some(b'\r') => self == Self::LfOrCr,
            _ => false,
        }
    }
}

/// Calls `each` with a line, which may still end with a CR, unless it is empty.
fn hand_on<E>(
    number: u64,
    line: TextSlice<'_>,
    each: &mut impl FnMut(u64, Line<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let line = if line.bytes().last() == Some(&b'\r') { line.first(line.len() - 1) } else { line };
    if line.is_empty() {
        return Ok(());
    }
    each(number, if line.len() > MAX_LINE { Line::TooLong(line.len() as u64) } else { Line::Whole(line) })
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn split(text: &[u8], chunk: usize, line_end: LineEnd) -> Vec<(u64, Result<Vec<u8>, u64>)> {
        let mut found = Vec::new();
        let mut each = |number, line: Line<'_>| {
            found.push((
                number,
                match line {
                    Line::Whole(line) => Ok(line.bytes().to_vec()),
                    Line::TooLong(length) => Err(length),
                },
            ));
            Ok::<(), Infallible>(())
        };
        let mut lines = Lines::new(line_end);
        for part in text.chunks(chunk) {
            lines.feed(part, &mut each).unwrap();
        }
        lines.finish(&mut each).unwrap();
        found
    }

    #[test]
    fn chunk_size_does_not_change_the_lines() {
        let text = b"one\r\ntwo\n\nfour\r\n\r\nsix";
        let whole = split(text, 100, LineEnd::Lf);
        let expected: Vec<(u64, Result<Vec<u8>, u64>)> =
            [(1, "one"), (2, "two"), (4, "four"), (6, "six")].map(|(n, line)| (n, Ok(line.into()))).into();
        assert_eq!(whole, expected);
        for chunk in 1..text.len() {
            assert_eq!(split(text, chunk, LineEnd::Lf), whole, "chunks of {chunk}");
        }
    }

    #[test]
    fn a_bare_cr_ends_a_line_only_where_asked() {
        assert_eq!(
            split(b"a\rb\r\nc", 2, LineEnd::LfOrCr).into_iter().map(|(_, line)| line).collect::<Vec<_>>(),
            [Ok(b"a".to_vec()), Ok(b"b".to_vec()), Ok(b"c".to_vec())]
        );
        assert_eq!(split(b"a\rb\n", 2, LineEnd::Lf), [(1, Ok(b"a\rb".to_vec()))]);
    }

    #[test]
    fn a_line_over_the_limit_is_counted_and_not_kept() {
        let mut text = vec![b'x'; MAX_LINE];
        text.extend_from_slice(b"\r\n");
        text.extend(vec![b'y'; MAX_LINE + 1]);
        text.extend_from_slice(b"\nz\n");
        for chunk in [1000, 1 << 20] {
            let found = split(&text, chunk, LineEnd::Lf);
            assert_eq!(found.len(), 3);
            assert_eq!(found[0].1.as_ref().map(Vec::len), Ok(MAX_LINE));
            assert_eq!(found[1], (2, Err(MAX_LINE as u64 + 1)));
            assert_eq!(found[2], (3, Ok(b"z".to_vec())));
        }
        let mut lines = Lines::new(LineEnd::Lf);
        for _ in 0..100 {
            lines.feed::<Infallible>(&[b'x'; 10_000], &mut |_, _| Ok(())).unwrap();
            assert!(lines.carry.capacity() <= 2 * MAX_LINE);
        }
    }
}
