//! The rows of the page: labels with their values, as HTML.

use kuraka_domain::Date;

/// One line of the page: one or two labels with their values.
pub(super) struct Row {
    /// The class of its colour, if it has one.
    pub(super) colour: &'static str,
    pub(super) cells: Vec<(String, String)>,
}

impl Row {
    pub(super) fn new<const N: usize>(cells: [(&str, String); N]) -> Self {
        Self { colour: "", cells: cells.map(|(label, value)| (label.to_owned(), value)).into() }
    }
}

pub(super) fn heading(text: &str) -> String {
    format!("<h4 class=\"list-group-item-heading\">{text}</h4>")
}

pub(super) fn paragraph(text: &str) -> String {
    format!("<p class=\"list-group-item-text\">{text}</p>")
}

pub(super) fn text(text: &str) -> String {
    paragraph(&or_dash(text))
}

pub(super) fn date(date: Option<Date>) -> String {
    text(&date.map(|date| date.dmy().to_string()).unwrap_or_default())
}

/// A list; an empty one has the entry `empty`, or no table around a dash.
pub(super) fn list<S: AsRef<str>>(texts: &[S], empty: Option<&str>) -> String {
    let mut entries: Vec<String> = texts.iter().map(|text| escape(text.as_ref())).collect();
    if entries.is_empty() {
        let Some(empty) = empty else { return "-".to_owned() };
        entries.push(empty.to_owned());
    }
    let lines: String = entries.iter().map(|entry| format!("\n\t\t\t\t\t<tr><td>{entry}</td></tr>")).collect();
    format!("<table class=\"table tblResultado\">\n\t\t\t\t<tbody>{lines}\n\t\t\t\t</tbody>\n\t\t\t</table>")
}

pub(super) fn or_dash(text: &str) -> String {
    if text.is_empty() { "-".to_owned() } else { escape(text) }
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
