//! `kuraka lookup --date` and `--history`: past states and changes, as in `/ruc-historial`.

use std::borrow::Cow;

use kuraka_api::ruc_historial::{ChangeRecord, DayRecord, HistoryRecord, MonthRecord};
use kuraka_app::RegistryBatch;
use kuraka_server::http::history_record;

use crate::cli::Lookup;
use crate::commands::runtime::Failure;
use crate::console;

const CHANGE: [&str; 5] = ["FECHA", "EDICION", "DATO", "ANTES", "DESPUES"];

const MONTH: [&str; 3] = ["MES", "ESTADO", "CONDICION"];

pub(super) fn run(lookup: &Lookup, batch: &RegistryBatch) -> Result<(), Failure> {
    let mut missing = Vec::new();
    for ruc in &lookup.rucs {
        let Some(taxpayer) = batch.history(*ruc, lookup.date.map(Ok))? else {
            missing.push(format!("no edition up to {} has {ruc}", batch.snapshot.edition().label));
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
    let yes_no = |is: bool| if is { "SI" } else { "NO" }.to_owned();
    let mut rows =
        vec![("fecha", day.fecha.to_string()), ("edicion", day.edicion.to_string()), ("existe", yes_no(day.existe))];
    if day.existe {
        // What is not known is empty.
        let text = |text: &Option<Cow<'_, str>>| text.as_deref().unwrap_or_default().to_owned();
        let flag = |flag: &Option<Option<Cow<'_, str>>>| flag.as_ref().map(text).unwrap_or_default();
        rows.extend([
            ("nombre_o_razon_social", text(&day.nombre_o_razon_social)),
            ("estado", text(&day.estado)),
            ("condicion", text(&day.condicion)),
            ("direccion", text(&day.direccion)),
            ("departamento", text(&day.departamento)),
            ("es_agente_de_retencion", flag(&day.es_agente_de_retencion)),
            ("es_buen_contribuyente", flag(&day.es_buen_contribuyente)),
            ("padrones", day.padrones.as_ref().map(|lists| lists.join(" | ")).unwrap_or_default()),
            ("sin_capacidad_operativa", day.sin_capacidad_operativa.flatten().map(yes_no).unwrap_or_default()),
        ]);
    }
    let rows: Vec<_> = rows.into_iter().map(|(name, value)| [name.to_owned(), value]).collect();
    console::table(["ruc", ruc], &rows);
    console::line("");
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
