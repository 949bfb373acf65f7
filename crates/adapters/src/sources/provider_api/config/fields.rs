//! `[fields]` and `[optional]`: where the record's fields are in an answer.

use toml::Value;

use super::file::{Fault, File, Located, at, pointer, several};
use crate::sources::provider_api::field::Field;
use crate::sources::provider_api::spec::FieldPlace;

/// Mandatory fields first.
pub(super) fn places(file: &File) -> Result<Vec<FieldPlace>, Fault> {
    let mut places = Vec::new();
    for (name, entry) in file.fields.get_ref() {
        places.push(place(name, entry, false)?);
    }
    let has = |places: &[FieldPlace], field: Field| places.iter().any(|place| place.field == field);
    if let Some(missing) = Field::MANDATORY.into_iter().find(|field| !has(&places, *field)) {
        return Err(at(&file.fields, format!("[fields] lacks {missing}: without it there is no record")));
    }
    let parts = Field::ADDRESS.into_iter().filter(|field| has(&places, *field)).count();
    if let (1.., Some(missing)) = (parts, Field::ADDRESS.into_iter().find(|field| !has(&places, *field))) {
        return Err(half_an_address(&file.fields, missing));
    }
    for (name, entry) in &file.optional {
        let place = place(name, entry, true)?;
        if has(&places, place.field) {
            let what = format!("the field {} is in both [fields] and [optional]: leave it in one", place.field);
            return Err(at(name, what));
        }
        if Field::ADDRESS.contains(&place.field) {
            return Err(half_an_address(name, place.field));
        }
        places.push(place);
    }
    Ok(places)
}

fn half_an_address<T>(place: &Located<T>, missing: Field) -> Fault {
    let all = names(&Field::ADDRESS);
    at(place, format!("[fields] has a part of the address but not {missing}: give all of {all}, or none"))
}

fn names(fields: &[Field]) -> String {
    fields.iter().map(|field| field.name()).collect::<Vec<_>>().join(", ")
}

fn place(name: &Located<String>, entry: &Located<Value>, optional: bool) -> Result<FieldPlace, Fault> {
    let unknown = || at(name, format!("the record has no field {:?}; it has {}", name.get_ref(), names(Field::ALL)));
    let field = Field::from_name(name.get_ref()).ok_or_else(unknown)?;
    let takes = "takes a pointer, a list of pointers, or { at = pointer, nullable = true }";
    let (pointers, nullable) = parts(entry.get_ref()).ok_or_else(|| at(entry, format!("{field} {takes}")))?;
    if nullable && (Field::MANDATORY.contains(&field) || Field::ADDRESS.contains(&field)) {
        return Err(at(entry, format!("{field} cannot be nullable")));
    }
    let pointers = pointers.into_iter().map(|text| pointer(entry, text));
    Ok(FieldPlace { field, at: pointers.collect::<Result<_, _>>()?, nullable, optional })
}

/// An entry's pointers, and whether it may be null; `None` = another structure.
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
