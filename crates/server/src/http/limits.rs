//! `RateLimit-Policy` and `RateLimit` of the IETF draft: the burst with its window, the month with what is left of it.

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use kuraka_app::Plan;
use kuraka_app::admit::Standing;

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// A plan, and where a caller stands in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    rate: u32,
    burst: u32,
    queries: u64,
    standing: Standing,
}

impl Limits {
    pub(crate) fn new(plan: &Plan, standing: Standing) -> Self {
        Self { rate: plan.rate.get(), burst: plan.burst.get(), queries: plan.queries, standing }
    }

    /// `"burst";q=20;w=1, "monthly";q=10000;w=2678400` and `"burst";r=13;t=1, "monthly";r=8123;t=86400`.
    pub(crate) fn write(self, headers: &mut HeaderMap) {
        let Standing { rate, left, period_seconds, seconds_left } = self.standing;
        let mut line = Line::default();
        let window = self.burst.div_ceil(self.rate).max(1);
        line.text("\"burst\";q=").number(self.burst.into()).text(";w=").number(window.into());
        line.text(", \"monthly\";q=").number(self.queries).text(";w=").number(period_seconds);
        line.insert(headers, RATE_LIMIT_POLICY);
        line.text("\"burst\";r=").number(rate.remaining.into()).text(";t=").number(rate.full_in.max(1));
        if let Some(left) = left {
            line.text(", \"monthly\";r=").number(left).text(";t=").number(seconds_left);
        }
        line.insert(headers, RATE_LIMIT);
    }
}

/// A header's value in the making. `write!` would take several times as long, on every answer.
#[derive(Default)]
struct Line {
    value: Vec<u8>,
    digits: itoa::Buffer,
}

impl Line {
    fn text(&mut self, text: &str) -> &mut Self {
        self.value.extend_from_slice(text.as_bytes());
        self
    }

    fn number(&mut self, number: u64) -> &mut Self {
        self.value.extend_from_slice(self.digits.format(number).as_bytes());
        self
    }

    /// Sets the header and begins the next.
    fn insert(&mut self, headers: &mut HeaderMap, name: HeaderName) {
        if let Ok(value) = HeaderValue::from_bytes(&self.value) {
            headers.insert(name, value);
        }
        self.value.clear();
    }
}
