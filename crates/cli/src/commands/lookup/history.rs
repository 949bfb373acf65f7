//! `kuraka lookup --date` and `--history`: what taxpayers were on a day, and what changed, as `/ruc-historial` answers.

use std::borrow::Cow;

use kuraka_api::ruc_historial::{ChangeRecord, DayRecord, HistoryRecord, MonthRecord, PresentRecord};
use kuraka_app::RegistryBatch;
use kuraka_server::http::history_record;

use crate::cli::Lookup;
use crate::commands::runtime::Failure;
use crate::console;

/// The columns of changes.
const CHANGE: [&str; 5] = ["FECHA", "EDICION", "DATO", "ANTES", "DESPUES"];

/// The columns of months.
const MONTH: [&str; 3] = ["MES", "ESTADO", "CONDICION"];

pub(super) fn run(lookup: &Lookup, batch: &RegistryBatch) -> Result<(), Failure> {
    let mut missing = Vec::new();
    for ruc in &lookup.rucs {
        let Some(taxpayer) = batch.history(*ruc, lookup.date.map(Ok))? else {
            missing.push(format!("no edition up to {} has {ruc}", batch.edition.label));
            continue;
        };
        let record = history_record(&taxpayer);
        if let Some(day) = &record.en_fecha {
            print_day(&ruc.to_string(), day);
        }
        if lookup.history {
            print_history(&record);
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(missing.join("; ").into()) }
}

fn print_day(ruc: &str, day: &DayRecord<'_>) {
    let rows = match day {
        DayRecord::Absent(day) => {
            vec![("fecha", day.fecha.to_string()), ("edicion", day.edicion.to_string()), ("existe", "NO".to_owned())]
        }
        DayRecord::Present(day) => present_rows(day),
    };
    let rows: Vec<_> = rows.into_iter().map(|(name, value)| [name.to_owned(), value]).collect();
    console::table(["ruc", ruc], &rows);
    console::line("");
}

fn present_rows(day: &PresentRecord<'_>) -> Vec<(&'static str, String)> {
    let yes_no = |is: bool| if is { "SI" } else { "NO" }.to_owned();
    // What is not known is empty.
    let flag = |flag: &Option<Cow<'_, str>>| flag.as_deref().unwrap_or_default().to_owned();
    vec![
        ("fecha", day.fecha.to_string()),
        ("edicion", day.edicion.to_string()),
        ("existe", yes_no(day.existe)),
        ("nombre_o_razon_social", day.nombre_o_razon_social.to_string()),
        ("estado", day.estado.to_string()),
        ("condicion", day.condicion.to_string()),
        ("direccion", day.direccion.to_string()),
        ("departamento", day.departamento.to_string()),
        ("es_agente_de_retencion", flag(&day.es_agente_de_retencion)),
        ("es_buen_contribuyente", flag(&day.es_buen_contribuyente)),
        ("padrones", day.padrones.join(" | ")),
        ("sin_capacidad_operativa", day.sin_capacidad_operativa.map(yes_no).unwrap_or_default()),
    ]
}

fn print_history(record: &HistoryRecord<'_>) {
    let since = record.vigente_desde.map(|since| [since.estado.to_string(), since.condicion.to_string()]);
    let [status, condition] = since.unwrap_or_default();
    let mut rows: Vec<[String; 2]> = vec![
        ["desde".to_owned(), record.desde.to_string()],
        ["hasta".to_owned(), record.hasta.to_string()],
        ["estado vigente desde".to_owned(), status],
        ["condicion vigente desde".to_owned(), condition],
    ];
    for gap in &record.periodos_sin_registro {
        rows.push([format!("{} {}", gap.dataset, gap.motivo), format!("{} a {}", gap.desde, gap.hasta)]);
    }
    console::table(["ruc", &record.ruc.to_string()], &rows);
    console::line("");
    let cells = |change: &ChangeRecord<'_>| {
        let ChangeRecord { fecha, edicion, dato, antes, despues } = change;
        [fecha.to_string(), edicion.to_string(), dato.to_string(), antes.to_string(), despues.to_string()]
    };
    let changes: Vec<_> = record.cambios.iter().map(cells).collect();
    if !changes.is_empty() {
        console::table(CHANGE, &changes);
    }
    if record.mas_cambios {
        console::note("there are more changes");
    }
    if let Some(months) = &record.por_mes {
        console::line("");
        let text = |text: &Option<Cow<'_, str>>| text.as_deref().unwrap_or_default().to_owned();
        let row = |month: &MonthRecord<'_>| [month.periodo.to_string(), text(&month.estado), text(&month.condicion)];
        console::table(MONTH, &months.cambios.iter().map(row).collect::<Vec<_>>());
        if !months.meses_que_faltan.is_empty() {
            console::line(&format!("months that are not known: {}", months.meses_que_faltan.join(", ")));
        }
    }
    console::line("");
}
