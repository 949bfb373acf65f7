//! A message of the Model Context Protocol: reads it, and checks what its revision demands. Revision 2026-07-28 says in
//! every message, and in headers, which revision and method it is; the ones before agree on a revision first, which this
//! server need not remember.

use std::borrow::Cow;

use actix_web::http::header::HeaderMap;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// The revision without a handshake.
pub(super) const STATELESS: &str = "2026-07-28";
/// The revisions with one, the newest first.
pub(super) const WITH_HANDSHAKE: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];

/// Of the fields that a message has in `_meta`.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
pub(super) const METHOD_NOT_FOUND: i32 = -32601;
pub(super) const INVALID_PARAMS: i32 = -32602;
/// A message of a batch has an answer of another form: the rate is used up, or something failed.
const NOT_ANSWERED: i32 = -32000;
pub(super) const INTERNAL_ERROR: i32 = -32603;
const HEADER_MISMATCH: i32 = -32020;
const UNSUPPORTED_VERSION: i32 = -32022;

/// The one revision with batches, whose clients send no header with it.
const WITH_BATCHES: &str = WITH_HANDSHAKE[2];
const MAX_BATCH: usize = 10;

/// A request or a notification, as it is sent.
#[derive(Deserialize)]
struct Sent<'a> {
    #[serde(borrow)]
    jsonrpc: Option<Cow<'a, str>>,
    #[serde(default, deserialize_with = "sent")]
    id: Option<Value>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

/// A field that is sent, even as null: a request with such an id would wait for its answer.
fn sent<'de, D: Deserializer<'de>>(field: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(field).map(Some)
}

#[derive(Default, Deserialize)]
pub(super) struct Params<'a> {
    /// Of a tool.
    #[serde(borrow)]
    pub(super) name: Option<Cow<'a, str>>,
    /// As they are written, so that an amount never becomes a float.
    #[serde(borrow)]
    pub(super) arguments: Option<&'a RawValue>,
    /// What the client of a handshake speaks.
    #[serde(borrow, rename = "protocolVersion")]
    pub(super) protocol_version: Option<Cow<'a, str>>,
    #[serde(rename = "_meta", default)]
    meta: Option<Map<String, Value>>,
}

/// A request that is to be answered.
pub(super) struct Message<'a> {
    id: Value,
    pub(super) method: Cow<'a, str>,
    pub(super) params: Params<'a>,
    /// Whether its revision has no handshake.
    pub(super) is_stateless: bool,
}

pub(super) struct ProtocolError {
    id: Value,
    pub(super) code: i32,
    message: String,
    data: Option<Value>,
    /// Whether its HTTP status is an error's too.
    pub(super) is_status: bool,
}

impl ProtocolError {
    fn new(id: &Value, code: i32, message: impl Into<String>) -> Self {
        Self { id: id.clone(), code, message: message.into(), data: None, is_status: true }
    }

    pub(super) fn json(&self) -> Value {
        let mut error = json!({"code": self.code, "message": self.message});
        if let (Some(data), Some(error)) = (&self.data, error.as_object_mut()) {
            error.insert("data".to_owned(), data.clone());
        }
        json!({"jsonrpc": "2.0", "id": self.id, "error": error})
    }
}

/// The messages of a batch; `None` = the body is no array.
pub(super) fn batch<'a>(text: &'a str, headers: &HeaderMap) -> Result<Option<Vec<&'a RawValue>>, ProtocolError> {
    if !text.trim_start().starts_with('[') {
        return Ok(None);
    }
    let refused = |message: String| ProtocolError::new(&Value::Null, INVALID_REQUEST, message);
    if headers.get("mcp-protocol-version").is_some_and(|version| version != WITH_BATCHES) {
        return Err(refused(format!("only revision {WITH_BATCHES} has arrays of messages")));
    }
    let messages: Vec<&RawValue> = serde_json::from_str(text)
        .map_err(|_| ProtocolError::new(&Value::Null, PARSE_ERROR, "the body must be JSON"))?;
    if messages.is_empty() || messages.len() > MAX_BATCH {
        return Err(refused(format!("an array has 1 to {MAX_BATCH} messages")));
    }
    let is_alone = |message: &RawValue| {
        let sent = serde_json::from_str::<Sent<'_>>(message.get());
        message.get().starts_with('[') || sent.is_ok_and(|sent| sent.method.as_deref() == Some("initialize"))
    };
    if messages.iter().any(|message| is_alone(message)) {
        return Err(refused("an array holds neither arrays nor initialize".to_owned()));
    }
    Ok(Some(messages))
}

