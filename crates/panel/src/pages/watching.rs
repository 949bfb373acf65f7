//! `/panel/seguimiento`: the account's watched RUCs with their present state and last change, problems first. The owner
//! pastes or uploads a list, and removes RUCs one by one. Free, because the use case bounds what can be looked up so;
//! it counts for the rate as `GET /seguimiento` does.

use std::cmp::Reverse;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_api::seguimiento;
use kuraka_app::watching::MAX_RUCS;
use kuraka_app::{ChangeListError, ChargedCall, HistoryChange, WatchedPage, calendar};
use kuraka_domain::{ResultCode, Ruc};
use kuraka_ports::{
    DatasetStatus, ProfileParts, RegistrySnapshot, StoreError, WatchCode, WatchEntry, WatchListChange, WatchedRuc,
    chain,
};
use kuraka_tables::{ListColumn, ListRow, TableForm, write_table};

use super::change;
use super::status_summary::{Severity, StatusSummary};
use super::upload::{self, ROWS, UPLOAD, UPLOAD_FORM};
use crate::current_user::CurrentUser;
use crate::error::PageError;
use crate::form::{LargeForm, UserForm};
use crate::layout::{Layout, MenuItem};
use crate::panel::Panel;
use crate::place::Place;
use crate::{large_answer, response, spanish};

/// What the page shows of a taxpayer.
const PARTS: ProfileParts = ProfileParts::OPERATING_INCAPACITY.and(ProfileParts::SANCTIONS);
/// The columns of the file.
const COLUMNS: [&str; 9] =
    ["ruc", "codigo", "nombre_o_razon_social", "estado", "condicion", "fecha", "dato", "antes", "despues"];

#[derive(Template)]
#[template(path = "watching.html")]
struct WatchingPage {
    layout: Layout,
    total: u64,
    most: u64,
    /// RUCs that may be added in a month free of charge.
    free: u64,
    rows: Vec<WatchedRow>,
    done: Option<String>,
    wrong: Option<String>,
    text: String,
}

impl WatchingPage {
    fn has_more(&self) -> bool {
        self.total > self.rows.len() as u64
    }

    fn hides_persons(&self) -> bool {
        self.rows.iter().any(|row| row.situation.is_empty())
    }
}

#[derive(Default)]
pub(super) struct WatchedRow {
    ruc: String,
    code: String,
    pub(super) name: String,
    pub(super) tone: Severity,
    /// Empty if the RUC's data is not shown yet.
    pub(super) situation: String,
    change: Option<HistoryChange>,
    /// In words, with its date.
    last_change: String,
    status: String,
    condition: String,
}

pub(crate) async fn show(user: CurrentUser) -> Result<HttpResponse, PageError> {
    let (call, _permit) = user.call(&seguimiento::LIST, 0).await?;
    page(&user, &call, None, StatusCode::OK, None, None, String::new()).await
}

/// Adds the RUCs of a list.
pub(crate) async fn add(form: LargeForm<UPLOAD_FORM>) -> Result<HttpResponse, PageError> {
    let LargeForm { user, mut fields, place } = form;
    let place = Some(place.of_all()?);
    let text = fields.text("text").trim().to_owned();
    let bytes = fields.file().map_or_else(|| upload::one_a_line(&text).into_bytes(), |(_, bytes)| bytes);
    if bytes.len() > UPLOAD {
        return Err(PageError::TooLarge { limit: UPLOAD });
    }
    let (call, _permit) = user.call(&seguimiento::LIST, 0).await?;
    let refused = |place, wrong: String| {
        page(&user, &call, place, StatusCode::UNPROCESSABLE_ENTITY, None, Some(wrong), text.clone())
    };
    if bytes.is_empty() {
        return refused(place, "Elija un archivo o pegue una lista.".to_owned()).await;
    }
    let read = match upload::read_file(bytes).await? {
        Ok(read) => read,
        Err(error) => return refused(place, upload::table_error(&error)).await,
    };
    let add = with_codes(read.rows.iter());
    let bad = read.rows.iter().filter_map(|row| Some((row.line, row.ruc.as_ref().err()?))).next();
    let bad = bad.map(|(line, error)| format!("Fila {line}: {}", upload::ruc_cell_error(error)));
    watch(&user, &call, place, &add, bad, text.clone()).await
}

