//! A call's context: request head, route, terms, start and charge.

use std::cell::{Cell, OnceCell};
use std::time::Duration;

use actix_web::dev::RequestHead;
use actix_web::http::header::HeaderValue;
use kuraka_api::Operation;
use kuraka_app::{CalledOperation, ChargedCall};
use kuraka_ports::{Origin, TokenKind};

use super::api::Api;
use super::request_id;
use super::route::Route;
use crate::metrics::Kind;

pub(crate) struct RequestContext<'a> {
    pub(crate) api: &'a Api,
    pub(crate) request: &'a RequestHead,
    pub(crate) route: Route<'a>,
    pub(crate) terms: CallTerms,
    /// When the headers were read, in monotonic time.
    started: Duration,
    id: OnceCell<HeaderValue>,
    /// Set by admission, once it has read the token.
    pub(super) token_kind: OnceCell<TokenKind>,
    /// Set once charged.
    pub(crate) call: OnceCell<ChargedCall>,
    /// Whether the token was in the query string or body.
    pub(crate) has_sent_token: Cell<bool>,
    /// `false` = an array of messages, which are counted and logged instead of it.
    pub(crate) is_counted: Cell<bool>,
}

impl<'a> RequestContext<'a> {
    pub(crate) fn begin(api: &'a Api, request: &'a RequestHead, route: Route<'a>, terms: CallTerms) -> Self {
        let started = api.clock.monotonic();
        let (id, token_kind, call) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        let (has_sent_token, is_counted) = (Cell::new(false), Cell::new(true));
        Self { api, request, route, terms, started, id, token_kind, call, has_sent_token, is_counted }
    }

    pub(crate) fn id(&self) -> &HeaderValue {
        self.id.get_or_init(|| request_id::from_headers(&self.request.headers))
    }

    /// Gives the lines that sources log the request's id.
    pub(crate) fn origin(&self) -> Origin {
        let request_id = self.id().to_str().ok().map(str::to_owned);
        Origin { request_id, is_test: self.is_test(), ..Origin::default() }
    }

    /// Whether the token is for test data, or looks so.
    pub(crate) fn is_test(&self) -> bool {
        self.token_kind.get() == Some(&TokenKind::Test)
    }

    /// What metrics count and logs name. Of test calls, only the answers are counted, apart from all others.
    pub(crate) fn kind(&self) -> Kind {
        if self.is_test() { self.terms.kind.uncounted() } else { self.terms.kind }
    }

    /// Whether the token may be in the query string or body: at paths for other services' clients, if the operator
    /// allows it.
    pub(crate) fn takes_sent_tokens(&self) -> bool {
        self.api.tokens_in_query && self.route.is_legacy()
    }

    pub(crate) fn took(&self) -> Duration {
        self.api.clock.monotonic().saturating_sub(self.started)
    }
}

/// The part of an operation's description that each call needs, small enough to copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallTerms {
    pub(crate) kind: Kind,
    /// Daily usage counts it if it costs at least one query.
    pub(crate) operation: CalledOperation,
    pub(crate) cost: u64,
    /// In bytes.
    pub(crate) body_limit: usize,
    /// The query parameter that a `GET` reads.
    pub(crate) query_parameter: Option<&'static str>,
    /// Whether a call is a list, even of one item.
    pub(crate) is_list: bool,
}

impl CallTerms {
    /// For an unknown path or method.
    pub(crate) const OTHER: Self = Self {
        kind: Kind::OTHER,
        operation: CalledOperation { name: "other", index: 0, in_usage: false },
        cost: 0,
        body_limit: 0,
        query_parameter: None,
        is_list: false,
    };

    /// For the operation with this index. At a path of the original interface a body may have twice as many bytes: a
    /// form repeats the list's name with each field.
    pub(crate) const fn new(index: usize, operation: &Operation, is_legacy: bool) -> Self {
        let Operation { name, cost, body_limit, query_parameter, batch, .. } = *operation;
        let body_limit = if is_legacy { 2 * body_limit } else { body_limit };
        let operation = CalledOperation { name, index, in_usage: cost > 0 };
        let (kind, is_list) = (Kind::from_operation(operation), batch.is_some());
        Self { kind, operation, cost, body_limit, query_parameter, is_list }
    }
}
