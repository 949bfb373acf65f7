//! The eleven columns of an address, in the order of a record and of the printed line.

pub(crate) const COLUMNS: usize = 11;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// As one dictionary entry, blanks included: few distinct values.
    Whole,
    /// As a count and that many dictionary entries, one per word.
    Words,
}

pub(crate) struct Column {
    /// Its index among the padrón's address columns; the ubigeo is 0.
    pub(crate) source: usize,
    pub(crate) storage: Storage,
    /// Text before its value in the line.
    pub(crate) prefix: &'static [u8],
}

/// The columns by bit of the mask. The ubigeo comes first: it gives the department and is not part of the line. The
/// others follow in the order in which SUNAT prints them, so that a record is read in one pass.
pub(crate) const LINE: [Column; COLUMNS] = [
    column(0, Storage::Whole, b""),
    column(1, Storage::Whole, b""),
    column(2, Storage::Words, b""),
    column(5, Storage::Whole, b"NRO. "),
    column(6, Storage::Whole, b"INT. "),
    column(8, Storage::Whole, b"DPTO. "),
    column(9, Storage::Whole, b"MZA. "),
    column(7, Storage::Whole, b"LOTE. "),
    column(10, Storage::Whole, b"KM. "),
    column(3, Storage::Whole, b""),
    column(4, Storage::Words, b""),
];

const fn column(source: usize, storage: Storage, prefix: &'static [u8]) -> Column {
    Column { source, storage, prefix }
}
