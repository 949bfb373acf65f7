//! What is known of an operation, as data: the router, the documents, the panel and the metrics read it.

use kuraka_domain::ResultCode;
use serde_json::Value;
use utoipa::PartialSchema;

/// The description of one operation.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// The last part of its path. It also names the operation in metrics, in logs and in the store.
    pub name: &'static str,
    /// Other last parts of the path at which it answers. The documents leave them out.
    pub aliases: &'static [&'static str],
    /// The one method it answers to.
    pub method: Method,
    /// What it is, in a few Spanish words.
    pub title: &'static str,
    /// What it does, in one or two Spanish sentences.
    pub description: &'static str,
    /// The body of the request; `None` if it takes none.
    pub request: Option<Body>,
    /// The answer: the schema describes `data`, the example is a whole envelope.
    pub response: Body,
    /// The codes it may answer with beyond those that every operation may answer with.
    pub codes: &'static [ResultCode],
    /// Headers that only answers of a source carry.
    pub source_headers: &'static [&'static str],
    /// Queries that one call costs. A call that costs none has no rate limit, and the account's usage does not list it.
    pub cost: u64,
    /// The largest request body in bytes.
    pub body_limit: usize,
    /// How the panel lets a user try it; `None` if it does not.
    pub playground: Option<Playground>,
}

/// An HTTP method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Without a body.
    Get,
    /// With a body.
    Post,
}

/// A JSON body: its schema, and an example with the fields in the contract's order.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// The schema of a request, or of the answer's `data`.
    pub schema: Schema,
    /// Indented JSON.
    pub example: &'static str,
}

/// A named schema of the OpenAPI document.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// The name under `components.schemas`.
    pub name: &'static str,
    /// Makes the schema.
    pub build: fn() -> Value,
}

/// What the panel's playground shows of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Playground {
    /// A shorter title, for the tab.
    pub title: &'static str,
    /// What the operation answers, in one Spanish sentence.
    pub about: &'static str,
    /// Bodies to send. They fit the bundled sample of the registry.
    pub samples: &'static [Sample],
}

/// A body to try. It holds no single quote: the panel shows it inside a shell command.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// What the body shows.
    pub title: &'static str,
    /// The JSON that is sent.
    pub body: &'static str,
}

/// A result code with its HTTP status and its usual Spanish message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeDescription {
    /// The code.
    pub code: ResultCode,
    /// The HTTP status of an answer with this code.
    pub status: u16,
    /// The message that an answer carries unless a more exact one is known.
    pub message: &'static str,
}

impl Operation {
    /// The description of an operation that takes no body, costs nothing, and has no codes, aliases or headers of its
    /// own: a start to fill in.
    #[must_use]
    pub const fn new(name: &'static str, method: Method, title: &'static str, response: Body) -> Self {
        Self {
            name,
            aliases: &[],
            method,
            title,
            description: "",
            request: None,
            response,
            codes: &[],
            source_headers: &[],
            cost: 0,
            body_limit: 4 * 1024,
            playground: None,
        }
    }

    /// Every code it may answer with, in the order of [`ResultCode::ALL`].
    pub fn all_codes(&self) -> impl Iterator<Item = ResultCode> {
        ResultCode::ALL.into_iter().filter(|code| self.may_answer(*code))
    }

    fn may_answer(&self, code: ResultCode) -> bool {
        let in_general = match code {
            ResultCode::Found
            | ResultCode::InvalidInput
            | ResultCode::Unauthenticated
            | ResultCode::Forbidden
            | ResultCode::MethodNotAllowed
            | ResultCode::ServiceUnavailable
            | ResultCode::InternalError => true,
            ResultCode::PayloadTooLarge | ResultCode::UnsupportedMediaType => self.request.is_some(),
            ResultCode::RateLimited | ResultCode::QuotaExceeded => self.cost > 0,
            ResultCode::DocumentNotFound | ResultCode::RouteNotFound | ResultCode::UpstreamUnavailable => false,
        };
        in_general || self.codes.contains(&code)
    }
}

impl Method {
    /// The method in upper case, as HTTP writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
        }
    }
}

impl Schema {
    /// The schema that is derived from a record.
    #[must_use]
    pub const fn of<T: PartialSchema>(name: &'static str) -> Self {
        Self { name, build: || serde_json::to_value(T::schema()).unwrap_or_default() }
    }
}
