//! Enums whose values are words, in stores, settings, metrics or answers.

use thiserror::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the word names no value")]
pub struct UnknownWordError;

/// Makes the enum, the list of its values, the word of each, and the value of a word.
#[macro_export]
macro_rules! words {
    ($(#[$of_all:meta])* pub enum $name:ident { $($(#[$of_one:meta])* $value:ident = $word:literal,)+ }) => {
        $(#[$of_all])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$of_one])* $value,)+
        }

        impl $name {
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$value),+];

            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)+
                }
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::UnknownWordError;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                Self::ALL.into_iter().find(|known| known.as_str() == word).ok_or($crate::UnknownWordError)
            }
        }
    };
}
