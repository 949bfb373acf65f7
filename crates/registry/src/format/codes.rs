//! Status and condition as four bits each. The tables are part of the format: an entry keeps its place whatever the
//! domain does.

use std::sync::LazyLock;

use kuraka_domain::{DomicileCondition, TaxpayerStatus};

/// The text follows as a dictionary number.
pub(crate) const ELSEWHERE: u8 = 15;

const STATUS: [&str; 14] = [
    "",
    "ACTIVO",
    "BAJA PROVISIONAL",
    "BAJA PROV. POR OFICIO",
    "SUSPENSION TEMPORAL",
    "BAJA DEFINITIVA",
    "BAJA DE OFICIO",
    "BAJA MULT.INSCR. Y OTROS",
    "NUM. INTERNO IDENTIF.",
    "OTROS OBLIGADOS",
    "INHABILITADO-VENT.UNICA",
    "ANULACION - ERROR SUNAT",
    "ANUL.PROVI.-ACTO ILICITO",
    "ANULACION - ACTO ILICITO",
];

/// Other published texts are too rare for a place.
const CONDITION: [&str; 15] = [
    "",
    "HABIDO",
    "NO HABIDO",
    "NO HALLADO",
    "PENDIENTE",
    "POR VERIFICAR",
    "NO APLICABLE",
    "NO HALLADO SE MUDO DE DOMICILIO",
    "NO HALLADO FALLECIO",
    "NO HALLADO NO EXISTE DOMICILIO",
    "NO HALLADO CERRADO",
    "NO HALLADO NRO.PUERTA NO EXISTE",
    "NO HALLADO DESTINATARIO DESCONOCIDO",
    "NO HALLADO RECHAZADO",
    "NO HALLADO OTROS MOTIVOS",
];

static STATUS_VALUES: LazyLock<[TaxpayerStatus; 14]> = LazyLock::new(|| STATUS.map(TaxpayerStatus::from_text));
static CONDITION_VALUES: LazyLock<[DomicileCondition; 15]> =
    LazyLock::new(|| CONDITION.map(DomicileCondition::from_text));

/// The text is in full.
pub(crate) fn status_code(text: &str) -> u8 {
    STATUS.iter().position(|known| *known == text).map_or(ELSEWHERE, |place| place as u8)
}

/// The text is in full.
pub(crate) fn condition_code(text: &str) -> u8 {
    CONDITION.iter().position(|known| *known == text).map_or(ELSEWHERE, |place| place as u8)
}

pub(crate) fn status_at(code: u8) -> Option<TaxpayerStatus> {
    STATUS_VALUES.get(usize::from(code)).cloned()
}

pub(crate) fn condition_at(code: u8) -> Option<DomicileCondition> {
    CONDITION_VALUES.get(usize::from(code)).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_reads_back_as_its_text() {
        for (place, text) in STATUS.iter().enumerate() {
            assert_eq!(status_at(place as u8).unwrap().as_str(), *text);
            assert_eq!(status_code(text), place as u8);
        }
        for (place, text) in CONDITION.iter().enumerate() {
            assert_eq!(condition_at(place as u8).unwrap().as_str(), *text);
            assert_eq!(condition_code(text), place as u8);
        }
    }

    #[test]
    fn all_published_statuses_have_a_place() {
        assert!(TaxpayerStatus::KNOWN.iter().all(|status| status_code(status.as_str()) != ELSEWHERE));
    }
}
