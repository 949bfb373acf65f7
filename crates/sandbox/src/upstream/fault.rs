//! The faults of an answer, as data: content, encoding, delivery.

use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Another answer instead of the record.
    Replaced(Replacement),
    /// The record with an error in it.
    Altered(Alteration),
    /// A correct text in wrong bytes.
    Coded(Coding),
    /// Correct bytes with a faulty delivery.
    Delivered(Delivery),
}

/// The answer sent instead of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// This HTTP status, with a short page.
    Status(u16),
    /// This HTTP status with this JSON; the token endpoint replaces `{token}` with a valid token.
    Body(u16, &'static str),
    /// 429, perhaps with this `Retry-After`.
    Throttled(Option<&'static str>),
    /// A redirect, 302.
    Redirect(RedirectTo),
    /// A web page, 200.
    Page(Page),
    /// 200 in the other format: JSON for a page, a page for JSON.
    OtherFormat,
    /// 200 without a body.
    Empty,
    NoContent,
    /// The service's own answer that there is no such taxpayer.
    NotFound,
}

/// The target of a redirect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectTo {
    /// Another host, which does not answer.
    OtherHost,
    /// The requested URL itself.
    Itself,
    SearchForm,
}

/// Web pages, all with status 200.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// The firewall's `Request Rejected`.
    Firewall,
    Captcha,
    /// `Acceso denegado`.
    Denied,
    Error,
    SearchForm,
    /// A notice of maintenance.
    Maintenance,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alteration {
    /// All labels, or keys, are other words.
    LabelsRenamed,
    /// The label, or key, of the status is missing, and its value with it.
    LabelRemoved,
    /// `*****` as the name.
    Masked,
    /// A name of a million characters.
    HugeName,
    /// Invalid dates, and numbers instead of texts.
    WrongValues,
    /// The record twice, one after the other.
    Twice,
    /// The record of another taxpayer.
    OtherRuc,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// windows-1252, and the header says so.
    Windows1252Declared,
    /// windows-1252, and the header says UTF-8.
    Windows1252AsUtf8,
    /// UTF-8, and the header says so.
    Utf8Declared,
    /// UTF-8, and the header names no charset.
    Utf8Undeclared,
    /// UTF-8, and the header says ISO-8859-1.
    Utf8AsLatin1,
    /// UTF-8 that was read as windows-1252 and encoded as UTF-8 again.
    Utf8Twice,
    /// U+FFFD instead of each character beyond ASCII.
    Replaced,
    /// Correct gzip.
    Gzip,
    /// gzip of the answer followed by this many blanks.
    GzipBomb(usize),
    /// gzip cut in the middle.
    GzipTruncated,
    /// Declared as gzip, and not compressed.
    GzipGarbage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// The answer comes after a delay.
    Late(Duration),
    /// The request is read, and no answer comes.
    Hang,
    /// The headers are sent, and nothing after them.
    HangAfterHead,
    /// One byte of the body at a time, with this pause in between.
    Drip(Duration),
    /// This many bytes per second.
    Slow(u32),
    /// One byte in each segment, without a pause.
    Sliced,
    /// A reset after the request is read.
    ResetBeforeHead,
    /// A reset in the middle of the body.
    ResetMidBody,
    /// Closed without a status line.
    CloseWithoutStatus,
    /// The first bytes of the body, then closed; a shorter body is not cut.
    Cut {
        at: usize,
        /// How the client could notice the cut.
        framing: Framing,
    },
    /// The whole body without a length, closed after a wait.
    SlowClose(Duration),
    /// A head of a megabyte.
    HugeHead,
    ManyHeaders,
    /// Two lengths that contradict each other.
    TwoLengths,
    NotHttp,
    /// The body alone, as in HTTP/0.9.
    NoHead,
}

/// How the head announces the end of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// By a length.
    Length,
    /// By chunks, the last of them empty.
    Chunked,
    /// By the end of the connection: a cut looks like the end.
    UntilClose,
}

macro_rules! into_fault {
    ($($variant:ident($kind:ty)),+) => {
        $(impl From<$kind> for Fault {
            fn from(kind: $kind) -> Self {
                Self::$variant(kind)
            }
        })+
    };
}

into_fault!(Replaced(Replacement), Altered(Alteration), Coded(Coding), Delivered(Delivery));

impl From<Page> for Fault {
    fn from(page: Page) -> Self {
        Self::Replaced(Replacement::Page(page))
    }
}
