//! A taxpayer or a voucher as cells of a table: the columns of CSV and workbooks, which have no records inside records.

use std::borrow::Cow;
use std::mem;

use kuraka_domain::{ListedTaxpayer, OnDay, Sanction, TaxpayerProfile, TaxpayerSummary, VoucherValidation};

use crate::record::flag;

/// The columns of [`summary_cells`]: the fields of `/ruc` after the RUC.
pub const SUMMARY_COLUMNS: [&str; 7] = [
    "nombre_o_razon_social",
    "estado",
    "condicion",
    "direccion",
    "departamento",
    "es_agente_de_retencion",
    "es_buen_contribuyente",
];

/// The columns of [`ficha_cells`], which come after the columns of the summary.
pub const FICHA_COLUMNS: [&str; 9] = [
    "ubigeo",
    "provincia",
    "distrito",
    "padrones",
    "sin_capacidad_operativa",
    "sanciones",
    "tipo_contribuyente",
    "trabajadores",
    "actividad_principal",
];

/// The columns of [`day_cells`] after the columns of the summary.
const DAY_COLUMNS: [&str; 4] = ["existe", "edicion", "padrones", "sin_capacidad_operativa"];

/// The columns of [`voucher_cells`]: the fields of `/cpe` that the request does not have.
pub const VOUCHER_COLUMNS: [&str; 5] = [
    "comprobante_estado_codigo",
    "comprobante_estado_descripcion",
    "empresa_estado_descripcion",
    "empresa_condicion_descripcion",
    "observaciones",
];

/// The headings of columns for people, where they are not the name with blanks.
const HEADINGS: [(&str, &str); 11] = [
    ("nombre_o_razon_social", "Nombre o razón social"),
    ("condicion", "Condición"),
    ("direccion", "Dirección"),
    ("es_agente_de_retencion", "Agente de retención"),
    ("es_buen_contribuyente", "Buen contribuyente"),
    ("edicion", "Edición del padrón"),
    ("comprobante_estado_codigo", "Código del estado"),
    ("comprobante_estado_descripcion", "Estado del comprobante"),
    ("empresa_estado_descripcion", "Estado del emisor"),
    ("empresa_condicion_descripcion", "Condición del emisor"),
    ("observaciones", "Observaciones de la SUNAT"),
];

/// The cell of a dataset that has no edition here. An empty cell means that the dataset says nothing of the taxpayer.
pub const NOT_AVAILABLE: &str = "NO DISPONIBLE";

/// The columns of a list that are about its taxpayers: those of the summary, and more.
#[derive(Clone, Copy, Debug)]
pub struct TaxpayerColumns {
    /// Whether there are [`FICHA_COLUMNS`].
    pub ficha: bool,
    /// Whether there are the columns of a taxpayer on a day, which are empty for one as it is now.
    pub days: bool,
}

impl TaxpayerColumns {
    /// The names of the columns.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let ficha = FICHA_COLUMNS.into_iter().filter(move |_| self.ficha);
        let is_shared = move |column: &str| self.ficha && FICHA_COLUMNS.into_iter().any(|known| known == column);
        let days = DAY_COLUMNS.into_iter().filter(move |column| self.days && !is_shared(column));
        SUMMARY_COLUMNS.into_iter().chain(ficha).chain(days)
    }

    /// The cells of the first columns; the others are empty.
    #[must_use]
    pub fn cells(self, taxpayer: &ListedTaxpayer) -> Vec<Cow<'_, str>> {
        match taxpayer {
            ListedTaxpayer::Now(profile) => {
                let summary = summary_cells(&profile.summary).into_iter().map(Cow::Borrowed);
                if self.ficha { summary.chain(ficha_cells(profile)).collect() } else { summary.collect() }
            }
            ListedTaxpayer::OnDay(on_day) if !self.ficha => day_cells(on_day),
            ListedTaxpayer::OnDay(on_day) => {
                let mut known: Vec<_> = SUMMARY_COLUMNS.into_iter().chain(DAY_COLUMNS).zip(day_cells(on_day)).collect();
                let mut cell = |column| {
                    let found = known.iter_mut().find(|(name, _)| *name == column);
                    found.map(|(_, cell)| mem::take(cell)).unwrap_or_default()
                };
                self.names().map(&mut cell).collect()
            }
        }
    }
}

