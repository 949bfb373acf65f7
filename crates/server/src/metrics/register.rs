//! Creates metrics and registers them.

use prometheus_client::registry::{Metric, Registry, Unit};

pub(super) type Labels<const N: usize, V = &'static str> = [(&'static str, V); N];

pub(super) fn new<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, help: &str) -> M {
    let metric = M::default();
    registry.register(name, help, metric.clone());
    metric
}

/// [`new`] for a number of seconds.
pub(super) fn new_seconds<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, help: &str) -> M {
    let metric = M::default();
    registry.register_with_unit(name, help, Unit::Seconds, metric.clone());
    metric
}
