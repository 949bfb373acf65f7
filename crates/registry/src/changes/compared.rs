//! What a comparison needs to know of an edition, for the padrón and for the other datasets.

use std::fmt::Display;

use kuraka_domain::{Date, TaxpayerSummary};

use super::change::{Cell, Row};
use super::facts::EditionName;
use super::layout::LONGEST_BLOCK;
use crate::checksum::hex;
use crate::dataset::{Dataset, PADRON, Value};
use crate::edition::Contents;
use crate::{DatasetEdition, DatasetRow, OpenEdition, Origin};

/// An edition that can be compared with another one of its dataset.
pub(crate) trait Compared {
    /// The edition as a list names it.
    fn name(&self) -> EditionName;
    fn origin(&self) -> Origin;
    fn dataset(&self) -> &'static Dataset;
    /// The names of the fields of a row.
    fn fields(&self) -> Vec<String>;
    /// Whether the edition stores this field.
    fn stores(&self, field: &str) -> bool;
    fn contents(&self) -> Contents<'_>;
    /// Whether equal bytes of a record mean equal values in this edition and in `older`.
    fn stores_as(&self, older: &Self) -> bool;
    /// The fields at these places of the rows of a taxpayer, read from its record.
    fn rows_of(&self, row_id: u32, record: &[u8], places: &[usize]) -> Result<Vec<Row>, NoRows>;
}

/// Why the rows of a taxpayer are not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoRows {
    /// The bytes are not a record.
    Corrupt,
    /// They are longer than a block of a list.
    TooLong,
}

/// The padrón's fields, named as in answers. Flags of lists are not compared: lists are datasets of their own.
const SUMMARY: [&str; 5] = ["nombre_o_razon_social", "estado", "condicion", "direccion", "ubigeo"];

impl Compared for OpenEdition {
    fn name(&self) -> EditionName {
        name(self.label(), self.meta().date, &self.identity(), self.rows())
    }

    fn origin(&self) -> Origin {
        self.meta().origin
    }

    fn dataset(&self) -> &'static Dataset {
        &PADRON
    }

    fn fields(&self) -> Vec<String> {
        SUMMARY.map(str::to_owned).to_vec()
    }

    fn stores(&self, _field: &str) -> bool {
        true
    }

    fn contents(&self) -> Contents<'_> {
        self.contents()
    }

    fn stores_as(&self, older: &Self) -> bool {
        self.contents().has_words_of(older.contents())
    }

    fn rows_of(&self, row_id: u32, record: &[u8], _places: &[usize]) -> Result<Vec<Row>, NoRows> {
        let row = self.decode_record(row_id, record).ok_or(NoRows::Corrupt)?;
        let TaxpayerSummary { name, status, condition, address, ubigeo, .. } = row;
        let texts = [name, status.as_str().to_owned(), condition.as_str().to_owned(), address].map(not_empty);
        Ok(vec![texts.into_iter().chain([ubigeo.and_then(text)]).collect()])
    }
}

impl Compared for DatasetEdition {
    fn name(&self) -> EditionName {
        name(self.label(), self.meta().date, &self.identity(), self.rucs())
    }

    fn origin(&self) -> Origin {
        self.meta().origin
    }

    fn dataset(&self) -> &'static Dataset {
        self.dataset()
    }

    fn fields(&self) -> Vec<String> {
        let names: Vec<String> = self.dataset().fields().map(|(name, _)| name.to_owned()).collect();
        // A row has one value at least, so that it takes space.
        if names.is_empty() { vec![String::new()] } else { names }
    }

    fn stores(&self, field: &str) -> bool {
        field.is_empty() || self.meta().fields.iter().any(|stored| stored.name == field)
    }

    fn contents(&self) -> Contents<'_> {
        self.contents()
    }

    fn stores_as(&self, older: &Self) -> bool {
        self.meta().fields == older.meta().fields && self.contents().has_words_of(older.contents())
    }

    fn rows_of(&self, _row_id: u32, record: &[u8], places: &[usize]) -> Result<Vec<Row>, NoRows> {
        let mut bytes = 0;
        let mut cell = |place: &usize, row: DatasetRow<'_, '_>| {
            let cell = cell(row.get(*place));
            bytes += 1 + cell.as_ref().map_or(0, String::len);
            if bytes > LONGEST_BLOCK { Err(NoRows::TooLong) } else { Ok(cell) }
        };
        let rows = self.decode_record(record).ok_or(NoRows::Corrupt)?;
        rows.iter().map(|row| places.iter().map(|place| cell(place, row)).collect()).collect()
    }
}

fn name(label: &str, date: Date, identity: &[u8], taxpayers: u64) -> EditionName {
    EditionName { label: label.to_owned(), date, identity: hex(identity), taxpayers }
}

/// A value as text.
fn cell(value: Value<'_>) -> Cell {
    match value {
        Value::Absent => None,
        Value::Text(value) => text(value),
        Value::Date(date) => text(date),
        Value::Integer(number) => text(number),
        Value::Ubigeo(ubigeo) => text(ubigeo),
        Value::Listed(entry) => text(entry.text),
    }
}

fn text(value: impl Display) -> Cell {
    not_empty(value.to_string())
}

fn not_empty(text: String) -> Cell {
    Some(text).filter(|text| !text.is_empty())
}
