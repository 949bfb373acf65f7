//! `GET /panel/consultar/{ruc}`: a taxpayer's sheet, for screen and print. It costs a query, unless it is opened from a
//! kept list whose run was charged for it, with the same edition of the padrón.

mod history;

use std::rc::Rc;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use kuraka_api::ruc_ficha;
use kuraka_api::spanish::{no_edition, stale_miss, wrong_ruc};
use kuraka_app::{ChargedCall, LookupError, Permit, RegistryAnswer, RegistryBatch, calendar};
use kuraka_domain::{DatasetRole, Date, DateError, ResultCode, Ruc, RucError, TaxpayerProfile};
use kuraka_ports::{DatasetStatus, EditionOrigin, ProfileParts, RegistrySnapshot, chain};
use kuraka_tables::date_cell;

use self::history::History;
use crate::error::PageError;
use crate::layout::{Layout, MenuItem};
use crate::pages::status_summary::{Severity, StatusSummary, with_capacity};
use crate::pages::{list, search};
use crate::request::{CurrentUser, Fields};
use crate::{csrf, response, spanish};

/// A person's annex premises are not shown, as its address is not.
const OF_PERSON: ProfileParts =
    ProfileParts::FLAGS.and(ProfileParts::LISTS).and(ProfileParts::OPERATING_INCAPACITY).and(ProfileParts::SANCTIONS);
const OF_COMPANY: ProfileParts =
    OF_PERSON.and(ProfileParts::ANNEX_COUNT).and(ProfileParts::ANNEXES).and(ProfileParts::OPEN_DATA);
/// Entries of a list in print, so that it fits one page; `panel.css` hides the others.
const PRINTED: usize = 3;

#[derive(Template)]
#[template(path = "sheet.html")]
struct SheetPage<'a> {
    layout: Layout,
    profile: &'a TaxpayerProfile,
    /// As of the requested day, else of today.
    status_summary: StatusSummary,
    /// If a day was requested.
    today: Option<StatusSummary>,
    is_demo: bool,
    sources: Vec<SourceRow>,
    history: History,
    day: Date,
    now: String,
    url: String,
}

struct SourceRow {
    /// Whether it is a list of taxpayers.
    is_list: bool,
    title: &'static str,
    /// `None` = no edition here.
    edition: Option<(String, String)>,
    note: &'static str,
}

#[derive(Template)]
#[template(path = "no_sheet.html")]
struct NoSheetPage {
    layout: Layout,
    tone: Severity,
    title: &'static str,
    typed: String,
    text: String,
    /// What else can be opened: label and path.
    again: Option<(&'static str, String)>,
}

pub(super) struct Found<'a> {
    pub(super) call: Rc<ChargedCall>,
    pub(super) profile: TaxpayerProfile,
    pub(super) batch: RegistryBatch,
    pub(super) date: Option<Result<Date, DateError>>,
    _permit: Permit<'a>,
}

pub(crate) async fn show(user: CurrentUser, typed: web::Path<String>) -> Result<HttpResponse, PageError> {
    let ruc = match Ruc::parse(&typed) {
        Ok(ruc) => ruc,
        Err(error) => return Ok(no_ruc(&user, &typed, &error)),
    };
    let panel = &user.panel;
    if !csrf::is_opened_by_owner(&user.request, &panel.site) {
        return Ok(search::ask(&user, &typed));
    }
    let fields = Fields::from_query(&user.request);
    let asked = fields.text("fecha").to_owned();
    let queries = u64::from(!list::has_paid(&user, fields.text("lista"), ruc).await?);
    let Found { profile, batch, date, _permit, .. } = match look_up(&user, ruc, &asked, queries).await? {
        Ok(found) => found,
        Err(page) => return Ok(page),
    };
    let statuses = panel.datasets.statuses();
    let without_day = || batch.history(ruc, None).ok().flatten();
    let (known, today, snapshot) = (batch.history(ruc, date), calendar::today(panel.clock.now()), &*batch.snapshot);
    let on_day = known.as_ref().ok().and_then(|known| known.as_ref()?.on_day.as_ref());
    let on_day = on_day.map(|day| StatusSummary::on_day(&with_capacity(day.clone(), snapshot), &statuses));
    let now = StatusSummary::new(&profile, snapshot, &statuses, today);
    let (status_summary, now) = match on_day {
        Some(on_day) => (on_day, Some(now)),
        None => (now, None),
    };
    let page = SheetPage {
        history: History::new(&asked, known, without_day, &statuses, today),
        layout: user.layout(MenuItem::SEARCH),
        status_summary,
        today: now,
        day: today,
        is_demo: snapshot.edition().origin == EditionOrigin::Sample,
        sources: sources(snapshot, &statuses, !ruc.is_personal()),
        now: spanish::moment(panel.clock.now()),
        url: format!("{}/panel/consultar/{ruc}", panel.site.url(&user.request)),
        profile: &profile,
    };
    Ok(response::page(StatusCode::OK, &page))
}

