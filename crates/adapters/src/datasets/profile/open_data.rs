//! A row of `datos_abiertos` as open data.

use kuraka_domain::text::without_accents;
use kuraka_domain::{ActivityRank, EconomicActivity, OpenData};
use kuraka_registry::EditionRow;
use kuraka_registry::dataset::DATOS_ABIERTOS;

use super::fields::{date, integer, owned, position, text};

const MONTH: usize = position(&DATOS_ABIERTOS, "periodo");
const TYPE: usize = position(&DATOS_ABIERTOS, "tipo_contribuyente");
const PRINCIPAL_3: usize = position(&DATOS_ABIERTOS, "actividad_ciiu3_principal");
const SECONDARY_3: usize = position(&DATOS_ABIERTOS, "actividad_ciiu3_secundaria");
const PRINCIPAL_4: usize = position(&DATOS_ABIERTOS, "actividad_ciiu4_principal");
const WORKERS: usize = position(&DATOS_ABIERTOS, "trabajadores");
const ISSUING: usize = position(&DATOS_ABIERTOS, "sistema_emision");
const ACCOUNTING: usize = position(&DATOS_ABIERTOS, "sistema_contabilidad");
const FOREIGN_TRADE: usize = position(&DATOS_ABIERTOS, "actividad_comercio_exterior");

/// The open data of a row; `None` without a month, which every imported row has.
pub(super) fn open_data(row: EditionRow<'_, '_>) -> Option<OpenData> {
    let activity = |rank, text: Option<&str>| {
        text.map(|text| EconomicActivity { rank, ciiu: String::new(), description: text.to_owned() })
    };
    let principal = activity(ActivityRank::Principal, text(row, PRINCIPAL_4).or_else(|| text(row, PRINCIPAL_3)));
    let secondary = activity(ActivityRank::Secondary, text(row, SECONDARY_3));
    Some(OpenData {
        month: date(row, MONTH)?,
        // An unknown type is stored as published.
        taxpayer_type: text(row, TYPE).map(without_accents).unwrap_or_default(),
        activities: principal.into_iter().chain(secondary).collect(),
        workers: integer(row, WORKERS),
        issuing_system: owned(row, ISSUING),
        accounting_system: owned(row, ACCOUNTING),
        foreign_trade: owned(row, FOREIGN_TRADE),
    })
}
