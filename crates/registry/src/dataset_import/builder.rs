//! Collects the rows of a dataset as records, by range of row ids.

use std::collections::BTreeMap;

use kuraka_domain::{Date, Ruc};

use crate::ImportError;
use crate::dataset::{Content, Dataset, FieldKind, Value};
use crate::format::fields::{self, MOST_FIELDS, StoredKind};
use crate::import::{PARTITION_BITS, PARTITIONS, Partition, Vocabulary};
use crate::row_id::row_id_of;

/// The rows read so far.
pub(super) struct Builder {
    kinds: Vec<StoredKind>,
    /// The position of the field that has the month of publication, and how many rows have which.
    month: Option<usize>,
    months: BTreeMap<Date, u64>,
    pub(super) vocabulary: Vocabulary,
    pub(super) partitions: Vec<Partition>,
    pub(super) rows: u64,
    record: Vec<u8>,
}

impl Builder {
    /// Words keep the numbers that they have in `vocabulary`.
    pub(super) fn new(dataset: &Dataset, vocabulary: Vocabulary) -> Result<Self, ImportError> {
        let fields: Vec<FieldKind> = dataset.fields().filter_map(|(_, column)| kind(&column.content)).collect();
        if fields.len() > MOST_FIELDS {
            return Err(ImportError::TooLarge { what: "the dataset has more than 32 fields" });
        }
        Ok(Self {
            month: fields.iter().position(|kind| matches!(kind, FieldKind::Month)),
            kinds: fields.into_iter().map(StoredKind::of).collect(),
            months: BTreeMap::new(),
            vocabulary,
            partitions: (0..PARTITIONS).map(|_| Partition::default()).collect(),
            rows: 0,
            record: Vec::new(),
        })
    }

    /// Adds a row.
    pub(super) fn add(&mut self, ruc: Ruc, values: &[Value<'_>]) -> Result<(), ImportError> {
        if let Some(Value::Date(month)) = self.month.and_then(|month| values.get(month)) {
            *self.months.entry(*month).or_default() += 1;
        }
        self.record.clear();
        let number = |text: &str| self.vocabulary.number(text.as_bytes());
        fields::encode(&self.kinds, values, number, &mut self.record)?;
        self.rows += 1;
        let row_id = row_id_of(ruc);
        let partition = self.partitions.get_mut((row_id >> PARTITION_BITS) as usize);
        partition.map_or(Ok(()), |partition| partition.push(row_id, &self.record).map_err(ImportError::Memory))
    }

    /// The month that most rows have.
    pub(super) fn month(&self) -> Option<Date> {
        self.months.iter().max_by_key(|(_, rows)| **rows).map(|(month, _)| *month)
    }
}

const fn kind(content: &Content) -> Option<FieldKind> {
    match content {
        Content::Field { kind, .. } => Some(*kind),
        Content::Ruc | Content::Dropped => None,
    }
}
