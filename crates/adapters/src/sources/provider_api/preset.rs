//! The bundled providers' files, shared by the sandbox and operators who start from one.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    pub name: &'static str,
    pub text: &'static str,
}

macro_rules! presets {
    ($($name:literal),+ $(,)?) => {
        /// Every preset, in the documentation's order.
        pub const PRESETS: &[Preset] = &[$(Preset {
            name: $name,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/presets/", $name, ".toml")),
        },)+];
    };
}

presets!["apisnetpe", "apisperu", "apiperudev", "decolecta", "factiliza", "jsonpe", "migo", "peruapi"];

pub fn preset(name: &str) -> Option<Preset> {
    PRESETS.iter().copied().find(|preset| preset.name == name)
}
