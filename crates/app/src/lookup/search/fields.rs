//! A search's fields as callers send them, and why one is refused.

use kuraka_domain::name::{SearchMode, folded, words};
use kuraka_domain::ubigeo::DEPARTMENTS;
use kuraka_domain::{DomicileCondition, TaxpayerStatus};
use kuraka_ports::NameQuery;
use thiserror::Error;

use super::cursor;

const LIMIT: usize = 20;

/// A search's fields as text. Case and accents do not matter.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchFields<'a> {
    /// `nombre`.
    pub name: &'a str,
    /// `modo`: the name of a [`SearchMode`].
    pub mode: Option<&'a str>,
    /// `estado`, one of [`TaxpayerStatus::KNOWN`].
    pub status: Option<&'a str>,
    /// `condicion`, one of [`DomicileCondition::KNOWN`].
    pub condition: Option<&'a str>,
    /// `departamento`, one of [`DEPARTMENTS`].
    pub department: Option<&'a str>,
    /// `limite`: 1 to 50, 20 by default.
    pub limit: Option<&'a str>,
    /// `cursor`: [`SearchAnswer::cursor`](super::SearchAnswer::cursor) of the previous page.
    pub cursor: Option<&'a str>,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SearchFieldError {
    #[error("a name to search for has 2 to 100 characters, this has {found}")]
    Length { found: usize },
    #[error("a name to search for has no control characters")]
    Control,
    #[error("a name to search for has letters or digits")]
    NoWord,
    #[error("one letter is not enough to search for")]
    OneLetter,
    #[error("a name to search for has at most {} words, this has {found}", SearchFields::WORDS)]
    Words { found: usize },
    #[error("inside of words, {} characters or more are found, {word} has fewer", SearchFields::INSIDE)]
    ShortWord { word: String },
    #[error("{field} is one of {possible}")]
    Unknown {
        field: &'static str,
        /// The possible values, separated by commas.
        possible: String,
    },
    #[error("a page has 1 to {} results", SearchFields::MAX_RESULTS)]
    Limit,
    #[error("the cursor is damaged")]
    BrokenCursor,
    #[error("the cursor belongs to another search")]
    ForeignCursor,
}

impl SearchFields<'_> {
    /// The most words of a search.
    pub const WORDS: usize = 10;
    /// Minimum characters of a word in the mode `contiene`.
    pub const INSIDE: usize = 3;
    /// The most results of a page.
    pub const MAX_RESULTS: usize = 50;

    /// # Errors
    /// [`SearchFieldError`] of the first field that is refused.
    pub fn query(&self) -> Result<NameQuery, SearchFieldError> {
        let mode = one_of("modo", self.mode, SearchMode::ALL.map(|mode| (mode.name(), mode)))?.unwrap_or_default();
        let statuses = TaxpayerStatus::KNOWN.iter().map(|known| (known.as_str(), known));
        let conditions = DomicileCondition::KNOWN.iter().map(|known| (known.as_str(), known));
        let limit = self.limit.map_or(Ok(LIMIT), |limit| {
            // Some programs write a whole number so.
            let limit = limit.strip_suffix(".0").unwrap_or(limit);
            let limit = limit.parse().ok().filter(|_| limit.bytes().all(|byte| byte.is_ascii_digit()));
            limit.filter(|limit| (1..=Self::MAX_RESULTS).contains(limit)).ok_or(SearchFieldError::Limit)
        });
        let mut query = NameQuery {
            words: query_words(self.name, mode)?,
            mode,
            status: one_of("estado", self.status, statuses)?.cloned(),
            condition: one_of("condicion", self.condition, conditions)?.cloned(),
            department: one_of("departamento", self.department, DEPARTMENTS.map(|known| (known, known)))?,
            limit: limit?,
            after: None,
        };
        if let Some(cursor) = self.cursor {
            let cursor = cursor::read(cursor).ok_or(SearchFieldError::BrokenCursor)?;
            query.after = Some(cursor.position(&query).ok_or(SearchFieldError::ForeignCursor)?);
        }
        Ok(query)
    }
}

fn query_words(name: &str, mode: SearchMode) -> Result<Vec<String>, SearchFieldError> {
    let length = name.chars().count();
    if !(2..=100).contains(&length) {
        return Err(SearchFieldError::Length { found: length });
    }
    if name.contains(char::is_control) {
        return Err(SearchFieldError::Control);
    }
    let words = words(name);
    let short = words.iter().find(|word| mode == SearchMode::Contains && word.chars().count() < SearchFields::INSIDE);
    match (words.as_slice(), short) {
        ([], _) => Err(SearchFieldError::NoWord),
        ([word], _) if word.chars().count() == 1 => Err(SearchFieldError::OneLetter),
        (_, Some(word)) => Err(SearchFieldError::ShortWord { word: word.clone() }),
        (several, None) if several.len() > SearchFields::WORDS => Err(SearchFieldError::Words { found: several.len() }),
        _ => Ok(words),
    }
}

/// `None` if the field was not sent.
fn one_of<T>(
    field: &'static str,
    text: Option<&str>,
    choices: impl IntoIterator<Item = (&'static str, T)>,
) -> Result<Option<T>, SearchFieldError> {
    let Some(text) = text.map(folded) else { return Ok(None) };
    let mut names = Vec::new();
    for (name, value) in choices {
        if folded(name) == text {
            return Ok(Some(value));
        }
        names.push(name);
    }
    Err(SearchFieldError::Unknown { field, possible: names.join(", ") })
}
