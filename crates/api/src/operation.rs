//! The description of an operation as data, for the router, the documents, the panel and the metrics.

use kuraka_domain::ResultCode;
#[cfg(feature = "openapi")]
use utoipa::ToSchema;

use crate::schema::Schema;
#[cfg(not(feature = "openapi"))]
use crate::schema::ToSchema;

/// An operation, as the router, the documents, the panel and the metrics need it.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// Names the operation in metrics, in logs and in the store.
    pub name: &'static str,
    /// The last segment of the path: the name, unless another method at the path is another operation.
    pub path: &'static str,
    /// Other last segments of paths to the operation, for clients of similar services. There a request body may also be
    /// an HTML form.
    pub aliases: &'static [&'static str],
    /// Whether a request body may be an HTML form at `path` too, for clients of similar services.
    pub takes_forms: bool,
    /// The method that the operation accepts at these paths.
    pub method: Method,
    /// Another one, for clients of the original interface.
    pub legacy_method: Option<Method>,
    /// The field of the body that may be the next segment of the path instead, in a `GET` request without a body.
    pub path_parameter: Option<&'static str>,
    /// The field of the body that may be a query parameter in that `GET` request. Without one, the query string is
    /// ignored.
    pub query_parameter: Option<&'static str>,
    /// The group of the operation in the OpenAPI document, in Spanish.
    pub tag: &'static str,
    /// A title of a few Spanish words.
    pub title: &'static str,
    /// One or two Spanish sentences.
    pub description: &'static str,
    /// The request body; `None` if the operation takes none.
    pub request: Option<Body>,
    /// The successful response: the schema describes `data`, the example is a whole envelope.
    pub response: Body,
    /// The result codes specific to this operation; [`Operation::all_codes`] adds the common ones.
    pub codes: &'static [ResultCode],
    /// The headers that only an answer with data, or a "not found", has.
    pub source_headers: &'static [&'static str],
    /// What makes the operation a batch; `None` for any other.
    pub batch: Option<Batch>,
    /// Whether its answer may also be a table, as the answer of a batch may.
    pub has_table: bool,
    /// Queries that one call costs; in a batch, each item. Calls that cost 0 are not in the account's usage.
    pub cost: u64,
    /// The largest request body in bytes.
    pub body_limit: usize,
    /// The operation's tab in the panel's playground; `None` if it has none.
    pub playground: Option<Playground>,
}

/// An HTTP method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A request without a body.
    Get,
    /// A request with a body.
    Post,
}

/// A JSON body: its schema, and an example with the fields in the contract's order.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// The schema of a request, or of a response's `data`.
    pub schema: Schema,
    /// Indented JSON.
    pub example: &'static str,
}

/// An operation that answers a list of items. Its answer may also be a table: CSV or a workbook.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    /// The field of the request with the items.
    pub list: &'static str,
    /// An example of a `text/plain` body with one item a line; `None` = such bodies are refused.
    pub lines: Option<&'static str>,
}

/// An operation in the panel's playground.
#[derive(Clone, Copy, Debug)]
pub struct Playground {
    /// A shorter title, for the tab.
    pub title: &'static str,
    /// The content of the answer, in one Spanish sentence.
    pub about: &'static str,
    /// Bodies to send, for the registry's bundled sample.
    pub samples: &'static [Sample],
}

/// A body to try. It has no single quote, because the panel shows it inside a shell command.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The case that the body shows, in Spanish.
    pub title: &'static str,
    /// The body as JSON.
    pub body: &'static str,
}

/// A result code with its HTTP status and its usual Spanish message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeDescription {
    /// The code in the envelope.
    pub code: ResultCode,
    /// The HTTP status of a response with this code.
    pub status: u16,
    /// The default message, used unless the response has a more specific one.
    pub message: &'static str,
}

impl Operation {
    /// An operation about taxpayers, without a body, cost, aliases, codes or headers, to be completed with the struct
    /// update syntax.
    #[must_use]
    pub const fn new(name: &'static str, method: Method, title: &'static str, response: Body) -> Self {
        Self {
            name,
            path: name,
            aliases: &[],
            takes_forms: false,
            method,
            legacy_method: None,
            path_parameter: None,
            query_parameter: None,
            tag: "Contribuyentes",
            title,
            description: "",
            request: None,
            response,
            codes: &[],
            source_headers: &[],
            batch: None,
            has_table: false,
            cost: 0,
            body_limit: 4 * 1024,
            playground: None,
        }
    }

    /// Every code that the operation may answer with, in the order of [`ResultCode::ALL`].
    pub fn all_codes(&self) -> impl Iterator<Item = ResultCode> {
        ResultCode::ALL.into_iter().filter(|code| self.may_answer(*code))
    }

    /// The codes of the `GET` form, which has no body with a wrong media type.
    pub fn codes_of_path(&self) -> impl Iterator<Item = ResultCode> {
        self.all_codes().filter(|code| *code != ResultCode::UnsupportedMediaType)
    }

    /// The path of the `GET` form, such as `/ruc/{ruc}`; `None` if there is none.
    #[must_use]
    pub fn parameter_path(&self) -> Option<String> {
        self.path_parameter.map(|parameter| with_parameter(self.path, parameter))
    }

    /// The method and path of every other request that gets the same answer, such as `GET /ruc/{ruc}`.
    pub fn other_requests(&self) -> impl Iterator<Item = String> {
        let post = self.aliases.iter().map(|alias| format!("{} /{alias}", self.method.as_str()));
        let post = post.chain(self.legacy_method.map(|method| format!("{} /{}", method.as_str(), self.path)));
        let names = std::iter::once(&self.path).chain(self.aliases);
        let query = self.query_parameter.map(|name| format!("?{name}=…")).unwrap_or_default();
        let own = (self.path_parameter.is_none() && !query.is_empty()).then(|| format!("GET /{}{query}", self.path));
        let get =
            names.filter_map(move |name| Some(format!("GET {}{query}", with_parameter(name, self.path_parameter?))));
        own.into_iter().chain(get).chain(post)
    }

    fn may_answer(&self, code: ResultCode) -> bool {
        let is_common = match code {
            ResultCode::Found
            | ResultCode::InvalidInput
            | ResultCode::Unauthenticated
            | ResultCode::Forbidden
            | ResultCode::MethodNotAllowed
            | ResultCode::ServiceUnavailable
            | ResultCode::InternalError => true,
            ResultCode::PayloadTooLarge | ResultCode::UnsupportedMediaType => self.request.is_some(),
            ResultCode::RateLimited | ResultCode::QuotaExceeded => self.cost > 0,
            ResultCode::DateNotCovered
            | ResultCode::CursorExpired
            | ResultCode::WatchLimitExceeded
            | ResultCode::DocumentNotFound
            | ResultCode::RouteNotFound
            | ResultCode::UpstreamUnavailable => false,
        };
        is_common || self.codes.contains(&code)
    }
}

impl Method {
    /// The method in upper case, as in an HTTP request.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
        }
    }
}

impl Body {
    /// A body of an answer, or of a request whose fields are all required.
    #[must_use]
    pub const fn new<T: ToSchema>(example: &'static str) -> Self {
        Self { schema: Schema::new::<T>(), example: example.trim_ascii_end() }
    }

    /// The body of a request.
    #[must_use]
    pub const fn for_request<T: ToSchema>(example: &'static str) -> Self {
        Self { schema: Schema::for_request::<T>(), example: example.trim_ascii_end() }
    }
}

fn with_parameter(name: &str, parameter: &str) -> String {
    format!("/{name}/{{{parameter}}}")
}
