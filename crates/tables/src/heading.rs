//! The headings of a table. Titles may be above them, a heading may have several rows, and a group's heading is over
//! the group's first column only.

use csv::StringRecord;
use kuraka_domain::text::folded;

use crate::content::is_data;

const SEARCHED_ROWS: usize = 40;
const HEADING_ROWS: usize = 8;
/// Cells of a row below the headings: rules and sizes of an import template.
const TEMPLATE_CELLS: usize = 4;
/// Every heading of a list has one of these words.
const KNOWN: &str = "RUC FECHA TIPO NUMERO SERIE TOTAL IMPORTE MONTO NOMBRE NOMBRES RAZON DENOMINACION MONEDA IGV \
    BASE DOCUMENTO COMPROBANTE PROVEEDOR PROVEEDORES CLIENTE CODIGO PERIODO";
/// Titles, with the value in a neighbouring cell.
const LABELS: [&str; 8] =
    ["RUC", "PERIODO", "EJERCICIO", "MES", "EMPRESA", "RAZON SOCIAL", "DENOMINACION", "NUMERO RUC"];

#[derive(Clone, Debug, Default)]
pub(crate) struct Heading {
    /// As in the file.
    pub(crate) text: String,
    /// Normalised by [`words`].
    pub(crate) own: Vec<String>,
    /// Words of the groups above.
    pub(crate) group: Vec<String>,
}

impl Heading {
    /// Whether it has one of these words, with a blank between two.
    pub(crate) fn has(&self, words: &str) -> bool {
        has(&self.own, words)
    }

    /// Whether it or its groups have one.
    pub(crate) fn is_about(&self, words: &str) -> bool {
        self.has(words) || self.is_in_group(words)
    }

    pub(crate) fn is_in_group(&self, words: &str) -> bool {
        has(&self.group, words)
    }
}

fn has(found: &[String], words: &str) -> bool {
    words.split(' ').any(|word| found.iter().any(|found| found == word))
}

#[derive(Debug, Default)]
pub(crate) struct Header {
    /// Titles included.
    pub(crate) rows: usize,
    /// One a column; none in a table without headings.
    pub(crate) headings: Vec<Heading>,
}

impl Header {
    pub(crate) fn find(rows: &[(u64, StringRecord)]) -> Self {
        let start = rows.get(..rows.len().min(SEARCHED_ROWS)).unwrap_or_default();
        // The buyer's RUC may be in a row of its own.
        let is_above_headings = |at: usize| {
            let mut below = start.iter().skip(at + 1).map(|(_, row)| row);
            let next = below.find(|row| !is_title(row) && (filled(row) > 1 || is_data(row)));
            next.is_some_and(|row| !is_data(row) && has_known_word(row))
        };
        let is_first =
            |(at, (_, row)): (usize, &(u64, StringRecord))| is_data(row) && !is_title(row) && !is_above_headings(at);
        let data = start.iter().enumerate().position(is_first).unwrap_or(start.len());
        Self::above(start, data)
    }

    /// The headings that end with the row of this number; 0 = the table has none.
    pub(crate) fn until(rows: &[(u64, StringRecord)], last: u64) -> Self {
        let data = rows.partition_point(|(line, _)| *line <= last);
        let Some(chosen) = data.checked_sub(1) else { return Self::default() };
        let block = rows.get(first_of(rows, chosen, data)..data).unwrap_or_default();
        let titles = block.iter().take_while(|(_, row)| filled(row) == 1).count().min(block.len() - 1);
        Self { rows: data, headings: headings(block.get(titles..).unwrap_or_default()) }
    }

    /// The headings above the row of data at this place.
    fn above(start: &[(u64, StringRecord)], data: usize) -> Self {
        let first = first_of(start, data, data);
        let block = start.get(first..data).unwrap_or_default();
        let titles = block.iter().take_while(|(_, row)| filled(row) == 1).count();
        let titles = if titles < block.len() { titles } else { 0 };
        let block = block.get(titles..).unwrap_or_default();
        let last = block.iter().rposition(|(_, row)| has_known_word(row)).map(|at| {
            let rules = block.iter().skip(at + 1).take_while(|(_, row)| filled(row) >= TEMPLATE_CELLS).count();
            at + rules
        });
        let width = start.get(data).map_or(0, |(_, row)| filled(row));
        let last = last.or_else(|| block.iter().rposition(|(_, row)| width > 1 && filled(row) == width));
        match last.and_then(|last| block.get(..=last)) {
            Some(block) => Self { rows: first + titles + block.len(), headings: headings(block) },
            None => {
                let titles = start.iter().take_while(|(_, row)| is_title(row)).count();
                Self { rows: if data == start.len() { data } else { titles.min(data) }, ..Self::default() }
            }
        }
    }

    /// Empty in a table without headings.
    pub(crate) fn heading(&self, column: usize) -> &Heading {
        static NONE: Heading = Heading { text: String::new(), own: Vec::new(), group: Vec::new() };
        self.headings.get(column).unwrap_or(&NONE)
    }
}

