//! `POST /mcp`: the operations as tools of agents, over the Model Context Protocol. The call of a tool is made a call of its
//! operation and answered by the same code, with its admission, charge, counters and log line.
//!
//! A handler of our own, because it is the smaller: without sessions and streams the protocol is five methods, while the
//! official library needs a bridge between two versions of `http` and 17 crates.

mod message;

use std::sync::Arc;

use actix_http::Request;
use actix_web::body::{self, BoxBody};
use actix_web::dev::{Payload, RequestHead, Response};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode, Uri};
use futures_util::future::join_all;
use kuraka_api::tools::Tool;
use kuraka_app::Place;
use kuraka_app::{CalledOperation, Caller, calendar};
use kuraka_domain::{Envelope, ResultCode};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::admission::CheckedRequest;
use super::api::Api;
use super::context::{CallTerms, RequestContext};
use super::handle;
use super::request_id::{self, X_REQUEST_ID};
use super::response::{ApiResponse, Failure, X_REGISTRY_EDITION};
use super::route::Route;
use crate::metrics::{Kind, MCP};
use message::{INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, Message, ProtocolError, STATELESS, WITH_HANDSHAKE};

pub(crate) const PATH: &str = "/mcp";
/// In bytes. A hundred RUCs with a date each have 6 KiB.
const BODY_LIMIT: usize = 16 * 1024;
/// The headers of a message that its operation's call has too.
const KEPT: [HeaderName; 3] = [header::AUTHORIZATION, HeaderName::from_static("x-forwarded-for"), X_REQUEST_ID];
/// For which a client may keep the list of tools.
const LIST_MILLISECONDS: u64 = 3_600_000;
const FOREIGN: &str = "La página o la dirección de esta petición no es de este servicio.";
const TOO_MANY: &str =
    "Su cuenta tiene demasiadas llamadas de herramientas a la vez. Espere a que termine una y repita la llamada.";
const INSTRUCTIONS: &str = "Contribuyentes y comprobantes de pago del Perú. Decida por code y ausencia_probada: \"no existe\" \
                            es una respuesta; \"no se pudo averiguar\" es un error, que con retryable se puede repetir.";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Called<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    content: [Text<'a>; 1],
    structured_content: &'a RawValue,
    is_error: bool,
}

/// The call of a tool: an operation and its body, or why there is none.
enum Requested<'a> {
    Call(&'static str, &'a str),
    Refused(String),
}

#[derive(Serialize)]
struct Text<'a> {
    r#type: &'static str,
    text: &'a str,
}

