//! The items of a list: how they are read from a file, sent back by the browser, and why one is not looked up.

use kuraka_api::{Operation, ruc_ficha, spanish::ruc_error, table_row};
use kuraka_app::Plan;
use kuraka_domain::{Date, Ruc};
use kuraka_tables::{List, ListRow, RucCellError, TableError, XlsxError};

use crate::spanish;

/// What a list has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Rucs,
    Vouchers,
}

/// An item of a batch.
pub(super) struct Item {
    /// The lines of the file that have it, as text.
    pub(super) lines: String,
    /// The item: a RUC, or the fields of a voucher separated by bars.
    pub(super) text: String,
}

impl Kind {
    /// The kind with this name in the form.
    pub(super) fn named(name: &str) -> Option<Self> {
        [Self::Rucs, Self::Vouchers].into_iter().find(|kind| kind.name() == name)
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Rucs => "ruc",
            Self::Vouchers => "cpe",
        }
    }

    /// What `count` items are called.
    pub(super) fn items(self, count: u64) -> String {
        match self {
            Self::Rucs => format!("{} RUC", spanish::number(count)),
            Self::Vouchers => format!("{} comprobante{}", spanish::number(count), if count == 1 { "" } else { "s" }),
        }
    }

    /// The operation that a batch is counted as.
    pub(super) const fn operation(self) -> &'static Operation {
        match self {
            Self::Rucs => &ruc_ficha::OPERATION,
            Self::Vouchers => &kuraka_api::cpe::OPERATION,
        }
    }

    /// The most items of a batch.
    pub(super) const fn batch(self, plan: &Plan) -> usize {
        match self {
            Self::Rucs => plan.batch,
            Self::Vouchers => plan.batch_vouchers,
        }
    }

    /// The columns of the file that can be downloaded.
    pub(super) fn columns(self) -> Vec<&'static str> {
        match self {
            Self::Rucs => {
                let first = ["fila", "ruc", "resultado", "observacion"];
                first.into_iter().chain(table_row::SUMMARY_COLUMNS).chain(table_row::FICHA_COLUMNS).collect()
            }
            Self::Vouchers => Vec::new(),
        }
    }

    /// The visible columns after the first two.
    pub(super) const fn heads(self) -> [&'static str; 4] {
        match self {
            Self::Rucs => ["Contribuyente", "Situación", "Padrones", "Sanciones"],
            Self::Vouchers => ["Comprobante", "Resultado", "Emisor", "Observaciones"],
        }
    }
}

impl Item {
    /// The text of a row's item, or what the row has instead and why it is not looked up.
    pub(super) fn of_row(kind: Kind, row: &ListRow, _today: Date) -> Result<String, (String, String)> {
        let found = || row.cell(kuraka_tables::ListColumn::Ruc).to_owned();
        let ruc = row.ruc.map_err(|error| (found(), ruc_cell_error(&error)))?;
        match kind {
            Kind::Rucs | Kind::Vouchers => Ok(ruc.to_string()),
        }
    }

    /// Reads a line of a batch: the lines of the file, a tab, and the item.
    pub(super) fn of_line(kind: Kind, line: &str) -> Option<Self> {
        let (lines, text) = line.trim_end().split_once('\t')?;
        let is_item = match kind {
            Kind::Rucs | Kind::Vouchers => Ruc::parse(text).is_ok(),
        };
        is_item.then(|| Self { lines: lines.to_owned(), text: text.to_owned() })
    }
}

/// A pasted list with one RUC a line, if it has nothing but RUCs and what separates them.
pub(super) fn one_a_line(text: &str) -> String {
    let is_separator = |c: char| c.is_whitespace() || c == ',' || c == ';';
    if text.chars().all(|c| c.is_ascii_digit() || is_separator(c)) {
        return text.split(is_separator).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
    }
    text.to_owned()
}

/// The columns that were recognised, for the owner to check.
pub(super) fn recognised(list: &List, kind: Kind) -> String {
    let rows = spanish::number(u64::try_from(list.rows.len()).unwrap_or(u64::MAX));
    let used = if kind == Kind::Rucs { 1 } else { list.columns.len() };
    let names = list.columns.iter().take(used).map(|(_, name)| name).filter(|name| !name.is_empty());
    let names = names.map(|name| format!("«{name}»")).collect::<Vec<_>>().join(", ");
    let rows = format!("{rows} fila{} con datos", if list.rows.len() == 1 { "" } else { "s" });
    if names.is_empty() { format!("{rows}.") } else { format!("{rows}; se leyó {names}.") }
}

fn ruc_cell_error(error: &RucCellError) -> String {
    match error {
        RucCellError::Empty => "No tiene RUC.".to_owned(),
        RucCellError::Shortened => {
            "La hoja de cálculo acortó el número y se perdieron cifras: dé formato de texto a la columna y escriba el RUC \
             otra vez."
                .to_owned()
        }
        RucCellError::Invalid(error) => format!("El RUC es incorrecto: {}.", ruc_error(error)),
    }
}

/// Why a file is not read.
pub(super) fn table_error(error: &TableError) -> String {
    match error {
        TableError::Empty => "El archivo está vacío.".to_owned(),
        TableError::Utf16 => "El texto está en UTF-16. Guárdelo como CSV UTF-8.".to_owned(),
        TableError::LongRow { line } => {
            format!("La fila que empieza en la línea {line} es demasiado larga: falta cerrar unas comillas.")
        }
        TableError::NoRuc => {
            "Ninguna columna tiene RUC. Llámela ruc en la primera fila, o deje una columna con números de RUC."
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
