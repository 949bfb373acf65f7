//! The record of `/ruc-historial`, which `kuraka lookup` prints too.

use std::borrow::Cow;

use kuraka_api::SummaryRecord;
use kuraka_api::ruc_historial::{
    AbsentRecord, ChangeRecord, DayRecord, GapRecord, HistoryRecord, PresentRecord, ValidSinceRecord,
};
use kuraka_app::{Gap, GapReason, HistoryChange, OnDay, RecordedTaxpayer};

/// The record of a taxpayer's history.
#[must_use]
pub fn record(taxpayer: &RecordedTaxpayer) -> HistoryRecord<'_> {
    let gap = |gap: &Gap| GapRecord {
        dataset: Cow::Borrowed(gap.dataset),
        desde: gap.from,
        hasta: gap.until,
        motivo: Cow::Borrowed(match gap.reason {
            GapReason::NoEdition => "sin ediciones",
            GapReason::NoChanges => "sin registro de cambios",
        }),
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

fn change(change: &HistoryChange) -> ChangeRecord<'_> {
    ChangeRecord {
        fecha: change.date,
        edicion: Cow::Borrowed(&change.edition),
        dato: Cow::Borrowed(change.what.datum.name()),
        antes: Cow::Borrowed(&change.what.before),
        despues: Cow::Borrowed(&change.what.after),
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
