//! The page of a list before its result: how it is read, what looking it up costs, and how far its run is.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_app::calendar;
use kuraka_ports::{KeptList, ListStatus};
use kuraka_tables::{ListColumn, Reading, RucCellError};

use super::item::Kind;
use super::kept::with_contents;
use super::run::{self, Price};
use super::settings::{COLUMNS, DNI, HEADING, SHEET, Uncovered, selected};
use crate::error::PageError;
use crate::large_answer;
use crate::layout::{Layout, MenuItem};
use crate::pages::upload::several;
use crate::pages::usage::used_of_plan;
use crate::panel::is_demo;
use crate::request::CurrentUser;

/// Rows of the file that are shown, at least five of them with data.
const SHOWN: usize = 8;
/// Rows that can be chosen as the last one of the headings.
const HEADINGS: usize = 40;
const CELL: usize = 40;

struct Select {
    name: &'static str,
    label: String,
    /// The value and the text of each option.
    options: Vec<(String, String)>,
    /// The chosen value; `None` = the owner must choose.
    chosen: Option<String>,
    /// Why the owner must choose, or what else is read.
    note: String,
}

/// A way to look the list up.
struct Mode {
    kind: Kind,
    price: Price,
    /// Rows with a RUC that are not looked up so.
    left_out: u64,
    /// The prices of the choices about days that the record does not cover.
    choices: Vec<(Uncovered, u64)>,
}

struct Read {
    selects: Vec<Select>,
    /// The shown rows: number, whether it is the last of the headings, and the cells.
    rows: Vec<(u64, bool, Vec<String>)>,
    count: u64,
    is_certain: bool,
    is_sales: bool,
    modes: Vec<Mode>,
}

#[derive(Template)]
#[template(path = "list_read.html")]
struct ReadPage {
    layout: Layout,
    list: KeptList,
    wrong: Option<String>,
    /// `None` while the list runs.
    read: Option<Read>,
    left: u64,
    is_demo: bool,
}

impl ReadPage {
    fn percent(&self) -> u64 {
        (self.list.done * 100).checked_div(self.list.items).unwrap_or_default()
    }
}

impl Select {
    fn is_chosen(&self, value: &str) -> bool {
        self.chosen.as_deref() == Some(value)
    }
}

/// The ways in which a list can be looked up, that with the most information first.
pub(super) fn modes(reading: &Reading) -> Vec<Kind> {
    let has_dates = reading.column(ListColumn::Date).is_some();
    let modes = [(Kind::Vouchers, reading.has_vouchers), (Kind::Days, has_dates), (Kind::Rucs, true)];
    modes.into_iter().filter(|(_, is_possible)| *is_possible).map(|(kind, _)| kind).collect()
}

pub(super) async fn page(
    user: &CurrentUser,
    list: KeptList,
    status: StatusCode,
    wrong: Option<String>,
) -> Result<HttpResponse, PageError> {
    let left = used_of_plan(user).await?.left();
    let (panel, today) = (user.panel.clone(), calendar::today(user.panel.clock.now()));
    let read = move |reading: Reading, _: &[_]| {
        let modes = modes(&reading).into_iter().map(|kind| {
            let price = panel.price(&run::items(&reading, kind, today));
            let choices = if price.months == 0 { &[] } else { &Uncovered::ALL[..] };
            let queries = |choice| match choice {
                Uncovered::Omit => price.queries(),
                Uncovered::Month => price.queries() + price.months,
                Uncovered::MonthAndToday => price.items,
            };
            let choices = choices.iter().map(|choice| (*choice, queries(*choice))).collect();
            Mode { kind, price, left_out: run::left_out(&reading, kind, today), choices }
        });
        let modes = modes.filter(|mode| mode.price.items > 0).collect();
        read(&reading, modes)
    };
    let is_running = list.status == ListStatus::Running;
    let read = if is_running { None } else { Some(with_contents(user, &list, read).await?) };
    let is_demo = is_demo(&user.panel.datasets.statuses());
    let page = ReadPage { layout: user.layout(MenuItem::LIST), list, wrong, read, left, is_demo };
    large_answer::page(user, None, status, &page)
}

