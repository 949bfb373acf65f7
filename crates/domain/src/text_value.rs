//! `FromStr`, serde and error texts for values that are one text. A number does not deserialise: a RUC in JSON is a
//! string.

/// Implements `FromStr`, and with the feature `serde` a string that `Display` writes and `FromStr` reads.
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

    pub(crate) struct TextVisitor<T> {
        expecting: &'static str,
        value: PhantomData<T>,
    }

    impl<T> TextVisitor<T> {
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
