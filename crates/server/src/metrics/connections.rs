//! The metrics of a listener's connections.

use std::sync::atomic::AtomicI64;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

/// Why the server closed or refused a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosedConnection {
    /// A request's head did not arrive in time.
    HeadTimeout,
    /// A request's body did not arrive in time.
    BodyTimeout,
    /// A request's head was too large.
    LargeHead,
    /// The client read an answer too slowly.
    SlowReader,
    /// The connection was idle for the time that connections are kept.
    KeepAlive,
    /// A bound was reached, and the client had never sent a whole request.
    DisplacedUnused,
    /// A bound was reached, and the connection was idle.
    DisplacedIdle,
    /// A bound was reached, and all other connections had calls in progress.
    Refused,
}

impl ClosedConnection {
    const ALL: [Self; 8] = [
        Self::HeadTimeout,
        Self::BodyTimeout,
        Self::LargeHead,
        Self::SlowReader,
        Self::KeepAlive,
        Self::DisplacedUnused,
        Self::DisplacedIdle,
        Self::Refused,
    ];

    /// The value of the label `reason`.
    const fn name(self) -> &'static str {
        match self {
            Self::HeadTimeout => "head_timeout",
            Self::BodyTimeout => "body_timeout",
            Self::LargeHead => "large_head",
            Self::SlowReader => "slow_reader",
            Self::KeepAlive => "keep_alive",
            Self::DisplacedUnused => "displaced_unused",
            Self::DisplacedIdle => "displaced_idle",
            Self::Refused => "refused",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ListenerLabels {
    listener: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ClosedLabels {
    listener: &'static str,
    reason: &'static str,
}

/// The metrics of one listener's connections.
#[derive(Clone, Default)]
pub struct ConnectionMetrics {
    /// Open connections.
    pub open: Gauge<i64, AtomicI64>,
    /// Indexed by [`ClosedConnection`].
    closed: [Counter; ClosedConnection::ALL.len()],
}

impl ConnectionMetrics {
    /// Counts a connection that was closed or refused.
    pub fn count(&self, reason: ClosedConnection) {
        if let Some(counter) = self.closed.get(reason as usize) {
            counter.inc();
        }
    }
}

/// Creates and registers the metrics of these listeners.
pub(super) fn register<const N: usize>(
    registry: &mut Registry,
    listeners: [&'static str; N],
) -> [ConnectionMetrics; N] {
    let open = Family::<ListenerLabels, Gauge<i64, AtomicI64>>::default();
    let closed = Family::<ClosedLabels, Counter>::default();
    let of_listener = |listener| ConnectionMetrics {
        open: open.get_or_create(&ListenerLabels { listener }).clone(),
        closed: ClosedConnection::ALL
            .map(|reason| closed.get_or_create(&ClosedLabels { listener, reason: reason.name() }).clone()),
    };
    let metrics = listeners.map(of_listener);
    registry.register("connections", "Open connections, by listener", open);
    registry.register("connections_closed", "Connections closed by the server, by listener and reason", closed);
    metrics
}
