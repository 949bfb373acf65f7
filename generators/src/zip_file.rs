//! Zips with one file, as SUNAT publishes texts.

use std::io::{self, BufWriter, Seek, Write};

use kuraka_domain::Date;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Starts a zip with one file called `name`, dated `date` at midnight. Write the text to the returned writer and then
/// call [`ZipFile::finish`]. The text is at most 4 GiB, as the published zips have no 64-bit extension.
///
/// # Errors
/// Those of `out`; a `date` before 1980 or after 2107, which a zip cannot hold.
pub fn zip_file<W: Write + Seek>(out: W, name: &str, date: Date) -> io::Result<ZipFile<W>> {
    let date = DateTime::from_date_and_time(date.year(), date.month(), date.day(), 0, 0, 0).map_err(|_| {
        io::Error::new(io::ErrorKind::InvalidInput, format!("a zip holds dates from 1980 to 2107, not {date}"))
    })?;
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(6))
        .last_modified_time(date);
    let mut zip = ZipWriter::new(out);
    zip.start_file(name, options)?;
    // The compressor works best with more than one line at a time.
    Ok(ZipFile(BufWriter::with_capacity(1 << 16, zip)))
}

/// A zip under way. Made by [`zip_file`].
#[derive(Debug)]
pub struct ZipFile<W: Write + Seek>(BufWriter<ZipWriter<W>>);

impl<W: Write + Seek> ZipFile<W> {
    /// Ends the zip and returns the writer that it was written to.
    ///
    /// # Errors
    /// Those of what it is written to.
    pub fn finish(self) -> io::Result<W> {
        let zip = self.0.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(zip.finish()?)
    }
}

impl<W: Write + Seek> Write for ZipFile<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
