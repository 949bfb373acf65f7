//! A caller: a token's data, shared by its calls, or a session's account.

use std::net::IpAddr;
use std::sync::Arc;

use ipnet::IpNet;
use jiff::Timestamp;
use kuraka_domain::ResultCode;
use kuraka_ports::{Account, AccountId, Credential, Period, TokenId, TokenKind, WatchListId};

use crate::Plan;
use crate::metering::AccountMeter;

#[derive(Clone, Copy, Debug)]
pub struct CalledOperation {
    pub name: &'static str,
    /// Its index among the operations.
    pub index: usize,
    /// Whether daily usage counts the operation.
    pub in_usage: bool,
}

pub struct Caller {
    /// The token's number; `None` = the owner calls in the panel.
    pub token: Option<TokenId>,
    pub account: AccountId,
    pub kind: TokenKind,
    /// The account's plan at the lookup.
    pub plan: Arc<Plan>,
    pub(crate) meter: AccountMeter,
    expires: Option<Timestamp>,
    allowed: Vec<IpNet>,
}

impl Caller {
    pub(super) fn new(credential: &Credential, kind: TokenKind, plan: Arc<Plan>, meter: AccountMeter) -> Self {
        Self {
            kind,
            token: Some(credential.token),
            expires: credential.expires,
            allowed: credential.allowed.clone(),
            ..Self::from_session(&credential.account, plan, meter)
        }
    }

    pub(super) const fn from_session(account: &Account, plan: Arc<Plan>, meter: AccountMeter) -> Self {
        Self {
            token: None,
            account: account.id,
            kind: TokenKind::Live,
            plan,
            meter,
            expires: None,
            allowed: Vec::new(),
        }
    }

    /// The list that its calls read and change.
    pub const fn watch_list(&self) -> WatchListId {
        WatchListId { account: self.account, kind: self.kind }
    }

    /// Queries left in the period, as far as this process knows. Test calls use none.
    pub(crate) fn left(&self, period: Period) -> Option<u64> {
        match self.kind {
            TokenKind::Live => self.meter.quota.peek(&self.plan, period),
            TokenKind::Test => Some(self.plan.queries),
        }
    }

    /// Counts a call's result for the daily usage, if that counts the operation.
    pub fn count(&self, operation: CalledOperation, code: ResultCode) {
        if operation.in_usage && self.kind == TokenKind::Live {
            self.meter.calls.add((self.account, operation.name, code), 1);
        }
    }

    /// Whether the token has expired. Reads the clock only if it can expire.
    pub(super) fn has_expired(&self, now: impl FnOnce() -> Timestamp) -> bool {
        self.expires.is_some_and(|end| now() >= end)
    }

    /// Whether the token may be used from the client's address; `from` is called only if the token is restricted.
    pub(super) fn may_call(&self, from: impl FnOnce() -> Option<IpAddr>) -> bool {
        let is_allowed = |address: IpAddr| self.allowed.iter().any(|network| network.contains(&address));
        self.allowed.is_empty() || from().is_some_and(is_allowed)
    }
}
