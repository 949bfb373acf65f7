//! The file's `[dialect]`: how the provider's clients call it, and the forms of its answers.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::file::{self, About, ErrorAnswer, Fault, File, Form, Located, Sample, Values, at};
use super::request;
use crate::sources::json;
use crate::sources::provider_api::dialect::{
    AnswerForm, Dialect, DialectAnswer, DialectError, DialectForm, DialectTaxpayer, ERROR, EXCHANGE_RATE, Get, Names,
    Piece, TAXPAYER, Template, Value,
};
use crate::sources::provider_api::spec::ProviderSpec;

/// What an answer says of itself, and not of its subject.
const OWN: [&str; 5] = ["/success", "/status", "/code", "/message", "/mensaje"];
/// The values that the padrón cuts.
const CUT: [&str; 2] = ["status", "condition"];
/// The place of the answers in a list.
const ITEMS: &str = "{items}";

pub(super) fn dialect(spec: &ProviderSpec, file: &File) -> Result<Option<Dialect>, Fault> {
    let Some(section) = &file.dialect else { return Ok(None) };
    let tokens = section.tokens.iter().map(request::token).collect::<Result<Vec<_>, _>>()?;
    let sample = file.sample.as_ref().and_then(|samples| samples.not_found.as_ref());
    let form = |form: &Form| {
        let list = form.list.as_ref().map(list).transpose()?;
        let (parameter, absent, answer) = match form.about {
            About::Taxpayer => {
                let record = taxpayer(spec, file, form, section.cut_at.unwrap_or(usize::MAX))?;
                let absent = section.not_found.as_ref().or(sample);
                ("ruc", absent, DialectAnswer::Taxpayer(AnswerForm { record, list }))
            }
            About::ExchangeRate => {
                let record = template(body(form, None)?, values(&form.values, EXCHANGE_RATE, usize::MAX)?, &is_own)?;
                ("fecha", None, DialectAnswer::ExchangeRate(AnswerForm { record, list }))
            }
        };
        Ok(DialectForm {
            parameter: form.parameter.clone().unwrap_or_else(|| parameter.to_owned()),
            not_found: form.not_found.as_ref().or(absent).map(fixed).transpose()?,
            answer,
            paths: paths(&form.paths)?,
            when: form.when.clone(),
            error: form.error.as_ref().map(error).transpose()?,
        })
    };
    Ok(Some(Dialect {
        forms: section.forms.iter().map(form).collect::<Result<_, _>>()?,
        tokens: if tokens.is_empty() { spec.request.token.iter().cloned().collect() } else { tokens },
        error: error(&section.error)?,
    }))
}

/// Without a body of its own, a form has the found sample with the file's fields.
fn taxpayer(spec: &ProviderSpec, file: &File, form: &Form, cut_at: usize) -> Result<Template<DialectTaxpayer>, Fault> {
    let body = body(form, file.sample.as_ref().map(|samples| &samples.found.body))?;
    let mut known = BTreeMap::new();
    if form.body.is_none() {
        let document = json::read(body.get_ref().as_bytes()).map_err(|why| unread(body, &why))?;
        for place in &spec.places {
            let Some((pointer, _)) = place.find(&document) else { continue };
            let get = TAXPAYER.iter().find(|(name, _)| *name == place.field.name());
            let get = get.map_or(unpublished as Get<_>, |(_, get)| *get);
            let piece = Piece::Value(get, longest(place.field.name(), cut_at));
            known.insert(pointer.to_string(), (vec![piece], place.nullable));
        }
    }
    known.extend(values(&form.values, TAXPAYER, cut_at)?);
    let own: Vec<_> = spec.found.values.iter().map(|(pointer, _)| pointer.to_string()).collect();
    template(body, known, &|at| is_own(at) || own.iter().any(|own| own == at))
}

fn body<'f>(form: &'f Form, sample: Option<&'f Located<String>>) -> Result<&'f Located<String>, Fault> {
    let missing = || at(&form.paths, "the form has no body, and there is no sample for it: write one");
    form.body.as_ref().or(sample).ok_or_else(missing)
}

fn is_own(at: &str) -> bool {
    OWN.contains(&at)
}

/// Reads a field that no published file has.
const fn unpublished(_: &DialectTaxpayer) -> Vec<Cow<'_, str>> {
    Vec::new()
}

fn longest(name: &str, cut_at: usize) -> usize {
    if CUT.contains(&name) { cut_at } else { usize::MAX }
}

fn error(answer: &ErrorAnswer) -> Result<Template<DialectError>, Fault> {
    template(&answer.body, values(&answer.values, ERROR, usize::MAX)?, &|_| true)
}

fn template<R>(
    body: &Located<String>,
    values: BTreeMap<String, Value<R>>,
    is_own: &dyn Fn(&str) -> bool,
) -> Result<Template<R>, Fault> {
    json::read(body.get_ref().as_bytes()).map_err(|why| unread(body, &why))?;
    Template::new(body.get_ref(), values, is_own).map_err(|why| at(body, format!("the body {why}")))
}

/// Texts at pointers, with the names of values in braces.
fn values<R>(texts: &Values, names: Names<R>, cut_at: usize) -> Result<BTreeMap<String, Value<R>>, Fault> {
    let value = |(pointer, value): (&Located<String>, &Located<String>)| {
        let mut pieces = Vec::new();
        for part in value.get_ref().split_inclusive('}') {
            let (literal, name) = part.trim_end_matches('}').split_once('{').unzip();
            match literal.unwrap_or(part) {
                "" => {}
                literal => pieces.push(Piece::Literal(literal.to_owned())),
            }
            let Some(name) = name else { continue };
            let get = names.iter().find(|(known, _)| *known == name).map(|(_, get)| *get);
            let known = || names.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            let get = get.ok_or_else(|| at(value, format!("there is no value {name:?}; there are {}", known())))?;
            pieces.push(Piece::Value(get, longest(name, cut_at)));
        }
        Ok((file::pointer(pointer, pointer.get_ref())?.to_string(), (pieces, false)))
    };
    texts.iter().map(value).collect()
}

fn paths(paths: &Located<Vec<String>>) -> Result<Vec<String>, Fault> {
    let is_path = |path: &String| path.starts_with('/') && !path.contains(['?', '#']) && path.matches('{').count() <= 1;
    if paths.get_ref().is_empty() || !paths.get_ref().iter().all(is_path) {
        return Err(at(paths, "a form has paths, each with / at its start, no query, and one {parameter} at most"));
    }
    Ok(paths.get_ref().clone())
}

fn list(text: &Located<String>) -> Result<[String; 2], Fault> {
    let around = text.get_ref().split_once(ITEMS).map(|(before, after)| [format!("{before}["), format!("]{after}")]);
    around.ok_or_else(|| at(text, format!("a list has {ITEMS} where its answers are")))
}

fn fixed(sample: &Sample) -> Result<(u16, String), Fault> {
    json::read(sample.body.get_ref().as_bytes()).map_err(|why| unread(&sample.body, &why))?;
    Ok((sample.status, sample.body.get_ref().trim().to_owned()))
}

fn unread(body: &Located<String>, why: &serde_json::Error) -> Fault {
    at(body, format!("the body is not JSON: {why}"))
}
