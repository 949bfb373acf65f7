//! The workbook of subjects without operating capacity. All companies and persons in it are invented.

use std::io;

use kuraka_domain::Date;

use crate::dataset::INCAPACITY_COLUMNS;
use crate::workbook::{Cell, Epoch, workbook};

/// Name, address, resolution, its date, the day on which it became final, and the representative.
const ROWS: [[&str; 7]; 4] = [
    [
        super::SANCTIONED,
        "CONDICION INVENTADA 1 S.A.C.",
        "AV. PROCERES MZA. B4 LOTE. 12 A.H. HUASCAR LIMA - LIMA - SAN JUAN DE LURIGANCHO",
        "R.I. 0230050900001",
        "2025-03-14",
        "2025-05-06",
        "REPRESENTANTE INVENTADA JUANA",
    ],
    [
        "20999990780",
        "CONDICION INVENTADA 2 S.A.C.",
        "JR. PIURA NRO. 640 PIURA - PIURA - PIURA",
        "R.I. 0230050900002",
        "2025-09-30",
        "2025-11-25",
        "REPRESENTANTE INVENTADO LUIS",
    ],
    [
        "20999990577",
        "A & B",
        "AV. GRAU NRO. 100 LIMA - LIMA - LIMA",
        "R.I. 0230050900003",
        "2026-06-01",
        "2026-07-24",
        "REPRESENTANTE INVENTADA ROSA",
    ],
    [
        "20999990631",
        "CAFE INVENTADO <ALTURA> & 'AROMA' S.A.",
        "AV. GRAU NRO. 100 LIMA - LIMA - LIMA",
        "R.I. 0230050900004",
        "2026-08-17",
        "",
        "REPRESENTANTE INVENTADO PEDRO",
    ],
];

/// The file. Dates are dates of the spreadsheet; the RUCs of every second row are numbers.
pub(super) fn file() -> io::Result<Vec<u8>> {
    let header = INCAPACITY_COLUMNS.map(|name| Cell::Text(name.to_owned())).to_vec();
    let mut sheet = vec![header];
    for (index, [ruc, name, address, resolution, resolved, last, representative]) in ROWS.into_iter().enumerate() {
        let number = if index % 2 == 0 { ruc.parse().ok().map(Cell::Number) } else { None };
        let text = |text: &str| Cell::Text(text.to_owned());
        sheet.push(vec![
            number.unwrap_or_else(|| text(ruc)),
            text(name),
            text(address),
            text(resolution),
            day(resolved)?,
            if last.is_empty() { Cell::Empty } else { day(last)? },
            // No DNI begins with 9.
            Cell::Number(f64::from(99_000_000 + index as u32)),
            text(representative),
            day("2026-08-31")?,
        ]);
    }
    workbook("Hoja1", Epoch::Windows, &sheet)
}

fn day(text: &str) -> io::Result<Cell> {
    Ok(Cell::Day(Epoch::Windows.serial(Date::parse(text).map_err(io::Error::other)?)))
}
