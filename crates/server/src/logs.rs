//! Structured logs on standard error. They contain ids, codes and times, but never names, tokens, bodies or whole RUCs
//! of natural persons.

use std::io::{self, IsTerminal};

pub use kuraka_ports::chain;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::SubscriberInitExt;

use crate::settings::Log;

/// Starts logging. A second call does nothing.
pub fn start(log: &Log) {
    let filter = EnvFilter::new(&log.level);
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    let lines = lines.with_ansi(io::stderr().is_terminal());
    let started = if log.json {
        lines.json().flatten_event(true).with_current_span(false).with_span_list(false).finish().try_init()
    } else {
        lines.compact().finish().try_init()
    };
    if started.is_err() {
        tracing::debug!("logging was already started");
    }
}
