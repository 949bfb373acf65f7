//! A row of `sanciones` as a sanction.

use kuraka_domain::Sanction;
use kuraka_registry::DatasetRow;
use kuraka_registry::dataset::SANCIONES;

use super::fields::{date, owned, position};

const SINCE: usize = position(&SANCIONES, "desde");
const UNTIL: usize = position(&SANCIONES, "hasta");
const REASON: usize = position(&SANCIONES, "motivo");

/// The sanction of a row; `None` if it has no first day, which every imported row has.
pub(super) fn sanction(row: DatasetRow<'_, '_>) -> Option<Sanction> {
    Some(Sanction { since: date(row, SINCE)?, until: date(row, UNTIL), reason: owned(row, REASON) })
}
