//! The providers that come with the program: their files, as text.
//!
//! Text, so that whoever else needs one (the sandbox, a person who starts from it) reads the same words.

/// A provider's file that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The provider's name in settings, logs and metrics.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
}

macro_rules! presets {
    ($($name:literal),+ $(,)?) => {
        /// Every preset, by name.
        pub const PRESETS: &[Preset] = &[$(Preset {
            name: $name,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/presets/", $name, ".toml")),
        },)+];
    };
}

presets!["apisnetpe", "apisperu", "apiperudev", "decolecta", "factiliza", "jsonpe", "migo", "peruapi"];

/// The preset of this name.
#[must_use]
pub fn preset(name: &str) -> Option<Preset> {
    PRESETS.iter().copied().find(|preset| preset.name == name)
}
