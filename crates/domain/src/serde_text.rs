//! Serde for values that are written as one text: what `Display` prints is what `FromStr` reads.
//!
//! Numbers are refused on purpose: `20131312955` without quotes is not how a RUC travels.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

/// Reads one text and hands it to `T`'s parser; the parser's refusal is the error.
pub(crate) struct TextVisitor<T> {
    expecting: &'static str,
    value: PhantomData<T>,
}

impl<T> TextVisitor<T> {
    /// A visitor whose refusals say what was expected.
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

/// Writes a value as its `Display` text.
macro_rules! to_text {
    ($name:ty) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    };
}

/// As [`to_text`], and reads it back through `FromStr`.
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
