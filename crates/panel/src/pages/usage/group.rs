//! The kinds of results in the chart: codes in few colours.

use kuraka_domain::ResultCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Found,
    /// The taxpayer or the voucher does not exist.
    Absent,
    Invalid,
    /// No source answered.
    Unknown,
    /// The server refused the call or failed.
    Refused,
}

impl Group {
    /// From the bottom of a bar up.
    pub(crate) const ALL: [Self; 5] = [Self::Found, Self::Absent, Self::Invalid, Self::Unknown, Self::Refused];

    pub(crate) const fn from_code(code: ResultCode) -> Self {
        match code {
            ResultCode::Found => Self::Found,
            ResultCode::DocumentNotFound => Self::Absent,
            ResultCode::InvalidInput | ResultCode::DateNotCovered | ResultCode::CursorExpired => Self::Invalid,
            ResultCode::UpstreamUnavailable => Self::Unknown,
            ResultCode::Unauthenticated
            | ResultCode::Forbidden
            | ResultCode::WatchLimitExceeded
            | ResultCode::RouteNotFound
            | ResultCode::MethodNotAllowed
            | ResultCode::PayloadTooLarge
            | ResultCode::UnsupportedMediaType
            | ResultCode::RateLimited
            | ResultCode::QuotaExceeded
            | ResultCode::ServiceUnavailable
            | ResultCode::InternalError => Self::Refused,
        }
    }

    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Found => "Encontrado",
            Self::Absent => "No existe",
            Self::Invalid => "No es válido",
            Self::Unknown => "No se pudo averiguar",
            Self::Refused => "Rechazado",
        }
    }

    pub(crate) const fn class(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Absent => "absent",
            Self::Invalid => "invalid",
            Self::Unknown => "unknown",
            Self::Refused => "refused",
        }
    }
}
