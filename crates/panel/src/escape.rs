//! Escapes the cells of lists as HTML. Five bytes for each `&` would make a page five times as long as its file.

use std::fmt::{Display, Formatter, Result};

use askama::filters::{Escaper, Html, Safe};

/// A cell as HTML. An `&` that neither a letter, a digit nor `#` follows cannot begin a character reference, and stays.
pub(crate) fn cell<T: AsRef<str>>(text: T) -> Safe<Cell<T>> {
    Safe(Cell(text))
}

pub(crate) struct Cell<T>(T);

impl<T: AsRef<str>> Display for Cell<T> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        let mut parts = self.0.as_ref().split_inclusive('&').peekable();
        while let Some(part) = parts.next() {
            let begins = |next: &&str| next.starts_with(|c: char| c == '#' || c.is_alphanumeric());
            match part.strip_suffix('&') {
                Some(before) if parts.peek().is_some_and(|next| !begins(next)) => {
                    Html.write_escaped_str(&mut *out, before)?;
                    out.write_str("&")?;
                }
                Some(_) | None => Html.write_escaped_str(&mut *out, part)?,
            }
        }
        Ok(())
    }
}
