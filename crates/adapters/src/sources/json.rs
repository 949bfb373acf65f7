//! JSON from an untrusted source: one document, no key twice, not too many values. Parsers differ in which of two equal
//! keys they take, and a short text can hold very many values, which are counted during parsing.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// The longest recorded answer has about fifty.
const MAX_VALUES: u32 = 20_000;

/// The parser limits the depth.
pub(super) fn read(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    let left = Cell::new(MAX_VALUES);
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let document = Node(&left).deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(document)
}

/// A value to be read; the cell counts how many may follow.
#[derive(Clone, Copy)]
struct Node<'c>(&'c Cell<u32>);

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let left = self.0.get().checked_sub(1).ok_or_else(|| D::Error::custom("too many values"))?;
        self.0.set(left);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            array.push(item);
        }
        Ok(array.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(self)?;
            if object.insert(key, value).is_some() {
                return Err(A::Error::custom("a key stands twice"));
            }
        }
        Ok(object.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_read_as_it_is_written() {
        let text = r#"{"a":null,"b":[true,-1,2,2.5,"ñ"],"c":{"d":{}}}"#;
        assert_eq!(read(text.as_bytes()).unwrap(), serde_json::from_str::<Value>(text).unwrap());
    }

    #[test]
    fn a_repeated_key_is_an_error() {
        assert!(read(br#"{"ruc":"20100070970","ruc":"20131312955"}"#).unwrap_err().to_string().contains("twice"));
        assert!(read(br#"{"data":{"a":1,"b":2,"a":1}}"#).is_err());
    }

    #[test]
    fn text_after_the_document_is_an_error() {
        assert!(read(b"{} {}").is_err());
        assert!(read(b"{}<html>").is_err());
        assert!(read(b"").is_err());
    }

    #[test]
    fn values_are_counted() {
        let many = format!("[{}0]", "0,".repeat(MAX_VALUES as usize));
        assert!(read(many.as_bytes()).unwrap_err().to_string().contains("too many"));
        let deep = "[".repeat(1 << 20);
        assert!(read(deep.as_bytes()).is_err());
    }

    #[test]
    fn text_that_is_not_utf8_is_refused() {
        assert!(read(b"{\"name\":\"PU\xd1O\"}").is_err());
    }
}
