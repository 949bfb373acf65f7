//! The audit log: who changed what, when and from where. Lines are added and read, never changed.
//!
//! A store writes the line of its own change in the change's transaction, with the [`Origin`] of the running task.

use std::net::IpAddr;

use async_trait::async_trait;
use jiff::Timestamp;
use tokio::task_local;

use crate::{AccountId, StoreResult};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Actor {
    /// The account whose change it is, in the panel.
    Account,
    /// An operator in the panel, with the address of its account.
    Operator(String),
    /// A command, with the name of the operating system's user.
    Command(String),
    /// The server itself.
    #[default]
    System,
}

impl Actor {
    /// A word for logs.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Account => "account",
            Self::Operator(_) => "operator",
            Self::Command(_) => "command",
            Self::System => "system",
        }
    }
}

/// Who makes the changes of a task, and from where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    pub actor: Actor,
    /// The client's address, or its network.
    pub address: Option<IpAddr>,
    /// The client's `User-Agent`, at most [`Origin::AGENT_CHARS`] characters.
    pub agent: Option<String>,
    pub request_id: Option<String>,
    /// Whether a test token calls, for the log alone.
    pub is_test: bool,
    /// The operator's account, for the log alone.
    pub operator: Option<AccountId>,
}

task_local! {
    static ORIGIN: Origin;
}

impl Origin {
    /// Of a `User-Agent`.
    pub const AGENT_CHARS: usize = 200;

    /// The origin of the running task's changes; the system's outside of [`Origin::scope`].
    pub fn current() -> Self {
        ORIGIN.try_with(Self::clone).unwrap_or_default()
    }

    /// Runs `work`, whose changes have this origin. Tasks that it spawns do not inherit it.
    pub async fn scope<T>(self, work: impl Future<Output = T>) -> T {
        ORIGIN.scope(self, work).await
    }
}

/// A line to add. Never has a secret or the RUC of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewAuditLine {
    pub action: &'static str,
    pub account: Option<AccountId>,
    /// What it concerns, such as `token 12`. Has no e-mail address.
    pub object: String,
    /// If it is short.
    pub before: Option<String>,
    /// If it is short.
    pub after: Option<String>,
}

impl NewAuditLine {
    /// Without values.
    pub fn for_object(action: &'static str, account: AccountId, object: impl Into<String>) -> Self {
        Self { action, account: Some(account), object: object.into(), ..Self::default() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditLine {
    /// Increases with each line.
    pub id: i64,
    /// By the store's clock.
    pub time: Timestamp,
    /// A noun, a point and a verb.
    pub action: String,
    pub origin: Origin,
    /// May be deleted.
    pub account: Option<AccountId>,
    /// The account's e-mail address at that time.
    pub email: Option<String>,
    pub object: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct AuditFilter<'a> {
    pub account: Option<AccountId>,
    pub email: Option<&'a str>,
    pub action: Option<&'a str>,
    /// Whose object begins with this text.
    pub object: Option<&'a str>,
    pub since: Option<Timestamp>,
    pub after: i64,
    /// Added before this line.
    pub before: Option<i64>,
    pub newest: bool,
}

#[async_trait]
pub trait Audit: Send + Sync + 'static {
    /// Days until a line that is written from now on may be deleted; 400 at first.
    fn keep_lines(&self, days: u32);

    /// Adds a line with this origin. Not safe to call twice. `Unavailable` or `Unwritable`: the line may be added,
    /// unless [`crate::StoreError::had_no_effect`].
    async fn add_line(&self, line: &NewAuditLine, origin: &Origin) -> StoreResult<()>;

    /// At most `limit` lines, the newest last.
    async fn lines(&self, filter: &AuditFilter<'_>, limit: u32) -> StoreResult<Vec<AuditLine>>;

    /// Deletes the lines whose days are over, by the store's clock.
    async fn expire_lines(&self) -> StoreResult<()>;
}
