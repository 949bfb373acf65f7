//! CSV and xlsx files with RUCs or vouchers: reading, column detection, writing; and one voucher's XML or QR code.

#![expect(missing_docs, reason = "not published: a name or the text of an error may say it all")]

mod columns;
mod content;
mod date_cell;
mod document;
mod forms;
mod heading;
mod list;
mod names;
mod reader;
mod recognise;
mod ruc_cell;
mod source;
mod voucher_file;
mod workbook;
mod workbook_file;
mod writer;
mod xlsx_file;
mod xlsx_reader;

pub use columns::{Choice, ListColumn, Unsure};
pub use content::currency;
pub use csv::StringRecord;
pub use date_cell::date_cell;
pub use document::ruc_of_row;
pub use forms::SplitNames;
pub use list::ListRow;
pub use reader::{TableError, TableReader};
pub use recognise::{NamedColumn, ruc_column};
pub use ruc_cell::{RucCellError, ruc_cell};
pub use source::{Reading, Source, packed, read_list, unpacked};
pub use voucher_file::{VoucherTexts, VoucherXmlError, XML_BYTES, voucher_fields, voucher_qr, voucher_xml};
pub use workbook::{Shade, TableCell, TableSheet};
pub use workbook_file::write_workbook;
pub use writer::{TableForm, csv_writer, without_formula, write_people_csv, write_table};
pub use xlsx_file::{XlsxError, XlsxLimits};
pub use xlsx_reader::{XlsxCell, number_text, xlsx_rows};
