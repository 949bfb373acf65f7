//! Admits a call: all checks between route and use case, in the contract's order. Only this module of the HTTP layer
//! uses the app's admission.

use std::borrow::Cow;
use std::mem;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::Method;
use actix_web::http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, WWW_AUTHENTICATE};
use kuraka_api::spanish;
use kuraka_app::{AdmitError, AuthenticateError, Caller, ChargedCall, Permit, calendar, token};
use kuraka_domain::ResultCode;
use kuraka_ports::StoreError;

use super::address;
use super::body::{self, Body};
use super::code::inactive_message;
use super::context::RequestContext;
use super::dialects::DialectRoute;
use super::instance::Instance;
use super::limits::Limits;
use super::media_type::{MediaType, MediaTypeError};
use super::multipart;
use super::object::{Object, ObjectError};
use super::query_token;
use super::response::{ApiResponse, Failure};
use super::route::{Parameter, Route};
use crate::logs;

/// In seconds, of a call without a permit: calls end all the time.
const RETRY_AFTER: u64 = 1;
const TOKEN_IN_QUERY: &str = "El token no va en la dirección: envíe el encabezado Authorization: Bearer <token>. \
                              Reemplace el token si ya viajó en una dirección.";
const JSON_OR_FORM: &str = "El cuerpo debe ser JSON o un formulario. Envíe el encabezado Content-Type: \
                            application/json o application/x-www-form-urlencoded.";

const JSON_OR_LINES: &str = "El cuerpo debe ser JSON, o texto con un elemento por línea. Envíe el encabezado \
                             Content-Type: application/json o text/plain.";
const JSON_FORM_OR_LINES: &str = "El cuerpo debe ser JSON, un formulario, o texto con un elemento por línea. Envíe el \
                                  encabezado Content-Type: application/json, application/x-www-form-urlencoded o \
                                  text/plain.";
const NOT_UTF_8: &str = "El cuerpo debe estar en UTF-8. Indique charset=utf-8 en el encabezado Content-Type, o ningún \
                         charset.";
const NOT_BEARER: &str = "El encabezado Authorization debe decir Bearer, un espacio y el token: Authorization: Bearer \
                          <token>.";
/// Names under which clients of the original interface send a token outside the headers.
const SENT_TOKEN: [&str; 2] = ["api_token", "token"];
const NO_TOKEN: &str = "Falta el token. Envíe el encabezado Authorization: Bearer <token>; los tokens se crean en el \
                        panel.";
const NOT_GENUINE: &str =
    "El token está mal copiado o no es de este servicio. Cópielo entero, sin comillas ni espacios.";
const UNKNOWN: &str = "El token no existe, venció o fue revocado. Cree otro en el panel.";

/// `WWW-Authenticate` without a token.
const CHALLENGE: HeaderValue = HeaderValue::from_static("Bearer realm=\"kuraka\"");
/// `WWW-Authenticate` for an invalid token.
const CHALLENGE_INVALID: HeaderValue = HeaderValue::from_static("Bearer realm=\"kuraka\", error=\"invalid_token\"");

/// A request that passed the checks before the rate.
pub(crate) struct CheckedRequest<'a> {
    context: &'a RequestContext<'a>,
    pub(crate) caller: Arc<Caller>,
    pub(crate) instance: &'a Instance,
    source: FieldSource<'a>,
    body: Vec<u8>,
    _permit: Permit<'a>,
}

pub(crate) struct Authenticated<'a> {
    pub(crate) caller: Arc<Caller>,
    instance: &'a Instance,
    _permit: Permit<'a>,
}

