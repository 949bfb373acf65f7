//! What a comparison needs to know of an edition, for the padrón and for the other datasets.

use std::fmt::Display;

use kuraka_domain::{Date, TaxpayerSummary};

use super::change::{Cell, Row};
use super::facts::EditionName;
use crate::checksum::hex;
use crate::dataset::{Dataset, PADRON, Value};
use crate::edition::Contents;
use crate::{DatasetEdition, OpenEdition, Origin};

/// An edition that can be compared with another one of its dataset.
pub(crate) trait Compared {
    /// The edition as a list names it.
    fn name(&self) -> EditionName;
    fn origin(&self) -> Origin;
    fn dataset(&self) -> &'static Dataset;
    /// The names of the fields of a row.
    fn fields(&self) -> Vec<String>;
    fn contents(&self) -> Contents<'_>;
    /// Whether equal bytes of a record mean equal values in this edition and in `older`.
    fn stores_as(&self, older: &Self) -> bool;
    /// The rows of a taxpayer, read from its record; `None` = the bytes are not a record.
    fn rows_of(&self, row_id: u32, record: &[u8]) -> Option<Vec<Row>>;
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

    fn contents(&self) -> Contents<'_> {
        self.contents()
    }

    fn stores_as(&self, older: &Self) -> bool {
        self.contents().has_words_of(older.contents())
    }

    fn rows_of(&self, row_id: u32, record: &[u8]) -> Option<Vec<Row>> {
        let TaxpayerSummary { name, status, condition, address, ubigeo, .. } = self.decode_record(row_id, record)?;
        let texts = [text(name), text(status), text(condition), text(address)];
        Some(vec![texts.into_iter().chain([ubigeo.and_then(text)]).collect()])
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

    fn contents(&self) -> Contents<'_> {
        self.contents()
    }

    fn stores_as(&self, older: &Self) -> bool {
        self.meta().fields == older.meta().fields && self.contents().has_words_of(older.contents())
    }

    fn rows_of(&self, _row_id: u32, record: &[u8]) -> Option<Vec<Row>> {
        let rows = self.decode_record(record)?;
        Some(rows.iter().map(|row| row.values().iter().copied().map(cell).collect()).collect())
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
    Some(value.to_string()).filter(|text| !text.is_empty())
}
