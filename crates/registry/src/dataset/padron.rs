//! The padrón reducido: the name of its file inside the zip, and its columns.

/// The name of the zip's only entry.
pub(crate) const ENTRY: &str = "padron_reducido_ruc.txt";

/// The header, column by column.
pub(crate) const COLUMNS: [&str; 15] = [
    "RUC",
    "NOMBRE O RAZÓN SOCIAL",
    "ESTADO DEL CONTRIBUYENTE",
    "CONDICIÓN DE DOMICILIO",
    "UBIGEO",
    "TIPO DE VÍA",
    "NOMBRE DE VÍA",
    "CÓDIGO DE ZONA",
    "TIPO DE ZONA",
    "NÚMERO",
    "INTERIOR",
    "LOTE",
    "DEPARTAMENTO",
    "MANZANA",
    "KILÓMETRO",
];
/// The columns at the end that make the address, the ubigeo first.
pub(crate) const ADDRESS_COLUMNS: usize = 11;
