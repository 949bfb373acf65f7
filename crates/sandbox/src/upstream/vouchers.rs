//! The voucher service: checks the client and the voucher in the request, and answers.

use kuraka_domain::{Amount, Date, Ruc, VoucherKind};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::answer::{Answer, Format};
use super::fault::{Alteration, Fault};
use super::fault_case::FaultCase;
use super::official::parts;
use super::request::Request;
use super::tokens::Tokens;
use super::voucher::{ISSUER, KnownVoucher, VOUCHERS};

/// The requesting RUC in demonstrations; the sandbox accepts any.
pub const REQUESTER_RUC: &str = "20999990062";

pub(super) const PATH: &str = "/v1/contribuyente/contribuyentes/{ruc}/validarcomprobante";

/// The RUC in the path, as it is written, if the request is for the service.
pub(super) fn requester_in(request: &Request) -> Option<&str> {
    request.part_of_path(PATH, "{ruc}")
}

/// The issuer's RUC, as it is written.
pub(super) fn issuer_in(request: &Request) -> Option<String> {
    let question: Value = serde_json::from_str(&request.body).ok()?;
    Some(question.get("numRuc")?.as_str()?.to_owned())
}

pub(super) fn answer(request: &Request, tokens: &Tokens, fault: Option<Fault>) -> Answer {
    let json = |status, body: Value| Answer::text(status, Format::Json, &body.to_string());
    let message = |status, text: &str| json(status, json!({"success": false, "message": text}));
    if request.method != "POST" {
        return message(405, "Method Not Allowed");
    }
    if !tokens.lets_in(request, Instant::now()) {
        return json(401, json!({"cod": "401", "msg": "Unauthorized - token invalido o vencido"}));
    }
    if requester_in(request).is_none_or(|ruc| Ruc::parse(ruc).is_err()) {
        return json(403, json!({"cod": "403", "msg": "Forbidden"}));
    }
    let Ok(question) = serde_json::from_str::<Value>(&request.body) else {
        return message(400, "Solicitud incorrecta");
    };
    let kind = question.get("codComp").and_then(Value::as_str).unwrap_or_default();
    if VoucherKind::parse(kind).is_err() {
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

fn spoilt(said: String, altered: Option<Alteration>) -> String {
    match altered {
        None | Some(Alteration::Twice | Alteration::OtherRuc) => said,
        Some(Alteration::LabelsRenamed) => said.replace("\"estado", "\"campo_estado").replace("\"cond", "\"campo_cond"),
        Some(Alteration::LabelRemoved) => said.replace("\"estadoCp\"", "\"otro\""),
        Some(Alteration::Masked) => r#"{"estadoCp":"*****","estadoRuc":"**","condDomiRuc":"**"}"#.to_owned(),
        Some(Alteration::WrongValues) => r#"{"estadoCp":{},"estadoRuc":[],"condDomiRuc":true}"#.to_owned(),
        Some(Alteration::HugeName) => {
            json!({"estadoCp": "1", "observaciones": [format!("- {}", "X".repeat(1_000_000))]}).to_string()
        }
    }
}

fn find(question: &Value, day: Date) -> Option<&'static KnownVoucher> {
    let text = |field: &str| match question.get(field) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_)) | None => String::new(),
    };
    let total = question.get("monto").map(|_| Amount::parse(&text("monto")));
    VOUCHERS.iter().find(|known| {
        let expected = (!known.is_physical()).then(|| Amount::parse(known.total));
        text("numRuc") == ISSUER
            && text("codComp") == known.kind
            && text("numeroSerie") == known.series
            && text("numero").parse() == Ok(known.number)
            && day.to_string() == known.issued
            && total == expected
    })
}

/// The companies of the outcomes have issued every voucher, to test the transport of the answer.
fn is_of_an_outcome(question: &Value) -> bool {
    question.get("numRuc").is_some_and(|issuer| FaultCase::all().any(|(of, _)| *issuer == of.to_string()))
}
