//! Rows of the datasets that have fields of their own in a profile: annex premises, operating capacity and sanctions.

use kuraka_domain::{AnnexPremises, OperatingIncapacity, Sanction};
use kuraka_registry::EditionRow;
use kuraka_registry::dataset::{ANEXOS, SANCIONES, SSCO};

use super::fields::{date, owned, position, text, ubigeo};

/// The parts of an annex's address in the order in which SUNAT prints them, each with the text before it: the order of
/// the padrón's address line.
const LINE: [(usize, &str); 10] = [
    (position(&ANEXOS, "tipo_via"), ""),
    (position(&ANEXOS, "nombre_via"), ""),
    (position(&ANEXOS, "numero"), "NRO. "),
    (position(&ANEXOS, "interior"), "INT. "),
    (position(&ANEXOS, "departamento"), "DPTO. "),
    (position(&ANEXOS, "manzana"), "MZA. "),
    (position(&ANEXOS, "lote"), "LOTE. "),
    (position(&ANEXOS, "kilometro"), "KM. "),
    (position(&ANEXOS, "codigo_zona"), ""),
    (position(&ANEXOS, "tipo_zona"), ""),
];

/// The annex premises of a row.
pub(super) fn annex(row: EditionRow<'_, '_>) -> AnnexPremises {
    const UBIGEO: usize = position(&ANEXOS, "ubigeo");
    let mut address = String::new();
    for (field, prefix) in LINE {
        if let Some(value) = text(row, field) {
            for part in [if address.is_empty() { "" } else { " " }, prefix, value] {
                address.push_str(part);
            }
        }
    }
    AnnexPremises { address, ubigeo: ubigeo(row, UBIGEO) }
}

/// The resolution that declared a taxpayer without operating capacity.
pub(super) fn incapacity(row: EditionRow<'_, '_>) -> OperatingIncapacity {
    const RESOLUTION: usize = position(&SSCO, "resolucion");
    const RESOLVED: usize = position(&SSCO, "fecha_resolucion");
    const FINAL_SINCE: usize = position(&SSCO, "firme_desde");
    OperatingIncapacity {
        resolution: owned(row, RESOLUTION),
        resolved: date(row, RESOLVED),
        final_since: date(row, FINAL_SINCE),
    }
}

/// The sanction of a row; `None` if it has no first day, which every imported row has.
pub(super) fn sanction(row: EditionRow<'_, '_>) -> Option<Sanction> {
    const SINCE: usize = position(&SANCIONES, "desde");
    const UNTIL: usize = position(&SANCIONES, "hasta");
    const REASON: usize = position(&SANCIONES, "motivo");
    Some(Sanction { since: date(row, SINCE)?, until: date(row, UNTIL), reason: owned(row, REASON) })
}
