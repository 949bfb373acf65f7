//! The metrics of a listener's connections.

use std::sync::atomic::AtomicI64;

use kuraka_connections::{CloseReason, Observer};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::register::Labels;

const fn name(reason: CloseReason) -> &'static str {
    match reason {
        CloseReason::HeadTimeout => "head_timeout",
        CloseReason::BodyTimeout => "body_timeout",
        CloseReason::LargeHead => "large_head",
        CloseReason::SlowReader => "slow_reader",
        CloseReason::KeepAlive => "keep_alive",
        CloseReason::DisplacedUnused => "displaced_unused",
        CloseReason::DisplacedIdle => "displaced_idle",
        CloseReason::Refused => "refused",
    }
}

#[derive(Clone, Default)]
pub struct ConnectionMetrics {
    open: Gauge<i64, AtomicI64>,
    /// Indexed by [`CloseReason`].
    closed: [Counter; CloseReason::ALL.len()],
}

impl Observer for ConnectionMetrics {
    fn opened(&self) {
        self.open.inc();
    }

    fn ended(&self) {
        self.open.dec();
    }

    fn closed(&self, reason: CloseReason) {
        if let Some(counter) = self.closed.get(reason as usize) {
            counter.inc();
        }
    }
}

pub(super) fn register<const N: usize>(
    registry: &mut Registry,
    listeners: [&'static str; N],
) -> [ConnectionMetrics; N] {
    let open = Family::<Labels<1>, Gauge<i64, AtomicI64>>::default();
    let closed = Family::<Labels<2>, Counter>::default();
    let of_listener = |listener| ConnectionMetrics {
        open: open.get_or_create_owned(&[("listener", listener)]),
        closed: CloseReason::ALL
            .map(|reason| closed.get_or_create_owned(&[("listener", listener), ("reason", name(reason))])),
    };
    let metrics = listeners.map(of_listener);
    registry.register("connections", "Open connections, by listener", open);
    registry.register("connections_closed", "Connections closed by the server, by listener and reason", closed);
    metrics
}
