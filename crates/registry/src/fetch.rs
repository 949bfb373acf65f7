//! Brings what several files say about one taxpayer into the processor's caches before the files are read.
//!
//! Most of a lookup waits for memory. The waits for several files together take little longer than those for one.

use kuraka_domain::Ruc;

use crate::edition::{Container, Edition};
use crate::history::History;
use crate::months::Months;
use crate::row_id::row_id_of;

/// Fetches what is read about a taxpayer from these files.
pub fn fetch(ruc: Ruc, edition: &Edition, history: &History, months: Option<&Months>) {
    let containers = [&edition.container, &history.container].into_iter();
    let containers = containers.chain(months.map(|months| &months.container));
    Container::fetch(containers.map(|container| (container, row_id_of(ruc))));
}
