//! The records of a file, in partitions by row id.

use kuraka_domain::Date;

use super::partition::Partition;
use super::vocabulary::Vocabulary;

pub(crate) struct Records {
    pub(crate) vocabulary: Vocabulary,
    pub(super) partitions: Vec<Partition>,
    /// The month of most rows, in a dataset with one.
    pub(crate) month: Option<Date>,
}
