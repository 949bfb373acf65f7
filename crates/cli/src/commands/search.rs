//! `kuraka search`: companies by name in this machine's editions, as `/ruc-busqueda`.

use std::io;

use kuraka_api::table_row::{SUMMARY_COLUMNS, summary_cells};
use kuraka_app::SearchFields;
use kuraka_domain::TaxpayerSummary;
use kuraka_domain::name::SearchMode;
use kuraka_ports::{NamePage, NameQuery};
use kuraka_server::settings::Settings;

use super::lines;
use super::lookup;
use super::runtime::Failure;
use crate::cli::lookup::{SearchForm, SearchWords};
use crate::cli::{LinesForm, Search};
use crate::console;

const HEADING: [&str; 5] = ["RUC", "NOMBRE", "ESTADO", "CONDICION", "DEPTO"];
const WIDTH: usize = 80;
/// `BAJA DEFINITIVA`.
const STATUS: usize = 15;
/// `NO HALLADO`.
const CONDITION: usize = 10;

pub(crate) fn run(search: &Search, settings: &Settings) -> Result<(), Failure> {
    let mode = match search.mode {
        SearchWords::Words => SearchMode::Words,
        SearchWords::Prefix => SearchMode::Prefix,
        SearchWords::Contains => SearchMode::Contains,
    };
    let (department, status) = (search.department.as_deref(), search.status.as_deref());
    let fields =
        SearchFields { name: &search.name, mode: Some(mode.name()), department, status, ..SearchFields::default() };
    let query = NameQuery { limit: search.limit, ..fields.query()? };
    let snapshot = lookup::open(settings, false)?;
    lookup::check_lists(&*snapshot)?;
    let NamePage { taxpayers, next } = snapshot.search(&query)?.ok_or_else(|| {
        let label = &snapshot.edition().label;
        format!("edition {label} has no index of names: the next import of the padrón builds one")
    })?;
    match search.output {
        SearchForm::Table if taxpayers.is_empty() => console::note("no company is found"),
        SearchForm::Table => print_table(&taxpayers),
        SearchForm::Csv => print_lines(&taxpayers, LinesForm::Csv)?,
        SearchForm::Ndjson => print_lines(&taxpayers, LinesForm::Ndjson)?,
    }
    if next.is_some() {
        console::note(&format!("there are more than {}: --limit shows more", search.limit));
    }
    Ok(())
}

/// Cuts what exceeds [`WIDTH`].
fn print_table(taxpayers: &[TaxpayerSummary]) {
    let mut rows: Vec<[String; 5]> = taxpayers.iter().map(row).collect();
    let width = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at)).map(String::as_str).chain(HEADING.get(at).copied());
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    // Two blanks are between columns.
    let others: usize = [0, 2, 3, 4].map(|at| width(at) + 2).iter().sum();
    let room = WIDTH.saturating_sub(others);
    for [_, name, ..] in &mut rows {
        *name = cut(name, room);
    }
    console::table(HEADING, &rows);
}

fn row(taxpayer: &TaxpayerSummary) -> [String; 5] {
    let TaxpayerSummary { ruc, name, status, condition, .. } = taxpayer;
    let (status, condition) = (cut(status.as_str(), STATUS), cut(condition.as_str(), CONDITION));
    [ruc.to_string(), name.clone(), status, condition, taxpayer.department().to_owned()]
}

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

fn print_lines(taxpayers: &[TaxpayerSummary], form: LinesForm) -> io::Result<()> {
    let names: Vec<&str> = ["ruc"].into_iter().chain(SUMMARY_COLUMNS).collect();
    lines::print(form, |lines| {
        lines.header(names.iter().copied())?;
        taxpayers.iter().try_for_each(|taxpayer| {
            let ruc = taxpayer.ruc.to_string();
            let cells = std::iter::once(&*ruc).chain(summary_cells(taxpayer));
            let cells: Vec<_> = cells.map(|cell| lines.guarded(cell.into())).collect();
            lines.row(&names, &cells)
        })
    })
}
