//! Sections of the settings: one struct each, whose fields have documentation, kind and default beside them.

use serde::Deserialize;
use serde::de::{Deserializer, Error};

use super::kind::Kind;

pub(super) trait Section: for<'de> Deserialize<'de> {
    const ROWS: &'static [Row];
}

/// A setting's description.
pub(super) struct Row {
    /// The last part of the key.
    pub(super) name: &'static str,
    /// The text without any source.
    pub(super) default: &'static str,
    pub(super) about: &'static str,
    pub(super) expected: fn() -> String,
    pub(super) is_valid: fn(&str) -> bool,
    pub(super) is_secret: bool,
}

/// A value, read from its text.
pub(super) struct Parsed<K: Kind>(pub(super) K::Value);

impl<'de, K: Kind> Deserialize<'de> for Parsed<K> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        parse::<K>(&text).map(Self).ok_or_else(|| D::Error::custom(K::expected()))
    }
}

fn parse<K: Kind>(text: &str) -> Option<K::Value> {
    K::parse(if K::IS_SECRET { text } else { text.trim() })
}

pub(super) fn is_valid<K: Kind>(text: &str) -> bool {
    parse::<K>(text).is_some()
}

/// Declares sections and their catalogue: `field: Type as Kind = "default"`. Without `as`, the type is the kind;
/// without a default, the text is empty. A field's documentation is its text in the reference page.
macro_rules! sections {
    (@kind $type:ty) => { $type };
    (@kind $type:ty, $kind:ty) => { $kind };
    (const $catalogue:ident; $(
        $(#[doc = $of:literal])+
        $vis:vis struct $section:ident in $($prefix:literal),+ {
            $($(#[doc = $about:literal])+ $field:ident: $type:ty $(as $kind:ty)? $(= $default:expr)?,)+
        }
    )+) => {
        /// Prefixes of keys, and their rows. `*` stands for any name.
        pub(super) const $catalogue: &[(&str, &[Row])] = &[$($(($prefix, $section::ROWS),)+)+];
        $(
            $(#[doc = $of])+
            #[derive(Clone, Debug)]
            $vis struct $section { $($(#[doc = $about])+ $vis $field: $type,)+ }

            impl Section for $section {
                const ROWS: &'static [Row] = &[$(Row {
                    name: stringify!($field),
                    default: [$($default,)? ""][0],
                    about: concat!($($about,)+),
                    expected: <sections!(@kind $type $(, $kind)?) as Kind>::expected,
                    is_valid: super::section::is_valid::<sections!(@kind $type $(, $kind)?)>,
                    is_secret: <sections!(@kind $type $(, $kind)?) as Kind>::IS_SECRET,
                },)+];
            }

            impl<'de> serde::Deserialize<'de> for $section {
                fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                    #[derive(serde::Deserialize)]
                    #[serde(deny_unknown_fields)]
                    struct Texts { $($field: Parsed<sections!(@kind $type $(, $kind)?)>,)+ }
                    let texts = Texts::deserialize(from)?;
                    Ok(Self { $($field: texts.$field.0,)+ })
                }
            }
        )+
    };
}

pub(super) use sections;
