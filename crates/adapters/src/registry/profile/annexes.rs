//! Rows of `anexos` as annex premises.

use kuraka_domain::AnnexPremises;
use kuraka_registry::DatasetRow;
use kuraka_registry::dataset::ANEXOS;

use super::fields::{position, text, ubigeo};

const UBIGEO: usize = position(&ANEXOS, "ubigeo");
/// The parts of an address in the order in which SUNAT prints them, each with the text before it: the order of the
/// padrón's address line.
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
pub(super) fn annex(row: DatasetRow<'_, '_>) -> AnnexPremises {
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
