//! The rows of a dataset as records of its fields.

use std::collections::BTreeMap;
use std::path::Path;

use kuraka_domain::{Date, Ruc};

use super::error::IndexError;
use super::partition::{self, PARTITION_BITS, Partition};
use super::records::Records;
use super::vocabulary::Vocabulary;
use crate::dataset::{Dataset, FieldKind, Value};
use crate::format::fields;
use crate::progress::Progress;
use crate::reader::{self, ReadError, Report};
use crate::row_id::row_id_of;

pub(super) fn read<E: From<ReadError> + From<IndexError>>(
    dataset: &'static Dataset,
    path: &Path,
    vocabulary: Vocabulary,
    progress: &dyn Progress,
) -> Result<(Records, Report), E> {
    let mut rows = Rows::new(dataset, vocabulary);
    let report = reader::read(dataset, path, progress, |ruc, values| Ok::<_, E>(rows.add(ruc, values)?))?;
    let month = rows.months.iter().max_by_key(|(_, rows)| **rows).map(|(month, _)| *month);
    Ok((Records { vocabulary: rows.vocabulary, partitions: rows.partitions, month }, report))
}

struct Rows {
    /// The field with the month of publication, and the rows of each month.
    month: Option<usize>,
    months: BTreeMap<Date, u64>,
    vocabulary: Vocabulary,
    partitions: Vec<Partition>,
    record: Vec<u8>,
}

impl Rows {
    fn new(dataset: &Dataset, vocabulary: Vocabulary) -> Self {
        Self {
            month: dataset.fields().position(|(_, kind)| matches!(kind, FieldKind::Month)),
            months: BTreeMap::new(),
            vocabulary,
            partitions: partition::empty(),
            record: Vec::new(),
        }
    }

    fn add(&mut self, ruc: Ruc, values: &[Value<'_>]) -> Result<(), IndexError> {
        if let Some(Value::Date(month)) = self.month.and_then(|month| values.get(month)) {
            *self.months.entry(*month).or_default() += 1;
        }
        self.record.clear();
        let number = |text: &str| self.vocabulary.number(text.as_bytes());
        fields::encode(values, number, &mut self.record)?;
        let row_id = row_id_of(ruc);
        let partition = self.partitions.get_mut((row_id >> PARTITION_BITS) as usize);
        partition.map_or(Ok(()), |partition| partition.push(row_id, &self.record).map_err(IndexError::Memory))
    }
}
