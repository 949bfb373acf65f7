//! The headers `RateLimit-Policy` and `RateLimit` of the IETF draft, for burst and month.

use std::cell::RefCell;

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use kuraka_app::{LimitStatus, Plan};

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    policy: Policy,
    status: LimitStatus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Policy {
    rate: u32,
    burst: u32,
    queries: u64,
    period_seconds: u64,
}

thread_local! {
    /// The policy of this thread's last response, and its header.
    static LAST_POLICY: RefCell<Option<(Policy, HeaderValue)>> = const { RefCell::new(None) };
}

impl Limits {
    pub(crate) fn new(plan: &Plan, status: LimitStatus) -> Self {
        let policy = Policy {
            rate: plan.rate.get(),
            burst: plan.burst.get(),
            queries: plan.queries,
            period_seconds: status.period_seconds,
        };
        Self { policy, status }
    }

    /// Writes both headers, such as `"burst";q=20;w=1, "monthly";q=10000;w=2678400` and `"burst";r=13;t=1,
    /// "monthly";r=8123;t=86400`.
    pub(crate) fn write(self, headers: &mut HeaderMap) {
        headers.insert(RATE_LIMIT_POLICY, self.policy.value());
        let LimitStatus { rate, left, seconds_left, .. } = self.status;
        let mut line = Line::new();
        line.text("\"burst\";r=").number(rate.remaining.into()).text(";t=").number(rate.full_in.max(1));
        if let Some(left) = left {
            line.text(", \"monthly\";r=").number(left).text(";t=").number(seconds_left);
        }
        headers.insert(RATE_LIMIT, line.value());
    }
}

impl Policy {
    /// Cached until this thread answers for another plan or month.
    fn value(self) -> HeaderValue {
        LAST_POLICY.with_borrow_mut(|last| match last {
            Some((policy, value)) if *policy == self => value.clone(),
            Some(_) | None => last.insert((self, self.write())).1.clone(),
        })
    }

    fn write(self) -> HeaderValue {
        let window = self.burst.div_ceil(self.rate).max(1);
        let mut line = Line::new();
        line.text("\"burst\";q=").number(self.burst.into()).text(";w=").number(window.into());
        line.text(", \"monthly\";q=").number(self.queries).text(";w=").number(self.period_seconds);
        line.value()
    }
}

/// Builds a header value; `write!` is several times slower.
struct Line {
    bytes: [u8; 128],
    length: usize,
}

impl Line {
    fn new() -> Self {
        Self { bytes: [0; 128], length: 0 }
    }

    fn text(&mut self, text: &str) -> &mut Self {
        let end = self.length + text.len();
        if let Some(room) = self.bytes.get_mut(self.length..end) {
            room.copy_from_slice(text.as_bytes());
            self.length = end;
        }
        self
    }

    fn number(&mut self, number: u64) -> &mut Self {
        self.text(itoa::Buffer::new().format(number))
    }

    fn value(&self) -> HeaderValue {
        let bytes = self.bytes.get(..self.length).unwrap_or_default();
        // ASCII letters, digits and punctuation are always valid.
        HeaderValue::from_bytes(bytes).unwrap_or_else(|_| HeaderValue::from_static(""))
    }
}
