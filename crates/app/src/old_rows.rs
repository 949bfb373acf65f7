//! How long the store keeps what is over.

use std::sync::Arc;

use jiff::SignedDuration;
use kuraka_ports::{Clock, OldRows, Retention, StoreError};

use crate::accounts::{own_tokens, sign_in};
use crate::calendar::earlier;
use crate::metering::usage;
use crate::{Lists, certificates, mails, webhooks};

/// Deletes what is older than it is kept.
pub struct DeleteOldRows {
    pub store: Arc<dyn Retention>,
    /// Says how long lists are kept.
    pub lists: Arc<Lists>,
    pub clock: Arc<dyn Clock>,
}

impl DeleteOldRows {
    /// Call it about every hour. Returns what was to be deleted, each with its result.
    pub async fn run(&self) -> Vec<(&'static str, Result<(), StoreError>)> {
        let [nameless, named] = self.lists.kept_for();
        let mut done = Vec::new();
        for (rows, what, kept_for) in [
            (OldRows::Sessions, "expired sessions", sign_in::ABSOLUTE),
            (OldRows::UnseenSessions, "unseen sessions", sign_in::IDLE),
            (OldRows::EndedTokens, "ended tokens", own_tokens::ENDED_KEPT_FOR),
            (OldRows::DailyUsage, "old daily usage", usage::KEPT_FOR),
            (OldRows::Lists, "old lists", nameless),
            (OldRows::NamedLists, "old lists with a name", named),
            (OldRows::Certificates, "old certificates", certificates::KEPT_FOR),
            (OldRows::Deliveries, "old deliveries", webhooks::KEPT_FOR),
            (OldRows::Mails, "old mails", mails::KEPT_FOR),
            (OldRows::ExpiredCodes, "expired codes", SignedDuration::ZERO),
            (OldRows::UnconfirmedAccounts, "unconfirmed accounts", mails::UNCONFIRMED_LASTS),
        ] {
            let before = earlier(self.clock.now(), kept_for);
            done.push((what, self.store.delete_old(rows, before).await));
        }
        done
    }
}
