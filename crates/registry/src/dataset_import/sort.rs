//! Sorts the rows of one range of row ids and joins those of each taxpayer to one record.

use std::collections::HashSet;

use crate::dataset::RowsPerRuc;
use crate::format::bucket::NewRow;
use crate::format::fields::MOST_ROWS;
use crate::format::groups::{self, GROUP_BITS};
use crate::import::{PARTITION_BITS, PARTITION_GROUPS, Partition, Place, Sorted};

/// The buckets of partition `number`. `sample` are row ids of the edition before, rising.
pub(super) fn sort(number: u32, partition: &Partition, per_ruc: RowsPerRuc, sample: &[u32]) -> Sorted {
    let base = number << PARTITION_BITS;
    let mut sorted = Sorted::default();
    let places = partition.sorted();
    let mut places = places.as_slice();
    for group in 0..PARTITION_GROUPS {
        let (here, rest) = places.split_at(places.partition_point(|place| place.row_id() >> GROUP_BITS == group));
        places = rest;
        let records: Vec<(u32, Vec<u8>)> = here
            .chunk_by(|a, b| a.row_id() == b.row_id())
            .map(|rows| {
                let row_id = base | rows.first().map_or(0, |place| place.row_id());
                (row_id, joined(row_id, rows, partition, per_ruc, &mut sorted))
            })
            .collect();
        sorted.present += records.iter().filter(|(row_id, _)| sample.binary_search(row_id).is_ok()).count() as u64;
        let rows: Vec<NewRow<'_>> =
            records.iter().map(|(row_id, record)| NewRow { row_id: *row_id, record, flags: 0 }).collect();
        let before = sorted.buckets.len();
        groups::encode(base >> GROUP_BITS | group, &rows, &mut sorted.bytes, &mut sorted.buckets);
        sorted.groups.push((sorted.buckets.len() - before) as u32);
    }
    sorted
}

/// The record of one taxpayer.
fn joined(row_id: u32, rows: &[Place], partition: &Partition, per_ruc: RowsPerRuc, sorted: &mut Sorted) -> Vec<u8> {
    let mut record = Vec::new();
    let mut seen = HashSet::new();
    for row in rows.iter().filter_map(|&place| partition.record(place)) {
        let is_repeated = match per_ruc {
            RowsPerRuc::One => !record.is_empty(),
            RowsPerRuc::Many => rows.len() > 1 && !seen.insert(row),
        };
        if is_repeated {
            sorted.duplicates.push(row_id);
        } else {
            sorted.rows += 1;
            record.extend_from_slice(row);
        }
    }
    sorted.has_too_many_rows |= seen.len() > MOST_ROWS;
    record
}
