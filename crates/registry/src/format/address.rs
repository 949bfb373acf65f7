//! The columns of an address, in the order of a record and of the printed line.

pub(crate) const COLUMNS: usize = 11;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// One dictionary entry, blanks included: few distinct values.
    Whole,
    /// A count, and that many entries of one word each.
    Words,
}

pub(crate) struct Column {
    /// Its index among the padrón's address columns, from the ubigeo on.
    pub(crate) source: usize,
    pub(crate) storage: Storage,
    pub(crate) prefix: &'static [u8],
}

/// By bit of the mask. The ubigeo gives the department and is not printed; the others have SUNAT's printed order, so
/// that a record is read in one pass.
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
