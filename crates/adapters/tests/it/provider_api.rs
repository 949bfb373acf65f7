//! Providers described by files: what their answers are read as, which files are refused, what goes over the wire.
#![expect(clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on stops")]

mod contract;
mod dialects;
mod documents;
mod files;
mod fixtures;
mod json;
mod made_up;
mod mutations;
mod presets;
mod rules;
mod sandbox;
mod texts;
mod values;
mod wire;
