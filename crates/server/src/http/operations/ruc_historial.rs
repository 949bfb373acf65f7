//! `POST /ruc-historial`: what a taxpayer was on a day, and what has changed since.

use std::borrow::Cow;
use std::fmt::Write as _;

use actix_web::dev::Payload;
use kuraka_api::ruc_historial::{
    AbsentRecord, ChangeRecord, DayRecord, GapRecord, HistoryRecord, PresentRecord, ValidSinceRecord,
};
use kuraka_api::{SummaryRecord, ruc_historial};
use kuraka_app::{ChangedDatum, GapReason, HistoryAnswer, HistoryError, OnDay, RecordedTaxpayer};
use kuraka_domain::{Date, ResultCode};

use crate::http::admission::Call;
use crate::http::context::RequestContext;
use crate::http::endpoint::Endpoint;
use crate::http::registry_lookup;
use crate::http::response::{ApiResponse, Failure};
use crate::http::ruc_field;
use crate::logs;

/// Seconds that a client should wait while the record does not lead to the current edition: until the next publication.
const RETRY_AFTER: u64 = 300;
/// Covered periods that a message names.
const PERIODS: usize = 6;

pub(crate) const ENDPOINT: Endpoint =
    Endpoint::new(&ruc_historial::OPERATION, registry_lookup::CALLS, |context, payload| {
        Box::pin(answer(context, payload))
    });

async fn answer(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    let call = Call::admit(context, payload).await?;
    let ruc = ruc_field::ruc(&call)?;
    let fields = call.fields()?;
    let date = fields.has("fecha").then(|| fields.text("fecha")).transpose().map_err(|error| call.invalid(&error))?;
    let answer = context.api.lookup_history.run(&call.grant, ruc, date.map(|date| Date::parse(date.trim())));
    let HistoryAnswer { taxpayer, edition } = answer.map_err(|error| failed(context, &call, &error))?;
    let provenance = registry_lookup::provenance("registry", &edition);
    Ok(match taxpayer {
        Some(taxpayer) => call.found(context, provenance, &record(&taxpayer)),
        None => call.failed(ResultCode::DocumentNotFound).with_provenance(provenance),
    })
}

fn failed(context: &RequestContext<'_>, call: &Call<'_>, error: &HistoryError) -> Failure {
    match error {
        HistoryError::NotCovered { .. } => {
            Box::new(call.failed(ResultCode::InvalidInput).with_message(not_covered(error)))
        }
        HistoryError::NoRecord => {
            let failure = call.failed(ResultCode::UpstreamUnavailable).with_cause(logs::chain(error));
            let message = "El historial de este servicio no llega a su edición actual. Se completa con la siguiente.";
            Box::new(failure.retry_after(RETRY_AFTER).with_message(message))
        }
        HistoryError::Registry(error) => registry_lookup::failed(context, call, error),
    }
}

/// Why a day has no answer, in Spanish, with the days that have one.
pub(crate) fn not_covered(error: &HistoryError) -> String {
    let HistoryError::NotCovered { date, periods } = error else { return error.to_string() };
    let mut text = match date {
        Ok(date) => format!("El historial no cubre el {date}."),
        Err(_) => "La fecha debe ser un día con la forma AAAA-MM-DD.".to_owned(),
    };
    text += if periods.is_empty() { " No cubre ningún día." } else { " Cubre" };
    let left_out = periods.len().saturating_sub(PERIODS);
    let mut separator = "";
    for (from, until) in periods.iter().skip(left_out) {
        // Writing to a text does not fail.
        let _ = write!(text, "{separator} del {from} al {until}");
        separator = ",";
    }
    text += match (periods.is_empty(), left_out) {
        (true, _) => "",
        (false, 0) => ".",
        (false, _) => ", y períodos anteriores.",
    };
    text
}

/// The record of a taxpayer's history.
pub(crate) fn record(taxpayer: &RecordedTaxpayer) -> HistoryRecord<'_> {
    let gap = |gap: &kuraka_app::Gap| GapRecord {
        dataset: Cow::Borrowed(gap.dataset),
        desde: gap.from,
        hasta: gap.until,
        motivo: Cow::Borrowed(match gap.reason {
            GapReason::NoEdition => "sin ediciones",
            GapReason::NoChanges => "sin registro de cambios",
        }),
    };
    let change = |change: &'_ kuraka_app::HistoryChange| -> ChangeRecord<'_> {
        ChangeRecord {
            fecha: change.date,
            edicion: Cow::Owned(change.edition.to_string()),
            dato: Cow::Borrowed(name(change.datum)),
            antes: Cow::Owned(change.before.to_string()),
            despues: Cow::Owned(change.after.to_string()),
        }
    };
    HistoryRecord {
        ruc: taxpayer.ruc,
        desde: taxpayer.from,
        hasta: taxpayer.until,
        periodos_sin_registro: taxpayer.gaps.iter().map(gap).collect(),
        vigente_desde: taxpayer.valid_since.map(|(estado, condicion)| ValidSinceRecord { estado, condicion }),
        en_fecha: taxpayer.on_day.as_ref().map(day),
        cambios: taxpayer.changes.iter().map(change).collect(),
        mas_cambios: taxpayer.has_more_changes,
        por_mes: None,
    }
}

fn day(OnDay { date, edition, taxpayer }: &OnDay) -> DayRecord<'_> {
    let (fecha, edicion) = (*date, Cow::Borrowed(&**edition));
    let Some(on_day) = taxpayer else { return DayRecord::Absent(AbsentRecord { fecha, edicion, existe: false }) };
    let SummaryRecord { ruc, nombre_o_razon_social, estado, condicion, direccion, departamento, .. } =
        SummaryRecord::from(&on_day.summary);
    let flag = |flag: Option<bool>| flag.map(|is| Cow::Borrowed(if is { "SI" } else { "NO" }));
    DayRecord::Present(Box::new(PresentRecord {
        fecha,
        edicion,
        existe: true,
        padrones: on_day.lists.iter().map(|list| Cow::Borrowed(*list)).collect(),
        sin_capacidad_operativa: on_day.without_capacity,
        ruc,
        nombre_o_razon_social,
        estado,
        condicion,
        direccion,
        departamento,
        es_agente_de_retencion: flag(on_day.withholding_agent),
        es_buen_contribuyente: flag(on_day.good_taxpayer),
    }))
}

const fn name(datum: ChangedDatum) -> &'static str {
    match datum {
        ChangedDatum::Existence => "existe",
        ChangedDatum::Name => "nombre_o_razon_social",
        ChangedDatum::Status => "estado",
        ChangedDatum::Condition => "condicion",
        ChangedDatum::Address => "direccion",
        ChangedDatum::Department => "departamento",
        ChangedDatum::Province => "provincia",
        ChangedDatum::District => "distrito",
        ChangedDatum::List(list) => list,
        ChangedDatum::Capacity => "sin_capacidad_operativa",
        ChangedDatum::Sanction => "sancion",
    }
}
