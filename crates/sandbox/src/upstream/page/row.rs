//! The rows of the page: labels with their values, as HTML.

use kuraka_domain::Date;

/// One line of the page: one or two labels with their values.
pub(super) struct Row {
    pub(super) style: RowStyle,
    pub(super) cells: Vec<Cell>,
}

pub(super) struct Cell {
    pub(super) label: String,
    pub(super) value: Value,
}

/// As HTML.
pub(super) enum Value {
    Heading(String),
    Text(String),
    List(Vec<String>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RowStyle {
    Plain,
    Success,
    Danger,
}

impl Row {
    pub(super) fn one(label: &str, value: Value) -> Self {
        Self { style: RowStyle::Plain, cells: vec![Cell::new(label, value)] }
    }

    pub(super) fn pair(first: (&str, Value), second: (&str, Value)) -> Self {
        let cells = [first, second].map(|(label, value)| Cell::new(label, value)).into();
        Self { style: RowStyle::Plain, cells }
    }

    pub(super) fn is_labelled(&self, start: &str) -> bool {
        self.cells.iter().any(|cell| cell.label.starts_with(start))
    }
}

impl Cell {
    pub(super) fn new(label: &str, value: Value) -> Self {
        Self { label: label.to_owned(), value }
    }
}

impl Value {
    pub(super) fn text(text: &str) -> Self {
        Self::Text(or_dash(text))
    }

    pub(super) fn date(date: Option<Date>) -> Self {
        Self::text(&date.map(|date| date.dmy().to_string()).unwrap_or_default())
    }

    /// A list; `empty` if it is empty.
    pub(super) fn list<S: AsRef<str>>(texts: &[S], empty: &str) -> Self {
        if texts.is_empty() {
            return Self::List(vec![empty.to_owned()]);
        }
        Self::List(texts.iter().map(|text| escape(text.as_ref())).collect())
    }
}

pub(super) fn or_dash(text: &str) -> String {
    if text.is_empty() { "-".to_owned() } else { escape(text) }
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