/// Answers a request at [`PATH`]; `call` answers an operation's. `index` is that of the limit of messages in progress.
/// `is_alone`: in no array, which has a place for all its answers.
pub(super) async fn answer(
    api: &Api,
    index: usize,
    mut request: Request,
    call: &impl AsyncFn(&'static str, Request) -> Response<BoxBody>,
    is_alone: bool,
) -> Response<BoxBody> {
    let payload = request.take_payload();
    // The operation's call has the same.
    let id = request_id::from_headers(&request.head().headers);
    request.head_mut().headers.insert(X_REQUEST_ID, id);
    let operation = CalledOperation { name: MCP, index, in_usage: false };
    let kind = Kind::from_operation(operation);
    let terms = CallTerms { kind, operation, body_limit: BODY_LIMIT, ..CallTerms::OTHER };
    let context = RequestContext::begin(api, request.head(), Route::Mcp, terms);
    handle::handle(&context, respond(&context, payload, call, is_alone)).await
}

async fn respond(
    context: &RequestContext<'_>,
    payload: Payload,
    call: &impl AsyncFn(&'static str, Request) -> Response<BoxBody>,
    is_alone: bool,
) -> Result<ApiResponse, Failure> {
    if context.request.method != Method::POST {
        let refused = ApiResponse::new(ResultCode::MethodNotAllowed);
        return Err(Box::new(refused.header(header::ALLOW, HeaderValue::from_static("POST"))));
    }
    let mut request = CheckedRequest::check(context, payload).await?;
    if !is_own(&context.request.headers, context.api.public_url.as_deref()) {
        return Err(Box::new(ApiResponse::new(ResultCode::Forbidden).with_message(FOREIGN).caller(&request.caller)));
    }
    let body = request.take_body();
    let text = String::from_utf8_lossy(&body);
    let batch = message::batch(&text, &context.request.headers);
    if let Ok(Some(messages)) = &batch {
        return answer_batch(context, request, messages, call).await;
    }
    let answered = match batch.and_then(|_| Message::read(&text, &context.request.headers)) {
        Ok(Some(message)) if message.method == "tools/call" => match requested(&message) {
            Ok(Requested::Call(operation, arguments)) => {
                // Before the charge of the call.
                let place = is_alone.then(|| place(context, &request.caller)).transpose()?;
                let answer = call(operation, operation_request(context.request, operation, arguments)).await;
                let answer = called(context, &message, answer).await?;
                return Ok(with_place(context, &request.caller, answer, place));
            }
            Ok(Requested::Refused(text)) => refused(&message, text).map(Some),
            Err(error) => Err(error),
        },
        Ok(Some(message)) => result(context, &message).map(|result| Some(message.answer(&result.to_string()))),
        Ok(None) => Ok(None),
        Err(error) => Err(error),
    };
    request.charge(|| 0).await?;
    Ok(match answered {
        Ok(None) => ApiResponse::empty(StatusCode::ACCEPTED),
        Ok(Some(answer)) => ApiResponse::with_json(context.took(), answer),
        Err(error) if !error.is_status => ApiResponse::with_json(context.took(), error.json().to_string()),
        Err(error) => {
            let status = if error.code == METHOD_NOT_FOUND { 404 } else { 400 };
            let mut refused = ApiResponse::new(ResultCode::InvalidInput);
            refused.reshape(|_, _, _| (status, error.json().to_string()));
            refused
        }
    })
}

/// Answers each message as if it was sent alone: admitted, charged, limited, counted and logged, which the array is not.
async fn answer_batch(
    context: &RequestContext<'_>,
    request: CheckedRequest<'_>,
    messages: &[&RawValue],
    call: &impl AsyncFn(&'static str, Request) -> Response<BoxBody>,
) -> Result<ApiResponse, Failure> {
    // Each message waits for a permit of its own.
    let caller = request.into_caller();
    let place = place(context, &caller)?;
    context.is_counted.set(false);
    let index = context.terms.operation.index;
    let answers = messages.iter().map(async |message| {
        let request = operation_request(context.request, MCP, message.get());
        let answer = Box::pin(answer(context.api, index, request, call, false)).await;
        let retry_after =
            answer.headers().get(header::RETRY_AFTER).and_then(|it| it.to_str().ok()?.parse::<u64>().ok());
        let body = body::to_bytes(answer.into_body()).await.unwrap_or_default();
        let mut envelope: Value = serde_json::from_slice(&body).unwrap_or_default();
        if body.is_empty() || envelope.get("jsonrpc").is_some() {
            // As it is written, so that an amount keeps its digits.
            return String::from_utf8_lossy(&body).into_owned();
        }
        // A notification is never answered.
        if matches!(Message::read(message.get(), &context.request.headers), Ok(None)) {
            return String::new();
        }
        if let (Some(seconds), Some(envelope)) = (retry_after, envelope.as_object_mut()) {
            envelope.insert("retry_after".to_owned(), seconds.into());
        }
        message::not_answered(message.get(), &envelope).to_string()
    });
    let answers: Vec<String> = join_all(answers).await.into_iter().filter(|answer| !answer.is_empty()).collect();
    if answers.is_empty() {
        return Ok(ApiResponse::empty(StatusCode::ACCEPTED).caller(&caller));
    }
    Ok(with_place(context, &caller, format!("[{}]", answers.join(",")), Some(place)))
}

/// For the answer, which may be large.
fn place(context: &RequestContext<'_>, caller: &Caller) -> Result<Place, Failure> {
    handle::place(context.api, caller).map_err(|refusal| Box::new(refusal.with_message(TOO_MANY)))
}

/// An answer, which keeps the place if it is large.
fn with_place(context: &RequestContext<'_>, caller: &Arc<Caller>, answer: String, place: Option<Place>) -> ApiResponse {
    let mut response = ApiResponse::with_json(context.took(), answer).caller(caller);
    response.place = place.filter(|_| response.is_large());
    response
}

/// Whether the request comes from no page or from one of this service, and is sent to its name.
fn is_own(headers: &HeaderMap, public_url: Option<&str>) -> bool {
    let text = |value: &HeaderValue| value.to_str().unwrap_or_default().to_ascii_lowercase();
    let is_host = |value: &HeaderValue| public_url.is_none_or(|url| is_host_of(url, &text(value)));
    headers.get_all(header::ORIGIN).all(|origin| public_url == Some(text(origin).as_str()))
        && headers.get_all(header::HOST).all(is_host)
}

/// Whether a `Host` is a URL's, which may leave out the usual port.
fn is_host_of(url: &str, host: &str) -> bool {
    let (scheme, own) = url.split_once("://").unwrap_or(("https", url));
    let usual = if scheme == "http" { ":80" } else { ":443" };
    own.strip_suffix(usual).unwrap_or(own) == host.strip_suffix(usual).unwrap_or(host)
}

fn requested<'m>(message: &'m Message<'_>) -> Result<Requested<'m>, ProtocolError> {
    let name = message.params.name.as_deref().unwrap_or_default();
    let unknown = || message.error(INVALID_PARAMS, format!("there is no tool {name}"));
    let tool = Tool::named(name).ok_or_else(unknown)?;
    let arguments = message.params.arguments.map_or("{}", RawValue::get);
    let fields: Value = serde_json::from_str(arguments).unwrap_or_default();
    let operation = tool.operation(&fields);
    Ok(operation.map_or_else(Requested::Refused, |operation| Requested::Call(operation, arguments)))
}

fn operation_request(head: &RequestHead, operation: &str, body: &str) -> Request {
    let mut request = Request::with_payload(Payload::from(body.as_bytes().to_vec()));
    let inner = request.head_mut();
    inner.method = Method::POST;
    // A segment of letters and hyphens is a path.
    inner.uri = Uri::try_from(format!("/{operation}")).unwrap_or_default();
    inner.peer_addr = head.peer_addr;
    for name in KEPT {
        for value in head.headers.get_all(&name) {
            inner.headers.append(name.clone(), value.clone());
        }
    }
    inner.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    request
}

/// The answer to the call of a tool, from the operation's.
async fn called(
    context: &RequestContext<'_>,
    message: &Message<'_>,
    answer: Response<BoxBody>,
) -> Result<String, Failure> {
    let failed = |cause: String| Box::new(ApiResponse::new(ResultCode::InternalError).with_cause(cause));
    let text = |name: &HeaderName| Some(answer.headers().get(name)?.to_str().ok()?.to_owned());
    let (edition, retry_after) = (text(&X_REGISTRY_EDITION), text(&header::RETRY_AFTER));
    let is_found = answer.status().is_success();
    let day = match &edition {
        Some(label) => label.get(..10).map(str::to_owned),
        // What is asked at this moment has no edition.
        None => is_found.then(|| calendar::today(context.api.clock.now()).to_string()),
    };
    let body = body::to_bytes(answer.into_body()).await.map_err(|error| failed(error.to_string()))?;
    let envelope: Value = serde_json::from_slice(&body).map_err(|error| failed(error.to_string()))?;
    let is_absent = is_absent(&envelope);
    let mut more = json!({"edicion": edition, "fecha": day, "ausencia_probada": is_absent});
    if let (Some(seconds), Some(more)) = (retry_after.and_then(|it| it.parse::<u64>().ok()), more.as_object_mut()) {
        more.insert("retry_after".to_owned(), seconds.into());
    }
    let written = write(message, &String::from_utf8_lossy(&body), &more, !is_found && !is_absent);
    written.map_err(|error| failed(error.to_string()))
}

/// The answer to a call of a tool that is no operation's call.
fn refused(message: &Message<'_>, text: String) -> Result<String, ProtocolError> {
    let envelope = Envelope::<()>::Failed { code: ResultCode::InvalidInput, message: text.into(), dates: None };
    let more = json!({"edicion": null, "fecha": null, "ausencia_probada": false});
    let written = serde_json::to_string(&envelope).and_then(|envelope| write(message, &envelope, &more, true));
    written.map_err(|error| message.error(INTERNAL_ERROR, error.to_string()))
}

/// Whether an answer proves that what was asked for does not exist. That the tax authority does not have a voucher proves
/// nothing: it may be reported later, or have another date or amount.
fn is_absent(envelope: &Value) -> bool {
    let is = |pointer: &str, value: Value| envelope.pointer(pointer) == Some(&value);
    is("/code", ResultCode::DocumentNotFound.as_str().into()) || is("/data/en_fecha/existe", false.into())
}

/// Joins envelope and fields as they are written, so that an amount keeps its digits.
fn write(message: &Message<'_>, envelope: &str, more: &Value, is_error: bool) -> serde_json::Result<String> {
    let (envelope, more) = (envelope.trim_end(), more.to_string());
    let joined = format!("{},{}", envelope.strip_suffix('}').unwrap_or(envelope), more.trim_start_matches('{'));
    let structured = RawValue::from_string(joined)?;
    let result = Called {
        result_type: message.is_stateless.then_some("complete"),
        content: [Text { r#type: "text", text: structured.get() }],
        structured_content: &structured,
        is_error,
    };
    Ok(message.answer(&serde_json::to_string(&result)?))
}

/// The result of any method but the call of a tool.
fn result(context: &RequestContext<'_>, message: &Message<'_>) -> Result<Value, ProtocolError> {
    let info = json!({"name": "kuraka", "title": "Kuraka", "version": env!("CARGO_PKG_VERSION")});
    let capabilities = json!({"tools": {"listChanged": false}});
    let mut result = match (&*message.method, message.is_stateless) {
        ("initialize", false) => {
            let wanted = message.params.protocol_version.as_deref();
            let version = WITH_HANDSHAKE.into_iter().find(|version| wanted == Some(version));
            let version = version.unwrap_or(WITH_HANDSHAKE[0]);
            json!({"protocolVersion": version, "capabilities": capabilities, "serverInfo": info,
                "instructions": INSTRUCTIONS})
        }
        ("ping", false) => json!({}),
        ("server/discover", true) => {
            let versions = [&[STATELESS][..], &WITH_HANDSHAKE].concat();
            json!({"supportedVersions": versions, "capabilities": capabilities, "instructions": INSTRUCTIONS})
        }
        ("tools/list", _) => json!({"tools": context.api.documents.tools()}),
        (method, _) => return Err(message.error(METHOD_NOT_FOUND, format!("there is no method {method}"))),
    };
    if let (true, Some(result)) = (message.is_stateless, result.as_object_mut()) {
        result.insert("resultType".to_owned(), "complete".into());
        result.insert("ttlMs".to_owned(), LIST_MILLISECONDS.into());
        result.insert("cacheScope".to_owned(), "private".into());
        result.insert("_meta".to_owned(), json!({"io.modelcontextprotocol/serverInfo": info}));
    }
    Ok(result)
}