/// Where the fields of a call are.
#[derive(Clone, Copy)]
enum FieldSource<'a> {
    /// At most one field in the path of a `GET`, and the query string if a parameter of it is read. A body is ignored.
    Path(Option<Parameter<'a>>, Option<(&'a str, &'static str)>),
    /// In the query string, one perhaps in the path.
    Query(Option<Parameter<'a>>, &'a str),
    Json,
    Form,
    /// In a form in parts, with its boundary.
    Multipart(&'a str),
    /// This list, one item a line.
    Lines(&'static str),
}

impl<'a> FieldSource<'a> {
    fn read(self, body: &'a [u8]) -> Result<Object<'a>, ObjectError> {
        match self {
            Self::Path(parameter, None) => Ok(Object::from_path(parameter)),
            Self::Path(parameter, Some((query, known))) => Object::from_path_and_query(parameter, query, known),
            Self::Query(parameter, query) => {
                Object::from_form(query.as_bytes()).map(|fields| fields.with_path(parameter))
            }
            Self::Json => Object::parse(body),
            Self::Form => Object::from_form(body),
            Self::Multipart(boundary) => Object::from_multipart(body, boundary),
            Self::Lines(list) => Ok(Object::from_lines(list, body)),
        }
    }
}

impl<'a> CheckedRequest<'a> {
    pub(crate) async fn check(context: &'a RequestContext<'_>, payload: Payload) -> Result<Self, Failure> {
        let body = body::read(context.request, payload, context.terms.body_limit).await;
        match check(context, &body).await {
            Ok((Authenticated { caller, instance, _permit }, source)) => {
                Ok(Self { context, caller, instance, source, body: body.into_bytes(), _permit })
            }
            Err(response) => Err(Box::new(response.with_unread_body(body.into_unread()))),
        }
    }

    /// All checks and the charge.
    pub(crate) async fn admit(
        context: &'a RequestContext<'_>,
        payload: Payload,
    ) -> Result<(Self, &'a ChargedCall), Failure> {
        let request = Self::check(context, payload).await?;
        let call = request.charge(|| context.terms.cost).await?;
        Ok((request, call))
    }

    /// The body, which is no longer here.
    pub(crate) fn take_body(&mut self) -> Vec<u8> {
        mem::take(&mut self.body)
    }

    /// Releases the permit.
    pub(crate) fn into_caller(self) -> Arc<Caller> {
        self.caller
    }

    pub(crate) fn fields(&self) -> Result<Object<'_>, ObjectError> {
        let fields = self.source.read(&self.body)?.lenient(self.context.route.is_legacy());
        let Route::Dialect(route @ DialectRoute { called: Some(called), .. }) = self.context.route else {
            return Ok(fields);
        };
        let Some((_, name)) = route.target() else { return Ok(fields) };
        let parameter = called.parameter.map(|value| Parameter { name, value });
        Ok(fields.renamed(&called.form.parameter, name).with_path(parameter))
    }

    /// Applies the rate, and charges what `price` returns.
    pub(crate) async fn charge(&self, price: impl FnOnce() -> u64) -> Result<&'a ChargedCall, Failure> {
        let RequestContext { api, terms, call, .. } = self.context;
        let charged = api.admission.admit(Arc::clone(&self.caller), terms.operation, price).await;
        let charged = charged.map_err(|refusal| self.refused(refusal))?;
        api.metrics.record_charge(self.context.kind(), charged.queries());
        // A request is admitted once, so the cell is empty.
        Ok(call.get_or_init(|| charged))
    }

    pub(crate) async fn charge_more(&self, call: &ChargedCall, queries: u64) -> Result<(), Failure> {
        let api = self.context.api;
        api.admission.charge(call, queries).await.map_err(|refusal| self.refused(refusal))?;
        api.metrics.record_charge(self.context.kind(), queries);
        Ok(())
    }

    /// Charges a query for each item of a batch that `count` does not call free. An unreadable body costs one, as in a
    /// single call.
    pub(crate) async fn charge_each<T>(
        &self,
        read: impl FnOnce() -> Result<Vec<T>, ObjectError>,
        count: impl FnOnce(&[T]) -> usize,
    ) -> Result<(&'a ChargedCall, Vec<T>), Failure> {
        let mut items = Ok(Vec::new());
        let call = self.charge(|| {
            items = read();
            items.as_ref().map_or(1, |items| count(items) as u64)
        });
        Ok((call.await?, items?))
    }

    pub(crate) fn refused(&self, refusal: AdmitError) -> Failure {
        Box::new(not_admitted(self.context, &self.caller, refusal))
    }
}

impl From<ObjectError> for Failure {
    fn from(error: ObjectError) -> Self {
        ApiResponse::invalid(error.to_string())
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Box::new(store_unavailable(&error))
    }
}

/// Runs the checks before the rate.
async fn check<'a>(
    context: &'a RequestContext<'_>,
    body: &Body,
) -> Result<(Authenticated<'a>, FieldSource<'a>), ApiResponse> {
    let admitted = authenticate(context, body).await?;
    let caller = &admitted.caller;
    let refused = |code| {
        caller.count(context.terms.operation, code);
        ApiResponse::new(code).caller(caller).limits(limits(context, caller))
    };
    let source = field_source(context, body).map_err(|why| {
        let response = refused(ResultCode::UnsupportedMediaType);
        match why {
            MediaTypeError::Charset => response.with_message(NOT_UTF_8),
            MediaTypeError::Other => match (context.route.takes_forms(), context.route.list_of_lines().is_some()) {
                (false, false) => response,
                (true, false) => response.with_message(JSON_OR_FORM),
                (false, true) => response.with_message(JSON_OR_LINES),
                (true, true) => response.with_message(JSON_FORM_OR_LINES),
            },
        }
    })?;
    match body {
        Body::Whole(_) => Ok((admitted, source)),
        // A body that clients of the original interface send with a `GET` is not read.
        Body::TooLarge(None) if matches!(source, FieldSource::Query(..)) => Ok((admitted, source)),
        Body::TooLarge(_) => {
            let message = format!("El cuerpo supera los {} KiB permitidos.", context.terms.body_limit / 1024);
            Err(refused(ResultCode::PayloadTooLarge).with_message(message))
        }
        Body::Broken(_) => Err(refused(ResultCode::InvalidInput)),
    }
}

