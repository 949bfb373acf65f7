//! A row of `ssco` as the resolution that declared a taxpayer without operating capacity.

use kuraka_domain::OperatingIncapacity;
use kuraka_registry::DatasetRow;
use kuraka_registry::dataset::SSCO;

use super::fields::{date, owned, position};

const RESOLUTION: usize = position(&SSCO, "resolucion");
const RESOLVED: usize = position(&SSCO, "fecha_resolucion");
const FINAL_SINCE: usize = position(&SSCO, "firme_desde");

/// The resolution of a row.
pub(super) fn incapacity(row: DatasetRow<'_, '_>) -> OperatingIncapacity {
    OperatingIncapacity {
        resolution: owned(row, RESOLUTION),
        resolved: date(row, RESOLVED),
        final_since: date(row, FINAL_SINCE),
    }
}
