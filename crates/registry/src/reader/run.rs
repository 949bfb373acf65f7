//! Reads a file by its dataset's form.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use kuraka_domain::Ruc;

use super::error::ReadError;
use super::report::Report;
use super::{sheet, text_file};
use crate::dataset::{Dataset, FileForm, Value};
use crate::progress::{Advance, Progress};

const REPORTED: u64 = 1 << 15;

/// Calls `each` with every row of the file: the taxpayer and its fields, in the order of [`Dataset::fields`]. RUCs may
/// repeat.
///
/// Do not publish the rows before this returns: a zip's checksum is known only at its end.
///
/// # Errors
/// [`ReadError`] if the file is damaged, hostile, or another dataset's; else the first error of `each`.
pub fn read<E: From<ReadError>>(
    dataset: &'static Dataset,
    path: &Path,
    progress: &dyn Progress,
    mut each: impl FnMut(Ruc, &[Value<'_>]) -> Result<(), E>,
) -> Result<Report, E> {
    let (read, mut rows) = (AtomicU64::new(0), 0);
    let bytes_total = path.metadata().map_or(0, |file| file.len());
    let mut each = |ruc, values: &[Value<'_>]| {
        each(ruc, values)?;
        rows += 1;
        if rows % REPORTED == 0 {
            progress.advanced(Advance { bytes_read: read.load(Ordering::Relaxed), bytes_total, rows });
        }
        Ok(())
    };
    match dataset.form {
        FileForm::Text(form) => text_file::read(dataset, form, path, &read, &mut each),
        FileForm::Workbook => sheet::read(dataset, path, &read, &mut each),
    }
}
