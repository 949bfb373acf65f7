//! The fields of a call, from a JSON object, an HTML form or the path. A JSON value is kept as written, so that a
//! number is never converted to a float.
//!
//! Unknown keys are ignored. Repeated keys, arrays and anything that is not JSON are refused. Unused values are skipped
//! without recursion, so deep nesting is harmless.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use thiserror::Error;

use super::route::Parameter;

/// The fields: name and value.
pub(crate) struct Object<'a>(Vec<(Cow<'a, str>, Value<'a>)>);

/// The value of a field.
enum Value<'a> {
    /// A JSON value as written.
    Json(&'a RawValue),
    /// A text of a form or of the path.
    Text(Cow<'a, str>),
}

/// Why a body or a field was refused. The messages are in Spanish, for the caller.
#[derive(Debug, PartialEq, Eq, Error)]
pub(crate) enum ObjectError {
    #[error("El cuerpo debe ser un objeto JSON con los campos de la consulta.")]
    NotAnObject,
    #[error("El cuerpo repite la clave {0}; cada campo va una sola vez.")]
    Repeated(String),
    #[error("El formulario tiene más de {FORM_FIELDS} campos.")]
    TooManyFields,
    #[error("La dirección solo admite el parámetro {0}, una sola vez.")]
    OtherParameter(&'static str),
    #[error("Falta el campo {0}.")]
    Missing(&'static str),
    #[error("El campo {field} debe ser un texto entre comillas, no {found}.")]
    NotText { field: &'static str, found: &'static str },
    #[error("El campo {field} debe ser un número, no {found}.")]
    NotNumber { field: &'static str, found: &'static str },
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
const REPEATED: &str = "repeated key: ";
/// The most fields of a form. Each may be two bytes long, so a body could have thousands.
const FORM_FIELDS: usize = 64;

impl<'a> Object<'a> {
    /// The fields of a JSON object. A byte order mark before it is ignored (RFC 8259, 8.1): some clients write one.
    pub(crate) fn parse(body: &'a [u8]) -> Result<Self, ObjectError> {
        serde_json::from_slice(body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body)).map_err(|error| {
            let text = error.to_string();
            let key = text.strip_prefix(REPEATED).and_then(|rest| rest.rsplit_once(" at line ")).map(|(key, _)| key);
            key.map_or(ObjectError::NotAnObject, |key| ObjectError::Repeated(key.to_owned()))
        })
    }

    /// The fields of an HTML form.
    pub(crate) fn of_form(body: &'a [u8]) -> Result<Self, ObjectError> {
        let mut fields: Vec<(Cow<'a, str>, Value<'a>)> = Vec::with_capacity(8);
        for (key, value) in form_urlencoded::parse(body) {
            if fields.len() == FORM_FIELDS {
                return Err(ObjectError::TooManyFields);
            }
            if fields.iter().any(|(known, _)| *known == key) {
                return Err(ObjectError::Repeated(shown(&key)));
            }
            fields.push((key, Value::Text(value)));
        }
        Ok(Self(fields))
    }

    /// The field in a path, if there is one.
    pub(crate) fn of_path(parameter: Option<Parameter<'a>>) -> Self {
        let field = |Parameter { name, value }| (Cow::Borrowed(name), Value::Text(Cow::Borrowed(value)));
        Self(parameter.into_iter().map(field).collect())
    }

    /// As [`Object::of_path`], with the query string, which has only the parameter `known`.
    pub(crate) fn of_path_and_query(
        parameter: Option<Parameter<'a>>,
        query: &'a str,
        known: &'static str,
    ) -> Result<Self, ObjectError> {
        let mut object = Self::of_path(parameter);
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            if key != known || object.has(known) {
                return Err(ObjectError::OtherParameter(known));
            }
            object.0.push((key, Value::Text(value)));
        }
        Ok(object)
    }

    /// Whether a field that may be missing is there and not null.
    pub(crate) fn has(&self, field: &'static str) -> bool {
        self.value(field).is_ok_and(|value| !matches!(value, Value::Json(raw) if raw.get() == "null"))
    }

    /// The value of a field that must be a string.
    pub(crate) fn text(&self, field: &'static str) -> Result<Cow<'a, str>, ObjectError> {
        let raw = match self.value(field)? {
            Value::Json(raw) => raw.get(),
            Value::Text(text) => return Ok(text.clone()),
        };
        match kind_of(raw) {
            Kind::Text => unquoted(raw),
            Kind::Number => Err(ObjectError::NotText { field, found: "un número" }),
            Kind::Other(found) => Err(ObjectError::NotText { field, found }),
        }
    }

    /// The characters of a field that must be a number, or a string with a number.
    pub(crate) fn number(&self, field: &'static str) -> Result<Cow<'a, str>, ObjectError> {
        let raw = match self.value(field)? {
            Value::Json(raw) => raw.get(),
            Value::Text(text) => return Ok(text.clone()),
        };
        match kind_of(raw) {
            Kind::Text => unquoted(raw),
            Kind::Number => Ok(Cow::Borrowed(raw)),
            Kind::Other(found) => Err(ObjectError::NotNumber { field, found }),
        }
    }

    fn value(&self, field: &'static str) -> Result<&Value<'a>, ObjectError> {
        let (_, value) = self.0.iter().find(|(key, _)| key == field).ok_or(ObjectError::Missing(field))?;
        Ok(value)
    }
}

/// The JSON type of a value, detected from its first character.
enum Kind {
    Text,
    Number,
    Other(&'static str),
}

fn kind_of(raw: &str) -> Kind {
    match raw.as_bytes().first() {
        Some(b'"') => Kind::Text,
        Some(b'{') => Kind::Other("un objeto"),
        Some(b'[') => Kind::Other("una lista"),
        Some(b't' | b'f') => Kind::Other("un valor lógico"),
        Some(b'n') => Kind::Other("null"),
        Some(_) | None => Kind::Number,
    }
}

fn unquoted(raw: &str) -> Result<Cow<'_, str>, ObjectError> {
    let text = Text::deserialize(&mut serde_json::Deserializer::from_str(raw));
    text.map(|Text(text)| text).map_err(|_| ObjectError::NotAnObject)
}

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields).map(|Object(fields)| Self(fields))
    }
}

/// The beginning of a repeated key, for the message.
fn shown(key: &str) -> String {
    key.chars().take(40).collect::<String>().escape_debug().to_string()
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
            // A linear search is fast enough: a body of 4 KiB has some hundreds of keys at most.
            if fields.iter().any(|(known, _)| *known == key) {
                return Err(A::Error::custom(format_args!("{REPEATED}{}", shown(&key))));
            }
            fields.push((key, Value::Json(value)));
        }
        Ok(Object(fields))
    }
}

/// A string that is borrowed if it has no escapes.
struct Text<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Borrowing;
        impl<'de> Visitor<'de> for Borrowing {
            type Value = Cow<'de, str>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Cow::Borrowed(text))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Cow::Owned(text.to_owned()))
            }
        }
        deserializer.deserialize_str(Borrowing).map(Text)
    }
}
