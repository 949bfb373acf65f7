//! The forms in which texts are published: encoding, delimiter, line end.

use std::io::{self, Write};

use encoding_rs::WINDOWS_1252;

/// A text's encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// windows-1252, of which latin-1 is the part without typographic signs.
    Windows1252,
    /// UTF-8.
    Utf8,
    /// UTF-8 after a byte order mark.
    Utf8WithMark,
}

/// The form of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextForm {
    /// What separates cells.
    pub delimiter: char,
    /// What ends a line.
    pub line_end: &'static str,
    /// The encoding.
    pub encoding: Encoding,
    /// Whether a delimiter follows the last cell.
    pub trailing: bool,
    /// Whether a blank precedes the header.
    pub leading_blank: bool,
    /// Whether a cell with a delimiter or a quote in it is quoted.
    pub quoted: bool,
}

impl TextForm {
    /// SUNAT's lists: pipes, bare CR, a pipe at the end.
    pub const LIST: Self = Self {
        delimiter: '|',
        line_end: "\r",
        encoding: Encoding::Windows1252,
        trailing: true,
        leading_blank: false,
        quoted: false,
    };

    /// The annexes: pipes, LF, a pipe at the end, a blank before the header.
    pub const ANNEXES: Self = Self { line_end: "\n", leading_blank: true, ..Self::LIST };

    /// The open data: commas, LF.
    pub const OPEN_DATA: Self = Self { delimiter: ',', line_end: "\n", trailing: false, ..Self::LIST };

    /// The sanctions: pipes, LF.
    pub const SANCTIONS: Self = Self { line_end: "\n", trailing: false, ..Self::LIST };

    /// Writes the header and the lines of these cells.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write<const N: usize>(
        self,
        columns: &[&str; N],
        rows: impl Iterator<Item = [String; N]>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let mut line = Vec::new();
        self.push_header(columns, &mut line);
        out.write_all(&line)?;
        for cells in rows {
            line.clear();
            self.push_line(&cells, &mut line);
            out.write_all(&line)?;
        }
        Ok(())
    }

    /// Appends the header.
    pub fn push_header(self, columns: &[&str], out: &mut Vec<u8>) {
        if self.encoding == Encoding::Utf8WithMark {
            out.extend_from_slice("\u{feff}".as_bytes());
        }
        if self.leading_blank {
            out.push(b' ');
        }
        self.push_line(columns, out);
    }

    /// Appends a line.
    pub fn push_line(self, cells: &[impl AsRef<str>], out: &mut Vec<u8>) {
        let mut delimiter = [0; 4];
        let delimiter = self.delimiter.encode_utf8(&mut delimiter).as_bytes();
        for (index, cell) in cells.iter().map(AsRef::as_ref).enumerate() {
            if index > 0 {
                out.extend_from_slice(delimiter);
            }
            if self.quoted && cell.contains([self.delimiter, '"']) {
                self.push_text(&format!("\"{}\"", cell.replace('"', "\"\"")), out);
            } else {
                self.push_text(cell, out);
            }
        }
        if self.trailing {
            out.extend_from_slice(delimiter);
        }
        out.extend_from_slice(self.line_end.as_bytes());
    }

    fn push_text(self, text: &str, out: &mut Vec<u8>) {
        match self.encoding {
            Encoding::Windows1252 => out.extend_from_slice(&WINDOWS_1252.encode(text).0),
            Encoding::Utf8 | Encoding::Utf8WithMark => out.extend_from_slice(text.as_bytes()),
        }
    }
}
