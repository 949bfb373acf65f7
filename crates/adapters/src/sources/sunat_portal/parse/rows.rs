//! The rows of a result: one `div.list-group` of items, each with cells that alternate between label and value.

use scraper::ElementRef;

use super::super::error::UnreadablePageError;
use super::super::label::{Label, letters};
use super::decode::is_garbled;
use super::element::{HEADING, entries, has_class, lines, own_text, parts};
use crate::sources::text::is_placeholder;

/// The banner among the rows repeats their texts.
const BANNER: &str = "importante";

/// A result as labelled, unchecked values, each label at most once: the lines of a text, split at `</br>`, inner blanks
/// kept; or the entries of a list, each once, blanks folded.
#[derive(Default)]
pub(in crate::sources::sunat_portal) struct RawRecord {
    rows: Vec<(Label, Vec<String>)>,
    /// Rows without a known label.
    pub(super) unknown: usize,
}

impl RawRecord {
    pub(in crate::sources::sunat_portal) fn value(&self, label: Label) -> Option<&[String]> {
        self.rows.iter().find(|(found, _)| *found == label).map(|(_, value)| value.as_slice())
    }

    pub(super) fn insert(&mut self, label: Label, value: Vec<String>) -> Result<(), UnreadablePageError> {
        if self.value(label).is_some() {
            return Err(UnreadablePageError::Misplaced(label));
        }
        if value.iter().any(|text| is_garbled(text)) {
            return Err(UnreadablePageError::Garbled);
        }
        if value.iter().any(|text| text.contains("***")) {
            return Err(UnreadablePageError::Masked(label));
        }
        self.rows.push((label, value));
        Ok(())
    }
}

pub(super) fn record(labels: &[(Label, ElementRef<'_>)]) -> Result<RawRecord, UnreadablePageError> {
    let mut blocks = labels.iter().filter(|(label, _)| *label == Label::Ruc).map(|&(_, heading)| block(heading));
    let (Some(block), None) = (blocks.next(), blocks.next()) else { return Err(UnreadablePageError::Several) };
    let block = block.ok_or(UnreadablePageError::Unknown)?;
    let mut record = RawRecord::default();
    let (items, text_beside) = parts(block);
    record.unknown += usize::from(text_beside);
    for item in items {
        read_item(item, &mut record)?;
    }
    Ok(record)
}

/// The list with a row's label: the parent of item, row and cell.
fn block(heading: ElementRef<'_>) -> Option<ElementRef<'_>> {
    let block = heading.ancestors().nth(3).and_then(ElementRef::wrap)?;
    has_class(block, "list-group").then_some(block)
}

fn read_item(item: ElementRef<'_>, record: &mut RawRecord) -> Result<(), UnreadablePageError> {
    let (rows, text_beside) = parts(item);
    let [row] = rows.as_slice() else {
        record.unknown += 1;
        return Ok(());
    };
    let (cells, text_in_row) = parts(*row);
    record.unknown += usize::from(text_beside || text_in_row);
    if let [cell] = cells.as_slice() {
        record.unknown += usize::from(!is_banner(*cell));
        return Ok(());
    }
    for pair in cells.chunks(2) {
        match pair {
            &[label, value] => match label_of(label) {
                Some(label) => record.insert(label, read_value(label, value)?)?,
                None => record.unknown += 1,
            },
            _ => record.unknown += 1,
        }
    }
    Ok(())
}

fn is_banner(cell: ElementRef<'_>) -> bool {
    cell.child_elements().next().is_some_and(|paragraph| {
        let text: String = paragraph.text().take(3).collect();
        letters(&text).starts_with(BANNER)
    })
}

fn label_of(cell: ElementRef<'_>) -> Option<Label> {
    match parts(cell) {
        (elements, false) => match elements.as_slice() {
            &[heading] if heading.value().name() == "h4" && has_class(heading, HEADING) => {
                Label::from_text(&own_text(heading)?)
            }
            _ => None,
        },
        _ => None,
    }
}

fn read_value(label: Label, cell: ElementRef<'_>) -> Result<Vec<String>, UnreadablePageError> {
    let (elements, text_beside) = parts(cell);
    let unexpected = UnreadablePageError::Value(label);
    match elements.as_slice() {
        // An empty list is a bare `-`.
        [] if label.is_list() => match own_text(cell) {
            Some(text) if text_beside && is_placeholder(&text) => Ok(Vec::new()),
            _ => Err(unexpected),
        },
        &[table] if label.is_list() && !text_beside && table.value().name() == "table" => entries(table, label),
        &[text] if !label.is_list() && !text_beside && text.value().name() == text_element(label) => lines(text, label),
        _ => Err(unexpected),
    }
}

/// Number and name are in an element that looks like a label.
fn text_element(label: Label) -> &'static str {
    if label == Label::Ruc { "h4" } else { "p" }
}
