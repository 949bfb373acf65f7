//! A call's fields, from a JSON object, a form, the query string or the path. A JSON value is kept as written, so that
//! a number never becomes a float.
//!
//! Unknown keys are ignored; repeated keys, arrays and anything but JSON are refused. Unused values are skipped without
//! recursion, so deep nesting is harmless.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::{RawValue, to_raw_value};
use thiserror::Error;

use super::field_value::{A_LIST, A_TEXT, AN_OBJECT, FormItem, Kind, Value, kind_of};
use super::form::{self, FormError, FormField, MAX_FIELDS, shown};
use super::multipart::{self, MultipartError};
use super::route::Parameter;

pub(crate) struct Object<'a> {
    fields: Vec<(Cow<'a, str>, Value<'a>)>,
    /// Whether digits may be a JSON number, and a date may have a time.
    is_lenient: bool,
    /// A field's name, and the client's name for it.
    renamed: Option<(&'static str, &'a str)>,
}

pub(crate) enum Item<'a> {
    Text(Cow<'a, str>),
    /// A JSON object, or why it is unreadable.
    Object(Result<Object<'a>, ObjectError>),
}

impl<'a> Item<'a> {
    pub(crate) fn into_text(self) -> Option<Cow<'a, str>> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }
}

/// Why a body or field is refused, in Spanish for the caller.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum ObjectError {
    #[error("El cuerpo debe ser un objeto JSON con los campos de la consulta.")]
    NotAnObject,
    #[error(transparent)]
    Form(#[from] FormError),
    #[error(transparent)]
    Multipart(#[from] MultipartError),
    #[error("La dirección solo admite el parámetro {0}, una sola vez.")]
    OtherParameter(&'static str),
    #[error("Falta el campo {0}.")]
    Missing(Cow<'static, str>),
    #[error("El campo {field} debe ser un texto entre comillas, no {found}.")]
    NotText { field: &'static str, found: &'static str },
    #[error("El campo {field} debe ser un número, no {found}.")]
    NotNumber { field: &'static str, found: &'static str },
    #[error("El campo {field} debe ser true o false.")]
    NotFlag { field: &'static str },
    #[error("El campo {field} debe ser una lista, no {found}.")]
    NotList { field: &'static str, found: &'static str },
    #[error("La lista {field} debe tener de 1 a {most} elementos en su plan, y tiene {found}.")]
    Length { field: &'static str, most: usize, found: usize },
    #[error("El elemento {number} de {field} debe ser {expected}, no {found}.")]
    Item { field: &'static str, number: usize, expected: &'static str, found: &'static str },
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
const REPEATED: &str = "repeated key: ";
const TOO_MANY: &str = "too many keys";

impl<'a> Object<'a> {
    /// A byte order mark is ignored (RFC 8259, 8.1): some clients write one.
    pub(crate) fn parse(body: &'a [u8]) -> Result<Self, ObjectError> {
        serde_json::from_slice(body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body)).map_err(|error| {
            let text = error.to_string();
            if text.starts_with(TOO_MANY) {
                return FormError::TooManyFields.into();
            }
            let key = text.strip_prefix(REPEATED).and_then(|rest| rest.rsplit_once(" at line ")).map(|(key, _)| key);
            key.map_or(ObjectError::NotAnObject, |key| FormError::Repeated(key.to_owned()).into())
        })
    }

    pub(crate) fn from_form(form: &'a [u8]) -> Result<Self, ObjectError> {
        Ok(Self::from_fields(form::fields(form_urlencoded::parse(form))?))
    }

    pub(crate) fn from_multipart(body: &'a [u8], boundary: &str) -> Result<Self, ObjectError> {
        Ok(Self::from_fields(form::fields(multipart::fields(body, boundary)?.into_iter())?))
    }

    /// A list of a text's lines, without empty ones.
    pub(crate) fn from_lines(list: &'static str, body: &'a [u8]) -> Self {
        let lines = body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body).split(|byte| *byte == b'\n');
        let lines = lines.map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()).map(String::from_utf8_lossy);
        Self::from_fields([(Cow::Borrowed(list), Value::List(lines.map(FormItem::Text).collect()))])
    }

    pub(crate) fn from_texts(fields: impl IntoIterator<Item = (impl Into<Cow<'a, str>>, Cow<'a, str>)>) -> Self {
        Self::from_fields(fields.into_iter().map(|(name, text)| (name.into(), Value::Text(text))))
    }

    fn from_fields(fields: impl IntoIterator<Item = FormField<'a>>) -> Self {
        Self { fields: fields.into_iter().collect(), is_lenient: false, renamed: None }
    }

    pub(crate) fn from_path(parameter: Option<Parameter<'a>>) -> Self {
        Self::from_texts(parameter.map(|Parameter { name, value }| (name, Cow::Borrowed(value))))
    }

    /// As [`Object::from_path`], with a query string that has only the parameter `known`.
    pub(crate) fn from_path_and_query(
        parameter: Option<Parameter<'a>>,
        query: &'a str,
        known: &'static str,
    ) -> Result<Self, ObjectError> {
        let mut object = Self::from_path(parameter);
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            if key != known || object.has(known) {
                return Err(ObjectError::OtherParameter(known));
            }
            object.fields.push((key, Value::Text(value)));
        }
        Ok(object)
    }

    /// The same, in which digits may be a JSON number, and a date may have a time.
    pub(crate) fn lenient(self, is_lenient: bool) -> Self {
        Self { is_lenient, ..self }
    }

    /// The same, with `ours` for the client's name `theirs`, which may also be a text with several names in braces.
    pub(crate) fn renamed(mut self, theirs: &'a str, ours: &'static str) -> Self {
        self.renamed = Some((ours, theirs));
        let value = match self.fields.iter().position(|(name, _)| name == theirs) {
            Some(at) => Some(self.fields.swap_remove(at).1),
            None => self.joined(theirs).map(|text| Value::Text(text.into())),
        };
        if let Some(value) = value {
            self.fields.retain(|(name, _)| name != ours);
            self.fields.push((Cow::Borrowed(ours), value));
        }
        self
    }

    /// A text with fields in place of their names in braces, a month in two digits; `None` = no name in it, or no such
    /// field.
    fn joined(&self, pattern: &str) -> Option<String> {
        let (before, rest) = pattern.split_once('{')?;
        let mut text = before.to_owned();
        for part in rest.split('{') {
            let (name, literal) = part.split_once('}')?;
            text.push_str(&format!("{:0>2}{literal}", without_time(self.find_text(name)?)));
        }
        Some(text)
    }

    /// Adds the field in the path, in place of its namesake.
    pub(crate) fn with_path(mut self, parameter: Option<Parameter<'a>>) -> Self {
        if let Some(Parameter { name, value }) = parameter {
            self.fields.retain(|(known, _)| known != name);
            self.fields.push((Cow::Borrowed(name), Value::Text(Cow::Borrowed(value))));
        }
        self
    }

    pub(crate) fn find_text(&self, name: &str) -> Option<Cow<'a, str>> {
        self.texts().find(|(known, _)| *known == name).map(|(_, text)| text)
    }

    /// The fields that are a text, or digits where they may be a JSON number.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, Cow<'a, str>)> {
        self.fields.iter().filter_map(|(name, value)| {
            let text = match value {
                Value::Json(raw) if self.are_digits(raw.get()) => Cow::Borrowed(raw.get()),
                Value::Json(raw) => unquoted(raw.get()).ok()?,
                Value::Text(text) => text.clone(),
                Value::List(_) => return None,
            };
            Some((&**name, text))
        })
    }

    /// Whether an optional field is there and not null.
    pub(crate) fn has(&self, field: &'static str) -> bool {
        self.value(field).is_ok_and(|value| !matches!(value, Value::Json(raw) if raw.get() == "null"))
    }

    pub(crate) fn text(&self, field: &'static str) -> Result<Cow<'a, str>, ObjectError> {
        let raw = match self.value(field)? {
            Value::Json(raw) => raw.get(),
            Value::Text(text) => return Ok(text.clone()),
            Value::List(_) => return Err(ObjectError::NotText { field, found: A_LIST }),
        };
        match kind_of(raw) {
            Kind::Text => unquoted(raw),
            Kind::Number if self.are_digits(raw) => Ok(Cow::Borrowed(raw)),
            kind @ (Kind::Number | Kind::Other(_)) => Err(ObjectError::NotText { field, found: kind.in_spanish() }),
        }
    }

    pub(crate) fn date(&self, field: &'static str) -> Result<Cow<'a, str>, ObjectError> {
        let text = self.text(field)?;
        Ok(if self.is_lenient { without_time(text) } else { text })
    }

    pub(crate) fn date_if_any(&self, field: &'static str) -> Result<Option<Cow<'a, str>>, ObjectError> {
        self.has(field).then(|| self.date(field)).transpose()
    }

    /// A field that must be a number, or a string with one, as written.
    pub(crate) fn number(&self, field: &'static str) -> Result<Cow<'a, str>, ObjectError> {
        let raw = match self.value(field)? {
            Value::Json(raw) => raw.get(),
            Value::Text(text) => return Ok(text.clone()),
            Value::List(_) => return Err(ObjectError::NotNumber { field, found: A_LIST }),
        };
        match kind_of(raw) {
            Kind::Text => unquoted(raw),
            Kind::Number => Ok(Cow::Borrowed(raw)),
            Kind::Other(found) => Err(ObjectError::NotNumber { field, found }),
        }
    }

    /// A field as it was sent, in JSON; empty if missing, a list or an object.
    pub(crate) fn sent(&self, field: &'static str) -> Cow<'a, RawValue> {
        let text = match self.value(field) {
            Ok(Value::Json(raw)) if !raw.get().starts_with(['{', '[']) => return Cow::Borrowed(*raw),
            Ok(Value::Text(text)) => &**text,
            Ok(Value::Json(_) | Value::List(_)) | Err(_) => "",
        };
        to_raw_value(text).map_or(Cow::Borrowed(RawValue::NULL), Cow::Owned)
    }

    /// A text, or a number as written; otherwise empty.
    pub(crate) fn shown(&self, field: &'static str) -> Cow<'a, str> {
        self.number(field).unwrap_or_default()
    }

    /// An optional `true` or `false`; in a form also `1` or `0`.
    pub(crate) fn flag(&self, field: &'static str) -> Result<bool, ObjectError> {
        if !self.has(field) {
            return Ok(false);
        }
        match self.value(field)? {
            Value::Json(raw) if raw.get() == "true" => Ok(true),
            Value::Json(raw) if raw.get() == "false" => Ok(false),
            Value::Text(text) if ["true", "1"].contains(&&**text) => Ok(true),
            Value::Text(text) if ["false", "0", ""].contains(&&**text) => Ok(false),
            Value::Json(_) | Value::Text(_) | Value::List(_) => Err(ObjectError::NotFlag { field }),
        }
    }

    /// A field that must be a list of texts, and of objects if `objects`.
    pub(crate) fn list(&self, field: &'static str, most: usize, objects: bool) -> Result<Vec<Item<'a>>, ObjectError> {
        let items: Vec<&'a RawValue> = match self.value(field)? {
            Value::Json(raw) => serde_json::from_str(raw.get())
                .map_err(|_| ObjectError::NotList { field, found: kind_of(raw.get()).in_spanish() })?,
            Value::List(items) => {
                check_length(field, most, items.len())?;
                let item = |(at, item): (usize, &FormItem<'a>)| match item.clone() {
                    FormItem::Text(text) => Ok(Item::Text(text)),
                    FormItem::Fields(fields) if objects => {
                        Ok(Item::Object(Ok(Self::from_texts(fields).lenient(self.is_lenient))))
                    }
                    FormItem::Fields(_) => {
                        Err(ObjectError::Item { field, number: at + 1, expected: A_TEXT, found: AN_OBJECT })
                    }
                };
                return items.iter().enumerate().map(item).collect();
            }
            Value::Text(_) => return Err(ObjectError::NotList { field, found: Kind::Text.in_spanish() }),
        };
        check_length(field, most, items.len())?;
        let expected = if objects { "un objeto o un texto" } else { A_TEXT };
        let item = |(at, raw): (usize, &&'a RawValue)| match kind_of(raw.get()) {
            Kind::Text => unquoted(raw.get()).map(Item::Text),
            Kind::Number if self.are_digits(raw.get()) => Ok(Item::Text(Cow::Borrowed(raw.get()))),
            Kind::Other(AN_OBJECT) if objects => {
                Ok(Item::Object(Self::parse(raw.get().as_bytes()).map(|object| object.lenient(self.is_lenient))))
            }
            kind @ (Kind::Number | Kind::Other(_)) => {
                Err(ObjectError::Item { field, number: at + 1, expected, found: kind.in_spanish() })
            }
        };
        items.iter().enumerate().map(item).collect()
    }

    pub(crate) fn text_if_any(&self, field: &'static str) -> Result<Option<Cow<'a, str>>, ObjectError> {
        self.has(field).then(|| self.text(field)).transpose()
    }

    /// As [`Object::list`], optional.
    pub(crate) fn list_if_any(
        &self,
        field: &'static str,
        most: usize,
        objects: bool,
    ) -> Result<Vec<Item<'a>>, ObjectError> {
        match self.has(field).then(|| self.list(field, most, objects)) {
            None | Some(Err(ObjectError::Length { found: 0, .. })) => Ok(Vec::new()),
            Some(items) => items,
        }
    }

    /// Fills a field that is missing, null or empty.
    pub(crate) fn fill(&mut self, field: &'static str, text: &str) {
        let is_empty = |value: &Value<'_>| match value {
            Value::Json(raw) => matches!(raw.get(), "\"\"" | "null"),
            Value::Text(text) => text.is_empty(),
            Value::List(_) => false,
        };
        self.fields.retain(|(name, value)| name != field || !is_empty(value));
        if self.value(field).is_err() {
            self.fields.push((Cow::Borrowed(field), Value::Text(Cow::Owned(text.to_owned()))));
        }
    }

    fn value(&self, field: &'static str) -> Result<&Value<'a>, ObjectError> {
        let theirs =
            || self.renamed.filter(|(ours, _)| *ours == field).map(|(_, theirs)| theirs.replace(['{', '}'], ""));
        let missing = || ObjectError::Missing(theirs().map_or(Cow::Borrowed(field), Cow::Owned));
        self.fields.iter().find(|(key, _)| key == field).map(|(_, value)| value).ok_or_else(missing)
    }

    /// Whether a JSON number may stand for its digits.
    fn are_digits(&self, raw: &str) -> bool {
        self.is_lenient && raw.bytes().all(|byte| byte.is_ascii_digit())
    }
}

fn check_length(field: &'static str, most: usize, found: usize) -> Result<(), ObjectError> {
    if (1..=most).contains(&found) { Ok(()) } else { Err(ObjectError::Length { field, most, found }) }
}

/// A date and time as the date; another text as it is.
fn without_time(text: Cow<'_, str>) -> Cow<'_, str> {
    let has_only = |text: &str, known: &str| text.chars().all(|character| known.contains(character));
    let is_time = |time: &str| time.starts_with(['T', ' ']) && has_only(time, "T 0123456789:.,+-Z");
    match text.split_at_checked(10) {
        Some((date, time)) if has_only(date, "0123456789-/") && is_time(time) => Cow::Owned(date.to_owned()),
        Some(_) | None => text,
    }
}

fn unquoted(raw: &str) -> Result<Cow<'_, str>, ObjectError> {
    let text = Text::deserialize(&mut serde_json::Deserializer::from_str(raw));
    text.map(|Text(text)| text).map_err(|_| ObjectError::NotAnObject)
}

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields)
    }
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Object<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
        let mut fields: Vec<(Cow<'de, str>, Value<'de>)> = Vec::with_capacity(8);
        while let Some((Text(key), value)) = map.next_entry::<Text<'de>, &'de RawValue>()? {
            if fields.len() == MAX_FIELDS {
                return Err(A::Error::custom(TOO_MANY));
            }
            if fields.iter().any(|(known, _)| *known == key) {
                return Err(A::Error::custom(format_args!("{REPEATED}{}", shown(&key))));
            }
            fields.push((key, Value::Json(value)));
        }
        Ok(Object::from_fields(fields))
    }
}

/// Borrowed if it has no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
