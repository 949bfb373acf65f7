//! Sorts partitions on every core, encodes them as buckets, and passes them on in order.

use std::collections::{BTreeMap, HashSet};
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::error::IndexError;
use super::partition::{PARTITION_BITS, PARTITION_GROUPS, Partition, RecordPosition};
use super::records::Records;
use super::vocabulary::Vocabulary;
use crate::dataset::{Dataset, RowsPerRuc};
use crate::format::bucket::NewRow;
use crate::format::fields::MAX_ROWS;
use crate::format::groups::{self, GROUP_BITS};
use crate::format::record;
use crate::names::Companies;

/// More workers would only wait for the disk.
const MAX_WORKERS: usize = 4;

/// A row of the previous edition that is looked for in the new one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampledRow {
    pub(crate) row_id: u32,
    /// Status and condition; `None` if the records have none.
    pub(crate) state: Option<u8>,
}

#[derive(Debug, Default)]
pub(crate) struct SortedRows {
    pub(crate) bytes: Vec<u8>,
    /// The lengths of the buckets.
    pub(crate) buckets: Vec<u32>,
    /// Buckets of each group, groups without rows included.
    pub(crate) groups: Vec<u32>,
    /// Rows, of which a taxpayer may have several.
    pub(crate) rows: u64,
    pub(crate) rucs: u64,
    pub(crate) has_too_many_rows: bool,
    /// Row ids of rows left out because an earlier line has the same RUC or the same row.
    pub(crate) repeated: Vec<u32>,
    pub(crate) present: u64,
    /// Present rows with another status or condition.
    pub(crate) changed: u64,
    pub(crate) companies: Companies,
}

impl Records {
    /// Passes each sorted partition to `each`, in the order of row ids, and returns the dictionary. `sample` ascends;
    /// `names`: collect the companies.
    pub(crate) fn sort(
        self,
        dataset: &Dataset,
        sample: &[SampledRow],
        names: bool,
        mut each: impl FnMut(SortedRows) -> Result<(), IndexError>,
    ) -> Result<Vocabulary, IndexError> {
        let partitions = Mutex::new((0..).zip(self.partitions));
        let workers = thread::available_parallelism().map_or(1, usize::from).min(MAX_WORKERS);
        thread::scope(|scope| {
            let (done, sorted) = sync_channel(workers);
            for _ in 0..workers {
                let (done, partitions) = (done.clone(), &partitions);
                scope.spawn(move || {
                    loop {
                        let next = partitions.lock().unwrap_or_else(PoisonError::into_inner).next();
                        let Some((number, partition)) = next else { break };
                        if done.send((number, sort(number, &partition, dataset, sample, names))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(done);
            let mut early = BTreeMap::new();
            let mut turn = 0;
            for (number, result) in sorted {
                early.insert(number, result);
                while let Some(result) = early.remove(&turn) {
                    if result.has_too_many_rows {
                        return Err(IndexError::TooLarge { what: "a taxpayer has more than 65,536 rows" });
                    }
                    each(result)?;
                    turn += 1;
                }
            }
            Ok(())
        })?;
        Ok(self.vocabulary)
    }
}

fn sort(number: u32, partition: &Partition, dataset: &Dataset, sample: &[SampledRow], names: bool) -> SortedRows {
    let base = number << PARTITION_BITS;
    let from = |row_id| sample.partition_point(|row| row.row_id < row_id);
    let sample = sample.get(from(base)..from(base + (1 << PARTITION_BITS))).unwrap_or_default();
    let mut sorted = SortedRows::default();
    let places = partition.sorted();
    let mut places = places.as_slice();
    for group in 0..PARTITION_GROUPS {
        let (here, rest) = places.split_at(places.partition_point(|place| place.row_id() >> GROUP_BITS == group));
        places = rest;
        // Records of several rows; others stay in the partition.
        let mut joined = Vec::new();
        if dataset.rows == RowsPerRuc::Many {
            join(here, base, partition, &mut joined, &mut sorted);
        }
        let mut rows: Vec<NewRow<'_>> = Vec::with_capacity(here.len());
        rows.extend(joined.iter().map(|(row_id, record)| NewRow { row_id: *row_id, record }));
        for &place in here.iter().filter(|_| dataset.rows != RowsPerRuc::Many) {
            let row_id = base | place.row_id();
            if rows.last().is_some_and(|row| row.row_id == row_id) {
                sorted.repeated.push(row_id);
                continue;
            }
            sorted.rows += 1;
            rows.push(NewRow { row_id, record: partition.record(place).unwrap_or_default() });
        }
        for row in &rows {
            let found = sample.binary_search_by_key(&row.row_id, |old| old.row_id).ok();
            if let Some(old) = found.and_then(|at| sample.get(at)) {
                sorted.present += 1;
                sorted.changed += u64::from(record::state(dataset.records(), row.record) != old.state);
            }
        }
        if names {
            rows.iter().for_each(|row| sorted.companies.push(row.row_id, row.record));
        }
        sorted.rucs += rows.len() as u64;
        let before = sorted.buckets.len();
        groups::encode(base >> GROUP_BITS | group, &rows, &mut sorted.bytes, &mut sorted.buckets);
        sorted.groups.push((sorted.buckets.len() - before) as u32);
    }
    sorted
}

/// Joins the rows of each taxpayer to one record, equal rows once.
fn join(
    places: &[RecordPosition],
    base: u32,
    partition: &Partition,
    joined: &mut Vec<(u32, Vec<u8>)>,
    sorted: &mut SortedRows,
) {
    for rows in places.chunk_by(|a, b| a.row_id() == b.row_id()) {
        let row_id = base | rows.first().map_or(0, |place| place.row_id());
        let (mut record, mut seen) = (Vec::new(), HashSet::new());
        for row in rows.iter().filter_map(|&place| partition.record(place)) {
            if rows.len() > 1 && !seen.insert(row) {
                sorted.repeated.push(row_id);
            } else {
                sorted.rows += 1;
                record.extend_from_slice(row);
            }
        }
        sorted.has_too_many_rows |= seen.len() > MAX_ROWS;
        joined.push((row_id, record));
    }
}
