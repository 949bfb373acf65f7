//! The client: its settings, the rule of retries, batches, and what an answer means.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use kuraka_api::{ListsRecord, UsageRecord};
use kuraka_domain::Ruc;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tokio::sync::OnceCell;

use crate::error::{Error, INVALID_RUC, Result};

pub(crate) const REMOTE: Duration = Duration::from_secs(40);
const LOCAL: Duration = Duration::from_secs(10);
const MAX_WAIT_SECONDS: u32 = 60;
const RATE_LIMITED_RETRIES: u32 = 8;

/// A client of one server, with one token.
///
/// Lookups return `None` only if a source says that the RUC does not exist. What could not be found out is an [`Error`].
#[derive(Debug)]
pub struct Kuraka {
    /// With the token, which its `Debug` does not show.
    http: reqwest::Client,
    base_url: String,
    timeout: Option<Duration>,
    max_retries: u32,
    limits: OnceCell<ListsRecord>,
}

/// A call of the API. `cost` is the number of queries that it may cost.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) path: String,
    pub(crate) body: Option<Map<String, Value>>,
    pub(crate) cost: usize,
    pub(crate) timeout: Duration,
}

impl Call {
    pub(crate) fn get(path: impl Into<String>) -> Self {
        Self { path: path.into(), body: None, cost: 1, timeout: LOCAL }
    }

    /// Fields without a value are left out.
    pub(crate) fn post(path: &str, body: impl Serialize) -> Self {
        let mut body = json!(body).as_object().cloned().unwrap_or_default();
        body.retain(|_, value| !value.is_null());
        Self { body: Some(body), ..Self::get(path) }
    }

    /// The same call with another field.
    pub(crate) fn with(&self, name: &str, value: impl Serialize) -> Self {
        let mut call = self.clone();
        call.body.get_or_insert_default().insert(name.to_owned(), json!(value));
        call
    }
}

impl Kuraka {
    /// The client of the variables `KURAKA_TOKEN` and `KURAKA_URL`.
    ///
    /// # Errors
    /// `invalid_input` if one is missing.
    pub fn from_env() -> Result<Self> {
        let variable = |name| std::env::var_os(name).and_then(|value| value.into_string().ok()).unwrap_or_default();
        Self::new(variable("KURAKA_TOKEN"), variable("KURAKA_URL"))
    }

    /// The client of a server. There is no default server.
    ///
    /// # Errors
    /// `invalid_input` if one is empty.
    pub fn new(token: impl Into<String>, base_url: impl Into<String>) -> Result<Self> {
        let (token, base_url) = (token.into(), base_url.into().trim_end_matches('/').to_owned());
        if token.trim().is_empty() || base_url.is_empty() {
            return Err(Error::new("invalid_input", "Falta el token o la dirección: KURAKA_TOKEN, KURAKA_URL."));
        }
        let mut authorization = HeaderValue::try_from(format!("Bearer {}", token.trim()))
            .map_err(|_| Error::new("invalid_input", "El token tiene caracteres que ningún token tiene."))?;
        authorization.set_sensitive(true);
        // Fails if the program has chosen another provider.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::ClientBuilder::new()
            .user_agent(concat!("kuraka-rust/", env!("CARGO_PKG_VERSION")))
            .default_headers(HeaderMap::from_iter([(AUTHORIZATION, authorization)]))
            .connect_timeout(Duration::from_secs(5))
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        Ok(Self { http, base_url, timeout: None, max_retries: 2, limits: OnceCell::new() })
    }

