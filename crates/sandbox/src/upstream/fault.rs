//! What can go wrong with an answer, as data: what is said, how it is written, how its bytes travel.
//!
//! This module refuses to know how a fault is carried out, and what anybody should make of it.

use std::time::Duration;

/// One way in which an answer goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Something else is answered.
    Instead(Instead),
    /// The record is there, but not as it should be.
    Altered(Alteration),
    /// The text is right, its bytes are not.
    Coded(Coding),
    /// The bytes are right, their journey is not.
    Delivered(Delivery),
}

/// What is answered instead of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instead {
    /// This HTTP status, with a short page.
    Status(u16),
    /// This HTTP status with this JSON; the token endpoint puts a good token for `{token}`.
    Body(u16, &'static str),
    /// 429, and for how long to wait.
    Throttled(RetryAfter),
    /// 302 to somewhere else.
    Redirect(RedirectTo),
    /// 200 with a page for people.
    Page(Page),
    /// 200 in the other format: JSON for a page, a page for JSON.
    OtherFormat,
    /// 200 without a body.
    Empty,
    /// 204.
    NoContent,
    /// The positive "there is no such taxpayer" of whoever is asked.
    NotFound,
}

/// What a 429 says of the wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryAfter {
    /// Nothing.
    Unsaid,
    /// Seconds.
    Seconds(u32),
    /// An HTTP date, as is.
    Date(&'static str),
}

/// Where a redirect points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectTo {
    /// To another host, which answers nothing.
    OtherHost,
    /// To the address asked.
    Itself,
    /// To the search form.
    SearchForm,
}

/// Pages for people, all of them 200.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// The firewall's `Request Rejected`.
    Firewall,
    /// A captcha to solve.
    Captcha,
    /// `Acceso denegado`.
    Denied,
    /// The application's page of errors.
    Error,
    /// The form with which people search.
    SearchForm,
    /// Closed for maintenance.
    Maintenance,
}

/// What is wrong with the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alteration {
    /// All labels, or keys, are other words.
    LabelsRenamed,
    /// The label, or key, of the status is gone, and its value with it.
    LabelRemoved,
    /// `*****` for a name.
    Masked,
    /// A name of a million characters.
    HugeName,
    /// Dates that are none; numbers for texts.
    WrongValues,
    /// The record twice, one behind the other.
    Twice,
    /// Somebody else's record.
    OtherRuc,
}

/// What is wrong with the bytes of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// windows-1252, and the header says so.
    Windows1252Declared,
    /// windows-1252, and the header says UTF-8.
    Windows1252AsUtf8,
    /// UTF-8, and the header says so.
    Utf8Declared,
    /// UTF-8, and the header says nothing.
    Utf8Undeclared,
    /// UTF-8, and the header says ISO-8859-1.
    Utf8AsLatin1,
    /// UTF-8 read as windows-1252 and written as UTF-8 again.
    Utf8Twice,
    /// U+FFFD for each character beyond ASCII.
    Replaced,
    /// gzip, and all is well.
    Gzip,
    /// gzip of the answer and so many blanks behind it.
    GzipBomb(usize),
    /// gzip cut in its middle.
    GzipTruncated,
    /// Said to be gzip, and none.
    GzipGarbage,
}

/// What befalls the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// They come after a wait.
    Late(Duration),
    /// The request is taken, and nothing ever comes.
    Hang,
    /// The head comes, and nothing more.
    HangAfterHead,
    /// One byte of the body, a wait, and so on.
    Drip(Duration),
    /// So many bytes a second.
    Slow(u32),
    /// One byte in each segment, without a wait.
    Sliced,
    /// A reset before the request is read, whoever it was for; by RUC, the same as [`Delivery::ResetBeforeHead`].
    ResetAtConnect,
    /// A reset after the request is read.
    ResetBeforeHead,
    /// A reset in the middle of the body.
    ResetMidBody,
    /// Closed without a status line.
    CloseWithoutStatus,
    /// The body's first bytes only, so framed, and closed; with as many bytes as there are, nothing is cut.
    Cut {
        /// Bytes of the body that come.
        at: usize,
        /// How the client could tell that some are missing.
        framing: Framing,
    },
    /// No length, all bytes, and closed after a wait.
    SlowClose(Duration),
    /// A head of a megabyte.
    HugeHead,
    /// Ten thousand headers.
    ManyHeaders,
    /// Two lengths that contradict each other.
    TwoLengths,
    /// Not HTTP.
    NotHttp,
    /// The body alone, as before HTTP had heads.
    NoHead,
}

/// How the end of a body is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// By its length in the head.
    Length,
    /// In chunks, the last of them empty.
    Chunked,
    /// By the end of the connection: a cut cannot be told from the end.
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

into_fault!(Instead(Instead), Altered(Alteration), Coded(Coding), Delivered(Delivery));

impl From<Page> for Fault {
    fn from(page: Page) -> Self {
        Self::Instead(Instead::Page(page))
    }
}
