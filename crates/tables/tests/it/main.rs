//! Tables through the public interface: files of people in, lists out; rows in, CSV and workbooks out.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail by panicking, and expect one variant of many"
)]

mod hostile;
mod lists;
mod registers;
mod ruc_cells;
mod written;
