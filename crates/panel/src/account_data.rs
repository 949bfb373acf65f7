//! Everything that is stored about an account, as JSON for its owner.

use kuraka_ports::{StoredTable, StoredValue};
use kuraka_tables::unpacked;
use serde_json::{Map, Value};

/// An object with an array of rows for each table.
#[must_use]
pub fn account_data(tables: Vec<StoredTable>) -> Value {
    let row = |row: Vec<(&str, StoredValue)>| -> Value {
        row.into_iter().map(|(name, value)| (name.to_owned(), json(value))).collect::<Map<_, _>>().into()
    };
    let table = |(name, rows): StoredTable| (name.to_owned(), rows.into_iter().map(row).collect());
    tables.into_iter().map(table).collect::<Map<_, _>>().into()
}

/// Bytes are a random number in hexadecimal digits, or compressed text.
fn json(value: StoredValue) -> Value {
    match value {
        StoredValue::Integer(number) => number.into(),
        StoredValue::Text(text) => text.into(),
        StoredValue::Bytes(None) => Value::Null,
        StoredValue::Bytes(Some(bytes)) => {
            let text = unpacked(&bytes).ok().and_then(|bytes| String::from_utf8(bytes).ok());
            match text.filter(|_| bytes.len() != ID_BYTES) {
                Some(text) => serde_json::from_str(&text).unwrap_or_else(|_| text.into()),
                None => hex::encode(bytes).into(),
            }
        }
    }
}

/// The length of the numbers of lists and certificates.
const ID_BYTES: usize = 16;
