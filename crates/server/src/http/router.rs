//! Answers the operations and `/mcp`, in front of the actix-web app, which answers every other request. What an app does for a
//! request (its router, its own request with maps of extensions, boxed futures) costs more than a lookup.

use std::rc::Rc;

use actix_http::Request;
use actix_service::{IntoServiceFactory, Service, ServiceFactory, apply_fn_factory};
use actix_web::Error;
use actix_web::body::BoxBody;
use actix_web::dev::{AppConfig, Response, Url};
use actix_web::http::Uri;
use actix_web::web::Data;
use form_urlencoded::Serializer;
use futures_util::future::{Either, LocalBoxFuture};
use kuraka_api::{Method, Operation};

use super::api::Api;
use super::body::{self, Body};
use super::context::{CallTerms, RequestContext};
use super::dialects::{DialectRoute, NamedDialect};
use super::endpoint::Endpoint;
use super::route::{Parameter, Route};
use super::{admission, cors, fallback, handle, mcp};

struct Operations {
    api: Data<Api>,
    endpoints: Vec<Endpoint>,
}

struct Matched {
    index: usize,
    endpoint: Endpoint,
    prefix: &'static str,
    name: &'static str,
    is_legacy: bool,
    /// The name and the value of the field in the path.
    parameter: Option<(&'static str, Box<str>)>,
}

/// The operations of this table in front of `app`.
pub fn service<I, S>(
    api: Data<Api>,
    endpoints: Vec<Endpoint>,
    app: I,
) -> impl ServiceFactory<Request, Config = AppConfig, Response = Response<BoxBody>, Error = Error, InitError = S::InitError>
where
    I: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig, Error = Error>,
    S::Response: Into<Response<BoxBody>>,
{
    // An `Rc`, so that worker threads do not change one shared counter with every call.
    let operations = Rc::new(Operations { api, endpoints });
    apply_fn_factory(app, move |request: Request, app: &S::Service| {
        // What is boxed is larger than `answer`: each call would move as much.
        if let Some((dialect, path)) = operations.dialect(request.uri()) {
            let answer = Box::pin(answer_in_dialect(Rc::clone(&operations), dialect, path, request));
            return Either::Left(Either::Left(answer));
        }
        if request.uri().path() == mcp::PATH {
            return Either::Right(Either::Left(Box::pin(answer_message(Rc::clone(&operations), request))));
        }
        match operations.matched(request.method(), request.uri()) {
            Some(matched) => Either::Left(Either::Right(answer(Rc::clone(&operations), matched, request))),
            None => {
                let response = app.call(request);
                Either::Right(Either::Right(async { Ok(response.await?.into()) }))
            }
        }
    })
}

impl Operations {
    /// The index of the dialect that a path is in, and the path in it, without escapes.
    fn dialect(&self, uri: &Uri) -> Option<(usize, String)> {
        let url = uri.path().contains("/compat/").then(|| Url::new(uri.clone()))?;
        let mut dialects = self.api.dialects.iter().enumerate();
        dialects.find_map(|(index, named)| Some((index, named.path(url.path())?.to_owned())))
    }

    /// The operation with this path: `/name` or `/api/name`, for its name and its aliases, or either with one more
    /// segment, if a field of the operation may be in the path. Of two operations with the same path, the one with this
    /// method. Spare slashes are ignored where the path is one of the original interface.
    fn matched(&self, method: &actix_web::http::Method, uri: &Uri) -> Option<Matched> {
        let unescaped = uri.path().contains('%').then(|| Url::new(uri.clone()));
        let path = unescaped.as_ref().map_or(uri.path(), Url::path);
        let has_spare = path.ends_with('/') || path.contains("//");
        let tidy = has_spare.then(|| path.split('/').filter(|it| !it.is_empty()).flat_map(|it| ["/", it]).collect());
        let path = tidy.as_ref().map_or(path, String::as_str);
        let (prefix, path) = path.strip_prefix("/api/").map_or(("", path.strip_prefix('/')?), |rest| ("/api", rest));
        let (path, value) = path.split_once('/').map_or((path, None), |(path, value)| (path, Some(value)));
        let mut found = self.endpoints.iter().enumerate().filter_map(|(index, endpoint)| {
            let Operation { path: name, aliases, .. } = *endpoint.operation;
            let name = [name].into_iter().chain(aliases.iter().copied()).find(|name| *name == path)?;
            Some((index, *endpoint, name))
        });
        let first = found.next()?;
        let is = |own: Method| own.as_str() == method.as_str();
        let is_allowed = |endpoint: &Endpoint| is(endpoint.operation.method);
        let other =
            if value.is_some() || is_allowed(&first.1) { None } else { found.find(|(_, it, _)| is_allowed(it)) };
        let (index, endpoint, name) = other.unwrap_or(first);
        let parameter = match value {
            None => None,
            Some(value) if value.is_empty() || value.contains('/') => return None,
            Some(value) => Some((endpoint.operation.path_parameter?, value.into())),
        };
        let is_legacy_method = endpoint.operation.legacy_method.is_some_and(is) && parameter.is_none();
        let is_legacy = !prefix.is_empty() || name != endpoint.operation.path || is_legacy_method;
        (is_legacy || !has_spare).then_some(Matched { index, endpoint, prefix, name, is_legacy, parameter })
    }

