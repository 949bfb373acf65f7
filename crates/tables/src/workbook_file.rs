//! Writes a workbook of several sheets row by row, so that no more than its compressed bytes and a row are in memory.

use std::fmt::Write as _;
use std::io::{self, Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::workbook::{Shade, TableCell, TableSheet};
use crate::xlsx_reader::{EPOCH_1900, MIN_SERIAL};

/// A cell has so many UTF-16 units; longer texts are cut.
const MAX_CELL_BYTES: usize = 32_767;
/// A column's widths, in characters.
const MIN_WIDTH: usize = 8;
const MAX_WIDTH: usize = 45;
/// Rows that decide about the widths.
const MEASURED_ROWS: usize = 100;
/// Of [`Shade`] but the first, and of the headings.
const FILLS: [&str; 5] = ["F8D7D9", "FBE9C3", "E8E6E3", "DCEEDD", "F3EDE4"];
/// The formats of a shade: a number, an amount, a day, a text. The first is built in, as is the second.
const FORMATS: [u16; 4] = [1, 4, DAY, 0];
const DAY: u16 = 164;
/// The style of the headings, after a plain one and those of each shade.
const HEADING: usize = 1 + FILLS.len() * FORMATS.len();
const SHEET: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
const MEDIA: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml";

type Zip = ZipWriter<Cursor<Vec<u8>>>;

/// The bytes of a workbook with these sheets.
///
/// # Errors
/// None in practice: it writes to memory.
pub fn write_workbook(sheets: Vec<TableSheet<'_>>) -> Result<Vec<u8>, io::Error> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let (mut types, mut relations, mut names) = (String::new(), String::new(), String::new());
    for (at, sheet) in (1..).zip(&sheets) {
        let _ = write!(types, "<Override PartName=\"/xl/s{at}.xml\" ContentType=\"{MEDIA}.worksheet+xml\"/>");
        relations += &relation(at, "worksheet", &format!("s{at}.xml"));
        let name = escaped(sheet.name);
        let _ = write!(names, "<sheet name=\"{name}\" sheetId=\"{at}\" r:id=\"r{at}\"/>");
    }
    relations += &relation(sheets.len() + 1, "styles", "styles.xml");
    let types = format!(
        "<Types xmlns=\"{PACKAGE}/content-types\"><Default Extension=\"rels\" \
         ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Default Extension=\"xml\" \
         ContentType=\"application/xml\"/><Override PartName=\"/xl/workbook.xml\" ContentType=\"{MEDIA}.sheet.main+xml\"/>\
         <Override PartName=\"/xl/styles.xml\" ContentType=\"{MEDIA}.styles+xml\"/>{types}</Types>"
    );
    let relations_of =
        |relations: &str| format!("<Relationships xmlns=\"{PACKAGE}/relationships\">{relations}</Relationships>");
    let book = format!("<workbook xmlns=\"{SHEET}\" xmlns:r=\"{RELATIONS}\"><sheets>{names}</sheets></workbook>");
    for (name, text) in [
        ("[Content_Types].xml", types),
        ("_rels/.rels", relations_of(&relation(1, "officeDocument", "xl/workbook.xml"))),
        ("xl/workbook.xml", book),
        ("xl/_rels/workbook.xml.rels", relations_of(&relations)),
        ("xl/styles.xml", styles()),
    ] {
        begin(&mut zip, name)?;
        zip.write_all(text.as_bytes())?;
    }
    for (at, sheet) in (1..).zip(sheets) {
        begin(&mut zip, &format!("xl/s{at}.xml"))?;
        write_sheet(&mut zip, sheet)?;
    }
    Ok(zip.finish().map_err(io::Error::from)?.into_inner())
}

fn begin(zip: &mut Zip, name: &str) -> Result<(), io::Error> {
    zip.start_file(name, SimpleFileOptions::default())?;
    zip.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n")
}

fn relation(at: usize, kind: &str, target: &str) -> String {
    format!("<Relationship Id=\"r{at}\" Type=\"{RELATIONS}/{kind}\" Target=\"{target}\"/>")
}

fn styles() -> String {
    let fill = |color: &str| {
        format!("<fill><patternFill patternType=\"solid\"><fgColor rgb=\"FF{color}\"/></patternFill></fill>")
    };
    let fills: String = FILLS.map(fill).concat();
    // The first two fills are the format's own.
    let fill_of = |shade: usize| if shade == 0 { 0 } else { shade + 1 };
    let style = |format: u16, fill: usize, font: u8| {
        format!(
            "<xf numFmtId=\"{format}\" fontId=\"{font}\" fillId=\"{fill}\" borderId=\"0\" xfId=\"0\" \
             applyNumberFormat=\"1\" applyFont=\"1\" applyFill=\"1\" applyAlignment=\"1\"><alignment \
             vertical=\"top\" wrapText=\"{font}\"/></xf>"
        )
    };
    let shaded = (0..FILLS.len()).flat_map(|shade| FORMATS.map(|format| style(format, fill_of(shade), 0)));
    let all: String = [style(0, 0, 0)].into_iter().chain(shaded).chain([style(0, FILLS.len() + 1, 1)]).collect();
    let font = |bold: &str| format!("<font>{bold}<sz val=\"11\"/><name val=\"Calibri\"/><family val=\"2\"/></font>");
    format!(
        "<styleSheet xmlns=\"{SHEET}\"><numFmts count=\"1\"><numFmt numFmtId=\"{DAY}\" formatCode=\"dd/mm/yyyy\"/></numFmts>\
         <fonts count=\"2\">{}{}</fonts><fills count=\"{}\"><fill><patternFill patternType=\"none\"/></fill><fill>\
         <patternFill patternType=\"gray125\"/></fill>{fills}</fills><borders count=\"1\"><border><left/><right/><top/>\
         <bottom/><diagonal/></border></borders><cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" \
         borderId=\"0\"/></cellStyleXfs><cellXfs count=\"{}\">{all}</cellXfs>\
         <cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles></styleSheet>",
        font(""),
        font("<b/>"),
        FILLS.len() + 2,
        HEADING + 1
    )
}

fn write_sheet(zip: &mut Zip, sheet: TableSheet<'_>) -> Result<(), io::Error> {
    let TableSheet { headings, plain_columns, mut rows, has_filter, .. } = sheet;
    let measured: Vec<_> = rows.by_ref().take(MEASURED_ROWS).collect();
    let mut text = format!(
        "<worksheet xmlns=\"{SHEET}\"><sheetViews><sheetView workbookViewId=\"0\"><pane ySplit=\"1\" topLeftCell=\"A2\" \
         activePane=\"bottomLeft\" state=\"frozen\"/></sheetView></sheetViews><cols>"
    );
    for (at, heading) in headings.iter().enumerate() {
        let cells = measured.iter().filter_map(|(_, cells)| cells.get(at)).map(width);
        let width = cells.chain([heading.chars().count()]).max().unwrap_or(0).clamp(MIN_WIDTH, MAX_WIDTH) + 2;
        let at = at + 1;
        let _ = write!(text, "<col min=\"{at}\" max=\"{at}\" width=\"{width}\" customWidth=\"1\"/>");
    }
    text += "</cols><sheetData>";
    let heads = headings.iter().map(|heading| TableCell::Text(heading.clone())).collect();
    let (mut last, columns) = (0, headings.len());
    for (row, (shade, cells)) in (1..).zip(
        [(None, heads)].into_iter().chain(measured.into_iter().chain(rows).map(|(shade, cells)| (Some(shade), cells))),
    ) {
        let _ = write!(text, "<row r=\"{row}\">");
        for (at, cell) in cells.iter().enumerate() {
            let shade = if at < plain_columns { shade.and(Some(Shade::Plain)) } else { shade };
            write_cell(&mut text, &format!("{}{row}", column(at)), shade, cell);
        }
        text += "</row>";
        zip.write_all(text.as_bytes())?;
        text.clear();
        last = row;
    }
    text += "</sheetData>";
    if let Some(end) = columns.checked_sub(1) {
        let all = format!("A1:{}{last}", column(end));
        if has_filter {
            let _ = write!(text, "<autoFilter ref=\"{all}\"/>");
        }
        // Else the program marks each RUC, a number stored as text, as an error.
        let _ = write!(text, "<ignoredErrors><ignoredError sqref=\"{all}\" numberStoredAsText=\"1\"/></ignoredErrors>");
    }
    text += "</worksheet>";
    zip.write_all(text.as_bytes())
}

/// Without a shade, it is a heading. An empty cell without a colour is not written.
fn write_cell(text: &mut String, place: &str, shade: Option<Shade>, cell: &TableCell) {
    let style = |format: usize| shade.map_or(HEADING, |shade| 1 + shade as usize * FORMATS.len() + format);
    let mut number = |format, value: String| {
        let _ = write!(text, "<c r=\"{place}\" s=\"{}\"><v>{value}</v></c>", style(format));
    };
    match cell {
        TableCell::Number(value) => number(if value.fract() == 0.0 { 0 } else { 3 }, value.to_string()),
        TableCell::Amount(_) => number(1, cell.to_string()),
        TableCell::Day(day) if day.days_since_epoch() - EPOCH_1900 >= MIN_SERIAL => {
            number(2, (day.days_since_epoch() - EPOCH_1900).to_string());
        }
        TableCell::Text(own) if own.is_empty() && shade == Some(Shade::Plain) => {}
        TableCell::Text(own) if own.is_empty() => {
            let _ = write!(text, "<c r=\"{place}\" s=\"{}\"/>", style(3));
        }
        TableCell::Text(_) | TableCell::Day(_) => {
            let own = cell.to_string();
            let own = escaped(own.get(..own.floor_char_boundary(MAX_CELL_BYTES)).unwrap_or_default());
            let _ = write!(
                text,
                "<c r=\"{place}\" s=\"{}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{own}</t></is></c>",
                style(3)
            );
        }
    }
}

/// Characters of a cell as a sheet shows it, roughly.
fn width(cell: &TableCell) -> usize {
    if let TableCell::Text(text) = cell { text.chars().count() } else { cell.to_string().len() + 2 }
}

/// `A` for 0, `AA` for 26.
fn column(at: usize) -> String {
    let letter = char::from(b'A' + (at % 26) as u8);
    match at / 26 {
        0 => letter.to_string(),
        more => format!("{}{letter}", column(more - 1)),
    }
}

/// As XML, which has no control characters: a program reads `_x0041_` as `A`.
fn escaped(text: &str) -> String {
    let mut xml = String::with_capacity(text.len());
    for letter in text.replace("_x", "_x005F_x").chars() {
        match letter {
            '&' => xml += "&amp;",
            '<' => xml += "&lt;",
            '>' => xml += "&gt;",
            '"' => xml += "&quot;",
            '\u{fffe}' | '\u{ffff}' | '\0'..'\t' | '\u{b}'..' ' => {
                let _ = write!(xml, "_x{:04X}_", u32::from(letter));
            }
            letter => xml.push(letter),
        }
    }
    xml
}
