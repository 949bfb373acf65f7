//! The file's `[dialect]`: how the provider's clients call it, and the forms of its answers.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::file::{self, ErrorAnswer, Fault, File, Form, Located, Sample, Samples, Values, at};
use super::request;
use crate::sources::json;
use crate::sources::provider_api::dialect::{
    Dialect, DialectError, DialectForm, DialectTaxpayer, ERROR, FormAnswer, Get, Names, Piece, Plan, TAXPAYER,
    Template, Value,
};
use crate::sources::provider_api::spec::ProviderSpec;

/// The parameter of a form that names none.
const RUC: &str = "ruc";
/// The values that the padrón cuts.
const CUT: [&str; 2] = ["status", "condition"];

pub(super) fn dialect(spec: &ProviderSpec, file: &File) -> Result<Option<Dialect>, Fault> {
    let Some(section) = &file.dialect else { return Ok(None) };
    let tokens = section.tokens.iter().map(request::token).collect::<Result<Vec<_>, _>>()?;
    let tokens = if tokens.is_empty() { spec.request.token.iter().cloned().collect() } else { tokens };
    let most = section.cut_at.unwrap_or(usize::MAX);
    let read = |form: &Form| {
        let not_found = form.not_found.as_ref().or(section.not_found.as_ref());
        let not_found = not_found.or(file.sample.as_ref().and_then(|samples| samples.not_found.as_ref()));
        Ok(DialectForm {
            answer: answer(spec, file, form, most)?,
            paths: paths(&form.paths)?,
            when: form.when.iter().map(|text| condition(text)).collect(),
            parameter: form.parameter.clone().unwrap_or_else(|| RUC.to_owned()),
            not_found: not_found.map(fixed).transpose()?,
            error: form.error.as_ref().map(error).transpose()?,
        })
    };
    let forms = section.forms.iter().map(read).collect::<Result<_, _>>()?;
    Ok(Some(Dialect { tokens, forms, error: error(&section.error)? }))
}

fn answer(spec: &ProviderSpec, file: &File, form: &Form, most: usize) -> Result<FormAnswer, Fault> {
    let kind = form.answers.get_ref().as_str();
    let items = form.items.as_deref().unwrap_or_default();
    Ok(match kind {
        "taxpayer" => FormAnswer::Taxpayer(taxpayer(spec, file, form, None, most)?),
        "taxpayers" => FormAnswer::Taxpayers(taxpayer(spec, file, form, Some(items), most)?),
        other => {
            let what = format!("a form answers \"taxpayer\" or \"taxpayers\", not {other:?}");
            return Err(at(&form.answers, what));
        }
    })
}

/// Without a body of its own, a form has the found sample with the file's fields, and a list has one of it.
fn taxpayer(
    spec: &ProviderSpec,
    file: &File,
    form: &Form,
    items: Option<&str>,
    most: usize,
) -> Result<Template<DialectTaxpayer>, Fault> {
    let own = spec.found.values.iter().map(|(pointer, _)| pointer.to_string()).collect();
    let values = values(&form.values, TAXPAYER, most)?;
    if let Some(body) = &form.body {
        return template(body, body.get_ref(), Plan { values, items, own, is_own: false });
    }
    let Some(Samples { found, .. }) = &file.sample else {
        return Err(at(&form.answers, "the form has no body, and the file has no sample that it could have"));
    };
    let text = found.body.get_ref();
    let document = json::read(text.as_bytes()).map_err(|why| unread(&found.body, &why))?;
    let mut known = BTreeMap::new();
    for place in &spec.places {
        let Some((pointer, _)) = place.find(&document) else { continue };
        let name = place.field.name();
        let get = TAXPAYER.iter().find(|(known, _)| *known == name).map_or(unknown as Get<_>, |(_, get)| *get);
        let pieces = vec![Piece::Value(get, longest(name, most))];
        known.insert(pointer.to_string(), Value { pieces, is_nullable: place.nullable });
    }
    known.extend(values);
    let plan = Plan { values: known, items, own, is_own: false };
    if items.is_some() { template(&found.body, &format!("[{text}]"), plan) } else { template(&found.body, text, plan) }
}

/// A field that no published file has.
const fn unknown(_: &DialectTaxpayer) -> Vec<Cow<'_, str>> {
    Vec::new()
}

fn longest(name: &str, most: usize) -> usize {
    if CUT.contains(&name) { most } else { usize::MAX }
}

fn error(answer: &ErrorAnswer) -> Result<Template<DialectError>, Fault> {
    let values = values(&answer.values, ERROR, usize::MAX)?;
    template(&answer.body, answer.body.get_ref(), Plan { values, items: None, own: Vec::new(), is_own: true })
}

/// `body` is the place of the text.
fn template<R>(body: &Located<String>, text: &str, plan: Plan<'_, R>) -> Result<Template<R>, Fault> {
    json::read(text.as_bytes()).map_err(|why| unread(body, &why))?;
    Template::new(text.trim(), plan).map_err(|why| at(body, format!("the body {why}")))
}

/// Texts at pointers, with the names of values in braces.
fn values<R>(texts: &Values, names: Names<R>, most: usize) -> Result<BTreeMap<String, Value<R>>, Fault> {
    let value = |(pointer, value): (&Located<String>, &Located<String>)| {
        let mut pieces = Vec::new();
        for (index, part) in value.get_ref().split('{').enumerate() {
            let literal = match part.split_once('}').filter(|_| index > 0) {
                None => part,
                Some((name, rest)) => {
                    let known = || names.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
                    let get = names.iter().find(|(known, _)| *known == name).map(|(_, get)| *get);
                    let get =
                        get.ok_or_else(|| at(value, format!("there is no value {name:?}; there are {}", known())))?;
                    pieces.push(Piece::Value(get, longest(name, most)));
                    rest
                }
            };
            if !literal.is_empty() {
                pieces.push(Piece::Literal(literal.to_owned()));
            }
        }
        let pointer = file::pointer(pointer, pointer.get_ref())?;
        Ok((pointer.to_string(), Value { pieces, is_nullable: false }))
    };
    texts.iter().map(value).collect()
}

fn paths(paths: &Located<Vec<String>>) -> Result<Vec<String>, Fault> {
    let is_path = |path: &String| {
        let names = path.split('/').filter(|segment| segment.contains(['{', '}']));
        let is_whole = |segment: &str| segment.starts_with('{') && segment.ends_with('}');
        path.starts_with('/') && !path.contains(['?', '#']) && names.clone().count() <= 1 && names.clone().all(is_whole)
    };
    if paths.get_ref().is_empty() || !paths.get_ref().iter().all(is_path) {
        let what = "a form has paths, each with / at its start, no query, and at most one segment in braces";
        return Err(at(paths, what));
    }
    Ok(paths.get_ref().clone())
}

fn condition(text: &str) -> (String, Option<String>) {
    text.split_once('=').map_or((text.to_owned(), None), |(name, value)| (name.to_owned(), Some(value.to_owned())))
}

fn fixed(sample: &Sample) -> Result<(u16, String), Fault> {
    json::read(sample.body.get_ref().as_bytes()).map_err(|why| unread(&sample.body, &why))?;
    Ok((sample.status, sample.body.get_ref().trim().to_owned()))
}

fn unread(body: &Located<String>, why: &serde_json::Error) -> Fault {
    at(body, format!("the body is not JSON: {why}"))
}
