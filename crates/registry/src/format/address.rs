//! The eleven columns of an address, in the order their words stand in a record, and the line they compose.

/// Bit of the ubigeo in the mask; it gives the department and is not part of the line.
pub(crate) const UBIGEO: u16 = 1;
/// Number of columns.
pub(crate) const COLUMNS: usize = 11;
/// Every bit a mask may have.
pub(crate) const ALL: u16 = (1 << COLUMNS) - 1;

/// How a column is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// As one dictionary entry, blanks included: few distinct values.
    Whole,
    /// As a count and that many dictionary entries, one per word.
    Words,
}

/// Storage by bit: ubigeo, tipo de vía, nombre de vía, código de zona, tipo de zona, número, interior, lote,
/// departamento, manzana, kilómetro. The padrón's own order.
pub(crate) const STORAGE: [Storage; COLUMNS] = [
    Storage::Whole,
    Storage::Whole,
    Storage::Words,
    Storage::Whole,
    Storage::Words,
    Storage::Whole,
    Storage::Whole,
    Storage::Whole,
    Storage::Whole,
    Storage::Whole,
    Storage::Whole,
];

/// The parts of the address line in the order the tax authority prints them: bit, and what stands before the value.
pub(crate) const LINE: [(usize, &[u8]); 10] = [
    (1, b""),
    (2, b""),
    (5, b"NRO. "),
    (6, b"INT. "),
    (8, b"DPTO. "),
    (9, b"MZA. "),
    (7, b"LOTE. "),
    (10, b"KM. "),
    (3, b""),
    (4, b""),
];
