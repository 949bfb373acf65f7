//! What a person uploads or pastes: its limits, how it is read, and why it is not read.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::web;
use kuraka_api::spanish::{MOVED_ROW, NO_RUC, OTHER_DOCUMENT, SHORTENED_RUC, wrong_ruc};
use kuraka_tables::{ListColumn, RucCellError, TableError, Unsure, XlsxError};
use tokio::sync::Semaphore;

use crate::error::PageError;
use crate::request::Fields;
use crate::spanish;

/// Bytes of an uploaded file or a pasted list.
const UPLOAD: usize = 2 << 20;
/// The same, and what a form has around them.
pub(super) const UPLOAD_FORM: usize = UPLOAD + (64 << 10);
/// Rows of a list.
pub(super) const ROWS: usize = 10_000;

const NOTHING: &str = "No llegó ningún dato, o el archivo está vacío. Elija un archivo o pegue una lista.";
const BOTH: &str = "Eligió un archivo y pegó una lista: deje solo uno de los dos.";

/// Lists that are read and tables that are written at the same time. Each may take 64 MB.
static LARGE: Semaphore = Semaphore::const_new(2);

/// The status of a form that is shown again, the text that stays in it, and why it was not read.
pub(super) type Refused = (StatusCode, String, String);

/// Reads the file or the pasted list of a form, until the browser leaves: its name, its bytes, and whether it is still
/// wanted. Returns the pasted text too.
pub(super) async fn read<T: Send + 'static>(
    fields: Option<Fields>,
    read: impl FnOnce(&str, &[u8], &(dyn Fn() -> bool + Sync)) -> Result<T, TableError> + Send + 'static,
) -> Result<Result<(T, String), Refused>, PageError> {
    let sent = fields.map(|mut fields| {
        let text = fields.text("text").trim().to_owned();
        let file = fields.file();
        let has_both = file.is_some() && !text.is_empty();
        let (name, bytes) = file.unwrap_or_else(|| (String::new(), one_a_line(&text).into_bytes()));
        (text, has_both, name, bytes)
    });
    let Some((text, has_both, name, bytes)) = sent.filter(|(.., bytes)| bytes.len() <= UPLOAD) else {
        let why = PageError::TooLarge { limit: UPLOAD }.text();
        return Ok(Err((StatusCode::PAYLOAD_TOO_LARGE, String::new(), why)));
    };
    let refused = |text, why: String| Ok(Err((StatusCode::UNPROCESSABLE_ENTITY, text, why)));
    if has_both || bytes.is_empty() {
        return refused(text, if has_both { BOTH } else { NOTHING }.to_owned());
    }
    // It is dropped with the request.
    let request = Arc::new(());
    let is_there = Arc::downgrade(&request);
    match large(move || read(&name, &bytes, &|| is_there.strong_count() > 0)).await? {
        Ok(read) => Ok(Ok((read, text))),
        Err(error) => refused(text, table_error(&error)),
    }
}

/// Runs work that takes processor time and memory on a thread of its own, when it is its turn. The turn lasts as long as
/// the work, even if the browser leaves.
pub(super) async fn large<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, PageError> {
    let turn = LARGE.acquire().await;
    let work = move || {
        let _turn = turn;
        work()
    };
    web::block(work).await.map_err(|_| PageError::Internal("the thread of a list is gone"))
}

/// A pasted list with one RUC a line, if it has nothing but RUCs and what separates them.
fn one_a_line(text: &str) -> String {
    let is_separator = |c: char| c.is_whitespace() || c == ',' || c == ';';
    if text.chars().all(|c| c.is_ascii_digit() || is_separator(c)) {
        return text.split(is_separator).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
    }
    text.to_owned()
}

/// Why a cell is no RUC.
pub fn ruc_cell_error(error: &RucCellError) -> String {
    match error {
        RucCellError::Empty => NO_RUC.to_owned(),
        RucCellError::Shortened => SHORTENED_RUC.to_owned(),
        RucCellError::Moved => MOVED_ROW.to_owned(),
        RucCellError::OtherDocument => OTHER_DOCUMENT.to_owned(),
        RucCellError::Invalid(error) => wrong_ruc(error),
    }
}

/// Why a file is not read.
pub(super) fn table_error(error: &TableError) -> String {
    match error {
        TableError::Empty => "El archivo está vacío.".to_owned(),
        TableError::Utf16 => "El texto está en UTF-16. Guárdelo como CSV UTF-8.".to_owned(),
        TableError::Pdf => "El archivo es un PDF, no una tabla. Pídalo en xlsx o CSV.".to_owned(),
        TableError::LongRow { line } => {
            format!("La fila que empieza en la línea {line} es demasiado larga: falta cerrar unas comillas.")
        }
        TableError::NoRuc => {
            "Ninguna columna tiene RUC. Llámela ruc en la primera fila, o deje una columna con números de RUC."
                .to_owned()
        }
        TableError::Unsure(unsure) => {
            format!("{} No se eligió ninguna: deje solo la correcta, o llámela «RUC proveedor».", several(unsure))
        }
        TableError::Sales => {
            "Es un registro de ventas: tiene los RUC de los clientes. Para consultarlos, suba solo su \
                              columna de RUC."
                .to_owned()
        }
        TableError::TooManyRows { limit } => {
            let limit = spanish::number(u64::try_from(*limit).unwrap_or(u64::MAX));
            format!("Tiene más de {limit} filas. Divídalo en varios archivos.")
        }
        TableError::Xlsx(error) => format!("No se pudo leer el libro: {}.", xlsx_error(error)),
        TableError::Io(_) => "No se pudo leer el archivo.".to_owned(),
    }
}

/// Which columns a column can be.
pub(super) fn several(unsure: &Unsure) -> String {
    let what = match unsure.column {
        ListColumn::Ruc => "el RUC del proveedor",
        ListColumn::Kind => "el tipo de comprobante",
        ListColumn::Series => "la serie",
        ListColumn::Number => "el número del comprobante",
        ListColumn::Date => "la fecha de emisión",
        ListColumn::Total => "el importe total",
        ListColumn::Currency => "la moneda",
        ListColumn::Igv => "el IGV",
        ListColumn::Code => "el código del proveedor",
    };
    let found = unsure.found.iter().map(|name| format!("«{name}»")).collect::<Vec<_>>().join(", ");
    format!("Más de una columna puede tener {what}: {found}.")
}

fn xlsx_error(error: &XlsxError) -> &'static str {
    match error {
        XlsxError::Empty => "está vacío",
        XlsxError::HtmlPage => "es una página web; ábralo en la hoja de cálculo y guárdelo como xlsx o CSV",
        XlsxError::NotXlsx(_) => "no es xlsx; ábralo en la hoja de cálculo y guárdelo como xlsx o CSV",
        XlsxError::TooLarge { .. } | XlsxError::Ratio { .. } => {
            "es demasiado grande cuando se descomprime; deje solo las columnas que hacen falta"
        }
        XlsxError::Damaged(_) => "está dañado",
    }
}
