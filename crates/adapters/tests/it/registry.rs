//! The registry: look-ups in it, and bringing it up to date.

mod embedded;
mod published;
mod update;