fn not_admitted(context: &RequestContext<'_>, caller: &Arc<Caller>, refusal: AdmitError) -> ApiResponse {
    let with_limits = |response: ApiResponse, limits| response.caller(caller).limits(Limits::new(&caller.plan, limits));
    match refusal {
        AdmitError::TooFast { retry_after, limits } => {
            with_limits(ApiResponse::new(ResultCode::RateLimited), limits).retry_after(retry_after)
        }
        AdmitError::Exhausted { queries, left, limits } => {
            // Without `Retry-After`, with which a client would sleep for days. `RateLimit` has the seconds.
            let response = with_limits(ApiResponse::new(ResultCode::QuotaExceeded), limits);
            if queries <= 1 && !context.terms.is_list {
                return response;
            }
            let queries = format!("{queries} consulta{}", if queries == 1 { "" } else { "s" });
            let left = format!("{} {left}", if left == 1 { "queda" } else { "quedan" });
            let month = spanish::month(calendar::next(calendar::period(context.api.clock.now())).month);
            response.with_message(format!(
                "La lista cuesta {queries} y a su plan le {left} en este mes: no se descontó nada. Se renuevan el 1 de \
                 {month}."
            ))
        }
        AdmitError::Store { error, limits } => with_limits(store_unavailable(&error), limits),
    }
}

/// Where the fields are. Forms are accepted where the route takes them; the contract's own paths take JSON.
fn field_source<'a>(context: &RequestContext<'a>, body: &Body) -> Result<FieldSource<'a>, MediaTypeError> {
    let (is_get, is_legacy) = (context.request.method == Method::GET, context.route.is_legacy());
    if is_legacy && (is_get || body.is_blank()) {
        return Ok(FieldSource::Query(context.route.parameter(), context.request.uri.query().unwrap_or_default()));
    }
    if is_get {
        let query = context.request.uri.query().zip(context.terms.query_parameter);
        return Ok(FieldSource::Path(context.route.parameter(), query));
    }
    let content_type = context.request.headers.get(CONTENT_TYPE);
    match (MediaType::from_content_type(content_type)?, context.route.list_of_lines()) {
        (MediaType::Json, _) => Ok(FieldSource::Json),
        (MediaType::Form, _) if context.route.takes_forms() => Ok(FieldSource::Form),
        (MediaType::Text, Some(list)) => Ok(FieldSource::Lines(list)),
        (MediaType::Multipart, _) if is_legacy => {
            let content_type = content_type.and_then(|value| value.to_str().ok()).unwrap_or_default();
            multipart::parameter(content_type, "boundary").map(FieldSource::Multipart).ok_or(MediaTypeError::Other)
        }
        (MediaType::Form | MediaType::Multipart | MediaType::Text, _) => Err(MediaTypeError::Other),
    }
}

/// The token in the query string or body, where the operator allows it.
fn sent_token(context: &RequestContext<'_>, body: &Body) -> Option<String> {
    if !context.takes_sent_tokens() {
        return None;
    }
    let names = if let Route::Dialect(route) = &context.route {
        route.named.dialect.token_fields().collect()
    } else {
        SENT_TOKEN.to_vec()
    };
    let token = |fields: Object<'_>| names.iter().find_map(|name| fields.find_text(name).map(Cow::into_owned));
    let in_query = Object::from_form(context.request.uri.query().unwrap_or_default().as_bytes()).ok();
    [in_query, body_fields(context, body)].into_iter().flatten().find_map(token)
}

/// The fields of the body, if they are readable.
pub(crate) fn body_fields<'a>(context: &'a RequestContext<'_>, body: &'a Body) -> Option<Object<'a>> {
    let bytes = if let Body::Whole(bytes) = body { bytes.as_slice() } else { &[] };
    field_source(context, body).ok().and_then(|source| source.read(bytes).ok())
}