/// The first row of headings that end at `first` or below, above the row of data.
fn first_of(rows: &[(u64, StringRecord)], mut first: usize, data: usize) -> usize {
    while first > 0 && data - first < HEADING_ROWS && belongs(rows, first, data) {
        first -= 1;
    }
    first
}

/// An empty row ends the headings.
fn belongs(rows: &[(u64, StringRecord)], first: usize, data: usize) -> bool {
    let Some((line, row)) = first.checked_sub(1).and_then(|at| rows.get(at)) else { return false };
    let is_next = first == data || rows.get(first).is_some_and(|(next, _)| *next <= line + 1);
    is_next && !is_title(row) && !is_data(row)
}

fn filled(row: &StringRecord) -> usize {
    row.iter().filter(|cell| !cell.trim().is_empty()).count()
}

/// A label with its value, as in `PERIODO: 202609` or `RUC` beside a RUC.
fn is_title(row: &StringRecord) -> bool {
    let mut cells = row.iter().map(str::trim).filter(|cell| !cell.is_empty());
    let Some(label) = cells.next() else { return true };
    let values = cells.count();
    let is_label = LABELS.contains(&words(label).join(" ").as_str());
    let has_value =
        values <= 4 && (values == 0 || !row.iter().all(|cell| cell.trim().is_empty() || cell.contains(':')));
    has_value && (label.contains(':') || is_label && values == 1 && is_data(row))
}

fn has_known_word(row: &StringRecord) -> bool {
    row.iter().any(|cell| has(&words(cell), KNOWN))
}

fn headings(block: &[(u64, StringRecord)]) -> Vec<Heading> {
    let columns = block.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
    let cell = |row: &StringRecord, column: usize| row.get(column).map(str::trim).unwrap_or_default().to_owned();
    let mut headings = vec![Heading::default(); columns];
    for (column, heading) in headings.iter_mut().enumerate() {
        let own: Vec<String> = block.iter().map(|(_, row)| cell(row, column)).collect();
        let lowest = own.iter().rposition(|text| !text.is_empty());
        for (text, (_, row)) in own.iter().zip(block).take(lowest.map_or(0, |lowest| lowest + 1)) {
            if text.is_empty() {
                // The nearest heading to the left.
                let group = (0..column).rev().map(|left| cell(row, left)).find(|text| !text.is_empty());
                heading.group.extend(group.iter().flat_map(|group| words(group)));
            } else {
                let gap = if heading.text.is_empty() { "" } else { " " };
                heading.text.push_str(gap);
                heading.text.push_str(text);
                heading.own.extend(words(text));
            }
        }
    }
    headings
}

/// Capitals without accents and articles, usual abbreviations written out.
pub(crate) fn words(text: &str) -> Vec<String> {
    // `NumDoc` is two words.
    let mut parted = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_uppercase() && parted.ends_with(char::is_lowercase) {
            parted.push(' ');
        }
        parted.push(c);
    }
    let folded = folded(&parted).replace("R U C", "RUC").replace("I G V", "IGV");
    let mut words: Vec<String> = Vec::new();
    for (at, word) in folded.split(' ').filter(|word| !word.is_empty()).enumerate() {
        let long: &[&str] = match word {
            "DE" | "DEL" | "LA" | "EL" | "LOS" | "LAS" | "O" | "Y" | "E" | "U" => &[],
            "NRO" | "NUM" | "N" | "Nº" | "NUMEROS" => &["NUMERO"],
            "NO" if at == 0 => &["NUMERO"],
            "DOC" | "DOCTO" | "DCTO" | "DOCUM" | "DOCUMENTOS" => &["DOCUMENTO"],
            "COD" => &["CODIGO"],
            "FEC" | "FCH" | "F" => &["FECHA"],
            "EMIS" | "EMI" => &["EMISION"],
            "VCTO" | "VENC" | "VTO" | "VENCTO" => &["VENCIMIENTO"],
            "T" | "TIP" => &["TIPO"],
            "TD" => &["TIPO", "DOCUMENTO"],
            "TDI" => &["TIPO", "DOCUMENTO", "IDENTIDAD"],
            "TC" => &["TIPO", "CAMBIO"],
            "IDENT" | "IDEN" | "ID" => &["IDENTIDAD"],
            "CP" | "CDP" | "CPE" | "COMP" | "COMPR" => &["COMPROBANTE"],
            "PROV" => &["PROVEEDOR"],
            "IMP" => &["IMPORTE"],
            "TOT" => &["TOTAL"],
            "MON" => &["MONEDA"],
            "SER" => &["SERIE"],
            "REF" => &["REFERENCIA"],
            "VOU" => &["VOUCHER"],
            "CORR" => &["CORRELATIVO"],
            word if word.starts_with("MODIF") => &["MODIFICADO"],
            word if word.starts_with("ADQUIR") => &["ADQUIRENTE"],
            word => {
                words.push(word.to_owned());
                continue;
            }
        };
        words.extend(long.iter().map(|word| (*word).to_owned()));
    }
    words
}
