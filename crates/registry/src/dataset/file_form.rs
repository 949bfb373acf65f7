//! The form of a published file.

#[derive(Clone, Copy, Debug)]
pub enum FileForm {
    /// One row a line, plain or as the only entry of a zip.
    Text(TextForm),
    /// The first sheet of an xlsx workbook.
    Workbook,
}

#[derive(Clone, Copy, Debug)]
pub struct TextForm {
    pub delimiter: Delimiter,
    pub line_end: LineEnd,
    pub quoting: Quoting,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    Given(u8),
    /// Whichever of `,`, `|`, `;` and tab divides the header into the most described columns.
    Sniffed,
}

/// UTF-8 if the file begins with its mark, or if the first non-ASCII part of the file is valid UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Windows1252,
    Utf8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// LF, or CR LF. A CR elsewhere is a blank.
    Lf,
    /// LF, CR or CR LF, also mixed.
    LfOrCr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoting {
    /// A quote is an ordinary character.
    None,
    /// A cell that begins with `"` ends with the next single `"`; inside it, `""` is one quote and a delimiter is text.
    /// Line ends are not allowed in it.
    Csv,
}

/// Sizes that are refused unread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of text, unpacked.
    pub text: u64,
    /// Bytes of text for each byte of the file.
    pub ratio: u64,
}

impl Encoding {
    /// Its standard name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Windows1252 => "windows-1252",
            Self::Utf8 => "UTF-8",
        }
    }
}

impl TextForm {
    /// The form of SUNAT's lists: pipes, no quoting, any line end.
    pub const PIPES: Self =
        Self { delimiter: Delimiter::Given(b'|'), line_end: LineEnd::LfOrCr, quoting: Quoting::None };
}
