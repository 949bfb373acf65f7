//! The record of `/ruc-historial` and `kuraka lookup`.

use std::borrow::Cow;

use kuraka_api::ruc_historial::{ChangeRecord, GapRecord, HistoryRecord, MonthRecord, MonthsRecord, ValidSinceRecord};
use kuraka_app::{Gap, GapReason, RecordedTaxpayer};
use kuraka_domain::Date;
use kuraka_ports::{FeedChange, MonthState, MonthlyHistory};

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
        en_fecha: taxpayer.on_day.as_ref().map(Into::into),
        cambios: taxpayer.changes.iter().map(change).collect(),
        mas_cambios: taxpayer.has_more_changes,
        por_mes: taxpayer.months.as_ref().map(months),
    }
}

fn months<'a>(MonthlyHistory { record, changes }: &'a MonthlyHistory) -> MonthsRecord<'a> {
    let change = |(month, state): &'a (Date, Option<MonthState>)| MonthRecord {
        periodo: text(*month),
        estado: state.as_ref().map(|state| Cow::Borrowed(&*state.status)),
        condicion: state.as_ref().map(|state| Cow::Borrowed(&*state.condition)),
    };
    MonthsRecord {
        desde: text(record.first),
        hasta: text(record.last),
        meses_que_faltan: record.missing.iter().map(|month| text(*month)).collect(),
        cambios: changes.iter().map(change).collect(),
    }
}

/// `YYYY-MM`.
fn text(month: Date) -> Cow<'static, str> {
    Cow::Owned(format!("{:04}-{:02}", month.year(), month.month()))
}

fn change(change: &FeedChange) -> ChangeRecord<'_> {
    ChangeRecord {
        fecha: change.date,
        edicion: Cow::Borrowed(&change.edition),
        dato: Cow::Borrowed(change.what.datum.name()),
        antes: Cow::Borrowed(&change.what.before),
        despues: Cow::Borrowed(&change.what.after),
    }
}
