//! The file's `[fields]` and `[optional]`: the places of the record's fields in an answer.

use toml::Value;

use super::fault::{ConfigFault, Fault, at};
use super::file::{File, Located, several};
use crate::sources::provider_api::field::Field;
use crate::sources::provider_api::pointer::Pointer;
use crate::sources::provider_api::spec::Place;

/// The place of each field, mandatory ones first.
pub(super) fn places(file: &File) -> Result<Vec<Place>, Fault> {
    let mut places = Vec::new();
    for (name, entry) in file.fields.get_ref() {
        places.push(place(name, entry, false)?);
    }
    let has = |places: &[Place], field: Field| places.iter().any(|place| place.field == field);
    if let Some(missing) = Field::MANDATORY.into_iter().find(|field| !has(&places, *field)) {
        return Err(at(&file.fields, ConfigFault::Missing(missing)));
    }
    let parts = Field::ADDRESS.into_iter().filter(|field| has(&places, *field)).count();
    if let (1.., Some(missing)) = (parts, Field::ADDRESS.into_iter().find(|field| !has(&places, *field))) {
        return Err(at(&file.fields, ConfigFault::HalfAddress(missing)));
    }
    for (name, entry) in &file.optional {
        let place = place(name, entry, true)?;
        if has(&places, place.field) {
            return Err(at(name, ConfigFault::Twice(place.field)));
        }
        if Field::ADDRESS.contains(&place.field) {
            return Err(at(name, ConfigFault::HalfAddress(place.field)));
        }
        places.push(place);
    }
    Ok(places)
}

fn place(name: &Located<String>, entry: &Located<Value>, optional: bool) -> Result<Place, Fault> {
    let unknown = || at(name, ConfigFault::UnknownField { name: name.get_ref().as_str().into() });
    let field = Field::from_name(name.get_ref()).ok_or_else(unknown)?;
    let (pointers, nullable) = parts(entry.get_ref()).ok_or_else(|| at(entry, ConfigFault::Entry(field)))?;
    if nullable && (Field::MANDATORY.contains(&field) || Field::ADDRESS.contains(&field)) {
        return Err(at(entry, ConfigFault::Nullable(field)));
    }
    let pointer = |text: &str| Pointer::parse(text).ok_or_else(|| at(entry, ConfigFault::Pointer(text.into())));
    Ok(Place { field, at: pointers.into_iter().map(pointer).collect::<Result<_, _>>()?, nullable, optional })
}

/// An entry's pointers, at least one, and whether the field may be null; `None` for an entry of another structure.
fn parts(entry: &Value) -> Option<(Vec<&str>, bool)> {
    let (pointers, nullable) = match entry.as_table() {
        Some(table) if table.keys().all(|key| key == "at" || key == "nullable") => {
            (table.get("at")?, table.get("nullable").map_or(Some(false), Value::as_bool)?)
        }
        Some(_) => return None,
        None => (entry, false),
    };
    let pointers: Vec<_> = several(pointers).iter().map(Value::as_str).collect::<Option<_>>()?;
    (!pointers.is_empty()).then_some((pointers, nullable))
}
