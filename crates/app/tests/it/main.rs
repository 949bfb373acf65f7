//! The use cases against fakes and a clock that only moves when told.

mod admit;
mod authenticate;
mod calendar;
mod house;
mod lookup_summary;
mod plan;
mod quota;
mod rate;
mod token;
