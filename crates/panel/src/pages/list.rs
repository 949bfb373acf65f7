//! `/panel/lista`: many RUCs or vouchers at once. The owner uploads or pastes a list, sees what it costs, and looks it up
//! in batches of the plan's size; the browser's script sends one after the other. Nothing of a list is stored: what was
//! read goes back to the browser in the page, and comes again with each batch and with the download.

mod item;
mod row;

use std::collections::HashMap;
use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use kuraka_app::{Plan, calendar};
use kuraka_domain::ResultCode;
use kuraka_ports::chain;
use kuraka_tables::{List, ListColumn, TableError, TableForm, TableWriter, WriteTableError, read_list};
use tokio::sync::Semaphore;

use self::item::{Item, Kind};
pub(super) use self::item::{one_a_line, ruc_cell_error, table_error};
use self::row::Row;
use crate::current_user::CurrentUser;
use crate::error::PageError;
use crate::form::LargeForm;
use crate::large_answer;
use crate::layout::{Layout, MenuItem};
use crate::place::Place;
use crate::response;

/// Bytes of an uploaded file or a pasted list.
pub(super) const UPLOAD: usize = 2 << 20;
/// The same, and what a form has around them.
pub(super) const UPLOAD_FORM: usize = UPLOAD + (64 << 10);
/// Bytes of a batch: a thousand items, each with a RUC and the lines that have it.
const BATCH_FORM: usize = 128 << 10;
/// Bytes of a table to be written as a file.
const TABLE_FORM: usize = 8 << 20;
/// Rows of a list.
pub(super) const ROWS: usize = 10_000;

/// Lists that are read and tables that are written at the same time. Each may take 64 MB.
static LARGE: Semaphore = Semaphore::const_new(2);

#[derive(Template)]
#[template(path = "list.html")]
struct ListPage {
    layout: Layout,
    batch: usize,
    text: String,
    wrong: Option<String>,
}

/// A list before and after it is looked up.
#[derive(Template)]
#[template(path = "list_table.html")]
struct TablePage {
    layout: Layout,
    kind: Kind,
    /// What was recognised.
    about: String,
    /// Items to look up, the most of one batch, and milliseconds between two batches.
    items: u64,
    batch: u64,
    pause: u64,
    /// Queries left in this month.
    left: u64,
    rows: Vec<Row>,
}

impl TablePage {
    fn count(&self) -> u64 {
        self.rows.iter().map(|_| 1).sum()
    }

    /// The items of the first batch, for a browser without scripts.
    fn first_batch(&self) -> String {
        let items = self.rows.iter().filter_map(Row::sent);
        items.take(usize::try_from(self.batch).unwrap_or(usize::MAX)).collect::<Vec<_>>().join("\n")
    }
}

pub(crate) async fn show(user: CurrentUser) -> Result<HttpResponse, PageError> {
    let batch = plan(&user)?.batch;
    let layout = user.layout(MenuItem::LIST);
    Ok(response::page(StatusCode::OK, &ListPage { layout, batch, text: String::new(), wrong: None }))
}

/// Reads a list, and shows it with what it costs.
pub(crate) async fn read(form: LargeForm<UPLOAD_FORM>) -> Result<HttpResponse, PageError> {
    let LargeForm { user, mut fields, place } = form;
    let place = place.of_all()?;
    let text = fields.text("text").trim().to_owned();
    let file = fields.file();
    let is_pasted = file.is_none();
    let bytes = file.unwrap_or_else(|| item::one_a_line(&text).into_bytes());
    if bytes.is_empty() {
        return refused(&user, place, text, "Elija un archivo o pegue una lista.".to_owned());
    }
    if bytes.len() > UPLOAD {
        return Err(PageError::TooLarge { limit: UPLOAD });
    }
    let list = read_file(bytes).await?;
    let list = match list {
        Ok(list) => list,
        Err(error) => {
            let text = if is_pasted { text } else { String::new() };
            return refused(&user, place, text, item::table_error(&error));
        }
    };
    let plan = plan(&user)?;
    let used = user.panel.usage.month(user.account.id, &plan).await?;
    let has_dates = list.columns.iter().any(|(column, _)| *column == ListColumn::Date);
    let kind = match fields.text("what") {
        "rucs" => Kind::Rucs,
        "dates" if !has_dates => {
            let wrong = "Ninguna columna tiene fechas. Llámela fecha en la primera fila.".to_owned();
            let text = if is_pasted { text } else { String::new() };
            return refused(&user, place, text, wrong);
        }
        "dates" => Kind::Days,
        _ if list.has_vouchers => Kind::Vouchers,
        _ if has_dates => Kind::Days,
        _ => Kind::Rucs,
    };
    let rows = rows(&list, kind, calendar::today(user.panel.clock.now()));
    let page = TablePage {
        layout: user.layout(MenuItem::LIST),
        kind,
        about: item::recognised(&list, kind),
        items: rows.iter().map(|row| u64::from(!row.item.is_empty())).sum(),
        batch: kind.batch(&plan).try_into().unwrap_or(u64::MAX),
        pause: 1_000_u64.div_ceil(plan.rate.get().into()),
        left: used.limit.saturating_sub(used.used),
        rows,
    };
    large_answer::page(&user, Some(place), StatusCode::OK, &page)
}

