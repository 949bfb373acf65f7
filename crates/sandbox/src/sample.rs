//! The bundled sample: a piece of every dataset, byte for byte in its published form.
//!
//! The padrón holds a few hundred real companies (public facts), invented companies under 20999… with the quirks of the
//! real file, and natural persons, all invented (10, 15 and 17 followed by 99999…). Text is windows-1252, the header has
//! a trailing pipe, lines end with LF and are not sorted; the lists end their records with a bare CR. About real
//! companies, only the list of withholding agents says more, and that is public; annexes, open data, sanctions and
//! subjects without operating capacity are invented companies.

mod pieces;
mod ssco;

pub use pieces::{DATE, Piece, datasets};

/// The padrón, `padron_reducido_ruc.txt`: 555 lines to accept, two of the `00` noise, two to reject.
pub const PADRON: &[u8] = include_bytes!("../sample/padron_reducido_ruc.txt");

/// The list of withholding agents, `AgenRet_TXT.txt`, with one record twice.
pub const WITHHOLDING: &[u8] = include_bytes!("../sample/AgenRet_TXT.txt");

/// The list of good taxpayers, `BueCont_TXT.txt`, with one record twice, once in quotes.
pub const GOOD_TAXPAYERS: &[u8] = include_bytes!("../sample/BueCont_TXT.txt");

/// A real company of [`PADRON`], active, with an address, and a withholding agent.
pub const COMPANY: &str = "20100119227";

/// An invented company of [`PADRON`] that is in both lists.
pub const ON_BOTH_LISTS: &str = "20999990062";

/// An invented company of [`PADRON`] on two lists, with annexes and in the open data.
pub const DESCRIBED: &str = "20999990038";

/// An invented company of [`PADRON`] that is in the open data, while the page and the providers are down for it.
pub const OPEN_DATA_ONLY: &str = "20999965033";

/// An invented company of [`PADRON`] without operating capacity, with a definitive sanction and one for a time.
pub const SANCTIONED: &str = "20999990755";

/// An invented natural person of [`PADRON`].
pub const PERSON: &str = "10999990075";

/// A valid RUC that is in none of the files.
pub const ABSENT: &str = "20999999990";

/// Eleven digits with a wrong check digit; not in [`PADRON`].
pub const BAD_CHECK_DIGIT: &str = "20100119228";

/// The RUC of the line of [`PADRON`] that must be rejected for its check digit.
pub const REJECTED_CHECK_DIGIT: &str = "20999999907";

/// The RUC of the line of [`PADRON`] that must be rejected because it is cut short.
pub const REJECTED_CUT_SHORT: &str = "20999999931";
