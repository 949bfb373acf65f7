//! Workbooks (xlsx) with one sheet, as spreadsheet programs write them.

use std::fmt::Write as _;
use std::io::{self, Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const PARTS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
const TYPES: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// No cell at all.
    Empty,
    /// A text in the table of shared texts, which is the usual place.
    Text(String),
    /// A text in the cell itself.
    Inline(String),
    /// A number.
    Number(f64),
    /// A day as a serial number with a date's format, counted from the workbook's epoch.
    Day(f64),
}

/// The day from which a workbook counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Epoch {
    /// 1899-12-30 is day 0.
    Windows,
    /// 1904-01-01 is day 0.
    Macintosh,
}

impl Epoch {
    /// The serial number of a day.
    #[must_use]
    pub fn serial(self, day: kuraka_domain::Date) -> f64 {
        // Days from day 0 to 1970-01-01.
        let before = match self {
            Self::Windows => 25_569,
            Self::Macintosh => 24_107,
        };
        f64::from(day.days_since_epoch() + before)
    }
}

/// A workbook with one sheet called `sheet`.
///
/// # Errors
/// None in practice: it writes to memory.
pub fn workbook(sheet: &str, epoch: Epoch, rows: &[Vec<Cell>]) -> io::Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts(sheet, epoch, rows) {
        zip.start_file(name, SimpleFileOptions::default())?;
        zip.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n")?;
        zip.write_all(text.as_bytes())?;
    }
    Ok(zip.finish()?.into_inner())
}

/// The names and texts of its parts.
#[must_use]
pub fn parts(sheet: &str, epoch: Epoch, rows: &[Vec<Cell>]) -> [(&'static str, String); 7] {
    let mut shared = Vec::new();
    let data = sheet_data(rows, &mut shared);
    let texts: String = shared.iter().map(|text| format!("<si><t xml:space=\"preserve\">{text}</t></si>")).collect();
    let count = shared.len();
    let epoch = match epoch {
        Epoch::Windows => "",
        Epoch::Macintosh => "<workbookPr date1904=\"1\"/>",
    };
    let part =
        |name: &str, kind: &str| format!("<Override PartName=\"/xl/{name}.xml\" ContentType=\"{TYPES}.{kind}+xml\"/>");
    let relation = |id: u32, kind: &str, target: &str| {
        format!("<Relationship Id=\"rId{id}\" Type=\"{PARTS}/{kind}\" Target=\"{target}\"/>")
    };
    [
        (
            "[Content_Types].xml",
            format!(
                "<Types xmlns=\"{PACKAGE}/content-types\"><Default Extension=\"rels\" \
                 ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>{}{}{}{}</Types>",
                part("workbook", "sheet.main"),
                part("styles", "styles"),
                part("sharedStrings", "sharedStrings"),
                part("worksheets/sheet1", "worksheet")
            ),
        ),
        (
            "_rels/.rels",
            format!(
                "<Relationships xmlns=\"{PACKAGE}/relationships\">{}</Relationships>",
                relation(1, "officeDocument", "xl/workbook.xml")
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            format!(
                "<Relationships xmlns=\"{PACKAGE}/relationships\">{}{}{}</Relationships>",
                relation(1, "worksheet", "worksheets/sheet1.xml"),
                relation(2, "styles", "styles.xml"),
                relation(3, "sharedStrings", "sharedStrings.xml")
            ),
        ),
        (
            "xl/workbook.xml",
            format!(
                "<workbook xmlns=\"{MAIN}\" xmlns:r=\"{PARTS}\">{epoch}<sheets><sheet name=\"{sheet}\" sheetId=\"1\" \
                 r:id=\"rId1\"/></sheets></workbook>"
            ),
        ),
        (
            "xl/styles.xml",
            format!(
                "<styleSheet xmlns=\"{MAIN}\"><fonts count=\"1\"><font/></fonts><fills count=\"1\"><fill/></fills>\
                 <borders count=\"1\"><border/></borders><cellStyleXfs count=\"1\"><xf/></cellStyleXfs>\
                 <cellXfs count=\"2\"><xf numFmtId=\"0\"/><xf numFmtId=\"14\" applyNumberFormat=\"1\"/></cellXfs>\
                 </styleSheet>"
            ),
        ),
        (
            "xl/sharedStrings.xml",
            format!("<sst xmlns=\"{MAIN}\" count=\"{count}\" uniqueCount=\"{count}\">{texts}</sst>"),
        ),
        ("xl/worksheets/sheet1.xml", format!("<worksheet xmlns=\"{MAIN}\"><sheetData>{data}</sheetData></worksheet>")),
    ]
}

fn sheet_data(rows: &[Vec<Cell>], shared: &mut Vec<String>) -> String {
    let mut data = String::new();
    for (row, cells) in (1..).zip(rows) {
        let _ = write!(data, "<row r=\"{row}\">");
        for (column, cell) in ('A'..='Z').zip(cells) {
            let at = format!("r=\"{column}{row}\"");
            // Writing to a string does not fail.
            let _ = match cell {
                Cell::Empty => Ok(()),
                Cell::Text(text) => {
                    shared.push(escaped(text));
                    write!(data, "<c {at} t=\"s\"><v>{}</v></c>", shared.len() - 1)
                }
                Cell::Inline(text) => {
                    write!(data, "<c {at} t=\"inlineStr\"><is><t xml:space=\"preserve\">{}</t></is></c>", escaped(text))
                }
                Cell::Number(number) => write!(data, "<c {at}><v>{number}</v></c>"),
                Cell::Day(day) => write!(data, "<c {at} s=\"1\"><v>{day}</v></c>"),
            };
        }
        data.push_str("</row>");
    }
    data
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
