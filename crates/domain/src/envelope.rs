//! The envelope of every answer, and the closed set of its result codes.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;
use core::time::Duration;

use crate::Date;
use crate::text_value::{error_texts, text_value};

macro_rules! result_codes {
    ($($(#[$doc:meta])* $variant:ident = $code:literal $retryable:literal,)+) => {
        /// The result of a call, for programs. A new code is a change of the contract.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ResultCode {
            $($(#[$doc])* $variant,)+
        }

        impl ResultCode {
            /// In the order of the contract.
            pub const ALL: [Self; [$($code),+].len()] = [$(Self::$variant),+];

            /// The code in the JSON envelope.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $code,)+
                }
            }

            /// Whether the same request may succeed later.
            #[must_use]
            pub const fn retryable(self) -> bool {
                match self {
                    $(Self::$variant => $retryable,)+
                }
            }
        }
    };
}

result_codes! {
    /// A complete record, positively identified.
    Found = "found" false,
    /// The caller sent invalid data.
    InvalidInput = "invalid_input" false,
    /// The history does not cover the requested day.
    DateNotCovered = "date_not_covered" false,
    /// The record of changes does not reach back to the cursor.
    CursorExpired = "cursor_expired" false,
    /// The token is missing, malformed, unknown, revoked or expired.
    Unauthenticated = "unauthenticated" false,
    /// The token is valid, but the account or the caller's address is not allowed.
    Forbidden = "forbidden" false,
    /// The account may not watch so many RUCs.
    WatchLimitExceeded = "watch_limit_exceeded" false,
    /// A source states that the RUC does not exist.
    DocumentNotFound = "document_not_found" false,
    /// The path does not exist.
    RouteNotFound = "route_not_found" false,
    /// The path exists, but not for this method.
    MethodNotAllowed = "method_not_allowed" false,
    /// The body is too large.
    PayloadTooLarge = "payload_too_large" false,
    /// The content type is not JSON.
    UnsupportedMediaType = "unsupported_media_type" false,
    /// The call exceeds the plan's rate.
    RateLimited = "rate_limited" true,
    /// The account has used all queries of its plan for this period.
    QuotaExceeded = "quota_exceeded" false,
    /// No source could answer.
    UpstreamUnavailable = "upstream_unavailable" true,
    /// The service cannot answer now, and no source is the reason.
    ServiceUnavailable = "service_unavailable" true,
    /// The service failed because of a bug.
    InternalError = "internal_error" true,
}

/// The text is no result code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResultCodeError;

error_texts!(ResultCodeError {
    Self => "the text is no result code";
});

impl ResultCode {
    /// Whether an admitted call with this result stays charged; else its queries are returned.
    #[must_use]
    pub const fn is_charged(self) -> bool {
        matches!(self, Self::Found | Self::InvalidInput | Self::DocumentNotFound | Self::UpstreamUnavailable)
    }

    /// # Errors
    /// [`ResultCodeError`].
    pub fn parse(text: &str) -> Result<Self, ResultCodeError> {
        Self::ALL.into_iter().find(|code| code.as_str() == text).ok_or(ResultCodeError)
    }
}

impl fmt::Display for ResultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

text_value!(ResultCode, ResultCodeError, Self::parse, "a result code");

/// A record and the server's time, or an error code and a message for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Envelope<T> {
    /// Code `found`.
    Found {
        /// The record.
        data: T,
        /// From the request's head to the serialised answer. In JSON: seconds, in whole microseconds; below 0.00001
        /// with an exponent.
        time: Duration,
    },
    /// Any other result.
    Failed {
        /// Any code except `found`.
        code: ResultCode,
        /// In Spanish: what was wrong, and what the caller can do.
        message: Cow<'static, str>,
        /// Dates of the message, for programs.
        dates: Option<ErrorDates>,
    },
}

/// The dates for which the call would succeed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorDates {
    /// `cubierto`: first and last day of each covered period, the oldest first.
    Covered(Vec<(Date, Date)>),
    /// `desde`: the first day.
    Since(Date),
}

#[cfg(feature = "serde")]
mod json {
    use alloc::borrow::Cow;
    use alloc::string::String;
    use alloc::vec::Vec;
    use core::time::Duration;

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Envelope, ErrorDates, ResultCode};
    use crate::Date;

    /// In the contract's order.
    #[derive(Serialize, Deserialize)]
    #[serde(bound(deserialize = "T: Deserialize<'de>, M: Deserialize<'de>"))]
    struct Fields<T, M> {
        success: bool,
        code: ResultCode,
        retryable: bool,
        // A record may be null, which differs from no record.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        data: Option<T>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time: Option<f64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<M>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cubierto: Option<Vec<Period>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        desde: Option<Date>,
    }

    #[derive(Serialize, Deserialize)]
    struct Period {
        desde: Date,
        hasta: Date,
    }

    fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
        T::deserialize(deserializer).map(Some)
    }

    impl<T: Serialize> Serialize for Envelope<T> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let (success, code, data, time, message, dates) = match self {
                Self::Found { data, time } => (true, ResultCode::Found, Some(data), Some(time), None, None),
                Self::Failed { code, message, dates } => (false, *code, None, None, Some(message), dates.as_ref()),
            };
            let time = time.map(|time| time.as_micros() as f64 / 1e6);
            let period = |&(desde, hasta): &(Date, Date)| Period { desde, hasta };
            let (cubierto, desde) = match dates {
                None => (None, None),
                Some(ErrorDates::Covered(periods)) => (Some(periods.iter().map(period).collect()), None),
                Some(ErrorDates::Since(date)) => (None, Some(*date)),
            };
            let retryable = code.retryable();
            Fields { success, code, retryable, data, time, message, cubierto, desde }.serialize(serializer)
        }
    }

    /// Contradicting fields are an error; unknown fields are ignored.
    impl<'de, T: Deserialize<'de>> Deserialize<'de> for Envelope<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let Fields { success, code, retryable, data, time, message, cubierto, desde } =
                Fields::<T, String>::deserialize(deserializer)?;
            if success != (code == ResultCode::Found) || retryable != code.retryable() {
                return Err(D::Error::custom("success and retryable contradict the code"));
            }
            if !success {
                let message = Cow::Owned(message.ok_or_else(|| D::Error::missing_field("message"))?);
                let covered = |periods: Vec<Period>| periods.into_iter().map(|Period { desde, hasta }| (desde, hasta));
                let covered = cubierto.map(|periods| ErrorDates::Covered(covered(periods).collect()));
                return Ok(Self::Failed { code, message, dates: covered.or(desde.map(ErrorDates::Since)) });
            }
            let time = time.ok_or_else(|| D::Error::missing_field("time"))?;
            let time = Duration::try_from_secs_f64(time).map_err(D::Error::custom)?;
            Ok(Self::Found { data: data.ok_or_else(|| D::Error::missing_field("data"))?, time })
        }
    }
}
