//! The change feed: what changed about taxpayers, in the order of publication.
//!
//! Each dataset numbers its publications in a strict order. A cursor has a position in each dataset, so a publication
//! that one server sees later than another is neither lost nor repeated. Publications of several datasets are ordered
//! by the second in which their change lists were written, then by dataset.
//!
//! The feed reads the change lists for the RUCs that a caller names. Nothing is copied for an account, so publishing
//! costs the same for any number of accounts.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_domain::{Date, Ruc};
use thiserror::Error;

use crate::{ChangedDatum, DatumChange, WatchedSet};

/// A place in the feed. Its text has digits, lower-case letters and `_ - . , = ;`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedCursor {
    /// The last passed publication of each dataset, in the order of datasets. A dataset that is missing had no edition.
    pub positions: Vec<FeedPosition>,
    /// The place within a publication; `None` = between two publications.
    pub within: Option<FeedPlace>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedPosition {
    pub dataset: String,
    pub number: u64,
    pub label: String,
    /// The first digits of that edition's checksum, which may differ on another server; `0` = unknown.
    pub identity: String,
}

/// A place in the next publication of a dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedPlace {
    pub dataset: String,
    /// The last taxpayer.
    pub ruc: Ruc,
    /// How many of its changes are passed; [`FeedPlace::ALL`] = all.
    pub told: u32,
    pub label: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the text is not a cursor of the feed")]
pub struct FeedCursorError;

/// A change of a taxpayer, in the feed and in the taxpayer's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedChange {
    pub ruc: Ruc,
    /// The date of the first edition with the new value.
    pub date: Date,
    pub edition: Arc<str>,
    /// Never an address or a place of a natural person.
    pub what: DatumChange,
}

#[derive(Clone, Debug)]
pub enum FeedRucs {
    /// Prefix 20.
    Companies,
    Watched(Arc<WatchedSet>),
}

#[derive(Clone, Debug)]
pub struct FeedQuery {
    /// Only later changes.
    pub after: FeedCursor,
    /// In a dataset without a position in `after`: only publications of this time or later.
    pub new_since: Timestamp,
    pub rucs: FeedRucs,
    /// `None` = all.
    pub data: Option<Vec<ChangedDatum>>,
    pub limit: usize,
    /// Whether to end with the first publication that has such a change, so that all changes have the same edition.
    pub one_publication: bool,
}

/// By publication, then by RUC, then in the order of [`ChangedDatum`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedPage {
    /// A page may be short or empty although there are more: a call reads a bounded number of bytes.
    pub changes: Vec<FeedChange>,
    pub next: FeedCursor,
    /// Whether nothing is left. `false` on a server that lacks an edition of the cursor.
    pub is_last: bool,
    pub blocks: usize,
}

#[derive(Debug, Error)]
pub enum FeedError {
    /// The record does not reach back so far, or has a gap.
    #[error("the record of changes does not reach back to the place that was asked for")]
    NotRecorded {
        /// The first possible date; `None` = there is no edition.
        since: Option<Date>,
    },
    #[error("the lists of changes cannot be read")]
    Unreadable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

#[async_trait]
pub trait ChangeFeed: Send + Sync + 'static {
    /// In the order of an answer.
    fn data(&self) -> Vec<ChangedDatum>;

    /// Behind everything that is published here.
    async fn newest(&self) -> Result<FeedCursor, FeedError>;

    /// Before the first change, of each dataset, that led to an edition of this date or later.
    async fn since(&self, date: Date) -> Result<FeedCursor, FeedError>;

    /// A cursor that [`ChangeFeed::page`] accepts, for one that is not recorded: its place as far as recorded; else
    /// before the first publication of its edition's date or later, behind the last gap. `new_since` as in
    /// [`FeedQuery`].
    async fn recover(&self, cursor: FeedCursor, new_since: Timestamp) -> Result<FeedCursor, FeedError>;

    /// The page of a cursor at the end; `None` = something is published behind it, and [`ChangeFeed::page`] reads it.
    /// `new_since` as in [`FeedQuery`].
    async fn empty_page(&self, after: &FeedCursor, new_since: Timestamp) -> Result<Option<FeedPage>, FeedError>;

    /// The same query gives the same changes, also on another server, unless a list was removed meanwhile.
    async fn page(&self, query: FeedQuery) -> Result<FeedPage, FeedError>;
}

impl FeedPlace {
    pub const ALL: u32 = u32::MAX;
}

impl FeedCursor {
    /// `None` = the dataset had no edition.
    pub fn position(&self, dataset: &str) -> Option<&FeedPosition> {
        self.positions.iter().find(|position| position.dataset == dataset)
    }
}

impl fmt::Display for FeedCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for FeedPosition { dataset, number, label, identity } in &self.positions {
            write!(f, "{separator}{dataset}={number}.{label}.{identity}")?;
            separator = ",";
        }
        match &self.within {
            Some(FeedPlace { dataset, ruc, told, label }) => write!(f, ";{dataset}={ruc}.{told}.{label}"),
            None => Ok(()),
        }
    }
}

impl FromStr for FeedCursor {
    type Err = FeedCursorError;

    fn from_str(text: &str) -> Result<Self, FeedCursorError> {
        let is_word = |word: &str| {
            let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
            !word.is_empty() && word.bytes().all(is_letter)
        };
        let position = |text: &str| {
            let (dataset, rest) = text.split_once('=')?;
            let (number, rest) = rest.split_once('.')?;
            let (label, identity) = rest.split_once('.')?;
            let number = number.parse().ok().filter(|_| [dataset, label, identity].into_iter().all(is_word))?;
            let [dataset, label, identity] = [dataset, label, identity].map(str::to_owned);
            Some(FeedPosition { dataset, number, label, identity })
        };
        let place = |text: &str| {
            let (dataset, rest) = text.split_once('=').filter(|(dataset, _)| is_word(dataset))?;
            let (ruc, rest) = rest.split_once('.')?;
            let (told, label) = rest.split_once('.').filter(|(_, label)| is_word(label))?;
            let (ruc, told) = (Ruc::parse(ruc).ok()?, told.parse().ok()?);
            Some(FeedPlace { dataset: dataset.to_owned(), ruc, told, label: label.to_owned() })
        };
        let (positions, within) = match text.split_once(';') {
            Some((positions, within)) => (positions, Some(place(within).ok_or(FeedCursorError)?)),
            None => (text, None),
        };
        let positions = positions.split(',').filter(|text| !text.is_empty()).map(position).collect::<Option<_>>();
        Ok(Self { positions: positions.ok_or(FeedCursorError)?, within })
    }
}