/// The heading of a column for people.
#[must_use]
pub fn heading(column: &str) -> String {
    if let Some((_, heading)) = HEADINGS.into_iter().find(|(name, _)| *name == column) {
        return heading.to_owned();
    }
    let mut words = column.replace('_', " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

/// The cells of [`SUMMARY_COLUMNS`].
#[must_use]
pub fn summary_cells(taxpayer: &TaxpayerSummary) -> [&str; 7] {
    [
        &taxpayer.name,
        taxpayer.status.as_str(),
        taxpayer.condition.as_str(),
        &taxpayer.address,
        taxpayer.department(),
        flag(taxpayer.withholding_agent),
        flag(taxpayer.good_taxpayer),
    ]
}

/// The cells of [`FICHA_COLUMNS`]. Several values are joined by ` | `.
#[must_use]
pub fn ficha_cells(profile: &TaxpayerProfile) -> [Cow<'_, str>; 9] {
    let place = profile.summary.ubigeo;
    let open_data = profile.open_data.as_ref().map(Option::as_deref);
    let [kind, workers, activity] = match open_data {
        None => [NOT_AVAILABLE; 3].map(Cow::Borrowed),
        Some(None) => Default::default(),
        Some(Some(data)) => [
            (&*data.taxpayer_type).into(),
            data.workers.map_or(Cow::Borrowed(""), |workers| workers.to_string().into()),
            data.activities.first().map_or(Cow::Borrowed(""), |activity| (&*activity.description).into()),
        ],
    };
    let incapacity = profile.operating_incapacity.as_ref().map(|known| flag(Some(known.is_some())));
    [
        place.map_or(Cow::Borrowed(""), |place| place.to_string().into()),
        place.and_then(|place| place.province()).unwrap_or_default().into(),
        place.and_then(|place| place.district()).unwrap_or_default().into(),
        joined(profile.lists.as_deref(), |list| list.dataset.into()),
        incapacity.unwrap_or(NOT_AVAILABLE).into(),
        joined(profile.sanctions.as_deref(), sanction),
        kind,
        workers,
        activity,
    ]
}

/// The cells of [`SUMMARY_COLUMNS`] and [`DAY_COLUMNS`] of a taxpayer on a day.
fn day_cells(OnDay { edition, taxpayer, .. }: &OnDay) -> Vec<Cow<'_, str>> {
    let known = |set: Option<bool>| if set.is_some() { flag(set) } else { NOT_AVAILABLE }.into();
    let mut cells: Vec<Cow<'_, str>> = vec![Cow::Borrowed(""); SUMMARY_COLUMNS.len()];
    if let Some(on_day) = taxpayer {
        cells = summary_cells(&on_day.summary).map(Cow::Borrowed).to_vec();
        cells.truncate(SUMMARY_COLUMNS.len() - 2);
        cells.extend([known(on_day.summary.withholding_agent), known(on_day.summary.good_taxpayer)]);
    }
    cells.extend([flag(Some(taxpayer.is_some())).into(), Cow::Borrowed(&**edition)]);
    if let Some(on_day) = taxpayer {
        cells.extend([on_day.lists.join(" | ").into(), known(on_day.without_capacity)]);
    }
    cells
}

/// The cells of [`VOUCHER_COLUMNS`]. Several observations are joined by ` | `.
#[must_use]
pub fn voucher_cells(validation: &VoucherValidation) -> [Cow<'_, str>; 5] {
    let (status, condition) = (&validation.issuer_status, &validation.issuer_condition);
    [
        validation.status.code().into(),
        validation.status.text().into(),
        status.as_ref().map_or("", |status| status.text()).into(),
        condition.as_ref().map_or("", |condition| condition.text()).into(),
        validation.observations.join(" | ").into(),
    ]
}

/// `TEMPORAL desde 2025-01-15 hasta 2026-01-14`, or `DEFINITIVA desde 2025-01-15`.
fn sanction(sanction: &Sanction) -> String {
    match sanction.until {
        Some(until) => format!("TEMPORAL desde {} hasta {until}", sanction.since),
        None => format!("DEFINITIVA desde {}", sanction.since),
    }
}

fn joined<T>(values: Option<&[T]>, text: impl Fn(&T) -> String) -> Cow<'static, str> {
    match values {
        None => NOT_AVAILABLE.into(),
        Some([]) => Cow::Borrowed(""),
        Some(values) => values.iter().map(text).collect::<Vec<_>>().join(" | ").into(),
    }
}
