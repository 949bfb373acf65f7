//! `GET /panel/tokens`: the account's tokens, and a form that makes one.

pub(crate) struct Choice {
    pub(crate) value: &'static str,
    pub(crate) text: &'static str,
    pub(crate) days: Option<u32>,
}

/// How long a token may live, in the order in which it is offered.
pub(crate) const EXPIRY: &[Choice] = &[
    Choice { value: "", text: "No vence", days: None },
    Choice { value: "30", text: "En 30 días", days: Some(30) },
    Choice { value: "90", text: "En 90 días", days: Some(90) },
    Choice { value: "365", text: "En un año", days: Some(365) },
];
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State { Live, Expired, Revoked }
impl State {
    pub(crate) const fn tone(self) -> &'static str { match self { Self::Live => "good", Self::Expired => "warn", Self::Revoked => "" } }
    pub(crate) const fn word(self) -> &'static str { match self { Self::Live => "Vigente", Self::Expired => "Vencido", Self::Revoked => "Revocado" } }
    pub(crate) const fn is_live(self) -> bool { matches!(self, Self::Live) }
}
