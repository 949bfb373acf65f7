//! The voucher API, and the endpoint that gives out its tokens.
//!
//! It takes one client's credentials, and tokens for as long as they live. This module refuses to know how bytes
//! travel.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use kuraka_domain::{Date, Ruc};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{
    answer::{Answer, Format},
    fault::{Alteration, Fault},
    official::parts,
    outcome::Outcome,
    request::Request,
    voucher::{ISSUER, KnownVoucher, VOUCHERS},
};

/// The RUC that asks.
pub const CONSULTANT: &str = "20999990062";
/// The client's id that the stand-in takes.
pub const CLIENT_ID: &str = "5a4db0c5-0000-4000-8000-c0de00000001";
/// The client's secret that the stand-in takes. It reads like a number, as real ones may.
pub const CLIENT_SECRET: &str = "0001.50";

/// Where tokens are given out, with the client's id as the client knows it.
pub(super) const TOKEN_PATH: &str = "/v1/clientesextranet/{client_id}/oauth2/token/";
/// Where vouchers are validated.
pub(super) const API_PATH: &str = "/v1/contribuyente/contribuyentes/{ruc}/validarcomprobante";

const SCOPE: &str = "https://api.sunat.gob.pe/v1/contribuyente/contribuyentes";
const KINDS: [&str; 7] = ["01", "03", "04", "07", "08", "R1", "R7"];
/// Seconds that a token lives.
const LIFE: u64 = 3_600;

/// Tokens given out, each with its end.
#[derive(Debug, Default)]
pub(super) struct Tokens(Mutex<HashMap<String, Instant>>);

impl Tokens {
    pub(super) fn forget(&self) {
        self.all().clear();
    }

    fn give(&self) -> String {
        let mut all = self.all();
        let token = format!("sandbox.{}.{:016x}", all.len(), all.len().wrapping_mul(0x9E37_79B9_7F4A_7C15));
        all.insert(token.clone(), Instant::now() + Duration::from_secs(LIFE));
        token
    }

