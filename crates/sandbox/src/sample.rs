//! The bundled sample: a piece of every dataset, byte for byte in its published form.
//!
//! The padrón holds a few hundred real companies (public facts), invented companies under 20999… with the real file's
//! quirks, and invented natural persons (10, 15 and 17 followed by 99999…): windows-1252, a trailing pipe in the
//! header, LF, not sorted; records of the lists end with a bare CR. The list of withholding agents has real companies
//! too; all other data is invented.

use std::io::{self, Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// The padrón, `padron_reducido_ruc.txt`: 555 lines to accept, two of the `00` noise, two to reject.
pub const PADRON: &[u8] = include_bytes!("../sample/padron_reducido_ruc.txt");

/// The list of withholding agents, `AgenRet_TXT.txt`, with one record twice.
pub const WITHHOLDING: &[u8] = include_bytes!("../sample/AgenRet_TXT.txt");

/// The list of good taxpayers, `BueCont_TXT.txt`, with one record twice, once in quotes.
pub const GOOD_TAXPAYERS: &[u8] = include_bytes!("../sample/BueCont_TXT.txt");

const DOMESTIC_SALES: &[u8] = include_bytes!("../sample/AgenPercVI_TXT.txt");
const FUEL: &[u8] = include_bytes!("../sample/AgenPerc_TXT.txt");
const ANNEXES: &[u8] = include_bytes!("../sample/padron_reducido_local_anexo.txt");
const OPEN_DATA: &[u8] = include_bytes!("../sample/PadronRUC_202609.csv");
const SANCTIONS: &[u8] = include_bytes!("../sample/sancionados.csv");
const INCAPACITY: &[u8] = include_bytes!("../sample/sujesincapacidadOperativa.xlsx");

/// The central bank's series, with the recorded closes.
pub const EXCHANGE_RATE_SERIES: &[u8] = include_bytes!("../sample/tipo_de_cambio.json");

/// The tax authority's text, one line for each recorded day that does not follow from the series.
pub const EXCHANGE_RATE_TEXTS: &[u8] = include_bytes!("../sample/tipo_de_cambio.txt");

/// A real company of [`PADRON`], active, with an address, and a withholding agent.
pub const COMPANY: &str = "20100119227";

/// An invented company on both lists.
pub const ON_BOTH_LISTS: &str = "20999990062";

/// An invented company of [`PADRON`] on two lists, with annexes and in the open data.
pub const DESCRIBED: &str = "20999990038";

/// An invented company of [`PADRON`] in the open data, for which the page and the providers are down.
pub const OPEN_DATA_ONLY: &str = "20999965033";

/// An invented company of [`PADRON`] without operating capacity, with a definitive and a temporary sanction.
pub const SANCTIONED: &str = "20999990755";

/// An invented natural person of [`PADRON`].
pub const PERSON: &str = "10999990075";

/// A valid RUC that is in none of the files.
pub const ABSENT: &str = "20999999990";

/// Eleven digits with a wrong check digit; not in [`PADRON`].
pub const BAD_CHECK_DIGIT: &str = "20100119228";

/// The RUC of the line of [`PADRON`] that is rejected for its check digit.
pub const REJECTED_CHECK_DIGIT: &str = "20999999907";

/// The RUC of the line of [`PADRON`] that is rejected because it is cut short.
pub const REJECTED_CUT_SHORT: &str = "20999999931";

/// The date of the files in zips: year, month and day.
const DATE: (u16, u8, u8) = (2026, 10, 31);
/// The date of the [earlier padrón](earlier_padron).
const EARLIER: (u16, u8, u8) = (2026, 10, 24);

/// One dataset's piece of the sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The dataset's name, such as `anexos`.
    pub dataset: &'static str,
    pub file_name: &'static str,
    pub bytes: Vec<u8>,
}

