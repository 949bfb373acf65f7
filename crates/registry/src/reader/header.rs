//! Finds the described columns in a file's header.

use kuraka_domain::text::folded;

use super::cells::Cells;
use super::error::FileProblemError;
use super::shape::shape;
use crate::dataset::{ALL, Content, Dataset, Delimiter, FieldKind, Quoting, Rule, TextForm};

const TRIED: [u8; 4] = [b',', b'|', b';', b'\t'];
/// Characters of the header in an error, and of a column's name.
const SHOWN: usize = 300;
const NAME_SHOWN: usize = 40;

#[derive(Debug)]
pub(super) struct Layout {
    pub(super) columns: usize,
    /// Whether a delimiter ends the header, and so each line.
    pub(super) trailing: bool,
    pub(super) ruc: usize,
    pub(super) ruc_header: &'static str,
    /// In the description's order.
    pub(super) fields: Vec<Field>,
    /// The column that may contain delimiters.
    pub(super) holds_delimiters: Option<usize>,
    pub(super) unknown: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) position: usize,
    pub(super) name: &'static str,
    pub(super) header: &'static str,
    pub(super) kind: FieldKind,
    pub(super) rule: Rule,
}

impl Layout {
    /// Finds the columns of `dataset` among a header's names.
    pub(super) fn new(dataset: &Dataset, names: &[String]) -> Result<Self, FileProblemError> {
        let all = names;
        let names = all.strip_suffix(&[String::new()]).unwrap_or(all);
        let found: Vec<String> = names.iter().map(|name| folded(name)).collect();
        if let Some(dataset) = other_dataset(dataset, &found) {
            return Err(FileProblemError::OtherHeader { dataset });
        }
        let mut layout = Self {
            columns: found.len(),
            trailing: names.len() < all.len(),
            ruc: 0,
            ruc_header: "RUC",
            fields: Vec::new(),
            holds_delimiters: None,
            unknown: Vec::new(),
        };
        let mut known = vec![false; found.len()];
        for column in dataset.columns {
            let wanted = folded(column.header);
            let mut positions = (0..).zip(&found).filter(|(_, name)| **name == wanted).map(|(position, _)| position);
            let missing = || FileProblemError::MissingColumn { column: column.header, found: shown(dataset, names) };
            let position = positions.next().ok_or_else(missing)?;
            if positions.next().is_some() {
                return Err(FileProblemError::RepeatedColumn { column: column.header });
            }
            if let Some(known) = known.get_mut(position) {
                *known = true;
            }
            match column.content {
                Content::Ruc => (layout.ruc, layout.ruc_header) = (position, column.header),
                Content::Field { name, kind, rule } => {
                    layout.fields.push(Field { position, name, header: column.header, kind, rule });
                }
                Content::Dropped => {}
            }
            if column.holds_delimiters {
                layout.holds_delimiters = Some(position);
            }
        }
        let unknown = names.iter().zip(known).filter(|(_, known)| !known).map(|(name, _)| cut(name, NAME_SHOWN));
        layout.unknown = unknown.take(super::report::NAMED).collect();
        Ok(layout)
    }
}

pub(super) fn names(dataset: &Dataset, form: TextForm, line: &[u8]) -> (u8, Vec<String>) {
    let described: Vec<String> = dataset.columns.iter().map(|column| folded(column.header)).collect();
    let count = |names: &[String]| names.iter().filter(|name| described.contains(&folded(name))).count();
    let tried: &[u8] = match &form.delimiter {
        Delimiter::Given(delimiter) => std::slice::from_ref(delimiter),
        Delimiter::Sniffed => &TRIED,
    };
    let split = tried.iter().map(|&delimiter| (delimiter, split(line, delimiter, form.quoting)));
    split.max_by_key(|(_, names)| (count(names), names.len())).unwrap_or_default()
}

fn split(line: &[u8], delimiter: u8, quoting: Quoting) -> Vec<String> {
    let mut cells = Cells::default();
    let split = cells.split(line, delimiter, quoting);
    split.map(|split| split.iter().map(text).collect()).unwrap_or_default()
}

/// Decodes either encoding.
fn text(name: &[u8]) -> String {
    let latin = || encoding_rs::WINDOWS_1252.decode_without_bom_handling(name).0.into_owned();
    std::str::from_utf8(name).map_or_else(|_| latin(), str::to_owned).trim().to_owned()
}

/// The other datasets whose columns are all in the header, by any delimiter.
pub(super) fn other_by_any_delimiter(dataset: &Dataset, line: &[u8]) -> Option<String> {
    TRIED.iter().find_map(|&delimiter| {
        let names = split(line, delimiter, Quoting::None);
        other_dataset(dataset, &names.iter().map(|name| folded(name)).collect::<Vec<_>>())
    })
}

/// The other datasets whose columns are all there, if they explain the header better than the dataset itself: the
/// padrón, for example, has all columns of the annexes.
fn other_dataset(dataset: &Dataset, found: &[String]) -> Option<String> {
    let own = present(dataset, found);
    let more = if own == dataset.columns.len() { own + 1 } else { own.max(1) };
    let explains = |other: &Dataset| other.columns.len() >= more && present(other, found) == other.columns.len();
    let others = ALL.iter().filter(|other| other.name != dataset.name && explains(other));
    let most = others.clone().map(|other| other.columns.len()).max()?;
    let names: Vec<_> = others.filter(|other| other.columns.len() == most).map(|other| other.name).collect();
    Some(names.join(" or "))
}

/// How many columns of the dataset are among these folded names.
fn present(dataset: &Dataset, found: &[String]) -> usize {
    dataset.columns.iter().filter(|column| found.contains(&folded(column.header))).count()
}

/// The unknown names in a header: one may be a renamed column. If no name is known, the line may be a row, of which
/// only the shape is shown.
fn shown(dataset: &Dataset, names: &[String]) -> String {
    let described: Vec<String> = dataset.columns.iter().map(|column| folded(column.header)).collect();
    let unknown: Vec<&String> = names.iter().filter(|name| !described.contains(&folded(name))).collect();
    if unknown.is_empty() {
        return "none".to_owned();
    }
    let is_header = unknown.len() < names.len();
    let name = |name: &&String| if is_header { cut(name, NAME_SHOWN) } else { shape(name.as_bytes()) };
    cut(&unknown.iter().map(|it| format!("{:?}", name(it))).collect::<Vec<_>>().join(", "), SHOWN)
}

fn cut(text: &str, length: usize) -> String {
    text.chars().take(length).collect()
}
