//! `/panel/seguimiento`: the account's watched RUCs with their present state and last change, news first. The owner
//! searches, filters and sorts them, pastes or uploads a list, and removes RUCs one by one. Free, because the use case
//! bounds what can be looked up so; it counts for the rate as `GET /seguimiento` does.
//!
//! A page is made of the whole list, as far as it has [`ROWS`] RUCs, because order and filter are those of the published
//! files, which the store does not know.

mod rows;
mod view;

use std::collections::HashSet;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_api::seguimiento;
use kuraka_app::webhooks::DeliverError;
use kuraka_app::{ChangeListError, ChargedCall, Place, WatchedPage, calendar};
use kuraka_domain::{Date, ResultCode, Ruc, RucKind};
use kuraka_ports::{DatasetStatus, DigestRhythm, StoreError, WatchCode, WatchListChange, WatchedRuc, chain};
use kuraka_tables::{ListColumn, ListRow, TableForm, read_list, write_table};

use self::rows::rows;
pub(super) use self::rows::{NEWS_DAYS, WatchedRow, taxpayers};
use self::view::{FILTERS, Order, Shown, View};
use super::upload::{self, ROWS, UPLOAD_FORM};
use crate::error::PageError;
use crate::layout::{Layout, MenuItem};
use crate::request::{CurrentUser, Fields, LargeForm, UserForm};
use crate::{large_answer, response, spanish};

/// The columns of the file.
const COLUMNS: [&str; 9] =
    ["ruc", "codigo", "nombre_o_razon_social", "estado", "condicion", "fecha", "dato", "antes", "despues"];
/// Rows of a file that are named because they were not added.
const NAMED: usize = 5;

#[derive(Template)]
#[template(path = "watching.html")]
struct WatchingPage {
    layout: Layout,
    total: u64,
    most: u64,
    /// RUCs that may be added in a month free of charge.
    free: u64,
    view: View,
    shown: Shown,
    /// Of the padrón's edition.
    padron: Option<Date>,
    now: String,
    notice: Notice,
    /// `None` = no mail server.
    rhythm: Option<DigestRhythm>,
}

/// What became of a form.
#[derive(Default)]
struct Notice {
    done: Option<String>,
    wrong: Option<String>,
    /// Rows of a file that were not added.
    bad: Vec<String>,
    removed: Option<WatchedRuc>,
    /// Whether putting it back costs a query.
    is_undo_paid: bool,
    /// Of the form that adds.
    text: String,
    status: StatusCode,
}

impl WatchingPage {
    fn has_more(&self) -> bool {
        self.total > ROWS as u64
    }

    fn hides_persons(&self) -> bool {
        self.shown.rows.iter().any(|row| row.situation.is_empty())
    }

    /// Whether the form that adds is open.
    fn is_adding(&self) -> bool {
        self.total == 0 || self.notice.wrong.is_some() || !self.notice.bad.is_empty()
    }
}

pub(crate) async fn show(user: CurrentUser) -> Result<HttpResponse, PageError> {
    let (call, _permit) = user.call(&seguimiento::LIST, 0).await?;
    let view = View::from_fields(&Fields::from_query(&user.request), "");
    page(&user, &call, None, view, Notice::default()).await
}

/// Searches, by a form, because what is searched may be a person.
pub(crate) async fn search(form: UserForm) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    let view = View::from_fields(&fields, fields.text("q"));
    if view.text.is_empty() {
        return Ok(response::redirect(&view.address(view.filter, 1)));
    }
    let (call, _permit) = user.call(&seguimiento::LIST, 0).await?;
    page(&user, &call, None, view, Notice::default()).await
}

/// Adds the RUCs of a list.
pub(crate) async fn add(form: LargeForm<UPLOAD_FORM>) -> Result<HttpResponse, PageError> {
    let LargeForm { user, fields, place } = form;
    let place = Some(place.of_all()?);
    let (call, _permit) = user.call(&seguimiento::LIST, 0).await?;
    let (status, text, wrong) =
        match upload::read(fields, |_, bytes, is_wanted| read_list(bytes, ROWS, is_wanted)).await? {
            Err(refused) => refused,
            Ok((read, text)) => {
                let bad = read.list.iter().filter_map(|row| Some((row.line, row.ruc.as_ref().err()?)));
                let bad = bad.map(|(line, error)| format!("Fila {line}: {}", upload::ruc_cell_error(error)));
                return watch(&user, &call, place, &with_codes(read.list.iter()), bad.collect(), text).await;
            }
        };
    let notice = Notice { wrong: Some(wrong), text, status, ..Notice::default() };
    page(&user, &call, place, View::default(), notice).await
}

/// Adds these RUCs.
pub(super) async fn follow(user: &CurrentUser, add: &[WatchedRuc]) -> Result<HttpResponse, PageError> {
    let (call, _permit) = user.call(&seguimiento::LIST, 0).await?;
    watch(user, &call, None, add, Vec::new(), String::new()).await
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
    bad: Vec<String>,
    text: String,
) -> Result<HttpResponse, PageError> {
    let notice = match user.panel.watching.change(call, add, &[]).await {
        Ok(WatchListChange { added, .. }) => {
            let rucs: HashSet<Ruc> = add.iter().map(|watched| watched.ruc).collect();
            let known = (rucs.len() as u64).saturating_sub(added);
            let verb = if added == 1 { "Se agregó" } else { "Se agregaron" };
            let known = match known {
                0 => String::new(),
                1 => " 1 ya estaba.".to_owned(),
                known => format!(" {} ya estaban.", spanish::number(known)),
            };
            let done = Some(format!("{verb} {} RUC.{known}", spanish::number(added))).filter(|_| !add.is_empty());
            Notice { done, bad, ..Notice::default() }
        }
        Err(ChangeListError::Full) => {
            let most = call.caller.plan.watched;
            let left = most.saturating_sub(watched(user, call, 0).await?.total);
            let (most, left) = (spanish::number(most), spanish::number(left));
            let wrong = format!("Su plan permite seguir {most} RUC y caben {left} más: no se agregó ninguno.");
            Notice { wrong: Some(wrong), text, status: StatusCode::UNPROCESSABLE_ENTITY, ..Notice::default() }
        }
        Err(error) => return Err(not_changed(user, call, error)),
    };
    page(user, call, place, View::default(), notice).await
}

