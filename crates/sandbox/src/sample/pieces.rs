//! The pieces of all datasets but the padrón, as files.

use std::io::{self, Cursor, Write};

use kuraka_domain::Date;

use super::{GOOD_TAXPAYERS, WITHHOLDING, ssco};
use crate::zip_file::zip_file;

const DOMESTIC_SALES: &[u8] = include_bytes!("../../sample/AgenPercVI_TXT.txt");
const FUEL: &[u8] = include_bytes!("../../sample/AgenPerc_TXT.txt");
const ANNEXES: &[u8] = include_bytes!("../../sample/padron_reducido_local_anexo.txt");
const OPEN_DATA: &[u8] = include_bytes!("../../sample/PadronRUC_202609.csv");
const SANCTIONS: &[u8] = include_bytes!("../../sample/sancionados.csv");

/// The day of the pieces: of the files in zips, as year, month and day.
pub const DATE: (u16, u8, u8) = (2026, 10, 31);

/// One dataset's piece of the sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The dataset's name, such as `anexos`.
    pub dataset: &'static str,
    /// The name of the published file.
    pub file_name: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
}

/// The pieces of all datasets but the padrón, which is [`PADRON`](super::PADRON).
///
/// # Errors
/// None in practice: the files are made in memory.
pub fn datasets() -> io::Result<Vec<Piece>> {
    let piece = |dataset, file_name, bytes| Piece { dataset, file_name, bytes };
    Ok(vec![
        piece("retencion", "AgenRet_TXT.zip", zipped("AgenRet_TXT.txt", WITHHOLDING)?),
        piece("buenos_contribuyentes", "BueCont_TXT.zip", zipped("BueCont_TXT.txt", GOOD_TAXPAYERS)?),
        piece("percepcion_venta_interna", "AgenPercVI_TXT.zip", zipped("AgenPercVI_TXT.txt", DOMESTIC_SALES)?),
        piece("percepcion_combustibles", "AgenPerc_TXT.zip", zipped("AgenPerc_TXT.txt", FUEL)?),
        piece("anexos", "padron_reducido_local_anexo.zip", zipped("padron_reducido_local_anexo.txt", ANNEXES)?),
        piece("datos_abiertos", "PadronRUC_202609.zip", zipped("PadronRUC_202609.csv", OPEN_DATA)?),
        piece("ssco", "sujesincapacidadOperativa.xlsx", ssco::file()?),
        piece("sanciones", "sancionados.csv", SANCTIONS.to_vec()),
    ])
}

fn zipped(name: &str, text: &[u8]) -> io::Result<Vec<u8>> {
    let (year, month, day) = DATE;
    let date = Date::new(year, month, day).map_err(io::Error::other)?;
    let mut zip = zip_file(Cursor::new(Vec::new()), name, date)?;
    zip.write_all(text)?;
    Ok(zip.finish()?.into_inner())
}
