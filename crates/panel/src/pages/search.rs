//! `GET /panel/consultar`: one field for a RUC or a name. A RUC opens its sheet, a name lists companies for one query.
//! `GET /panel/consultar/sugerencias`: companies while the owner types, free of charge.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_api::ruc_busqueda;
use kuraka_api::spanish::no_edition;
use kuraka_app::{LookupError, SearchError, SearchFields};
use kuraka_domain::{ResultCode, TaxpayerSummary};
use kuraka_ports::{chain, dataset};
use serde_json::json;

use crate::error::PageError;
use crate::layout::{Layout, MenuItem};
use crate::pages::status_summary::{self, DatasetAge, Severity};
use crate::request::{CurrentUser, Fields};
use crate::spanish::search_field_error;
use crate::{csrf, response};

const SUGGESTED: &str = "8";

struct Results {
    taxpayers: Vec<(Severity, TaxpayerSummary)>,
    /// Of the next page.
    cursor: Option<String>,
}

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage {
    layout: Layout,
    /// The field's text.
    text: String,
    note: Option<String>,
    results: Option<Results>,
}

pub(crate) async fn show(user: CurrentUser) -> Result<HttpResponse, PageError> {
    let fields = Fields::from_query(&user.request);
    let asked = fields.text("ruc").trim();
    if !asked.is_empty() {
        return Ok(page_to_ask(&user, asked, "Para continuar pulse Consultar: descuenta una consulta de su plan."));
    }
    let text = fields.text("q").trim();
    if let Some(digits) = ruc_digits(text) {
        return Ok(response::redirect(&format!("/panel/consultar/{digits}")));
    }
    let page = SearchPage { layout: user.layout(MenuItem::SEARCH), text: text.to_owned(), note: None, results: None };
    if text.is_empty() {
        return Ok(response::page(StatusCode::OK, &page));
    }
    let cursor = Some(fields.text("cursor")).filter(|cursor| !cursor.is_empty());
    let query = match (SearchFields { name: text, cursor, ..SearchFields::default() }).query() {
        Ok(query) => query,
        Err(error) => {
            let page = SearchPage {
                note: Some(format!("{} No se descontó ninguna consulta.", search_field_error(&error))),
                ..page
            };
            return Ok(response::page(StatusCode::UNPROCESSABLE_ENTITY, &page));
        }
    };
    if !csrf::is_opened_by_owner(&user.request, &user.panel.site) {
        return Ok(ask(&user, text));
    }
    let (call, _permit) = user.call(&ruc_busqueda::OPERATION, 1).await?;
    let note = match user.panel.lookup_taxpayer.search(&call, query) {
        Ok(answer) => {
            call.end(ResultCode::Found, None);
            let padron = DatasetAge::new(Some(&answer.edition), &user.panel.datasets.statuses(), dataset::PADRON);
            let toned = |taxpayer: TaxpayerSummary| (status_summary::tone(&taxpayer, padron), taxpayer);
            let taxpayers = answer.taxpayers.into_iter().map(toned).collect();
            let page = SearchPage { results: Some(Results { taxpayers, cursor: answer.cursor }), ..page };
            return Ok(response::page(StatusCode::OK, &page));
        }
        Err(error @ SearchError::NoIndex) => {
            call.end(ResultCode::ServiceUnavailable, None);
            format!("{} No se descontó ninguna consulta.", no_answer(&error))
        }
        Err(error) => {
            call.end(ResultCode::UpstreamUnavailable, Some(chain(&error)));
            format!("{} Vuelva a intentarlo en unos minutos.", no_answer(&error))
        }
    };
    let page = SearchPage { note: Some(note), ..page };
    Ok(response::page(StatusCode::SERVICE_UNAVAILABLE, &page))
}

fn no_answer(error: &SearchError) -> String {
    match error {
        SearchError::NoIndex => "Este servicio no tiene el índice de nombres. Consulte por RUC.".to_owned(),
        SearchError::Registry(LookupError::NoDataset { dataset, is_damaged }) => {
            format!("No se pudo averiguar. {}", no_edition(dataset, *is_damaged))
        }
        SearchError::Registry(_) => "No se pudo averiguar. Este servicio no pudo leer el padrón.".to_owned(),
    }
}

/// The page with this text in its field: the owner decides whether to spend a query.
pub(crate) fn ask(user: &CurrentUser, text: &str) -> HttpResponse {
    let note =
        "Un enlace de otra página pide esta consulta. Pulse Consultar si la quiere: descuenta una consulta de su plan.";
    page_to_ask(user, text, note)
}

fn page_to_ask(user: &CurrentUser, text: &str, note: &str) -> HttpResponse {
    let (text, note) = (text.to_owned(), Some(note.to_owned()));
    response::page(StatusCode::OK, &SearchPage { layout: user.layout(MenuItem::SEARCH), text, note, results: None })
}

/// `GET /panel/consultar/sugerencias?q=…`: `[{"ruc", "nombre"}]`; empty for an unsearchable text or another site. 503 with
/// `mensaje` if the registry cannot be searched.
pub(crate) async fn suggest(user: CurrentUser) -> Result<HttpResponse, PageError> {
    if !csrf::is_opened_by_owner(&user.request, &user.panel.site) {
        return Ok(HttpResponse::Ok().json(json!([])));
    }
    user.panel.form_rate.take_suggestions(user.account.id)?;
    let fields = Fields::from_query(&user.request);
    let query = SearchFields { name: fields.text("q"), limit: Some(SUGGESTED), ..SearchFields::default() }.query();
    let Ok(query) = query else { return Ok(HttpResponse::Ok().json(json!([]))) };
    let found = match user.panel.lookup_taxpayer.suggest(query) {
        Ok(found) => found,
        Err(error) => {
            return Ok(HttpResponse::ServiceUnavailable().json(json!({ "mensaje": no_answer(&error) })));
        }
    };
    let found: Vec<_> = found.iter().map(|company| json!({ "ruc": company.ruc, "nombre": company.name })).collect();
    Ok(HttpResponse::Ok().json(found))
}

/// The digits of a text without letters but the word RUC, which can only be meant as one.
fn ruc_digits(text: &str) -> Option<String> {
    let word = text.get(..3).filter(|word| word.eq_ignore_ascii_case("RUC"));
    let text = word.and(text.get(3..)).unwrap_or(text);
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let is_ruc = text.chars().all(|c| c.is_ascii_digit() || " .:-".contains(c));
    (is_ruc && !digits.is_empty()).then_some(digits)
}