    fn lets_in(&self, request: &Request) -> bool {
        let token = request.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
        token.and_then(|token| self.all().get(token).copied()).is_some_and(|end| Instant::now() < end)
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Instant>> {
        // A panic elsewhere leaves the map whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a path is the token endpoint's, whoever's it is.
pub(super) fn is_token_path(path: &str) -> bool {
    client_in(path).is_some()
}

fn client_in(path: &str) -> Option<&str> {
    middle(TOKEN_PATH, "{client_id}", path)
}

/// The RUC that asks, if a path is the API's.
pub(super) fn consultant_in(path: &str) -> Option<&str> {
    middle(API_PATH, "{ruc}", path)
}

fn middle<'p>(template: &str, hole: &str, path: &'p str) -> Option<&'p str> {
    let (before, after) = template.split_once(hole)?;
    path.strip_prefix(before)?.strip_suffix(after).filter(|middle| !middle.contains('/'))
}

/// What the token endpoint answers. `{token}` in the body of a fault stands for a good token.
pub(super) fn token(request: &Request, tokens: &Tokens, fault: Option<Fault>) -> Answer {
    if let Some(Fault::Instead(super::Instead::Body(status, body))) = fault {
        return Answer::text(status, Format::Json, &body.replace("{token}", &tokens.give()));
    }
    let field = |name| request.form_field(name).unwrap_or_default();
    let is_known = request.method == "POST"
        && client_in(&request.path) == Some(CLIENT_ID)
        && field("client_id") == CLIENT_ID
        && field("client_secret") == CLIENT_SECRET
        && field("grant_type") == "client_credentials"
        && field("scope") == SCOPE;
    let (status, body) = if is_known {
        (200, json!({"access_token": tokens.give(), "token_type": "JWT", "expires_in": LIFE}))
    } else {
        (401, json!({"error": "unauthorized_client", "error_description": "cliente no autorizado"}))
    };
    let (_, coding) = parts(fault);
    Answer::coded(status, Format::Json, &body.to_string(), coding)
}

/// What the API answers.
pub(super) fn validate(request: &Request, tokens: &Tokens, fault: Option<Fault>) -> Answer {
    let json = |status, body: Value| Answer::text(status, Format::Json, &body.to_string());
    let message = |status, text: &str| json(status, json!({"success": false, "message": text}));
    if request.method != "POST" {
        return message(405, "Method Not Allowed");
    }
    if !tokens.lets_in(request) {
        return json(401, json!({"cod": "401", "msg": "Unauthorized - token invalido o vencido"}));
    }
    if consultant_in(&request.path).is_none_or(|ruc| Ruc::parse(ruc).is_err()) {
        return json(403, json!({"cod": "403", "msg": "Forbidden"}));
    }
    let Ok(question) = serde_json::from_str::<Value>(&request.body) else {
        return message(400, "Solicitud incorrecta");
    };
    let kind = question.get("codComp").and_then(Value::as_str).unwrap_or_default();
    if !KINDS.contains(&kind) {
        return message(422, &format!("tipo de comprobante es incorrecto: {kind}"));
    }
    let day = question.get("fechaEmision").and_then(Value::as_str).and_then(|day| Date::parse_dmy(day).ok());
    let Some(day) = day else { return message(422, "Fecha incorrecta") };
    let (altered, coding) = parts(fault);
    let (status, said) = match find(&question, day) {
        Some(known) => (known.status, known.said.to_owned()),
        None if is_of_an_outcome(&question) => (200, r#"{"estadoCp":"1","estadoRuc":"00","condDomiRuc":"00"}"#.into()),
        None => (200, r#"{"estadoCp":"0"}"#.to_owned()),
    };
    if status != 200 {
        return message(status, &said);
    }
    let text = format!(r#"{{"success":true,"message":"Operation Success! ","data":{}}}"#, spoilt(said, altered));
    let text = if altered == Some(Alteration::Twice) { text.repeat(2) } else { text };
    Answer::coded(200, Format::Json, &text, coding)
}

/// What stands under `data`, with what is wrong with it.
fn spoilt(said: String, altered: Option<Alteration>) -> String {
    match altered {
        None | Some(Alteration::Twice | Alteration::OtherRuc) => said,
        Some(Alteration::LabelsRenamed) => said.replace("\"estado", "\"campo_estado").replace("\"cond", "\"campo_cond"),
        Some(Alteration::LabelRemoved) => said.replace("\"estadoCp\"", "\"otro\""),
        Some(Alteration::Masked) => r#"{"estadoCp":"*****","estadoRuc":"**","condDomiRuc":"**"}"#.to_owned(),
        Some(Alteration::WrongValues) => r#"{"estadoCp":{},"estadoRuc":[],"condDomiRuc":true}"#.to_owned(),
        Some(Alteration::HugeName) => {
            json!({"estadoCp": "1", "observaciones": [format!("- {}", "X".repeat(1 << 20))]}).to_string()
        }
    }
}

/// The voucher asked about, if it is known with this day and this total.
fn find(question: &Value, day: Date) -> Option<&'static KnownVoucher> {
    let text = |field: &str| match question.get(field) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_)) | None => String::new(),
    };
    let total = question.get("monto").map(|_| centimos(&text("monto")));
    VOUCHERS.iter().find(|known| {
        let expected = (!known.is_physical()).then(|| centimos(known.total));
        text("numRuc") == ISSUER
            && text("codComp") == known.kind
            && text("numeroSerie") == known.series
            && text("numero").parse() == Ok(known.number)
            && day.to_string() == known.issued
            && total == expected
    })
}

/// Companies of the outcomes have issued every voucher: what matters is how the answer travels.
fn is_of_an_outcome(question: &Value) -> bool {
    let issuer = question.get("numRuc").and_then(Value::as_str).and_then(|ruc| Ruc::parse(ruc).ok());
    issuer.is_some_and(|ruc| Outcome::all().any(|(of, _)| of == ruc))
}

/// An amount in céntimos; `None` for what is none.
fn centimos(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let part = part.trim_end_matches('0');
    let digits = format!("{whole}{part:0<2}");
    digits.parse().ok().filter(|_| part.len() <= 2)
}