/// Looks one batch up.
pub(crate) async fn look_up(form: LargeForm<BATCH_FORM, false>) -> Result<HttpResponse, PageError> {
    let LargeForm { user, fields, place } = form;
    let kind = Kind::named(fields.text("kind")).ok_or(PageError::NotAForm)?;
    // A batch of vouchers waits for SUNAT, and its answer is short.
    let place = if kind == Kind::Vouchers { place } else { place.of_all()? };
    let today = calendar::today(user.panel.clock.now());
    let items: Option<Vec<Item>> =
        fields.text("items").lines().map(|line| Item::from_line(kind, line, today)).collect();
    let plan = plan(&user)?;
    let items = items.filter(|items| (1..=kind.batch(&plan)).contains(&items.len())).ok_or(PageError::NotAForm)?;
    let count = u64::try_from(items.len() - row::free(&user, &items)).unwrap_or(u64::MAX);
    let (call, _permit) = user.call(kind.operation(), count).await?;
    let rows = match kind {
        Kind::Rucs | Kind::Days => row::taxpayers(&user, &call, kind, &items).await,
        Kind::Vouchers => Ok(row::vouchers(&user, &call, &items).await),
    };
    let rows = match rows {
        Ok((rows, causes)) => {
            call.end(ResultCode::Found, causes.in_words());
            rows
        }
        Err(error) => {
            call.end(ResultCode::UpstreamUnavailable, Some(chain(&error)));
            return Err(PageError::Unknown);
        }
    };
    let page = TablePage {
        layout: user.layout(MenuItem::LIST),
        kind,
        about: String::new(),
        items: 0,
        batch: 0,
        pause: 0,
        left: call.limits().left.unwrap_or_default(),
        rows,
    };
    large_answer::page(&user, Some(place), StatusCode::OK, &page)
}

/// Writes the rows that the browser has as a file.
pub(crate) async fn download(form: LargeForm<TABLE_FORM>) -> Result<HttpResponse, PageError> {
    let LargeForm { user, fields, place } = form;
    let place = place.of_all()?;
    let kind = Kind::named(fields.text("kind")).ok_or(PageError::NotAForm)?;
    let form = match fields.text("format") {
        "csv" => TableForm::Csv,
        "xlsx" => TableForm::Xlsx,
        _ => return Err(PageError::NotAForm),
    };
    let text = fields.text("rows").to_owned();
    let written = large(move || write(form, kind, &text)).await?;
    let bytes = written.map_err(|_| PageError::Internal("the table of a list could not be written"))?;
    let today = calendar::today(user.panel.clock.now());
    let name = format!("kuraka-lista-{today}.{}", form.extension());
    large_answer::file(&user, Some(place), form.media_type(), &name, &bytes)
}

fn write(form: TableForm, kind: Kind, text: &str) -> Result<Vec<u8>, WriteTableError> {
    let columns = kind.columns();
    let mut table = TableWriter::new(form, columns.iter().copied())?;
    for line in text.lines().take(ROWS) {
        table.row(line.split('\t').take(columns.len()))?;
    }
    table.finish()
}

/// Reads an uploaded file, until the browser leaves.
pub(super) async fn read_file(bytes: Vec<u8>) -> Result<Result<List, TableError>, PageError> {
    // It is dropped with the request.
    let request = Arc::new(());
    let is_there = Arc::downgrade(&request);
    large(move || read_list(&bytes, ROWS, || is_there.strong_count() > 0)).await
}

/// Runs work that takes processor time and memory on a thread of its own, when it is its turn. The turn lasts as long as
/// the work, even if the browser leaves.
pub(super) async fn large<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, PageError> {
    let turn = LARGE.acquire().await;
    let work = move || {
        let _turn = turn;
        work()
    };
    web::block(work).await.map_err(|_| PageError::Internal("the thread of a list is gone"))
}

/// The rows of a list. What is there several times is looked up once, and its row names all its lines.
fn rows(list: &List, kind: Kind, today: kuraka_domain::Date) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for row in &list.rows {
        match Item::from_row(kind, row, today) {
            Ok(text) => match known.get(&text).and_then(|at| rows.get_mut(*at)) {
                Some(first) => first.add_line(row.line),
                None => {
                    known.insert(text.clone(), rows.len());
                    rows.push(Row::pending(kind, row.line, &text));
                }
            },
            Err((found, reason)) => rows.push(Row::wrong(kind, row.line, &found, &reason)),
        }
    }
    rows
}

pub(super) fn plan(user: &CurrentUser) -> Result<Arc<Plan>, PageError> {
    let plan = user.panel.plans.find(&user.account.plan);
    plan.ok_or(PageError::Internal("the plan of the account is not in the settings"))
}

fn refused(user: &CurrentUser, place: Place, text: String, wrong: String) -> Result<HttpResponse, PageError> {
    let batch = plan(user)?.batch;
    let page = ListPage { layout: user.layout(MenuItem::LIST), batch, text, wrong: Some(wrong) };
    large_answer::page(user, Some(place), StatusCode::UNPROCESSABLE_ENTITY, &page)
}
