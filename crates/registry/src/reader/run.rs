//! Reads a file by its dataset's form.

use std::path::Path;
use std::sync::atomic::AtomicU64;

use kuraka_domain::Ruc;

use super::error::ReadError;
use super::report::Report;
use super::{sheet, text_file};
use crate::dataset::{Dataset, FileForm, Value};

/// Reads the file at `path` and calls `each` with every row: the taxpayer and its fields, in the order of
/// [`Dataset::fields`]. Repeated RUCs are handed on as they come. `bytes_read` counts the bytes read, for progress.
///
/// Do not publish the rows before this returns: a zip's checksum is known only at its end.
///
/// # Errors
/// [`ReadError`] if the file is damaged, hostile, or not this dataset's; else the first error of `each`.
pub fn read<E: From<ReadError>>(
    dataset: &'static Dataset,
    path: &Path,
    bytes_read: &AtomicU64,
    mut each: impl FnMut(Ruc, &[Value<'_>]) -> Result<(), E>,
) -> Result<Report, E> {
    match dataset.form {
        FileForm::Text(form) => text_file::read(dataset, form, path, bytes_read, &mut each),
        FileForm::Workbook => sheet::read(dataset, path, bytes_read, &mut each),
    }
}
