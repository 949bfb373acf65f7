//! `POST /cambios`: the changes of the watched RUCs.

use std::borrow::Cow;

use actix_web::dev::Payload;
use kuraka_api::{FeedChangeRecord, FeedRecord, cambios};
use kuraka_app::{ChangesError, ChangesPage, ChangesQuery};
use kuraka_domain::{Date, ErrorDates, ResultCode};
use kuraka_ports::{FeedChange, FeedError, WatchedSet};

use crate::http::admission::{self, CheckedRequest};
use crate::http::context::RequestContext;
use crate::http::endpoint::Endpoint;
use crate::http::object::Item;
use crate::http::response::{ApiResponse, Failure};
use crate::logs;

/// A call reads files for at most a tenth of a second.
const CALLS: usize = 32;
/// Names of data in a call.
const DATA: usize = 100;
/// Seconds to wait if the change lists are unreadable.
const RETRY_AFTER: u64 = 60;
const NO_EDITION: &str = "Todavía no hay ninguna edición, y por eso ningún cambio que pedir.";

pub(crate) const ENDPOINT: Endpoint =
    Endpoint::new(&cambios::OPERATION, CALLS, |context, payload| Box::pin(changes(context, payload)));

async fn changes(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    let request = CheckedRequest::check(context, payload).await?;
    let call = request.charge(|| 0).await?;
    let fields = request.fields()?;
    let from = fields.date_if_any("desde")?;
    let limit = fields.has("limite").then(|| fields.number("limite")).transpose()?;
    let all = fields.flag("todos")?;
    let names = fields.has("datos").then(|| fields.list("datos", DATA, false)).transpose()?;
    let names: Option<Vec<_>> = names.map(|names| names.into_iter().filter_map(Item::into_text).collect());
    let names: Option<Vec<&str>> = names.as_ref().map(|names| names.iter().map(|name| &**name).collect());
    let query =
        ChangesQuery { from: from.as_deref().map(str::trim), limit: limit.as_deref(), all, data: names.as_deref() };
    let read = request.instance.watching.changes(call, query).await;
    let read = read.map_err(|error| failed(&error))?;
    if read.is_charged() {
        request.charge_more(call, context.terms.cost).await?;
    }
    let ChangesPage { page, watched, next } = read;
    let record = FeedRecord {
        cambios: page.changes.iter().map(|change| change_record(change, watched.as_deref())).collect(),
        siguiente: Cow::Borrowed(&next),
        al_dia: page.is_last,
    };
    Ok(ApiResponse::with_data(context.took(), &record))
}

pub(crate) fn change_record<'a>(change: &'a FeedChange, watched: Option<&'a WatchedSet>) -> FeedChangeRecord<'a> {
    FeedChangeRecord {
        ruc: change.ruc,
        codigo: watched.and_then(|watched| watched.code(change.ruc)).map(Cow::Borrowed),
        fecha: change.date,
        edicion: Cow::Borrowed(&change.edition),
        dato: Cow::Borrowed(change.what.datum.name()),
        antes: Cow::Borrowed(&change.what.before),
        despues: Cow::Borrowed(&change.what.after),
    }
}

fn failed(error: &ChangesError) -> Failure {
    let first = |since: &Date| format!("La primera fecha que se puede pedir es {since}.");
    match error {
        ChangesError::Limit => ApiResponse::invalid("El campo limite debe ser un número de 1 a 1000.".to_owned()),
        ChangesError::Datum { found, known } => {
            let found: String = found.chars().take(40).collect();
            ApiResponse::invalid(format!("El dato {found:?} no existe. Los datos son: {}.", known.join(", ")))
        }
        ChangesError::Cursor { since: None } | ChangesError::Feed(FeedError::NotRecorded { since: None }) => {
            let response = ApiResponse::new(ResultCode::ServiceUnavailable).with_message(NO_EDITION);
            Box::new(response.retry_after(RETRY_AFTER))
        }
        ChangesError::Cursor { since: Some(since) } => ApiResponse::invalid(format!(
            "El campo desde debe ser un cursor de esta cuenta o una fecha AAAA-MM-DD. {}",
            first(since)
        )),
        ChangesError::Feed(FeedError::NotRecorded { since: Some(since) }) => {
            let message = format!("El registro de cambios no llega sin huecos hasta ahí. {}", first(since));
            let response = ApiResponse::new(ResultCode::CursorExpired).with_message(message);
            Box::new(response.with_dates(ErrorDates::Since(*since)))
        }
        ChangesError::Feed(FeedError::Unreadable(_)) => {
            let response = ApiResponse::new(ResultCode::ServiceUnavailable);
            Box::new(response.retry_after(RETRY_AFTER).with_cause(logs::chain(error)))
        }
        ChangesError::Store(error) => Box::new(admission::store_unavailable(error)),
    }
}
