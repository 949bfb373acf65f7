//! Everything stored about an account, as JSON.

use kuraka_panel::account_data;
use kuraka_ports::StoredValue;
use kuraka_tables::packed;
use serde_json::{Value, json};

#[test]
fn rows_are_written_up_to_the_limit() {
    let list = packed(json!([["00123", "ÑANDÚ"]]).to_string().as_bytes()).unwrap();
    let row = |bytes: &[u8]| {
        let bytes = StoredValue::Bytes(Some(bytes.to_vec()));
        let values = [("id", StoredValue::Integer(Some(7))), ("note", StoredValue::Text(None)), ("source", bytes)];
        values.map(|(name, value)| (name.to_owned(), value)).to_vec()
    };
    // A list's cells, and a random number.
    let tables = || vec![("lists", vec![row(&list), row(&[0xab; 16])]), ("tokens", vec![])];
    let data = account_data(tables(), 1_000).unwrap();
    let expected = json!({"lists": [
        {"id": 7, "note": null, "source": [["00123", "ÑANDÚ"]]},
        {"id": 7, "note": null, "source": "ab".repeat(16)},
    ], "tokens": []});
    assert_eq!(serde_json::from_str::<Value>(&data).unwrap(), expected);
    assert_eq!(account_data(tables(), 100), None);

    let large = packed("x".repeat(4 << 20).as_bytes()).unwrap();
    assert!(large.len() < 10_000);
    assert_eq!(account_data(vec![("lists", vec![row(&large); 100])], 8 << 20), None);
}
