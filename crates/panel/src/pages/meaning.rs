//! What a status, a condition, a list and a voucher's state mean for an invoice, and what to do: the texts of `meanings.json`. A text says
//! no more than its source.

use std::borrow::Cow;
use std::sync::LazyLock;

use serde::Deserialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum Of {
    #[serde(rename = "estado")]
    Status,
    #[serde(rename = "condicion")]
    Condition,
    #[serde(rename = "capacidad")]
    Capacity,
    #[serde(rename = "sancion")]
    Sanction,
    #[serde(rename = "comprobante")]
    Voucher,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Meaning {
    of: Of,
    /// The registry's texts, in full; `*` = every other text.
    texts: Vec<String>,
    /// The text without abbreviations; empty = it has none.
    #[serde(default)]
    title: String,
    pub(crate) means: String,
    /// What follows for an invoice, with its article; may be empty.
    #[serde(default)]
    pub(crate) effect: String,
    /// May be empty.
    #[serde(default)]
    pub(crate) term: String,
    /// What to do, or that there is nothing to do, or that no source says.
    pub(crate) next: String,
    /// May be empty.
    #[serde(default)]
    pub(crate) source: String,
}

/// A test reads the file, so it is never empty.
static MEANINGS: LazyLock<Vec<Meaning>> =
    LazyLock::new(|| serde_json::from_str(include_str!("meanings.json")).unwrap_or_default());

/// The meaning of a text of the registry, in full.
pub(crate) fn find(of: Of, text: &str) -> Option<&'static Meaning> {
    let named =
        |name: &str| MEANINGS.iter().find(|known| known.of == of && known.texts.iter().any(|text| text == name));
    named(text).or_else(|| named("*"))
}

/// A text of the registry without its abbreviations.
pub(crate) fn written_out(of: Of, text: &str) -> Cow<'static, str> {
    match find(of, text) {
        Some(known) if !known.title.is_empty() => Cow::Borrowed(&*known.title),
        Some(_) | None => Cow::Owned(text.to_owned()),
    }
}
