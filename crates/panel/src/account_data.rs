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

#[cfg(test)]
mod tests {
    use kuraka_tables::packed;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn rows_are_written_up_to_the_limit() {
        let list = packed(json!([["00123", "ÑANDÚ"]]).to_string().as_bytes()).unwrap();
        let row = |bytes: &[u8]| {
            let bytes = StoredValue::Bytes(Some(bytes.to_vec()));
            let values = [("id", StoredValue::Integer(Some(7))), ("note", StoredValue::Text(None)), ("source", bytes)];
            values.map(|(name, value)| (name.to_owned(), value)).to_vec()
        };
        let tables = || vec![("lists", vec![row(&list), row(&[0xab; ID_BYTES])]), ("tokens", vec![])];
        let data = account_data(tables(), 1_000).unwrap();
        let expected = json!({"lists": [
            {"id": 7, "note": null, "source": [["00123", "ÑANDÚ"]]},
            {"id": 7, "note": null, "source": "ab".repeat(ID_BYTES)},
        ], "tokens": []});
        assert_eq!(serde_json::from_str::<Value>(&data).unwrap(), expected);
        assert_eq!(account_data(tables(), 100), None);

        let large = packed("x".repeat(4 << 20).as_bytes()).unwrap();
        assert!(large.len() < 10_000);
        assert_eq!(account_data(vec![("lists", vec![row(&large); 100])], 8 << 20), None);
    }
}
