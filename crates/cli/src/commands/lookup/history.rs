//! `kuraka lookup --date` and `--history`: past states and changes, as in `/ruc-historial`.

use std::borrow::Cow;

use kuraka_api::ruc_historial::{ChangeRecord, HistoryRecord, MonthRecord};
use kuraka_api::table_row::{SUMMARY_COLUMNS, summary_cells};
use kuraka_app::RegistryBatch;
use kuraka_domain::OnDay;
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
        if let Some(day) = &taxpayer.on_day {
            print_day(&ruc.to_string(), day);
        }
        if lookup.history {
            print_history(&history_record(&taxpayer));
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(missing.join("; ").into()) }
}

fn print_day(ruc: &str, day: &OnDay) {
    let yes_no = |is: bool| if is { "SI" } else { "NO" }.to_owned();
    let exists = yes_no(day.taxpayer.is_some());
    let mut rows = vec![("fecha", day.date.to_string()), ("edicion", day.edition.to_string()), ("existe", exists)];
    if let Some(on_day) = &day.taxpayer {
        // What is not known is empty.
        rows.extend(SUMMARY_COLUMNS.into_iter().zip(summary_cells(&on_day.summary).map(str::to_owned)));
        rows.push(("padrones", on_day.lists.join(" | ")));
        rows.push(("sin_capacidad_operativa", on_day.without_capacity.map(yes_no).unwrap_or_default()));
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
