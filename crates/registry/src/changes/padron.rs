//! The padrón's rows as a list of changes has them: the fields of a summary, without those of the lists.

use kuraka_domain::TaxpayerSummary;

use super::change::{Cell, Row};

/// The fields, named as in answers.
pub(super) const FIELDS: [&str; 5] = ["nombre_o_razon_social", "estado", "condicion", "direccion", "ubigeo"];

/// The values of [`FIELDS`].
pub(super) fn row(taxpayer: TaxpayerSummary) -> Row {
    let TaxpayerSummary { name, status, condition, address, ubigeo, .. } = taxpayer;
    let ubigeo = ubigeo.map(|ubigeo| format!("{:06}", ubigeo.get()));
    vec![text(name), text(status.as_str().to_owned()), text(condition.as_str().to_owned()), text(address), ubigeo]
}

fn text(text: String) -> Cell {
    (!text.is_empty()).then_some(text)
}
