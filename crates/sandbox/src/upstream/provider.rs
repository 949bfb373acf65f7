//! Simulates any provider from its shape: the sample answer with a taxpayer's values in the fields. Accepts every
//! token.

use kuraka_domain::{Date, Ruc};
use serde_json::{Map, Value};

use super::answer::{Answer, Format};
use super::fault::{Alteration, Fault};
use super::official::parts;
use super::request::{Request, pair};
use super::shape::{ProviderShape, RUC, TokenPlace};
use super::taxpayer::{Taxpayer, Taxpayers};

impl ProviderShape {
    /// Path and query, with `{ruc}`.
    pub(super) fn target(&self) -> String {
        let mark = if self.query.is_empty() { "" } else { "?" };
        format!("{}{mark}{}", self.path, self.query)
    }

    /// The number in a request for this provider, as it was written.
    pub(super) fn number_in(&self, request: &Request) -> Option<String> {
        if request.method != self.method {
            return None;
        }
        if let Some((before, after)) = self.path.split_once(RUC) {
            return request.path.strip_prefix(before)?.strip_suffix(after).map(str::to_owned);
        }
        if request.path != self.path {
            return None;
        }
        let mut names = self.query.split('&').filter_map(|pair| pair.split_once('='));
        match names.find(|(_, value)| *value == RUC) {
            Some((name, _)) => pair(&request.query, name),
            None => in_body(self.body_field.as_deref()?, &request.body),
        }
    }

    /// Whether the request has any token where the provider requires one.
    pub(super) fn lets_in(&self, request: &Request) -> bool {
        let token = match &self.token {
            None => return true,
            Some(TokenPlace::Header(name)) => request.header(&name.to_ascii_lowercase()).map(str::to_owned),
            Some(TokenPlace::Query(name)) => pair(&request.query, name),
            Some(TokenPlace::Body(name)) => in_body(name, &request.body),
        };
        token.is_some_and(|token| !token.trim().is_empty())
    }

    pub(super) fn answer(&self, number: &str, taxpayers: &Taxpayers, fault: Option<Fault>) -> Answer {
        let (altered, coding) = parts(fault);
        let found = Ruc::parse(number).ok().and_then(|ruc| taxpayers.find(ruc, altered));
        let Some(taxpayer) = found else { return self.not_found(number) };
        Answer::coded(200, Format::Json, &self.render(&taxpayer, altered), coding)
    }

    pub(super) fn not_found(&self, number: &str) -> Answer {
        match &self.not_found {
            Some((status, body)) => Answer::text(*status, Format::Json, &body.replace(RUC, number)),
            None => Answer::text(404, Format::Json, "{}"),
        }
    }

    fn render(&self, taxpayer: &Taxpayer, altered: Option<Alteration>) -> String {
        let mut document = self.sample.clone();
        for (field, at) in &self.fields {
            if let Some(place) = document.pointer_mut(at) {
                *place = value(taxpayer, field, place);
            }
        }
        for (field, at) in &self.fields {
            if altered == Some(Alteration::LabelsRenamed) {
                replace_key(&mut document, at, true);
            } else if altered == Some(Alteration::LabelRemoved) && field == "status" {
                replace_key(&mut document, at, false);
            } else if altered == Some(Alteration::WrongValues)
                && field != "ruc"
                && let Some(place) = document.pointer_mut(at)
            {
                *place = if place.is_string() { Value::from(7) } else { Value::Object(Map::new()) };
            }
        }
        let text = document.to_string();
        if altered == Some(Alteration::Twice) { text.repeat(2) } else { text }
    }
}

/// A field's value in a JSON body or a form.
fn in_body(name: &str, body: &str) -> Option<String> {
    match serde_json::from_str::<Value>(body) {
        Ok(document) => document.get(name)?.as_str().map(str::to_owned),
        Err(_) => pair(body, name),
    }
}

/// A field's value, in the sample's form.
fn value(taxpayer: &Taxpayer, field: &str, sample: &Value) -> Value {
    let details = &taxpayer.details;
    let of_address = |part: &dyn Fn(&super::taxpayer::Address) -> String| {
        or_dash(&taxpayer.address.as_ref().map(part).unwrap_or_default())
    };
    match field {
        "ruc" if sample.is_number() => taxpayer.ruc.get().into(),
        "ruc" => taxpayer.ruc.to_string().into(),
        "name" => taxpayer.name.as_str().into(),
        "status" => or_dash(taxpayer.status.as_str()),
        "condition" => or_dash(taxpayer.condition.as_str()),
        "address" => of_address(&|address| address.line()),
        "district" => of_address(&|address| address.district.clone()),
        "province" => of_address(&|address| address.province.clone()),
        "department" => of_address(&|address| address.department.clone()),
        "taxpayer_type" => or_dash(&details.kind),
        "registered" => date(details.registered, sample),
        "activities" => texts(&details.activity_lines(), sample),
        "trade_name" => or_dash(&details.trade_name),
        "activities_started" => date(details.started, sample),
        "deregistered" => date(details.deregistered, sample),
        "issuing_system" => or_dash(&details.issuing),
        "foreign_trade" => or_dash(&details.foreign_trade),
        "accounting_system" => or_dash(&details.accounting),
        "authorised_vouchers" => texts(&details.vouchers, sample),
        "electronic_systems" => texts(&details.systems, sample),
        "electronic_since" => date(details.electronic_since, sample),
        "electronic_vouchers" => texts(&details.electronic, sample),
        "electronic_books_since" => date(details.books_since, sample),
        "padrones" => texts(&details.padrones, sample),
        _ => sample.clone(),
    }
}

fn or_dash(text: &str) -> Value {
    if text.is_empty() { "-".into() } else { text.into() }
}

fn date(date: Option<Date>, sample: &Value) -> Value {
    let Some(date) = date else { return Value::Null };
    match sample.as_str() {
        Some(text) if text.contains('/') => date.dmy().to_string().into(),
        Some(text) if text.contains('T') => format!("{date}T00:00:00.000Z").into(),
        Some(_) | None => date.to_string().into(),
    }
}

fn texts<S: AsRef<str>>(texts: &[S], sample: &Value) -> Value {
    if sample.is_string() {
        return or_dash(texts.first().map(AsRef::as_ref).unwrap_or_default());
    }
    texts.iter().map(|text| text.as_ref().to_owned()).collect()
}

/// Removes a key from its object, or renames it.
fn replace_key(document: &mut Value, pointer: &str, rename: bool) {
    let Some((parent, key)) = pointer.rsplit_once('/') else { return };
    let Some(parent) = document.pointer_mut(parent).and_then(Value::as_object_mut) else { return };
    if let Some(value) = parent.remove(key).filter(|_| rename) {
        parent.insert(format!("campo_{key}"), value);
    }
}