/// Adds these RUCs.
pub(super) async fn follow(user: &CurrentUser, add: &[WatchedRuc]) -> Result<HttpResponse, PageError> {
    let (call, _permit) = user.call(&seguimiento::LIST, 0).await?;
    watch(user, &call, None, add, None, String::new()).await
}

/// The RUCs of rows, with the owner's codes of them.
pub(super) fn with_codes<'a>(rows: impl Iterator<Item = &'a ListRow>) -> Vec<WatchedRuc> {
    let code = |row: &ListRow| WatchCode::parse(row.cell(ListColumn::Code)).ok().flatten();
    rows.filter_map(|row| Some(WatchedRuc { ruc: row.ruc.ok()?, code: code(row) })).collect()
}

async fn watch(
    user: &CurrentUser,
    call: &ChargedCall,
    place: Option<Place>,
    add: &[WatchedRuc],
    bad: Option<String>,
    text: String,
) -> Result<HttpResponse, PageError> {
    match user.panel.watching.change(call, add, &[]).await {
        Ok(WatchListChange { added, .. }) => {
            let verb = if added == 1 { "Se agregó" } else { "Se agregaron" };
            let done = format!("{verb} {} RUC.", spanish::number(added));
            page(user, call, place, StatusCode::OK, Some(done), bad, String::new()).await
        }
        Err(ChangeListError::Full) => {
            let most = spanish::number(call.caller.plan.watched);
            let wrong = format!("Su plan permite seguir {most} RUC: no se agregó ninguno.");
            page(user, call, place, StatusCode::UNPROCESSABLE_ENTITY, None, Some(wrong), text).await
        }
        Err(error) => Err(not_changed(user, call, error)),
    }
}

pub(crate) async fn remove(form: UserForm) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    let ruc = Ruc::parse(fields.text("ruc")).map_err(|_| PageError::NotAForm)?;
    let (call, _permit) = user.call(&seguimiento::LIST, 0).await?;
    let changed = user.panel.watching.change(&call, &[], &[ruc]).await;
    changed.map_err(|error| not_changed(&user, &call, error))?;
    call.end(ResultCode::Found, None);
    Ok(response::redirect("/panel/seguimiento"))
}

/// The first rows as CSV.
pub(crate) async fn download(user: CurrentUser) -> Result<HttpResponse, PageError> {
    let (call, _permit) = user.call(&seguimiento::LIST, 0).await?;
    let watched = watched(&user, &call, ROWS).await?.rucs;
    let (panel, today) = (user.panel.clone(), calendar::today(user.panel.clock.now()));
    let written = upload::large(move || {
        let row = |WatchedRow { ruc, code, name, status, condition, change, .. }| {
            let what = change.as_ref().map(|change| &change.what);
            let date = change.as_ref().map(|change| change.date.to_string()).unwrap_or_default();
            let (datum, before, after) =
                what.map_or(("", "", ""), |what| (what.datum.name(), &*what.before, &*what.after));
            vec![ruc, code, name, status, condition, date, datum.to_owned(), before.to_owned(), after.to_owned()]
        };
        write_table(TableForm::Csv, &COLUMNS, &[], rows(&panel, watched).into_iter().map(row))
    });
    let bytes = written.await?.map_err(|_| PageError::Internal("the table of a list could not be written"))?;
    call.end(ResultCode::Found, None);
    let name = format!("kuraka-seguimiento-{today}.csv");
    large_answer::file(&user, None, TableForm::Csv.media_type(), &name, &bytes)
}

