//! The feed of changes: what changed about taxpayers, in the order of publication.
//!
//! Each dataset has publications of its own, numbered in a strict order: an edition that follows another one, or a
//! rollback. A cursor has a position in each dataset, so a publication that one server sees later than
//! another is neither lost nor told twice. The publications of several datasets that a cursor has not passed are told by the
//! second in which their lists of changes were written, then in the order of datasets.
//!
//! The feed is read from the lists of changes, through the set of RUCs that a caller names. Nothing is copied for an
//! account, so a publication costs the same for any number of accounts.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_domain::{Date, Ruc};
use thiserror::Error;

use crate::{ChangedDatum, DatumChange, WatchedSet};

/// A place in the feed. Its text is made of digits, lower-case letters and `_ - . , = ;`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedCursor {
    /// The last publication of each dataset that is behind the cursor, in the order of datasets. A dataset that is not here
    /// had no edition.
    pub positions: Vec<FeedPosition>,
    /// The place in the publication that the cursor is in; `None` = it is between two publications.
    pub within: Option<FeedPlace>,
}

/// A publication of a dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedPosition {
    /// The dataset.
    pub dataset: String,
    /// Its number.
    pub number: u64,
    /// The label of the edition that became current.
    pub label: String,
    /// The first digits of that edition's checksum, which another server's edition with this label may not have; `0` = they
    /// are not known.
    pub identity: String,
}

/// A place in the next publication of a dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedPlace {
    /// The dataset.
    pub dataset: String,
    /// The last taxpayer.
    pub ruc: Ruc,
    /// How many of the taxpayer's changes are behind the cursor; [`FeedPlace::ALL`] = all of them.
    pub told: u32,
    /// The label of the edition that the publication made current.
    pub label: String,
}

/// The text is not a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the text is not a cursor of the feed")]
pub struct FeedCursorError;

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedChange {
    /// The taxpayer.
    pub ruc: Ruc,
    /// The date of the edition that became current.
    pub date: Date,
    /// That edition's label.
    pub edition: Arc<str>,
    /// What changed. Never an address or a place of a taxpayer that is not a company.
    pub what: DatumChange,
}

/// The taxpayers whose changes are asked for.
#[derive(Clone, Debug)]
pub enum FeedRucs {
    /// Every company (prefix 20).
    Companies,
    /// These.
    Watched(Arc<WatchedSet>),
}

/// What is asked of the feed.
#[derive(Clone, Debug)]
pub struct FeedQuery {
    /// Only changes after it.
    pub after: FeedCursor,
    /// Of a dataset that `after` has no position in, only publications of this time or later.
    pub new_since: Timestamp,
    /// Whose changes.
    pub rucs: FeedRucs,
    /// Only changes of these data; `None` = all.
    pub data: Option<Vec<ChangedDatum>>,
    /// The most changes of the page.
    pub limit: usize,
    /// Whether the page ends with the first publication that has such a change, so that all changes of the page have the
    /// same edition.
    pub one_publication: bool,
}

/// A page of changes: by publication, then by RUC, then in the order of [`ChangedDatum`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedPage {
    /// The changes. A page may have fewer than its limit, or none, although there are more: a call reads a bounded
    /// number of bytes.
    pub changes: Vec<FeedChange>,
    /// Where the next page begins.
    pub next: FeedCursor,
    /// Whether nothing is left. `false` on a server that does not have an edition of the cursor yet.
    pub is_last: bool,
    /// How many blocks of the lists were read for it.
    pub blocks: usize,
}

/// Why the feed does not answer.
#[derive(Debug, Error)]
pub enum FeedError {
    /// The record does not reach back so far, or a gap is in between.
    #[error("the record of changes does not reach back to the place that was asked for")]
    NotRecorded {
        /// The first date that can be asked for; `None` = there is no edition.
        since: Option<Date>,
    },
    /// The registry's folder cannot be read.
    #[error("the lists of changes cannot be read")]
    Unreadable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Reads the feed of changes.
#[async_trait]
pub trait ChangeFeed: Send + Sync + 'static {
    /// Every datum that a change can have, in the order of an answer.
    fn data(&self) -> Vec<ChangedDatum>;

    /// The cursor behind everything that is published here.
    ///
    /// # Errors
    /// `Unreadable`.
    async fn newest(&self) -> Result<FeedCursor, FeedError>;

    /// The cursor before the first change of each dataset that led to an edition of this date or later.
    ///
    /// # Errors
    /// [`FeedError`].
    async fn since(&self, date: Date) -> Result<FeedCursor, FeedError>;

    /// A cursor that [`ChangeFeed::page`] accepts, for one that it refuses as not recorded: where it was, as far as the record
    /// has that; else before the first publication of its edition's date or later, and behind the last gap. `new_since` as in [`FeedQuery`].
    ///
    /// # Errors
    /// `Unreadable`.
    async fn recover(&self, cursor: FeedCursor, new_since: Timestamp) -> Result<FeedCursor, FeedError>;

    /// The page of a cursor behind which nothing is published here; `None` = something is, and [`ChangeFeed::page`] reads it.
    /// `new_since` as in [`FeedQuery`].
    ///
    /// # Errors
    /// [`FeedError`].
    async fn empty_page(&self, after: &FeedCursor, new_since: Timestamp) -> Result<Option<FeedPage>, FeedError>;

    /// A page of changes. The same query gives the same changes again, also from another server, unless a list was removed
    /// meanwhile.
    ///
    /// # Errors
    /// [`FeedError`].
    async fn page(&self, query: FeedQuery) -> Result<FeedPage, FeedError>;
}

impl FeedPlace {
    /// All changes of a taxpayer.
    pub const ALL: u32 = u32::MAX;
}

impl FeedCursor {
    /// The position in a dataset; `None` = it had no edition.
    #[must_use]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_from_its_text() {
        let [dataset, label, identity] = ["padron", "2026-11-20-0a1b2c3d", "4e5f6a7b"].map(str::to_owned);
        let position = FeedPosition { dataset: dataset.clone(), number: 12, label: label.clone(), identity };
        let other = FeedPosition { dataset: "buenos_contribuyentes".to_owned(), ..position.clone() };
        let within = Some(FeedPlace { dataset, ruc: Ruc::parse("20100119227").unwrap(), told: FeedPlace::ALL, label });
        for cursor in [
            FeedCursor::default(),
            FeedCursor { positions: vec![position.clone()], within: None },
            FeedCursor { positions: vec![position, other], within },
        ] {
            assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }
    }

    #[test]
    fn other_texts_are_no_cursors() {
        let bad = ["x", "padron=1.a", "padron=1.a.", "padron=-1.a.0", "=1.a.0", "Padron=1.a.0", ";", ";padron=1.1"];
        for bad in bad.into_iter().chain(["padron=1.a.0;padron=20100119228.1.b", "padron=1.a.0;padron=20100119227.1."])
        {
            assert_eq!(bad.parse::<FeedCursor>(), Err(FeedCursorError), "{bad}");
        }
    }
}
