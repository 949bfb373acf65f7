//! Outcomes as the page tells them apart: few enough to be seen in a bar.

use kuraka_domain::ResultCode;

/// A kind of outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// A record.
    Found,
    /// It does not exist.
    Absent,
    /// The question was not valid.
    Invalid,
    /// It could not be found out.
    Unknown,
    /// Refused before any source was asked.
    Refused,
}

impl Group {
    /// Every group, from the bottom of a bar to its top.
    pub(crate) const ALL: [Self; 5] = [Self::Found, Self::Absent, Self::Invalid, Self::Unknown, Self::Refused];

    pub(crate) const fn of(code: ResultCode) -> Self {
        match code {
            ResultCode::Found => Self::Found,
            ResultCode::DocumentNotFound => Self::Absent,
            ResultCode::InvalidInput => Self::Invalid,
            ResultCode::UpstreamUnavailable => Self::Unknown,
            ResultCode::Unauthenticated
            | ResultCode::Forbidden
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

    /// The class that gives it its colour.
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