/// The pieces of all datasets, the padrón first.
///
/// # Errors
/// None in practice: the files are made in memory.
pub fn datasets() -> io::Result<Vec<Piece>> {
    let piece = |dataset, file_name, bytes| Piece { dataset, file_name, bytes };
    Ok(vec![
        piece("padron", "padron_reducido_ruc.zip", zipped("padron_reducido_ruc.txt", PADRON)?),
        piece("retencion", "AgenRet_TXT.zip", zipped("AgenRet_TXT.txt", WITHHOLDING)?),
        piece("buenos_contribuyentes", "BueCont_TXT.zip", zipped("BueCont_TXT.txt", GOOD_TAXPAYERS)?),
        piece("percepcion_venta_interna", "AgenPercVI_TXT.zip", zipped("AgenPercVI_TXT.txt", DOMESTIC_SALES)?),
        piece("percepcion_combustibles", "AgenPerc_TXT.zip", zipped("AgenPerc_TXT.txt", FUEL)?),
        piece("anexos", "padron_reducido_local_anexo.zip", zipped("padron_reducido_local_anexo.txt", ANNEXES)?),
        piece("datos_abiertos", "PadronRUC_202609.zip", zipped("PadronRUC_202609.csv", OPEN_DATA)?),
        piece("ssco", "sujesincapacidadOperativa.xlsx", INCAPACITY.to_vec()),
        piece("sanciones", "sancionados.csv", SANCTIONS.to_vec()),
    ])
}

/// The padrón of the week before, in which [`DESCRIBED`] was not found at its domicile, so that there is a history.
///
/// # Errors
/// As [`datasets`].
pub fn earlier_padron() -> io::Result<Piece> {
    let text = padron_with(|cell| if cell == b"HABIDO" { b"NO HABIDO" } else { cell });
    let bytes = zipped_on(EARLIER, "padron_reducido_ruc.txt", &text)?;
    Ok(Piece { dataset: "padron", file_name: "padron_reducido_ruc.zip", bytes })
}

/// The text of a padrón in which [`DESCRIBED`] has this condition and this number in its street.
pub fn changed_padron(condition: &str, number: usize) -> Vec<u8> {
    let number = number.to_string();
    padron_with(|cell| match cell {
        b"HABIDO" => condition.as_bytes(),
        b"1240" => number.as_bytes(),
        cell => cell,
    })
}

/// The padrón with these cells in the line of [`DESCRIBED`].
fn padron_with<'a>(cell: impl Fn(&'a [u8]) -> &'a [u8]) -> Vec<u8> {
    let lines = PADRON.split_inclusive(|&byte| byte == b'\n').map(|line| {
        if !line.starts_with(DESCRIBED.as_bytes()) {
            return line.to_vec();
        }
        line.split(|&byte| byte == b'|').map(&cell).collect::<Vec<_>>().join(&b'|')
    });
    lines.flatten().collect()
}

/// The open data of the month before, in which [`DESCRIBED`] was not found at its domicile.
fn earlier_open_data() -> io::Result<Piece> {
    let line = |line: &[u8]| {
        // Every line but the header ends with its month.
        let cell = |cell: &[u8]| match cell {
            b"202609" => b"202608".to_vec(),
            b"HABIDO" if line.starts_with(DESCRIBED.as_bytes()) => b"NO HABIDO".to_vec(),
            cell => cell.to_vec(),
        };
        line.split(|&byte| byte == b',').map(cell).collect::<Vec<_>>().join(&b',')
    };
    let lines: Vec<_> = OPEN_DATA.split(|&byte| byte == b'\n').map(line).collect();
    let bytes = zipped("PadronRUC_202608.csv", &lines.join(&b'\n'))?;
    Ok(Piece { dataset: "datos_abiertos", file_name: "PadronRUC_202608.zip", bytes })
}

/// The publication of a dataset before its [piece](datasets), if there is one.
///
/// # Errors
/// As [`datasets`].
pub fn earlier(dataset: &str) -> io::Result<Option<Piece>> {
    match dataset {
        "padron" => earlier_padron().map(Some),
        "datos_abiertos" => earlier_open_data().map(Some),
        _ => Ok(None),
    }
}

/// The file is dated [`DATE`], at midnight.
fn zipped(name: &str, text: &[u8]) -> io::Result<Vec<u8>> {
    zipped_on(DATE, name, text)
}

fn zipped_on((year, month, day): (u16, u8, u8), name: &str, text: &[u8]) -> io::Result<Vec<u8>> {
    let date = DateTime::from_date_and_time(year, month, day, 0, 0, 0).map_err(io::Error::other)?;
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).last_modified_time(date);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(name, options)?;
    zip.write_all(text)?;
    Ok(zip.finish()?.into_inner())
}