    /// The row of the operation with this name, and its index.
    fn named(&self, name: &str) -> Option<(usize, Endpoint)> {
        self.endpoints.iter().copied().enumerate().find(|(_, endpoint)| endpoint.operation.name == name)
    }

    /// Answers a request to a route. `endpoint` is the operation's row in the table and its index, `methods` those that
    /// the path has.
    async fn answer(
        &self,
        mut request: Request,
        route: Route<'_>,
        endpoint: Option<(usize, Endpoint)>,
        methods: impl IntoIterator<Item = Method, IntoIter: Clone>,
    ) -> Response<BoxBody> {
        let payload = request.take_payload();
        let methods = methods.into_iter().map(Method::as_str);
        let is_allowed = methods.clone().any(|method| method == request.method().as_str());
        let terms = endpoint.filter(|_| is_allowed);
        let terms =
            terms.map_or(CallTerms::OTHER, |(index, it)| CallTerms::new(index, it.operation, route.is_legacy()));
        let context = RequestContext::begin(&self.api, request.head(), route, terms);
        let answer: LocalBoxFuture<'_, _> = match endpoint {
            None => Box::pin(fallback::no_route(&context, payload)),
            Some((_, Endpoint { handler, .. })) if is_allowed => handler(&context, payload),
            Some(_) if cors::is_preflight(request.head()) => Box::pin(fallback::preflight(&context, payload)),
            Some((_, Endpoint { operation, .. })) => {
                let allowed = methods.collect::<Vec<_>>().join(", ");
                Box::pin(fallback::method_not_allowed(&context, payload, operation, allowed))
            }
        };
        handle::handle(&context, answer).await
    }
}

async fn answer(operations: Rc<Operations>, matched: Matched, request: Request) -> Result<Response<BoxBody>, Error> {
    let Matched { index, endpoint, prefix, name, is_legacy, parameter } = matched;
    let operation = endpoint.operation;
    let parameter = parameter.as_ref().map(|(name, value)| Parameter { name, value });
    let method = if parameter.is_some() { Method::Get } else { operation.method };
    let others = operations.endpoints.iter().filter(|it| parameter.is_none() && it.operation.path == operation.path);
    let others = others.map(|other| other.operation.method).filter(|it| *it != method);
    let second = operation.legacy_method.filter(|_| parameter.is_none());
    let methods = [method].into_iter().chain(others).chain(second);
    let route = Route::Operation { prefix, name, operation, is_legacy, parameter };
    Ok(operations.answer(request, route, Some((index, endpoint)), methods).await)
}

/// Answers a request for another provider with the operation that its path belongs to.
async fn answer_in_dialect(
    operations: Rc<Operations>,
    dialect: usize,
    path: String,
    mut request: Request,
) -> Result<Response<BoxBody>, Error> {
    let Some(named) = operations.api.dialects.get(dialect) else {
        return Ok(Response::not_found().map_into_boxed_body());
    };
    let sent = sent(&operations.api, named, &mut request).await;
    let route = DialectRoute { named, called: named.dialect.find(&path, &sent) };
    let endpoint = route.target().and_then(|(operation, _)| operations.named(operation.name));
    Ok(operations.answer(request, Route::Dialect(route), endpoint, [Method::Get, Method::Post]).await)
}

/// The fields of a request as a query string. The body's fields are read only where they may choose the dialect's form.
async fn sent(api: &Api, named: &NamedDialect, request: &mut Request) -> String {
    let mut sent = Serializer::new(request.uri().query().unwrap_or_default().to_owned());
    if named.dialect.has_choice() && request.method() == Method::Post.as_str() {
        let payload = request.take_payload();
        let (begin, payload) = body::peek(request.head(), payload).await;
        *request.payload() = payload;
        let route = Route::Dialect(DialectRoute { named, called: None });
        let context = RequestContext::begin(api, request.head(), route, CallTerms::OTHER);
        if let Some(fields) = admission::body_fields(&context, &Body::Whole(begin)) {
            sent.extend_pairs(fields.lenient(true).texts());
        }
    }
    sent.finish()
}

/// Answers a message of an agent. The call of a tool is an operation's call.
async fn answer_message(operations: Rc<Operations>, request: Request) -> Result<Response<BoxBody>, Error> {
    let call = async |name: &'static str, request: Request| {
        let endpoint = operations.named(name);
        let route = endpoint.map_or(Route::Unserved(name), |(_, Endpoint { operation, .. })| Route::Operation {
            prefix: "",
            name,
            operation,
            is_legacy: false,
            parameter: None,
        });
        operations.answer(request, route, endpoint, [Method::Post]).await
    };
    Ok(mcp::answer(&operations.api, operations.endpoints.len(), request, &call, true).await)
}
