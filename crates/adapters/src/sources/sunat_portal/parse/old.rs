//! The layout before 2021, which still answers a form without `modo`: one table, cells `td.bgn` for labels and
//! `td.bg` for values, lists as drop-downs.

use scraper::{ElementRef, Node};

use super::super::error::PageError;
use super::super::label::Label;
use super::super::text::is_placeholder;
use super::element::{entries, has_class, is_blank, lines, own_text, parts};
use super::{RawRecord, Value};

/// Reads the result around these labels.
pub(super) fn record(labels: &[(Label, ElementRef<'_>)]) -> Result<RawRecord, PageError> {
    let mut tables = labels.iter().filter(|(label, _)| *label == Label::Ruc).map(|&(_, cell)| table(cell));
    let (Some(table), None) = (tables.next(), tables.next()) else { return Err(PageError::Several) };
    let table = table.ok_or(PageError::Unknown)?;
    // What a broken table cannot hold, an entry of a broken list say, is moved before it; in the page that place is empty.
    let moved = |node: &Node| node.is_element() || node.as_text().is_some_and(|text| !is_blank(text));
    if table.prev_siblings().any(|node| moved(node.value())) {
        return Err(PageError::Unknown);
    }
    let mut record = RawRecord::default();
    for row in table.child_elements().flat_map(|body| body.child_elements()) {
        read_row(row, &mut record)?;
    }
    Ok(record)
}

/// The table that a label's cell stands in: table, body, row, cell.
fn table(cell: ElementRef<'_>) -> Option<ElementRef<'_>> {
    let table = cell.ancestors().nth(2).and_then(ElementRef::wrap)?;
    (table.value().name() == "table").then_some(table)
}

fn read_row(row: ElementRef<'_>, record: &mut RawRecord) -> Result<(), PageError> {
    let mut cells = row.child_elements().peekable();
    while let Some(cell) = cells.next() {
        let text = has_class(cell, "bgn").then(|| own_text(cell)).flatten();
        let value = cells.next_if(|next| has_class(*next, "bg"));
        match (text.as_deref().map(|text| (text, Label::of(text))), value) {
            // Beside the status stands a label without words where there is no day of deregistration.
            (Some((text, None)), None) if is_blank(text) => {}
            (Some((_, Some(label))), Some(value)) => record.insert(label, read_value(label, value)?)?,
            _ => record.unknown += 1,
        }
    }
    Ok(())
}

fn read_value(label: Label, cell: ElementRef<'_>) -> Result<Value, PageError> {
    if !label.is_list() {
        // An empty cell is what is left of one whose text the parser moved out of a broken table; the page says `-`.
        let lines = lines(cell, label)?;
        let is_empty = lines.iter().all(|line| is_blank(line));
        return if is_empty { Err(PageError::Blank { label }) } else { Ok(Value::Text(lines)) };
    }
    let (mut elements, text_beside) = parts(cell);
    elements.retain(|element| element.value().id() != Some("print"));
    match elements.as_slice() {
        [] => match own_text(cell) {
            Some(text) if text_beside && is_placeholder(&text) => Ok(Value::List(Vec::new())),
            _ => Err(PageError::Value { label }),
        },
        &[list] if !text_beside && list.value().name() == "select" => {
            entries(list, "option", &[], label).map(Value::List)
        }
        _ => Err(PageError::Value { label }),
    }
}