pub(super) fn no_ruc(user: &CurrentUser, typed: &str, error: &RucError) -> HttpResponse {
    let text = format!("{} No se descontó ninguna consulta.", wrong_ruc(error));
    no_sheet(user, StatusCode::BAD_REQUEST, (Severity::Warn, "No es un RUC válido"), typed, text, None)
}

/// Looks a taxpayer up for so many queries, if the requested day is covered; or the page that says why there is none.
pub(super) async fn look_up<'a>(
    user: &'a CurrentUser,
    ruc: Ruc,
    asked: &str,
    queries: u64,
) -> Result<Result<Found<'a>, HttpResponse>, PageError> {
    let panel = &user.panel;
    let date = Some(asked.trim()).filter(|text| !text.is_empty());
    let date = date.map(|text| date_cell(text).map_or_else(|| Date::parse(text), Ok));
    let covered = date.as_ref().and_then(|_| panel.lookup_taxpayer.covered(ruc));
    let typed = ruc.to_string();
    if let (Some(date), Some(covered)) = (&date, covered)
        && covered.is_free(date)
    {
        let text = format!("{} No se descontó ninguna consulta.", spanish::not_covered(date.ok(), covered.periods()));
        let again = Some(("Ver la ficha de hoy", format!("/panel/consultar/{ruc}")));
        let unknown = (Severity::Unknown, "No se sabe qué era ese día");
        return Ok(Err(no_sheet(user, StatusCode::BAD_REQUEST, unknown, &typed, text, again)));
    }
    let (call, permit) = user.call(&ruc_ficha::OPERATION, queries).await?;
    let parts = if ruc.is_personal() { OF_PERSON } else { OF_COMPANY };
    let answer = panel.lookup_taxpayer.run(&call, ruc, parts, None);
    let (status, verdict, text, again) = match answer {
        Ok(RegistryAnswer { taxpayer: Some(profile), batch, .. }) => {
            call.end(ResultCode::Found, None);
            return Ok(Ok(Found { call, profile, batch, date, _permit: permit }));
        }
        Ok(RegistryAnswer { taxpayer: None, edition, .. }) => {
            call.end(ResultCode::DocumentNotFound, None);
            let text = format!(
                "No estaba en el padrón del {}. El número está bien escrito; un RUC nuevo aún no figura en ese padrón.",
                spanish::day(edition.date)
            );
            (StatusCode::NOT_FOUND, (Severity::Bad, "No existe en el padrón"), text, None)
        }
        Err(error) => {
            call.end(ResultCode::UpstreamUnavailable, Some(chain(&error)));
            let why = match error {
                LookupError::StaleMiss { age_days, .. } => stale_miss(age_days),
                LookupError::NoDataset { dataset, is_damaged } => no_edition(dataset, is_damaged),
                LookupError::NoEdition | LookupError::Registry(_) | LookupError::OldDataset { .. } => {
                    "Este servicio no pudo leer el padrón.".to_owned()
                }
            };
            let text = format!("{why} No significa nada sobre el RUC.");
            let again = Some(("Intentar otra vez", format!("/panel/consultar/{ruc}")));
            (StatusCode::SERVICE_UNAVAILABLE, (Severity::Unknown, "No se pudo averiguar"), text, again)
        }
    };
    Ok(Err(no_sheet(user, status, verdict, &typed, text, again)))
}

pub(super) fn no_sheet(
    user: &CurrentUser,
    status: StatusCode,
    (tone, title): (Severity, &'static str),
    typed: &str,
    text: String,
    again: Option<(&'static str, String)>,
) -> HttpResponse {
    let (layout, typed) = (user.layout(MenuItem::SEARCH), typed.to_owned());
    response::page(status, &NoSheetPage { layout, tone, title, typed, text, again })
}

fn sources(snapshot: &dyn RegistrySnapshot, statuses: &[DatasetStatus], of_companies: bool) -> Vec<SourceRow> {
    let is_read = |role| of_companies || !matches!(role, DatasetRole::Annexes | DatasetRole::OpenData);
    let row = |status: &DatasetStatus| {
        let edition = snapshot.dataset(status.name)?.edition.as_ref();
        let is_sample = edition.is_some_and(|edition| edition.origin == EditionOrigin::Sample);
        let note = match edition {
            None => "no está en este servicio",
            Some(_) if is_sample => "muestra de demostración",
            Some(_) if status.is_too_old => "demasiado antiguo",
            Some(_) => "",
        };
        let edition = edition.map(|edition| (spanish::day(edition.date), edition.label.to_string()));
        let is_list = matches!(status.role, DatasetRole::List(_));
        Some(SourceRow { is_list, title: status.title, edition, note })
    };
    statuses.iter().filter(|status| is_read(status.role)).filter_map(row).collect()
}
