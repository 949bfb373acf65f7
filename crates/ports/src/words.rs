//! Enums whose values are words, in stores, settings, metrics or answers.

/// Makes the enum, the list of its values, and the word of each.
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
    };
}
