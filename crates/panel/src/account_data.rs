//! Everything that is stored about an account, as JSON for its owner.

use std::collections::BTreeMap;

use kuraka_ports::{StoredTable, StoredValue};
use kuraka_tables::unpacked;
use serde_json::value::{RawValue, to_raw_value};

/// An object with an array of rows for each table; `None` if it has more than `most` bytes. A kept list has some thousand
/// bytes for each that is stored, so rows are unpacked one by one.
pub fn account_data(tables: Vec<StoredTable>, most: usize) -> Option<String> {
    let mut data = String::from("{");
    let mut comma = "";
    for (name, rows) in tables {
        data.push_str(&format!("{comma}\n\"{name}\": ["));
        comma = "";
        for row in rows {
            let row: Result<BTreeMap<String, Box<RawValue>>, _> =
                row.into_iter().map(|(name, value)| Ok((name, json(value)?))).collect();
            let row = row.and_then(|row| serde_json::to_string_pretty(&row)).ok()?;
            data.push_str(&format!("{comma}\n{row}"));
            comma = ",";
            if data.len() > most {
                return None;
            }
        }
        data.push(']');
        comma = ",";
    }
    data.push_str("\n}\n");
    Some(data)
}

/// Bytes are a random number in hexadecimal digits, or compressed text.
fn json(value: StoredValue) -> serde_json::Result<Box<RawValue>> {
    match value {
        StoredValue::Integer(number) => to_raw_value(&number),
        StoredValue::Text(text) => to_raw_value(&text),
        StoredValue::Bytes(None) => to_raw_value(&()),
        StoredValue::Bytes(Some(bytes)) => {
            let text = unpacked(&bytes).ok().and_then(|bytes| String::from_utf8(bytes).ok());
            match text.filter(|_| bytes.len() != ID_BYTES) {
                Some(text) => RawValue::from_string(text.clone()).or_else(|_| to_raw_value(&text)),
                None => to_raw_value(&hex::encode(bytes)),
            }
        }
    }
}

/// The length of the numbers of lists and certificates.
const ID_BYTES: usize = 16;
