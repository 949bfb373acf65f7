#![doc = include_str!("../README.md")]
#![expect(missing_docs, reason = "not published: a name or the text of an error may say it all")]

pub mod account;
pub mod audit;
pub mod certificate;
pub mod chain;
pub mod change;
pub mod clock;
#[cfg(feature = "testing")]
pub mod contract;
pub mod daily_usage;
pub mod dataset_status;
pub mod digest;
pub mod edition;
pub mod exchange_rates;
#[cfg(feature = "testing")]
pub mod fake;
pub mod feed;
pub mod history;
pub mod kept_list;
pub mod ledger;
pub mod mail;
pub mod mail_code;
pub mod measured_hour;
pub mod membership;
pub mod password;
pub mod period;
pub mod registry;
pub mod retention;
pub mod secret_digest;
pub mod session;
pub mod source_error;
pub mod source_load;
pub mod store_error;
pub mod taxpayer_source;
pub mod token;
pub mod voucher_validator;
pub mod watch;
pub mod webhook;
mod words;

pub use account::{
    Account, AccountId, AccountPage, AccountRole, AccountStatus, Accounts, Email, EmailError, FoundAccount, PlanName,
    PlanNameError, StoredRow, StoredTable, StoredValue,
};
pub use audit::{Actor, Audit, AuditFilter, AuditLine, NewAuditLine, Origin};
pub use certificate::{Certificate, CertificateCode, Certificates};
pub use chain::chain;
pub use change::{ChangedDatum, DatumChange, SanctionPeriod};
pub use clock::{Clock, today};
pub use daily_usage::{DailyUsage, DayCount, OperationName};
pub use dataset_status::{AttemptOutcome, DatasetAttempt, DatasetProgress, DatasetState, DatasetStatus};
pub use digest::{DigestRhythm, Digests, LeasedDigest, NewDigest};
pub use edition::{Edition, is_too_old};
pub use exchange_rates::ExchangeRateRecord;
pub use feed::{
    ChangeFeed, FeedChange, FeedCursor, FeedCursorError, FeedError, FeedPage, FeedPlace, FeedPosition, FeedQuery,
    FeedRucs,
};
pub use history::{DatasetRecord, MonthState, MonthlyHistory, MonthsRecord, States, TaxpayerHistory, Timeline};
pub use kept_list::{BatchOutcome, KeptList, KeptLists, ListBounds, ListChange, ListId, ListStatus, NewBatch, NewList};
pub use kuraka_domain::{EditionOrigin, NamePage, NamePosition, NameQuery};
pub use ledger::{Lease, UsageLedger};
pub use mail::{LeasedMail, MailError, MailId, MailKind, MailMessage, MailSender, NewMail, Outbox, ReachedQuota};
pub use mail_code::{CodeKind, MailCodes};
pub use measured_hour::{CallCounts, MeasuredHour, MeasuredHours};
pub use membership::{Heartbeat, Membership, ServerId};
pub use password::{PasswordError, PasswordHasher};
pub use period::Period;
pub use registry::{
    Datasets, ProfileParts, ProfileResults, RegistrySnapshot, SnapshotDataset, TaxpayerRegistry, dataset,
};
pub use retention::{OldRows, Retention};
pub use secret_digest::SecretDigest;
pub use session::{Session, Sessions};
pub use source_error::{SourceError, SourceErrorKind};
pub use source_load::SourceLoad;
pub use store_error::{StoreError, StoreErrorKind};
pub use taxpayer_source::{DetailAnswer, DetailOrigin, Freshness, TaxpayerSource};
pub use token::{
    Changed, Changes, Credential, MAX_ACTIVE_TOKENS, MAX_ENDED_TOKENS, NewToken, Revision, Token, TokenId, TokenKey,
    TokenKind, Tokens,
};
pub use voucher_validator::{VoucherAnswer, VoucherValidator};
pub use watch::{
    UnpaidRucsError, WatchCode, WatchCodeError, WatchEntry, WatchLimits, WatchListChange, WatchListId, WatchLists,
    WatchedRuc, WatchedSet,
};
pub use webhook::{
    AfterAttempt, Attempt, AttemptResult, DELIVERIES_RETAINED, Delivery, DeliveryId, LeasedWebhook,
    MAX_ATTEMPTS_PER_ACCOUNT, MAX_WEBHOOKS_PER_ACCOUNT, NewDelivery, NewWebhook, NoAnswer, SLOW_ATTEMPT, Webhook,
    WebhookCounts, WebhookId, WebhookQueue, WebhookRequest, WebhookSecret, WebhookSender, WebhookStatus,
    WebhookUrlError, Webhooks,
};
