//! What the values that are one text share: `FromStr`, serde, and the texts of their errors.
//!
//! Deserialising from a number fails: a RUC in JSON is a string.

/// Implements `FromStr` with this function, and with the feature `serde` a string that `Display` writes and `FromStr`
/// reads.
macro_rules! text_value {
    ($name:ty, $error:ty, $parse:expr, $expecting:literal) => {
        impl core::str::FromStr for $name {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, $error> {
                $parse(text)
            }
        }

        $crate::text_value::serialize_text!($name);

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str($crate::text_value::TextVisitor::new($expecting))
            }
        }
    };
}

/// With the feature `serde`, implements `Serialize` with the text of `Display`.
macro_rules! serialize_text {
    ($name:ty) => {
        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    };
}

/// Implements `Display` and `Error` for an error, with a text for each variant.
macro_rules! error_texts {
    ($name:ident { $($variant:pat => $text:literal $(, $argument:expr)*;)+ }) => {
        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self {
                    $($variant => write!(f, $text $(, $argument)*),)+
                }
            }
        }

        impl core::error::Error for $name {}
    };
}

pub(crate) use {error_texts, serialize_text, text_value};

#[cfg(feature = "serde")]
pub(crate) use visitor::TextVisitor;

#[cfg(feature = "serde")]
mod visitor {
    use core::fmt;
    use core::marker::PhantomData;
    use core::str::FromStr;

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
}