fn column_name(reading: &Reading, at: usize) -> String {
    let name = reading.names.get(at).map(|name| cut(name)).unwrap_or_default();
    let number = format!("columna {}", at + 1);
    if name.is_empty() { number } else { format!("{name} ({number})") }
}

fn cut(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(CELL) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

fn read(reading: &Reading, modes: Vec<Mode>) -> Read {
    let width = reading.width();
    let mut selects = Vec::new();
    if reading.sheets.len() > 1 {
        let options = reading.sheets.iter().map(|name| (name.clone(), name.clone())).collect();
        let chosen = Some(reading.sheet.clone());
        selects.push(Select { name: SHEET, label: "Hoja".to_owned(), options, chosen, note: String::new() });
    }
    let line = |(line, row): &(u64, kuraka_tables::StringRecord)| {
        let cells = row.iter().map(str::trim).filter(|cell| !cell.is_empty()).take(4).collect::<Vec<_>>().join(" · ");
        (line.to_string(), format!("{line}: {}", cut(&cells)))
    };
    let mut options = vec![("0".to_owned(), "sin encabezados".to_owned())];
    options.extend(reading.rows.iter().take(HEADINGS).map(line));
    let chosen = Some(reading.heading.to_string());
    let label = "Última fila de los encabezados".to_owned();
    selects.push(Select { name: HEADING, label, options, chosen, note: String::new() });
    let has_others = reading.list.iter().any(|row| row.ruc == Err(RucCellError::OtherDocument));
    for (column, name, label) in COLUMNS {
        let mut options: Vec<(String, String)> =
            (0..width).map(|at| ((at + 1).to_string(), column_name(reading, at))).collect();
        if column != ListColumn::Ruc {
            options.insert(0, ("0".to_owned(), "ninguna".to_owned()));
        }
        let more = reading.more_igv.iter().map(|at| column_name(reading, *at)).collect::<Vec<_>>().join(", ");
        let note = match reading.question(column) {
            Some(unsure) if !unsure.found.is_empty() => several(unsure),
            None if column == ListColumn::Ruc && has_others => {
                let kinds = reading.documents.map(|at| column_name(reading, at)).unwrap_or_default();
                format!("Las filas que según «{kinds}» tienen otro documento no se consultan.")
            }
            _ if column == ListColumn::Igv && !more.is_empty() => format!("Se le suma: {more}."),
            _ => String::new(),
        };
        selects.push(Select { name, label: label.to_owned(), options, chosen: selected(reading, column), note });
    }
    let dnis: Vec<_> = reading.list.iter().filter(|row| row.dni().is_some()).collect();
    if let Some(row) = dnis.first() {
        let label = format!("{} fila{} con DNI", dnis.len(), if dnis.len() == 1 { "" } else { "s" });
        let options = [("0", "dejarlas sin dato"), ("1", "consultar el RUC 10 de la persona")];
        let options = options.map(|(value, text)| (value.to_owned(), text.to_owned())).to_vec();
        let chosen = Some(u8::from(row.ruc.is_ok()).to_string());
        let note = "Se forma con su DNI. No todas las personas tienen RUC.".to_owned();
        selects.push(Select { name: DNI, label, options, chosen, note });
    }
    let first = reading.rows.partition_point(|(line, _)| *line < reading.heading);
    let rows = reading.rows.iter().skip(first).take(SHOWN);
    let rows = rows.map(|(line, row)| {
        let cells = (0..width).map(|at| cut(row.get(at).unwrap_or_default())).collect();
        (*line, *line == reading.heading, cells)
    });
    Read {
        is_certain: selects.iter().all(|select| select.chosen.is_some()),
        selects,
        rows: rows.collect(),
        count: reading.list.len() as u64,
        is_sales: reading.is_sales,
        modes,
    }
}
