//! The envelope of every answer, and the closed set of its result codes.
//!
//! The server pairs each code with an HTTP status and a Spanish message; this crate has neither.

use std::fmt;

/// The result of a call, for programs. The set is closed: a new code is a change of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResultCode {
    /// A complete record, positively identified.
    Found,
    /// The caller sent invalid data.
    InvalidInput,
    /// The token is missing, malformed, unknown, revoked or expired.
    Unauthenticated,
    /// The token is valid, but its account or the caller's address is not admitted.
    Forbidden,
    /// A source states that the RUC does not exist.
    DocumentNotFound,
    /// The path does not exist.
    RouteNotFound,
    /// The path exists, but not for this method.
    MethodNotAllowed,
    /// The body is too large.
    PayloadTooLarge,
    /// The content type is not that of JSON.
    UnsupportedMediaType,
    /// The call exceeds the plan's rate.
    RateLimited,
    /// The account has used all queries of its plan for this period.
    QuotaExceeded,
    /// No source could answer.
    UpstreamUnavailable,
    /// The service cannot answer now because of a problem of its own, not of a source.
    ServiceUnavailable,
    /// The service failed because of a bug.
    InternalError,
}

impl ResultCode {
    /// Every code, in the order of the contract.
    pub const ALL: [Self; 14] = [
        Self::Found,
        Self::InvalidInput,
        Self::Unauthenticated,
        Self::Forbidden,
        Self::DocumentNotFound,
        Self::RouteNotFound,
        Self::MethodNotAllowed,
        Self::PayloadTooLarge,
        Self::UnsupportedMediaType,
        Self::RateLimited,
        Self::QuotaExceeded,
        Self::UpstreamUnavailable,
        Self::ServiceUnavailable,
        Self::InternalError,
    ];

    /// The code in the JSON envelope.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::InvalidInput => "invalid_input",
            Self::Unauthenticated => "unauthenticated",
            Self::Forbidden => "forbidden",
            Self::DocumentNotFound => "document_not_found",
            Self::RouteNotFound => "route_not_found",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::PayloadTooLarge => "payload_too_large",
            Self::UnsupportedMediaType => "unsupported_media_type",
            Self::RateLimited => "rate_limited",
            Self::QuotaExceeded => "quota_exceeded",
            Self::UpstreamUnavailable => "upstream_unavailable",
            Self::ServiceUnavailable => "service_unavailable",
            Self::InternalError => "internal_error",
        }
    }

    /// Whether repeating the same request later may succeed.
    #[must_use]
    pub const fn retryable(self) -> bool {
        match self {
            Self::RateLimited | Self::UpstreamUnavailable | Self::ServiceUnavailable | Self::InternalError => true,
            Self::Found
            | Self::InvalidInput
            | Self::Unauthenticated
            | Self::Forbidden
            | Self::DocumentNotFound
            | Self::RouteNotFound
            | Self::MethodNotAllowed
            | Self::PayloadTooLarge
            | Self::UnsupportedMediaType
            | Self::QuotaExceeded => false,
        }
    }
}

impl fmt::Display for ResultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An answer: either a record and the time the server took, or an error code and a message for people.
#[derive(Clone, Debug, PartialEq)]
pub enum Envelope<T> {
    /// Success, code `found`.
    Found {
        /// The record.
        data: T,
        /// Seconds from the request's head to the serialised answer. JSON writes times below 0.00001 with an exponent.
        time: f64,
    },
    /// Any other result.
    Failed {
        /// Any code except `found`.
        code: ResultCode,
        /// What was wrong and what the caller can do, in Spanish.
        message: std::borrow::Cow<'static, str>,
    },
}

#[cfg(feature = "serde")]
impl<T: serde::Serialize> serde::Serialize for Envelope<T> {
    /// Fields in the contract's order: `success, code, retryable`, then `data, time` or `message`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        match self {
            Self::Found { data, time } => {
                let mut object = serializer.serialize_struct("Envelope", 5)?;
                object.serialize_field("success", &true)?;
                object.serialize_field("code", ResultCode::Found.as_str())?;
                object.serialize_field("retryable", &ResultCode::Found.retryable())?;
                object.serialize_field("data", data)?;
                object.serialize_field("time", time)?;
                object.end()
            }
            Self::Failed { code, message } => {
                let mut object = serializer.serialize_struct("Envelope", 4)?;
                object.serialize_field("success", &false)?;
                object.serialize_field("code", code.as_str())?;
                object.serialize_field("retryable", &code.retryable())?;
                object.serialize_field("message", message)?;
                object.end()
            }
        }
    }
}