/// Removes a RUC. The page's form puts it back, with its code.
pub(crate) async fn remove(form: UserForm) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    let ruc = Ruc::parse(fields.text("ruc")).map_err(|_| PageError::NotAForm)?;
    let (call, _permit) = user.call(&seguimiento::LIST, 0).await?;
    let code = user.panel.watching.code(&call, ruc).await.map_err(|error| store_failed(&call, error))?;
    let changed = user.panel.watching.change(&call, &[], &[ruc]).await;
    let WatchListChange { removed, free_left, .. } = changed.map_err(|error| not_changed(&user, &call, error))?;
    let removed = (removed > 0).then_some(WatchedRuc { ruc, code });
    let view = View::from_fields(&fields, fields.text("q"));
    page(&user, &call, None, view, Notice { removed, is_undo_paid: free_left == 0, ..Notice::default() }).await
}

/// Puts a removed RUC back.
pub(crate) async fn restore(form: UserForm) -> Result<HttpResponse, PageError> {
    let ruc = Ruc::parse(form.fields.text("ruc")).map_err(|_| PageError::NotAForm)?;
    let code = WatchCode::parse(form.fields.text("codigo")).map_err(|_| PageError::NotAForm)?;
    follow(&form.user, &[WatchedRuc { ruc, code }]).await
}

pub(crate) async fn set_digest(form: UserForm) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    let rhythm: DigestRhythm = fields.text("cuando").parse().map_err(|_| PageError::NotAForm)?;
    let mails = user.panel.mail_changes.as_ref().ok_or(PageError::NotFound)?;
    mails.set(user.account.id, rhythm).await.map_err(|error| match error {
        DeliverError::Store(error) => error.into(),
        DeliverError::Feed(_) | DeliverError::Random(_) => {
            PageError::Internal("the place in the feed could not be read")
        }
    })?;
    let done = match rhythm {
        DigestRhythm::Off => "No se le enviarán los cambios por correo.",
        DigestRhythm::Daily => "Los cambios le llegarán por correo una vez al día, desde las 7 de la mañana.",
        DigestRhythm::Immediate => "Los cambios le llegarán por correo apenas se publiquen.",
    };
    let (call, _permit) = user.call(&seguimiento::LIST, 0).await?;
    page(&user, &call, None, View::default(), Notice { done: Some(done.to_owned()), ..Notice::default() }).await
}

/// The first rows as CSV.
pub(crate) async fn download(user: CurrentUser) -> Result<HttpResponse, PageError> {
    let (call, _permit) = user.call(&seguimiento::LIST, 0).await?;
    let watched = watched(&user, &call, ROWS).await?.rucs;
    let (panel, today) = (user.panel.clone(), calendar::today(user.panel.clock.now()));
    let batch = panel.lookup_taxpayer.batch(&call).ok();
    let written = upload::large(move || {
        let row = |WatchedRow { ruc, code, name, status, condition, change, .. }| {
            let what = change.as_ref().map(|change| &change.what);
            let date = change.as_ref().map(|change| change.date.to_string()).unwrap_or_default();
            let (datum, before, after) =
                what.map_or(("", "", ""), |what| (what.datum.name(), &*what.before, &*what.after));
            vec![ruc, code, name, status, condition, date, datum.to_owned(), before.to_owned(), after.to_owned()]
        };
        let mut rows = rows(&panel, batch.as_ref(), watched);
        Order::default().sort(&mut rows);
        write_table(TableForm::Csv, &COLUMNS, &[], rows.into_iter().map(row))
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
    mut view: View,
    notice: Notice,
) -> Result<HttpResponse, PageError> {
    let WatchedPage { total, rucs, .. } = watched(user, call, ROWS).await?;
    let panel = user.panel.clone();
    let batch = panel.lookup_taxpayer.batch(call).ok();
    let (view, shown) = upload::large(move || {
        let shown = view.take(rows(&panel, batch.as_ref(), rucs));
        (view, shown)
    })
    .await?;
    let rhythm = match &user.panel.mail_changes {
        Some(mails) => {
            Some(mails.digests.digest_rhythm(user.account.id).await.map_err(|error| store_failed(call, error))?)
        }
        None => None,
    };
    let (most, free, status) = (call.caller.plan.watched, call.caller.plan.free_additions(), notice.status);
    call.end(if status.is_success() { ResultCode::Found } else { ResultCode::InvalidInput }, None);
    let padron = DatasetStatus::of_padron(&user.panel.datasets.statuses()).and_then(|padron| padron.edition.clone());
    let page = WatchingPage {
        layout: user.layout(MenuItem::WATCHING),
        total,
        most,
        free,
        view,
        shown,
        padron: padron.map(|edition| edition.date),
        now: spanish::moment(user.panel.clock.now()),
        notice,
        rhythm,
    };
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
