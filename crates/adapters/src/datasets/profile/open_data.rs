//! A row of `datos_abiertos` as open data.

use kuraka_domain::text::without_accents;
use kuraka_domain::{ActivityRank, EconomicActivity, OpenData};

use super::fields::NamedRow;

/// The open data of a row; `None` without a month, which every imported row has.
pub(super) fn open_data(row: &NamedRow<'_, '_>) -> Option<OpenData> {
    let activity = |rank, text: Option<&str>| {
        text.map(|text| EconomicActivity { rank, ciiu: String::new(), description: text.to_owned() })
    };
    let principal = row.text("actividad_ciiu4_principal").or_else(|| row.text("actividad_ciiu3_principal"));
    let principal = activity(ActivityRank::Principal, principal);
    let secondary = activity(ActivityRank::Secondary, row.text("actividad_ciiu3_secundaria"));
    Some(OpenData {
        month: row.date("periodo")?,
        // An unknown type is stored as published.
        taxpayer_type: row.text("tipo_contribuyente").map(without_accents).unwrap_or_default(),
        activities: principal.into_iter().chain(secondary).collect(),
        workers: row.integer("trabajadores"),
        issuing_system: row.owned("sistema_emision"),
        accounting_system: row.owned("sistema_contabilidad"),
        foreign_trade: row.owned("actividad_comercio_exterior"),
    })
}
