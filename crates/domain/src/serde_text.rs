//! Serde for values that are one string: `Display` writes it, `FromStr` reads it.
//!
//! Deserialising from a number fails: a RUC in JSON is a string.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

/// Reads one string and passes it to `T`'s parser; the parser's error is the result.
pub(crate) struct TextVisitor<T> {
    expecting: &'static str,
    value: PhantomData<T>,
}

impl<T> TextVisitor<T> {
    /// A visitor whose errors say what was expected.
    pub(crate) const fn new(expecting: &'static str) -> Self {
        Self { expecting, value: PhantomData }
    }
}

impl<T: FromStr<Err: fmt::Display>> serde::de::Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expecting)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

/// Implements `Serialize` with the text of `Display`.
macro_rules! to_text {
    ($name:ty) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    };
}

/// Like [`to_text`], and implements `Deserialize` with `FromStr`.
macro_rules! as_text {
    ($name:ty, $expecting:literal) => {
        $crate::serde_text::to_text!($name);

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str($crate::serde_text::TextVisitor::new($expecting))
            }
        }
    };
}

pub(crate) use {as_text, to_text};