    /// Sets the time of every call, instead of 10 s, or 40 s for what SUNAT answers.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout: Some(timeout), ..self }
    }

    /// Sets the number of retries, which is 2. Waiting for the plan's rate does not count.
    #[must_use]
    pub fn with_max_retries(self, max_retries: u32) -> Self {
        Self { max_retries, ..self }
    }

    pub(crate) async fn look_up<T: DeserializeOwned>(&self, call: Call) -> Result<Option<T>> {
        match self.call(&call).await {
            Err(error) if error.code == "document_not_found" => Ok(None),
            found => found.map(Some),
        }
    }

    /// How many items of a list the plan allows. A single item needs no request to know.
    pub(crate) async fn limit(&self, name: &str, length: usize) -> Result<usize> {
        if length < 2 && !self.limits.initialized() {
            return Ok(1);
        }
        let usage = async || self.call::<UsageRecord<'static>>(&Call::get("/usage")).await;
        let limits = self.limits.get_or_try_init(|| async { Ok::<_, Error>(usage().await?.listas) }).await?;
        Ok(if name == "rucs" { limits.rucs } else { limits.comprobantes }.max(1))
    }

    /// A result for each item. Those that may succeed later are repeated after their wait.
    pub(crate) async fn batch<T: DeserializeOwned>(&self, call: &Call, name: &str, items: &[Value]) -> Result<Vec<T>> {
        let mut results: Vec<(&Value, Value)> = items.iter().map(|item| (item, refusal(item))).collect();
        for attempt in 0..=self.max_retries {
            let mut pending: Vec<_> = results.iter_mut().filter(|pair| may_be_sent(pair, attempt)).collect();
            if pending.is_empty() {
                break;
            }
            if attempt > 0 {
                pause(pending.iter().filter_map(|pair| wait(&pair.1)).max(), attempt - 1).await;
            }
            let sent: Vec<&Value> = pending.iter().map(|pair| pair.0).collect();
            match self.call::<Value>(&Call { cost: sent.len(), ..call.with(name, &sent) }).await {
                Err(error) if attempt == 0 => return Err(error),
                // The results of the first attempt have been paid.
                Err(_) => break,
                Ok(answer) => {
                    let found = answer.get("resultados").and_then(Value::as_array).into_iter().flatten();
                    pending.iter_mut().zip(found).for_each(|(pair, result)| pair.1 = result.clone());
                }
            }
        }
        let results = results.into_iter().map(|pair| serde_json::from_value(pair.1)).collect::<Result<_, _>>();
        results.map_err(|_| Error::other_program(200))
    }

    /// The data of the answer, after the repetitions that the documented rule allows.
    pub(crate) async fn call<T: DeserializeOwned>(&self, call: &Call) -> Result<T> {
        let (mut retries, mut refusals) = (0, 0);
        loop {
            let error = match self.send(call).await {
                Ok(data) => return serde_json::from_value(data).map_err(|_| Error::other_program(200)),
                Err(error) => error,
            };
            let is_refusal = error.code == "rate_limited";
            let (attempt, allowed) =
                if is_refusal { (&mut refusals, RATE_LIMITED_RETRIES) } else { (&mut retries, self.max_retries) };
            let may_be_charged_twice = error.is_connection() && call.cost > 1;
            let wait = error.retry_after.or(is_refusal.then_some(1));
            let is_final = !error.retryable || *attempt >= allowed || wait.is_some_and(|wait| wait > MAX_WAIT_SECONDS);
            if is_final || may_be_charged_twice {
                return Err(error);
            }
            pause(wait, *attempt).await;
            *attempt += 1;
        }
    }

    async fn send(&self, call: &Call) -> Result<Value> {
        let url = format!("{}{}", self.base_url, call.path);
        let request = match &call.body {
            Some(body) => self.http.post(url).header("content-type", "application/json").body(json!(body).to_string()),
            None => self.http.get(url),
        };
        let answer = request.timeout(self.timeout.unwrap_or(call.timeout)).send().await?;
        let status = answer.status().as_u16();
        let header = |name| Some(answer.headers().get(name)?.to_str().ok()?.to_owned());
        let (request_id, wait) = (header("x-request-id"), header("retry-after"));
        let mut details: Map<String, Value> =
            serde_json::from_slice(&answer.bytes().await?).map_err(|_| Error::other_program(status))?;
        match details.get("success").and_then(Value::as_bool) {
            None => Err(Error::other_program(status)),
            Some(true) => Ok(details.remove("data").unwrap_or_default()),
            Some(false) => {
                let text = |name| details.get(name).and_then(Value::as_str).unwrap_or_default();
                let mut error = Error::new(text("code"), text("message"));
                error.retryable = details.get("retryable") == Some(&Value::Bool(true));
                error.status = Some(status);
                error.request_id = request_id.map(String::into_boxed_str);
                error.retry_after = wait.and_then(|seconds| seconds.parse().ok());
                error.details = details;
                Err(error)
            }
        }
    }
}

/// The result of an item that is not sent, with an amount as a text, as the server answers it.
fn refusal(item: &Value) -> Value {
    let mut fields = item.as_object().cloned().unwrap_or_else(|| Map::from_iter([("ruc".to_owned(), item.clone())]));
    for value in fields.values_mut().filter(|value| value.is_number()) {
        *value = value.to_string().into();
    }
    let result = [("code", json!("invalid_input")), ("retryable", json!(false)), ("message", json!(INVALID_RUC))];
    fields.extend(result.map(|(name, value)| (name.to_owned(), value)));
    Value::Object(fields)
}

/// Whether an item is sent: at first, if its RUC is valid; then, if its result says so.
fn may_be_sent((item, result): &(&Value, Value), attempt: u32) -> bool {
    let ruc = item.get("ruc").or_else(|| item.get("ruc_emisor")).unwrap_or(item).as_str();
    let is_repeated = wait(result).is_some_and(|wait| wait <= MAX_WAIT_SECONDS);
    if attempt > 0 { is_repeated } else { ruc.is_some_and(|ruc| Ruc::parse(ruc).is_ok()) }
}

/// The seconds to wait before an item may be repeated.
fn wait(result: &Value) -> Option<u32> {
    let seconds = result.get("retry_after").and_then(Value::as_u64).unwrap_or_default();
    result.get("retryable")?.as_bool()?.then(|| seconds.try_into().unwrap_or(u32::MAX))
}

/// Waits for what the server asks, doubled with each attempt, and up to a second; otherwise, full jitter.
async fn pause(retry_after: Option<u32>, attempt: u32) {
    let factor = 2_u32.saturating_pow(attempt);
    // A new hasher has random keys.
    let random = Duration::from_nanos(RandomState::new().hash_one(attempt) % 1_000_000_000);
    let jitter = if retry_after.is_none() { random * factor } else { random };
    tokio::time::sleep(Duration::from_secs(retry_after.unwrap_or_default().into()) * factor + jitter).await;
}