/// The answer to a message of a batch, in place of an envelope.
pub(super) fn not_answered(message: &str, envelope: &Value) -> Value {
    let sent: Value = serde_json::from_str(message).unwrap_or_default();
    let error = json!({"code": NOT_ANSWERED, "message": envelope.get("message"), "data": envelope});
    json!({"jsonrpc": "2.0", "id": sent.get("id"), "error": error})
}

impl<'a> Message<'a> {
    /// `None` = a notification or an answer, to which there is no answer.
    pub(super) fn read(text: &'a str, headers: &HeaderMap) -> Result<Option<Self>, ProtocolError> {
        let refused = |message| ProtocolError::new(&Value::Null, INVALID_REQUEST, message);
        let sent: Sent<'_> = serde_json::from_str(text).map_err(|error| {
            if error.is_data() {
                refused("the message must be a JSON-RPC 2.0 object")
            } else {
                ProtocolError::new(&Value::Null, PARSE_ERROR, "the body must be JSON")
            }
        })?;
        if sent.jsonrpc.as_deref() != Some("2.0") {
            return Err(refused("jsonrpc must be \"2.0\""));
        }
        let (Some(id), Some(method)) = (sent.id, sent.method) else { return Ok(None) };
        if !(id.is_string() || id.is_i64() || id.is_u64()) {
            return Err(refused("id must be a text or an integer"));
        }
        let params = sent.params.map_or("{}", RawValue::get);
        let params = serde_json::from_str(params).map_err(|_| {
            ProtocolError::new(&id, INVALID_PARAMS, "params must be an object with the method's fields")
        })?;
        let message = Self { id, method, params, is_stateless: false };
        message.check(headers).map(Some)
    }

    /// Finds the revision, and compares the headers.
    fn check(mut self, headers: &HeaderMap) -> Result<Self, ProtocolError> {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
        let written = header("mcp-protocol-version");
        let stated = self.params.meta.as_ref().and_then(|meta| meta.get(VERSION));
        if stated.is_none() && written.is_none_or(|version| WITH_HANDSHAKE.contains(&version)) {
            return Ok(self);
        }
        let error = |code, message: &str| ProtocolError::new(&self.id, code, message);
        let has_capabilities =
            self.params.meta.as_ref().is_some_and(|meta| meta.get(CAPABILITIES).is_some_and(Value::is_object));
        let Some(stated) = stated.and_then(Value::as_str).filter(|_| has_capabilities) else {
            return Err(error(INVALID_PARAMS, &format!("_meta must have {VERSION} and {CAPABILITIES}")));
        };
        if written != Some(stated) {
            return Err(error(HEADER_MISMATCH, "the header MCP-Protocol-Version must be that of _meta"));
        }
        if stated != STATELESS {
            let data = Some(json!({"supported": [STATELESS], "requested": stated}));
            return Err(ProtocolError { data, ..error(UNSUPPORTED_VERSION, "unsupported protocol version") });
        }
        if header("mcp-method") != Some(&self.method) {
            return Err(error(HEADER_MISMATCH, "the header Mcp-Method must be the method"));
        }
        if self.method == "tools/call" && header("mcp-name") != self.params.name.as_deref() {
            return Err(error(HEADER_MISMATCH, "the header Mcp-Name must be the tool's name"));
        }
        self.is_stateless = true;
        Ok(self)
    }

    /// The answer with this result, which is JSON.
    pub(super) fn answer(&self, result: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, self.id)
    }

    /// An error that a client of a handshake reads from an answer 200.
    pub(super) fn error(&self, code: i32, message: impl Into<String>) -> ProtocolError {
        ProtocolError { is_status: self.is_stateless, ..ProtocolError::new(&self.id, code, message) }
    }
}