/// Takes a permit, finds the token's caller, and chooses what answers it. The body may have the token.
pub(crate) async fn authenticate<'a>(
    context: &'a RequestContext<'_>,
    body: &Body,
) -> Result<Authenticated<'a>, ApiResponse> {
    let sent = sent_token(context, body);
    let refused = |challenge, message| {
        ApiResponse::new(ResultCode::Unauthenticated).header(WWW_AUTHENTICATE, challenge).with_message(message)
    };
    let in_query = !context.takes_sent_tokens() && context.request.uri.query().is_some_and(query_token::is_in);
    let own = if let Route::Dialect(route) = context.route { route.token(&context.request.headers) } else { None };
    let token = match own.map_or_else(|| presented(&context.request.headers), Presented::Token) {
        Presented::Nothing if let Some(token) = &sent => {
            context.has_sent_token.set(true);
            token.trim().as_bytes()
        }
        Presented::Nothing | Presented::Other if in_query => return Err(refused(CHALLENGE, TOKEN_IN_QUERY)),
        Presented::Nothing => return Err(refused(CHALLENGE, NO_TOKEN)),
        Presented::Other => return Err(refused(CHALLENGE, NOT_BEARER)),
        // Two tokens, as with two headers (RFC 6750, 3.1).
        Presented::Token(_) | Presented::Several if in_query => {
            return Err(ApiResponse::new(ResultCode::InvalidInput).with_message(TOKEN_IN_QUERY));
        }
        Presented::Token(token) => token,
        Presented::Several => {
            let message = "El encabezado Authorization está repetido; envíelo una sola vez.";
            return Err(ApiResponse::new(ResultCode::InvalidInput).with_message(message));
        }
    };
    let from = || address::client(context.request, &context.api.trusted_proxies);
    let kind = *context.token_kind.get_or_init(|| token::kind(token));
    let Some(limit) = context.api.limits(kind).concurrency.get(context.terms.operation.index) else {
        return Err(ApiResponse::new(ResultCode::InternalError).with_cause("the operation has no limit of calls"));
    };
    let refuse = |account| context.api.refusals.count(account, from());
    let admitted = context.api.admission.authenticate(token, limit, from).await;
    let (caller, permit) = admitted.map_err(|error| match error {
        AuthenticateError::NotGenuine => {
            refuse(None);
            refused(CHALLENGE_INVALID, NOT_GENUINE)
        }
        AuthenticateError::Unknown => {
            refuse(None);
            refused(CHALLENGE_INVALID, UNKNOWN)
        }
        // Counted but not logged: a flood of calls must not become a flood of warnings.
        AuthenticateError::Overloaded => ApiResponse::new(ResultCode::ServiceUnavailable).retry_after(RETRY_AFTER),
        AuthenticateError::Inactive(status) => {
            ApiResponse::new(ResultCode::Forbidden).with_message(inactive_message(status))
        }
        AuthenticateError::AddressNotAllowed(account) => {
            refuse(Some(account));
            ApiResponse::new(ResultCode::Forbidden)
                .with_message("El token no se puede usar desde esta dirección.")
                .with_cause(error.to_string())
        }
        AuthenticateError::NoSuchPlan(_) => ApiResponse::new(ResultCode::InternalError).with_cause(error.to_string()),
        AuthenticateError::Store(error) => store_unavailable(&error),
    })?;
    let instance = context.api.instances.for_kind(caller.kind).await.map_err(|error| {
        let failed = ApiResponse::new(ResultCode::ServiceUnavailable).retry_after(error.retry_after);
        failed.with_cause(logs::chain(&error))
    })?;
    Ok(Authenticated { caller, instance, _permit: permit })
}

pub(crate) fn limits(context: &RequestContext<'_>, caller: &Caller) -> Limits {
    Limits::new(&caller.plan, context.api.admission.limit_status(caller))
}

pub(crate) fn store_unavailable(error: &StoreError) -> ApiResponse {
    ApiResponse::new(ResultCode::ServiceUnavailable).retry_after(1).with_cause(logs::chain(error))
}

/// The `Authorization` header (RFC 6750).
#[derive(Debug, PartialEq, Eq)]
enum Presented<'a> {
    /// One Bearer token, not yet validated.
    Token(&'a [u8]),
    Nothing,
    /// Another or no scheme.
    Other,
    /// More than one, which is ambiguous.
    Several,
}

fn presented(headers: &HeaderMap) -> Presented<'_> {
    let mut headers = headers.get_all(AUTHORIZATION);
    match (headers.next(), headers.next()) {
        (None, _) => Presented::Nothing,
        (Some(_), Some(_)) => Presented::Several,
        (Some(value), None) => match value.as_bytes().split_at_checked("Bearer ".len()) {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case(b"Bearer ") => Presented::Token(token.trim_ascii()),
            Some(_) | None => Presented::Other,
        },
    }
}
