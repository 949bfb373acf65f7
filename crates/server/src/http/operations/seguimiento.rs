//! `POST /seguimiento` and `GET /seguimiento`: the RUCs that an account watches.

use std::borrow::Cow;

use actix_web::dev::Payload;
use kuraka_api::{InvalidRucRecord, WatchChangeRecord, WatchListRecord, WatchedRecord, seguimiento};
use kuraka_app::watching::MAX_RUCS;
use kuraka_app::{ChangeListError, WatchedPage};
use kuraka_domain::ResultCode;
use kuraka_ports::{WatchCode, WatchEntry, WatchListChange, WatchedRuc};

use crate::http::admission::CheckedRequest;
use crate::http::context::RequestContext;
use crate::http::endpoint::Endpoint;
use crate::http::handle;
use crate::http::object::{Item, Object};
use crate::http::response::{ApiResponse, Failure};
use crate::http::ruc_field;

/// A call waits only for the store.
const CALLS: usize = 128;

pub(crate) const CHANGE: Endpoint =
    Endpoint::new(&seguimiento::CHANGE, CALLS, |context, payload| Box::pin(change(context, payload)));

pub(crate) const LIST: Endpoint =
    Endpoint::new(&seguimiento::LIST, CALLS, |context, payload| Box::pin(list(context, payload)));

async fn change(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    let (request, call) = CheckedRequest::admit(context, payload).await?;
    let fields = request.fields()?;
    let list = |field, objects| fields.list_if_any(field, usize::MAX, objects);
    let (add, remove) = (list("agregar", true)?, list("quitar", false)?);
    if !fields.has("agregar") && !fields.has("quitar") {
        return Err(ApiResponse::invalid("Falta el campo agregar o quitar."));
    }
    let found = add.len() + remove.len();
    if found > MAX_RUCS {
        let message = format!("Se agregan y quitan hasta {MAX_RUCS} RUC a la vez, y son {found}.");
        return Err(ApiResponse::invalid(message));
    }
    let place = handle::place(context.api, &call.caller)?;
    let mut bad = Vec::new();
    let add: Vec<_> = add.into_iter().filter_map(|item| valid(watched(item), &mut bad)).collect();
    let remove: Vec<_> = remove
        .into_iter()
        .filter_map(Item::into_text)
        .filter_map(|text| valid(ruc_field::parse(&text).map_err(|message| (text, message)), &mut bad))
        .collect();
    let changed = request.instance.watching.change(call, &add, &remove).await;
    let WatchListChange { total, added, removed, .. } = changed.map_err(|error| match error {
        ChangeListError::Full => {
            let message = format!("Su plan permite seguir {} RUC: no se cambió nada.", call.caller.plan.watched);
            Box::new(ApiResponse::new(ResultCode::WatchLimitExceeded).with_message(message))
        }
        ChangeListError::NotCharged(refusal) => request.refused(refusal),
        ChangeListError::Store(error) => error.into(),
    })?;
    context.api.metrics.record_charge(context.kind(), call.queries());
    let no_validos =
        bad.iter().map(|(ruc, message)| InvalidRucRecord { ruc: Cow::Borrowed(ruc), message: Cow::Borrowed(message) });
    let record = WatchChangeRecord { total, agregados: added, quitados: removed, no_validos: no_validos.collect() };
    let mut response = ApiResponse::with_data(context.took(), &record);
    response.place = Some(place);
    Ok(response)
}

/// What was sent, and why it is invalid.
type Invalid<'a> = (Cow<'a, str>, String);

fn valid<'a, T>(read: Result<T, Invalid<'a>>, bad: &mut Vec<Invalid<'a>>) -> Option<T> {
    read.map_err(|error| bad.push(error)).ok()
}

fn watched(item: Item<'_>) -> Result<WatchedRuc, Invalid<'_>> {
    let parsed = |text: Cow<'_, str>| ruc_field::parse(&text);
    match item {
        Item::Text(text) => match ruc_field::parse(&text) {
            Ok(ruc) => Ok(WatchedRuc { ruc, code: None }),
            Err(message) => Err((text, message)),
        },
        Item::Object(Err(error)) => Err((Cow::Borrowed(""), error.to_string())),
        Item::Object(Ok(fields)) => {
            let ruc = fields.text("ruc").map_err(|error| error.to_string()).and_then(parsed);
            let read = ruc.and_then(|ruc| Ok(WatchedRuc { ruc, code: code(&fields)? }));
            read.map_err(|message| (fields.shown("ruc"), message))
        }
    }
}

fn code(fields: &Object<'_>) -> Result<Option<WatchCode>, String> {
    let text = fields.text_if_any("codigo").map_err(|error| error.to_string())?;
    WatchCode::parse(text.as_deref().unwrap_or_default())
        .map_err(|_| "El campo codigo tiene 40 caracteres como máximo, sin saltos de línea.".to_owned())
}

async fn list(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    let (request, call) = CheckedRequest::admit(context, payload).await?;
    let cursor = request.fields()?.text_if_any("cursor")?;
    let page = request.instance.watching.watched(call, cursor.as_deref(), MAX_RUCS).await?;
    let Some(WatchedPage { total, rucs, next }) = page else {
        let message = "El cursor no es de esta lista: envíe el que vino en siguiente, o ninguno.";
        return Err(ApiResponse::invalid(message));
    };
    let record = WatchListRecord {
        total,
        rucs: rucs.iter().map(record).collect(),
        siguiente: next.as_deref().map(Cow::Borrowed),
    };
    Ok(ApiResponse::with_data(context.took(), &record))
}

fn record(WatchEntry { watched: WatchedRuc { ruc, code }, .. }: &WatchEntry) -> WatchedRecord<'_> {
    WatchedRecord { ruc: *ruc, codigo: code.as_ref().map(|code| Cow::Borrowed(code.as_str())) }
}
