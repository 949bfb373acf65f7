//! Reads an element's content; anything unexpected is an error.

use std::collections::HashSet;

use scraper::{CaseSensitivity, ElementRef, Node};

use super::super::error::UnreadablePageError;
use super::super::label::Label;
use super::super::shape::{is_doubled, is_padded};
use crate::sources::text::folded;

/// The class of the labels.
pub(super) const HEADING: &str = "list-group-item-heading";
/// An entry of a list, and the elements around the entries.
const ENTRY: &str = "td";
const AROUND_ENTRIES: [&str; 2] = ["tbody", "tr"];
/// Markup that does not change a text's meaning.
const INLINE: [&str; 4] = ["strong", "b", "span", "font"];

pub(super) fn has_class(element: ElementRef<'_>, class: &str) -> bool {
    element.value().has_class(class, CaseSensitivity::CaseSensitive)
}

fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

/// An element's text, if it has only text and comments.
pub(super) fn own_text(element: ElementRef<'_>) -> Option<String> {
    let mut text = String::new();
    for child in element.children() {
        if let Some(part) = child.value().as_text() {
            text.push_str(part);
        } else if !child.value().is_comment() {
            return None;
        }
    }
    Some(text)
}

/// An element's children, and whether it also has text.
pub(super) fn parts(parent: ElementRef<'_>) -> (Vec<ElementRef<'_>>, bool) {
    let beside = parent.children().any(|child| child.value().as_text().is_some_and(|text| !is_blank(text)));
    (parent.child_elements().collect(), beside)
}

/// A text's lines, every blank as a space. A trade name keeps its line ends: a remark may follow.
pub(super) fn lines(element: ElementRef<'_>, label: Label) -> Result<Vec<String>, UnreadablePageError> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for node in element.descendants().skip(1).map(|node| node.value()) {
        if let Some(part) = node.as_text() {
            let kept = |c: char| c == '\n' && label == Label::TradeName;
            line.extend(part.chars().map(|c| if c.is_whitespace() && !kept(c) { ' ' } else { c }));
        } else if name(node) == Some("br") {
            lines.push(std::mem::take(&mut line));
        } else if !name(node).is_some_and(|name| INLINE.contains(&name)) {
            return Err(UnreadablePageError::Value(label));
        }
    }
    lines.push(line);
    if lines.iter().any(|line| is_doubled(label, line)) { Err(UnreadablePageError::Doubled(label)) } else { Ok(lines) }
}

/// A list's entries, one in each cell, folded; equal ones count once. A list without entries is an error, as is a
/// comment with markup, which may be an entry.
pub(super) fn entries(list: ElementRef<'_>, label: Label) -> Result<Vec<String>, UnreadablePageError> {
    let unexpected = UnreadablePageError::Value(label);
    let mut entries: Vec<String> = Vec::new();
    for node in list.descendants().skip(1) {
        let value = node.value();
        if let Some(text) = value.as_text() {
            let is_inside = node.parent().is_some_and(|parent| name(parent.value()) == Some(ENTRY));
            match entries.last_mut() {
                Some(last) if is_inside => last.push_str(text),
                _ if is_blank(text) => {}
                _ => return Err(unexpected),
            }
        } else if let Some(comment) = value.as_comment() {
            if comment.contains('<') {
                return Err(unexpected);
            }
        } else if name(value) == Some(ENTRY) {
            entries.push(String::new());
        } else if !name(value).is_some_and(|name| AROUND_ENTRIES.contains(&name)) {
            return Err(unexpected);
        }
    }
    if entries.iter().any(|entry| is_doubled(label, entry)) {
        return Err(UnreadablePageError::Doubled(label));
    }
    if label != Label::ElectronicSystems && entries.iter().any(|entry| is_padded(entry)) {
        return Err(UnreadablePageError::Line(label));
    }
    let mut seen = HashSet::new();
    let folded: Vec<String> =
        entries.iter().map(|text| folded(text)).filter(|text| seen.insert(text.clone())).collect();
    if folded.is_empty() || folded.iter().any(String::is_empty) {
        Err(UnreadablePageError::Blank(label))
    } else {
        Ok(folded)
    }
}

fn name(node: &Node) -> Option<&str> {
    node.as_element().map(scraper::node::Element::name)
}
