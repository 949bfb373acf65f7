//! The metrics of webhooks.

use std::time::Duration;

use kuraka_ports::{AttemptResult, NoAnswer};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::register::{Labels, new, new_seconds};

/// The gauges are the whole store's, the same on every server.
pub struct WebhookMetrics {
    deliveries: Family<Labels<1>, Counter>,
    disabled: Gauge,
    oldest: Gauge,
}

const DELIVERED: &str = "delivered";
const REFUSED: &str = "refused";

impl WebhookMetrics {
    pub(super) fn register(to: &mut Registry) -> Self {
        let deliveries: Family<Labels<1>, Counter> =
            new(to, "webhook_deliveries", "Attempts to deliver to webhooks by result");
        for result in NoAnswer::ALL.map(NoAnswer::as_str).into_iter().chain([DELIVERED, REFUSED]) {
            drop(deliveries.get_or_create(&[("result", result)]));
        }
        Self {
            deliveries,
            disabled: new(to, "webhooks_disabled", "Webhooks disabled after a 410 or failures"),
            oldest: new_seconds(
                to,
                "webhook_oldest_undelivered",
                "Age of the oldest pending delivery of an active webhook",
            ),
        }
    }

    pub fn record(&self, result: &AttemptResult) {
        let result = match result {
            AttemptResult::Answered { .. } if result.is_delivered() => DELIVERED,
            AttemptResult::Answered { .. } => REFUSED,
            AttemptResult::NoAnswer(reason) => reason.as_str(),
        };
        self.deliveries.get_or_create(&[("result", result)]).inc();
    }

    /// Disabled webhooks, and the age of the oldest pending delivery.
    pub fn set(&self, disabled: u64, oldest: Duration) {
        self.disabled.set(i64::try_from(disabled).unwrap_or(i64::MAX));
        self.oldest.set(i64::try_from(oldest.as_secs()).unwrap_or(i64::MAX));
    }
}
