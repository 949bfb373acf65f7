//! The files: the padrón as text and as a zip, the lists of agents and good taxpayers.

use std::io::{self, BufWriter, Seek, Write};

use kuraka_domain::Date;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::parameters::Padron;
use super::row::{Row, encode};

/// The padrón's first line, without its end.
pub const HEADER: &str = "RUC|NOMBRE O RAZÓN SOCIAL|ESTADO DEL CONTRIBUYENTE|CONDICIÓN DE DOMICILIO|UBIGEO|TIPO DE VÍA|NOMBRE DE VÍA|CÓDIGO DE ZONA|TIPO DE ZONA|NÚMERO|INTERIOR|LOTE|DEPARTAMENTO|MANZANA|KILÓMETRO|";

/// The name of the one file in the padrón's zip.
pub const ZIP_ENTRY: &str = "padron_reducido_ruc.txt";

/// The lists' first record, without its end.
pub const LIST_HEADER: &str = "Ruc|Nombre/Razon|A partir del|Resolucion|";

impl Padron {
    /// The whole file, for tests: [`HEADER`] and the rows, each line ended by LF.
    #[must_use]
    pub fn to_text(self) -> Vec<u8> {
        let mut text = Vec::new();
        // Writing to memory does not fail.
        let _ = write_text(self.rows(), &mut text);
        text
    }
}

/// Writes the padrón's text: the header, then `rows`, each line ended by LF.
///
/// # Errors
/// Those of `out`.
pub fn write_text(rows: impl Iterator<Item = Row>, out: &mut impl Write) -> io::Result<()> {
    out.write_all(&encode(HEADER))?;
    out.write_all(b"\n")?;
    for row in rows {
        out.write_all(&row.line)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// Starts a zip with one entry, the padrón's text, dated `date` at midnight. Write the text to the returned writer and
/// then call [`ZipText::finish`].
///
/// # Errors
/// Those of `out`; a `date` before 1980 or after 2107, which a zip cannot hold.
pub fn zip_text<W: Write + Seek>(out: W, date: Date) -> io::Result<ZipText<W>> {
    let date = DateTime::from_date_and_time(date.year(), date.month(), date.day(), 0, 0, 0).map_err(|_| {
        io::Error::new(io::ErrorKind::InvalidInput, format!("a zip holds dates from 1980 to 2107, not {date}"))
    })?;
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(6))
        .last_modified_time(date);
    let mut zip = ZipWriter::new(out);
    zip.start_file(ZIP_ENTRY, options)?;
    // The compressor works best with more than one line at a time.
    Ok(ZipText(BufWriter::with_capacity(1 << 16, zip)))
}

/// A zip under way. Made by [`zip_text`].
#[derive(Debug)]
pub struct ZipText<W: Write + Seek>(BufWriter<ZipWriter<W>>);

impl<W: Write + Seek> ZipText<W> {
    /// Ends the zip and returns the writer that it was written to.
    ///
    /// # Errors
    /// Those of what it is written to.
    pub fn finish(self) -> io::Result<W> {
        let zip = self.0.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(zip.finish()?)
    }
}

impl<W: Write + Seek> Write for ZipText<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
