//! Tables through the public interface: files of people in, lists out; rows in, CSV and workbooks out.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod choices;
mod hostile;
mod invented_layouts;
mod layouts;
mod lists;
mod other_documents;
mod program_layouts;
mod registers;
mod ruc_cells;
mod voucher_files;
mod written;
