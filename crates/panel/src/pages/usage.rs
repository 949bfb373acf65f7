//! `GET /panel/consumo`: what is used and left of the month, and the last 30 days by operation and outcome.

mod chart;
mod csv;
mod group;

pub(crate) use csv::download;
pub(crate) use group::Group;
