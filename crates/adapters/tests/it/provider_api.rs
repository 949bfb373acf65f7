//! Providers described by files: what their answers are read as, which files are refused, what goes over the wire.

mod answers;
mod files;
mod fixtures;
mod mutations;
mod presets;
