//! The fields of an HTML form or query string. Lists are written as PHP and jQuery do: `a[]`, `a[0]`, and `a[0][b]` for
//! items with fields.

use std::borrow::Cow;
use std::collections::BTreeMap;

use thiserror::Error;

use super::field_value::{FormItem, Value};

/// Of a form, a list's item, or a JSON object. A body could have thousands, and each is compared with all before it.
pub(super) const MAX_FIELDS: usize = 512;

/// The name, without a list's brackets, and the value.
pub(super) type FormField<'a> = (Cow<'a, str>, Value<'a>);

/// Why a form is refused, in Spanish.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum FormError {
    #[error("El cuerpo repite la clave {0}; cada campo va una sola vez.")]
    Repeated(String),
    #[error("El cuerpo tiene más de {MAX_FIELDS} campos.")]
    TooManyFields,
    #[error("A la lista {list} del formulario le falta el elemento [{missing}]: se numeran desde 0, sin saltos.")]
    Gap { list: String, missing: usize },
}

/// A field whose list may get more items.
enum Building<'a> {
    Text(Cow<'a, str>),
    List(BTreeMap<usize, FormItem<'a>>),
}

enum Key<'a> {
    Plain,
    /// List name, item number, item field.
    Item(&'a str, Option<usize>, Option<&'a str>),
}

pub(super) fn fields<'a>(
    pairs: impl Iterator<Item = (Cow<'a, str>, Cow<'a, str>)>,
) -> Result<Vec<FormField<'a>>, FormError> {
    let mut fields: Vec<(Cow<'a, str>, Building<'a>)> = Vec::with_capacity(8);
    for (key, value) in pairs {
        let name = match Key::read(&key) {
            Key::Plain => &*key,
            Key::Item(list, ..) => list,
        };
        let (known, is_full) = (fields.iter().rposition(|(known, _)| *known == name), fields.len() == MAX_FIELDS);
        match (known.and_then(|at| fields.get_mut(at)), Key::read(&key)) {
            (Some((_, Building::List(items))), Key::Item(_, number, field)) => {
                add(items, &key, number, field, value)?;
            }
            (Some(_), _) => return Err(FormError::Repeated(shown(&key))),
            (None, _) if is_full => return Err(FormError::TooManyFields),
            (None, Key::Plain) => fields.push((key, Building::Text(value))),
            (None, Key::Item(list, number, field)) => {
                let (list, mut items) = (list.to_owned(), BTreeMap::new());
                add(&mut items, &key, number, field, value)?;
                fields.push((Cow::Owned(list), Building::List(items)));
            }
        }
    }
    fields.into_iter().map(finished).collect()
}

fn add<'a>(
    items: &mut BTreeMap<usize, FormItem<'a>>,
    key: &str,
    number: Option<usize>,
    field: Option<&str>,
    value: Cow<'a, str>,
) -> Result<(), FormError> {
    let number = number.unwrap_or_else(|| items.last_key_value().map_or(0, |(last, _)| last.saturating_add(1)));
    match (items.get_mut(&number), field) {
        (None, None) => drop(items.insert(number, FormItem::Text(value))),
        (None, Some(field)) => {
            items.insert(number, FormItem::Fields(vec![(Cow::Owned(field.to_owned()), value)]));
        }
        (Some(FormItem::Fields(fields)), Some(_)) if fields.len() == MAX_FIELDS => {
            return Err(FormError::TooManyFields);
        }
        (Some(FormItem::Fields(fields)), Some(field)) if fields.iter().all(|(known, _)| known != field) => {
            fields.push((Cow::Owned(field.to_owned()), value));
        }
        (Some(_), _) => return Err(FormError::Repeated(shown(key))),
    }
    Ok(())
}

fn finished<'a>((name, value): (Cow<'a, str>, Building<'a>)) -> Result<FormField<'a>, FormError> {
    let items = match value {
        Building::Text(text) => return Ok((name, Value::Text(text))),
        Building::List(items) => items,
    };
    match items.keys().enumerate().find(|(at, number)| at != *number) {
        Some((missing, _)) => Err(FormError::Gap { list: shown(&name), missing }),
        None => Ok((name, Value::List(items.into_values().collect()))),
    }
}

impl<'a> Key<'a> {
    /// Another form of brackets is the name of a field that nothing reads.
    fn read(key: &'a str) -> Self {
        Self::item(key).unwrap_or(Key::Plain)
    }

    fn item(key: &'a str) -> Option<Self> {
        let (list, rest) = key.strip_suffix(']')?.split_once('[')?;
        let (number, field) = rest.split_once("][").map_or((rest, None), |(number, field)| (number, Some(field)));
        let number = match number {
            "" if field.is_none() => None,
            // Unreachable without a gap.
            digits if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(digits.parse().unwrap_or(usize::MAX))
            }
            _ => return None,
        };
        Some(Key::Item(list, number, field))
    }
}

/// A key's beginning, for a message.
pub(super) fn shown(key: &str) -> String {
    key.chars().take(40).collect::<String>().escape_debug().to_string()
}
