//! Sorts partitions and encodes them as buckets, on every core, and passes them on in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::parent::SampledRow;
use super::partition::{PARTITION_BITS, PARTITION_GROUPS, Partition};
use crate::format::bucket::NewRow;
use crate::format::groups::{self, GROUP_BITS, Written};
use crate::format::lists::Lists;
use crate::format::record;

/// More workers would only wait for the disk.
const MAX_WORKERS: usize = 4;

/// One partition's buckets.
#[derive(Debug, Default)]
pub(crate) struct Sorted {
    /// The buckets, one after the other.
    pub(crate) bytes: Vec<u8>,
    /// Length and rows of each bucket.
    pub(crate) buckets: Vec<Written>,
    /// How many buckets each group has, groups without rows included.
    pub(crate) groups: Vec<u32>,
    /// Rows in them, of which a taxpayer of a dataset may have several.
    pub(crate) rows: u64,
    /// Whether a taxpayer has more rows than a record may hold.
    pub(crate) has_too_many_rows: bool,
    /// Row ids left out because an earlier line had the same RUC.
    pub(crate) duplicates: Vec<u32>,
    /// How many of the sampled rows are present.
    pub(crate) present: u64,
    /// How many of those have another status or condition.
    pub(crate) changed: u64,
}

/// Sorts every partition with `sort` and hands it to `each` in order. A partition is dropped when it is done.
pub(crate) fn sort_all<E>(
    partitions: Vec<Partition>,
    sort: impl Fn(u32, &Partition) -> Sorted + Sync,
    mut each: impl FnMut(Sorted) -> Result<(), E>,
) -> Result<(), E> {
    let partitions: Vec<Mutex<Partition>> = partitions.into_iter().map(Mutex::new).collect();
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(1, usize::from).min(MAX_WORKERS);
    thread::scope(|scope| {
        let (done, sorted) = sync_channel(workers);
        for _ in 0..workers {
            let (done, partitions, next, sort) = (done.clone(), &partitions, &next, &sort);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(partition) = partitions.get(number) else { break };
                    let partition = std::mem::take(&mut *partition.lock().unwrap_or_else(PoisonError::into_inner));
                    if done.send((number, sort(number as u32, &partition))).is_err() {
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
                each(result)?;
                turn += 1;
            }
        }
        Ok(())
    })
}

/// The buckets of the padrón's rows in partition `number`.
pub(crate) fn sort(number: u32, partition: &Partition, lists: &Lists, sample: &[SampledRow]) -> Sorted {
    let base = number << PARTITION_BITS;
    let mut flags: Vec<(u8, Cursor<'_, u32>)> =
        lists.iter().map(|(list, row_ids)| (list.flag, Cursor::new(row_ids, base, |&row_id| row_id))).collect();
    let mut sample = Cursor::new(sample, base, |row| row.row_id);
    let mut sorted = Sorted::default();
    let places = partition.sorted();
    let mut places = places.as_slice();
    let mut rows: Vec<NewRow<'_>> = Vec::new();
    for group in 0..PARTITION_GROUPS {
        let (here, rest) = places.split_at(places.partition_point(|place| place.row_id() >> GROUP_BITS == group));
        places = rest;
        rows.clear();
        for &place in here {
            let row_id = base | place.row_id();
            if rows.last().is_some_and(|row| row.row_id == row_id) {
                sorted.duplicates.push(row_id);
                continue;
            }
            let flags = flags
                .iter_mut()
                .fold(0, |flags, (flag, cursor)| if cursor.at(row_id).is_some() { flags | *flag } else { flags });
            let record = partition.record(place).unwrap_or_default();
            if let Some(old) = sample.at(row_id) {
                sorted.present += 1;
                sorted.changed += u64::from(record::state(record) != Some(old.state));
            }
            rows.push(NewRow { row_id, record, flags });
        }
        let before = sorted.buckets.len();
        groups::encode(base >> GROUP_BITS | group, &rows, &mut sorted.bytes, &mut sorted.buckets);
        sorted.groups.push((sorted.buckets.len() - before) as u32);
    }
    sorted
}

/// Walks items in ascending order of their row ids along with ascending rows.
struct Cursor<'a, T> {
    rest: &'a [T],
    row_id_of: fn(&T) -> u32,
}

impl<'a, T> Cursor<'a, T> {
    fn new(items: &'a [T], from: u32, row_id_of: fn(&T) -> u32) -> Self {
        let start = items.partition_point(|item| row_id_of(item) < from);
        Self { rest: items.get(start..).unwrap_or_default(), row_id_of }
    }

    /// The item of `row_id`. Call it with ascending row ids.
    fn at(&mut self, row_id: u32) -> Option<&'a T> {
        while let Some((first, rest)) = self.rest.split_first() {
            let found = (self.row_id_of)(first);
            if found >= row_id {
                return (found == row_id).then_some(first);
            }
            self.rest = rest;
        }
        None
    }
}
