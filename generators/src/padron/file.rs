//! The padrón's text.

use std::io::{self, Write};

use super::parameters::Padron;
use super::row::{Row, encode};

/// The padrón's first line, without its end.
pub const HEADER: &str = "RUC|NOMBRE O RAZÓN SOCIAL|ESTADO DEL CONTRIBUYENTE|CONDICIÓN DE DOMICILIO|UBIGEO|TIPO DE VÍA|NOMBRE DE VÍA|CÓDIGO DE ZONA|TIPO DE ZONA|NÚMERO|INTERIOR|LOTE|DEPARTAMENTO|MANZANA|KILÓMETRO|";

/// The name of the one file in the padrón's zip.
pub const ZIP_ENTRY: &str = "padron_reducido_ruc.txt";

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
