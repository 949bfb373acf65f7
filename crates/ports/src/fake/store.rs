//! Accounts, tokens, sessions and usage in memory, behind one lock.

mod accounts;
mod audit;
mod certificates;
mod daily_usage;
mod digests;
mod kept_lists;
mod ledger;
mod mail_codes;
mod measured_hours;
mod outbox;
mod retention;
mod sessions;
mod tokens;
mod watch;
mod webhooks;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard};

use jiff::Timestamp;
use kuraka_domain::Ruc;

use super::lock;
use crate::{
    Account, AccountId, AuditLine, Certificate, Changed, Changes, CodeKind, DayCount, Delivery, DigestRhythm, Email,
    KeptList, MailId, MeasuredHour, NewMail, Period, Revision, SecretDigest, Session, StoreError, StoreErrorKind,
    StoreResult, Token, TokenId, TokenKey, WatchCode, WatchListId, Webhook,
};

#[derive(Debug, Default)]
pub struct MemoryStore {
    rows: Mutex<Rows>,
}

#[derive(Debug, Default)]
struct Rows {
    accounts: Vec<Account>,
    /// With the days that each line is kept.
    audit: Vec<(AuditLine, u32)>,
    latest_line: i64,
    kept_days: Option<u32>,
    /// Never reused.
    latest_account: i64,
    latest_token: i64,
    /// Instead of [`MemoryStore::TOKEN_KEY`].
    other_token_key: Option<TokenKey>,
    passwords: HashMap<AccountId, String>,
    sessions: HashMap<SecretDigest, Session>,
    history: Vec<(AccountId, DayCount)>,
    watched: HashMap<WatchListId, BTreeMap<Ruc, (Option<WatchCode>, Timestamp)>>,
    /// Additions to lists in a month that were not paid.
    free_additions: HashMap<(AccountId, Period), u64>,
    lists: Vec<ListRow>,
    certificates: Vec<(Certificate, Vec<u8>)>,
    digests: BTreeMap<AccountId, DigestRow>,
    mails: Vec<MailRow>,
    latest_mail: i64,
    codes: HashMap<SecretDigest, CodeRow>,
    measured: BTreeMap<([u8; 16], u64), MeasuredHour>,
    tokens: Vec<(SecretDigest, AccountId, Token)>,
    used: HashMap<(AccountId, Period), u64>,
    told: HashMap<(AccountId, Period), (u8, u64)>,
    webhooks: Vec<WebhookRow>,
    latest_webhook: i64,
    deliveries: Vec<Delivery>,
    latest_delivery: i64,
    /// From revision 1 on; `None` = nothing was recorded.
    changes: Vec<(i64, Option<Change>)>,
    /// Never given twice.
    latest_epoch: i64,
    failure: Option<StoreErrorKind>,
    /// Whether the failure is marked as without effect.
    without_effect: bool,
    asked: u64,
}

#[derive(Debug)]
struct WebhookRow {
    webhook: Webhook,
    lease: i64,
    leased_until: Timestamp,
    /// Whether the last attempt failed or was slow.
    slow: bool,
}

#[derive(Clone, Debug)]
struct ListRow {
    list: KeptList,
    source: Vec<u8>,
    results: Vec<Vec<u8>>,
    leased_until: Timestamp,
}

#[derive(Clone, Debug)]
struct DigestRow {
    rhythm: DigestRhythm,
    code: String,
    cursor: String,
    since: Timestamp,
    due: Timestamp,
}

#[derive(Clone, Debug)]
struct MailRow {
    id: MailId,
    new: NewMail,
    created: Timestamp,
    /// `None` = it is never attempted again.
    due: Option<Timestamp>,
    attempts: u32,
}

#[derive(Clone, Debug)]
struct CodeRow {
    kind: CodeKind,
    account: AccountId,
    expires: Timestamp,
    mail: MailId,
    email: Email,
}

#[derive(Clone, Copy, Debug)]
enum Change {
    Account(AccountId),
    Token(TokenId),
}

impl MemoryStore {
    /// Until [`MemoryStore::replace_token_key`].
    pub const TOKEN_KEY: TokenKey = TokenKey(*b"the key of a store in the memory");

    pub fn new() -> Self {
        Self::default()
    }

    /// `None` = the store works again, with its rows.
    pub fn fail(&self, kind: impl Into<Option<StoreErrorKind>>) {
        let mut rows = lock(&self.rows);
        (rows.failure, rows.without_effect) = (kind.into(), false);
    }

    /// Every call is `Unavailable` without effect from now on.
    pub fn overload(&self) {
        let mut rows = lock(&self.rows);
        (rows.failure, rows.without_effect) = (Some(StoreErrorKind::Unavailable), true);
    }

    /// Failed calls included.
    pub fn asked(&self) -> u64 {
        lock(&self.rows).asked
    }

    /// Replaces the key and increments the revision without recording the change, like a copy of another store.
    pub fn replace_token_key(&self, key: TokenKey) {
        let mut rows = lock(&self.rows);
        rows.other_token_key = Some(key);
        rows.record(None);
    }

    /// Forgets the latest revision, like a failover to a replica without it.
    pub fn lose_latest_revision(&self) {
        lock(&self.rows).changes.pop();
    }

    /// Counts a call; fails as the test has set.
    fn call(&self) -> StoreResult<MutexGuard<'_, Rows>> {
        let mut rows = lock(&self.rows);
        rows.asked += 1;
        match rows.failure.map(StoreError::new) {
            Some(error) => Err(if rows.without_effect { error.without_effect() } else { error }),
            None => Ok(rows),
        }
    }
}

impl Rows {
    fn account(&self, id: AccountId) -> StoreResult<&Account> {
        self.accounts.iter().find(|account| account.id == id).ok_or(StoreError::new(StoreErrorKind::Missing))
    }

    fn change(&mut self, id: AccountId, change: impl FnOnce(&mut Account)) -> StoreResult<()> {
        let account = self.accounts.iter_mut().find(|account| account.id == id);
        change(account.ok_or(StoreError::new(StoreErrorKind::Missing))?);
        self.record(Some(Change::Account(id)));
        Ok(())
    }

    fn record(&mut self, change: Option<Change>) {
        self.latest_epoch += 1;
        self.changes.push((self.latest_epoch, change));
    }

    /// Voids its codes, too.
    fn end_sessions(&mut self, id: AccountId) {
        self.codes.retain(|_, row| row.account != id);
        self.sessions.retain(|_, session| session.account != id);
    }

    fn revision(&self, number: usize) -> Option<Revision> {
        let epoch = match number.checked_sub(1) {
            Some(before) => self.changes.get(before)?.0,
            None => 0,
        };
        Some(Revision { number: number as u64, epoch })
    }

    fn changes(&self, since: Revision) -> Changes {
        let latest = self.revision(self.changes.len()).unwrap_or_default();
        let number = usize::try_from(since.number).ok().filter(|number| self.revision(*number) == Some(since));
        let later = number.and_then(|number| self.changes.get(number..));
        let (mut accounts, mut tokens) = (Vec::new(), Vec::new());
        for (_, change) in later.unwrap_or(&[(0, None)]) {
            match change {
                Some(Change::Account(id)) => accounts.push(*id),
                Some(Change::Token(id)) => tokens.push(*id),
                None => return Changes { latest, what: Changed::Everything },
            }
        }
        Changes { latest, what: Changed::Named { accounts, tokens } }
    }
}
