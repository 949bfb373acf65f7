//! Settings of the connections of both listeners: deadlines, sizes and numbers.

use std::time::Duration;

use super::times::{self, SECOND, time};
use super::{SettingsError, Values};

const WAITS: times::Range =
    (Duration::from_millis(100), Duration::from_secs(300), "a time from 100ms to 300s, such as 10s");
const KEEPS: times::Range = (SECOND, Duration::from_secs(3_600), "a time from 1s to 3600s, such as 75s");

/// Deadlines, sizes and numbers of connections.
#[derive(Clone, Debug)]
pub struct ConnectionLimits {
    /// `http.head_timeout`: from the first byte of a request's head, or from the beginning of the connection, to the end
    /// of the head.
    pub head_timeout: Duration,
    /// `http.body_timeout`: from the end of a request's head to the end of its body.
    pub body_timeout: Duration,
    /// `http.response_grace`: a blocked response must have moved at the least rate over any 4/3 of it, after the
    /// first third.
    pub response_grace: Duration,
    /// `http.response_min_rate`: bytes per second.
    pub response_min_rate: u64,
    /// `http.keep_alive`: how long an idle connection is kept.
    pub keep_alive: Duration,
    /// `http.max_head_bytes`: bytes of a request's head.
    pub max_head_bytes: usize,
    /// `http.max_connections`: connections in all.
    pub max_connections: usize,
    /// `http.max_connections_per_address`: connections of one client address.
    pub max_connections_per_address: usize,
}

/// The settings of connections under `http`.
pub(super) fn connections(values: &Values) -> Result<ConnectionLimits, SettingsError> {
    let number = |key: &str, least: u64, most: u64| {
        let expected = format!("a whole number from {least} to {most}");
        let number: u64 = values.parsed(key, &expected)?;
        if (least..=most).contains(&number) { Ok(number) } else { Err(values.invalid(key, &expected)) }
    };
    let size = |key: &str, least, most| Ok(usize::try_from(number(key, least, most)?).unwrap_or(usize::MAX));
    Ok(ConnectionLimits {
        head_timeout: time(values, "http.head_timeout", WAITS)?,
        body_timeout: time(values, "http.body_timeout", WAITS)?,
        response_grace: time(values, "http.response_grace", WAITS)?,
        response_min_rate: number("http.response_min_rate", 1, 1_000_000)?,
        keep_alive: time(values, "http.keep_alive", KEEPS)?,
        max_head_bytes: size("http.max_head_bytes", 4_096, 131_072)?,
        max_connections: size("http.max_connections", 16, 1_000_000)?,
        max_connections_per_address: size("http.max_connections_per_address", 1, 1_000_000)?,
    })
}