/// The first RUCs of the account's list.
pub(super) async fn watched(user: &CurrentUser, call: &ChargedCall, limit: usize) -> Result<WatchedPage, PageError> {
    let found = user.panel.watching.watched(call, None, limit).await.map_err(|error| store_failed(call, error))?;
    Ok(found.unwrap_or(WatchedPage { total: 0, rucs: Vec::new(), next: None }))
}

async fn page(
    user: &CurrentUser,
    call: &ChargedCall,
    place: Option<Place>,
    status: StatusCode,
    done: Option<String>,
    wrong: Option<String>,
    text: String,
) -> Result<HttpResponse, PageError> {
    let WatchedPage { total, rucs, .. } = watched(user, call, MAX_RUCS).await?;
    let panel = user.panel.clone();
    let rows = upload::large(move || rows(&panel, rucs)).await?;
    let (most, free) = (call.caller.plan.watched, call.caller.plan.free_additions());
    call.end(if wrong.is_none() || done.is_some() { ResultCode::Found } else { ResultCode::InvalidInput }, None);
    let page = WatchingPage { layout: user.layout(MenuItem::WATCHING), total, most, free, rows, done, wrong, text };
    large_answer::page(user, place, status, &page)
}

fn not_changed(user: &CurrentUser, call: &ChargedCall, error: ChangeListError) -> PageError {
    match error {
        ChangeListError::Full => PageError::Internal("a list that does not grow is full"),
        ChangeListError::NotCharged(refusal) => user.refused(refusal),
        ChangeListError::Store(error) => store_failed(call, error),
    }
}

fn store_failed(call: &ChargedCall, error: StoreError) -> PageError {
    call.end(ResultCode::ServiceUnavailable, Some(chain(&error)));
    error.into()
}

/// Problems first. A person added today has RUC and code only.
fn rows(panel: &Panel, watched: Vec<WatchEntry>) -> Vec<WatchedRow> {
    let (snapshot, statuses) = (panel.watching.snapshot(), panel.datasets.statuses());
    let row = |entry: WatchEntry| {
        let WatchedRuc { ruc, code } = &entry.watched;
        let known = if panel.watching.is_shown(&entry) {
            row(panel, snapshot.as_deref(), &statuses, *ruc)
        } else {
            WatchedRow::default()
        };
        let code = code.as_ref().map(WatchCode::as_str).unwrap_or_default().to_owned();
        WatchedRow { ruc: ruc.to_string(), code, ..known }
    };
    let mut rows: Vec<WatchedRow> = watched.into_iter().map(row).collect();
    rows.sort_by_key(|row| Reverse(row.tone));
    rows
}

pub(super) fn row(
    panel: &Panel,
    snapshot: Option<&dyn RegistrySnapshot>,
    statuses: &[DatasetStatus],
    ruc: Ruc,
) -> WatchedRow {
    let today = calendar::today(panel.clock.now());
    let change = snapshot.and_then(|snapshot| panel.watching.last_change(snapshot, ruc));
    let words = |last: &HistoryChange| format!("{}: {}", spanish::day(last.date), change::text(&last.what, statuses));
    let [mut name, mut status, mut condition] = [const { String::new() }; 3];
    let (tone, situation) = match snapshot.map(|snapshot| (snapshot, snapshot.profile(ruc, PARTS))) {
        Some((snapshot, Ok(Some(profile)))) => {
            let StatusSummary { tone, headline, .. } = StatusSummary::new(&profile, snapshot, statuses, today);
            let summary = profile.summary;
            (status, condition) = (summary.status.as_str().to_owned(), summary.condition.as_str().to_owned());
            name = summary.name;
            (tone, headline)
        }
        Some((_, Ok(None))) => (Severity::Warn, "No está en el padrón".to_owned()),
        Some((_, Err(_))) | None => (Severity::Unknown, "No se sabe".to_owned()),
    };
    let last_change = change.as_ref().map(words).unwrap_or_default();
    WatchedRow { name, tone, situation, change, last_change, status, condition, ..WatchedRow::default() }
}
