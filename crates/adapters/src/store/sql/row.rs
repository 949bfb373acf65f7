//! Converts columns to the ports' values.

use std::str::FromStr;
use std::time::Duration;

use ipnet::IpNet;
use jiff::Timestamp;
use kuraka_domain::Date;
use kuraka_ports::{
    Account, AccountId, AccountPage, Attempt, AttemptResult, Certificate, CertificateCode, DayCount, Delivery,
    DeliveryId, Email, FoundAccount, KeptList, Lease, ListId, MeasuredHour, OperationName, PlanName, Session,
    StoreResult, Token, TokenId, TokenKey, TokenKind, Webhook, WebhookId, WebhookSecret,
};
use sqlx::Row;

use super::error::{store_error, unreadable};
use super::{Db, DbRow};

/// Columns `account, email, plan, status, role, account_created`.
pub(super) fn account(row: &DbRow) -> StoreResult<Account> {
    Ok(Account {
        id: account_id(row)?,
        email: email(row)?,
        plan: PlanName::parse(column(row, "plan")?).map_err(unreadable)?,
        status: named(row, "status")?,
        role: named(row, "role")?,
        created: instant(column(row, "account_created")?)?,
    })
}

pub(super) fn account_id(row: &DbRow) -> StoreResult<AccountId> {
    column(row, "account").map(AccountId)
}

pub(super) fn email(row: &DbRow) -> StoreResult<Email> {
    Email::parse(column(row, "email")?).map_err(unreadable)
}

/// A column with the word of a value.
pub(super) fn named<T: FromStr>(row: &DbRow, name: &str) -> StoreResult<T> {
    let found: &str = column(row, name)?;
    found.parse().map_err(|_| unreadable(format!("the column {name:?} has {found:?}, which is none of its words")))
}

/// Columns of [`account`], `page, used`.
pub(super) fn found_account(found: &DbRow) -> StoreResult<FoundAccount> {
    Ok(FoundAccount { account: account(found)?, page: account_page(found)?, used: count(found, "used")? })
}

/// Column `page`.
pub(super) fn account_page(found: &DbRow) -> StoreResult<AccountPage> {
    bytes(found, "page").map(AccountPage)
}

/// Columns `account, begun, seen`.
pub(super) fn session(row: &DbRow) -> StoreResult<Session> {
    Ok(Session {
        account: account_id(row)?,
        begun: instant(column(row, "begun")?)?,
        seen: instant(column(row, "seen")?)?,
    })
}

/// Columns `day, operation, code, count`.
pub(super) fn day_count(row: &DbRow) -> StoreResult<DayCount> {
    Ok(DayCount {
        day: Date::parse(column(row, "day")?).map_err(unreadable)?,
        operation: OperationName::from(column::<String>(row, "operation")?),
        code: named(row, "code")?,
        count: count(row, "count")?,
    })
}

pub(super) fn allowed(row: &DbRow) -> StoreResult<Vec<IpNet>> {
    let text: &str = column(row, "allowed")?;
    text.split(',').filter(|network| !network.is_empty()).map(|network| network.parse().map_err(unreadable)).collect()
}

pub(super) fn instant_if_any(row: &DbRow, name: &str) -> StoreResult<Option<Timestamp>> {
    column::<Option<i64>>(row, name)?.map(instant).transpose()
}

/// Columns `token, name, prefix, token_created, revoked, last_used, expires, allowed`.
pub(super) fn token(row: &DbRow) -> StoreResult<Token> {
    Ok(Token {
        id: TokenId(column(row, "token")?),
        name: column(row, "name")?,
        prefix: column(row, "prefix")?,
        created: instant(column(row, "token_created")?)?,
        revoked: instant_if_any(row, "revoked")?,
        last_used: instant_if_any(row, "last_used")?,
        expires: instant_if_any(row, "expires")?,
        allowed: allowed(row)?,
    })
}

pub(super) fn kept_list(found: &DbRow) -> StoreResult<KeptList> {
    Ok(KeptList {
        id: ListId(bytes(found, "id")?),
        account: account_id(found)?,
        name: column(found, "name")?,
        note: column(found, "note")?,
        created: instant(column(found, "created")?)?,
        ran: instant(column(found, "ran")?)?,
        status: named(found, "status")?,
        settings: column(found, "settings")?,
        items: count(found, "items")?,
        done: count(found, "done")?,
        batches: count(found, "batches")?,
        charged: count(found, "charged")?,
    })
}

pub(super) fn certificate(found: &DbRow) -> StoreResult<Certificate> {
    Ok(Certificate {
        code: CertificateCode(bytes(found, "code")?),
        account: account_id(found)?,
        created: instant(column(found, "created")?)?,
        title: column(found, "title")?,
    })
}

pub(super) fn measured_hour(found: &DbRow) -> StoreResult<MeasuredHour> {
    Ok(MeasuredHour {
        hour: column(found, "hour")?,
        minutes: count(found, "minutes")?,
        subjects: serde_json::from_str(column(found, "subjects")?).map_err(unreadable)?,
    })
}

pub(super) fn webhook(found: &DbRow) -> StoreResult<Webhook> {
    let previous: Option<String> = column(found, "previous_secret")?;
    let until = instant_if_any(found, "previous_until")?;
    Ok(Webhook {
        id: WebhookId(column(found, "id")?),
        account: account_id(found)?,
        kind: if column::<i64>(found, "test")? == 1 { TokenKind::Test } else { TokenKind::Live },
        url: column(found, "url")?,
        created: instant(column(found, "created")?)?,
        by_operator: column::<i64>(found, "by_operator")? == 1,
        status: named(found, "status")?,
        secret: WebhookSecret::new(column(found, "secret")?),
        previous_secret: previous.map(WebhookSecret::new).zip(until),
        cursor: column(found, "cursor")?,
        failures: number(found, "failures")?,
        failing_since: instant_if_any(found, "failing_since")?,
        next_attempt: instant_if_any(found, "next_attempt")?,
    })
}

pub(super) fn delivery(found: &DbRow) -> StoreResult<Delivery> {
    let last = instant_if_any(found, "attempted")?.map(|at| attempt(found, at)).transpose()?;
    Ok(Delivery {
        id: DeliveryId(column(found, "id")?),
        webhook: WebhookId(column(found, "webhook")?),
        message: column(found, "message")?,
        body: column(found, "body")?,
        created: instant(column(found, "created")?)?,
        next_cursor: column(found, "next_cursor")?,
        is_pending: column::<i64>(found, "pending")? == 1,
        attempts: number(found, "attempts")?,
        last,
    })
}

fn attempt(found: &DbRow, at: Timestamp) -> StoreResult<Attempt> {
    let result = match column::<Option<i64>>(found, "http_status")? {
        Some(status) => AttemptResult::Answered {
            status: u16::try_from(status).map_err(unreadable)?,
            text: column(found, "answer")?,
        },
        None => AttemptResult::NoAnswer(named(found, "answer")?),
    };
    Ok(Attempt { at, took: Duration::from_millis(count(found, "took")?), result })
}

pub(super) fn number(found: &DbRow, name: &str) -> StoreResult<u32> {
    u32::try_from(column::<i64>(found, name)?).map_err(unreadable)
}

/// Column `bytes` of the tokens' key.
pub(super) fn token_key(row: &DbRow) -> StoreResult<TokenKey> {
    bytes(row, "bytes").map(TokenKey)
}

fn bytes<const N: usize>(row: &DbRow, name: &str) -> StoreResult<[u8; N]> {
    column::<&[u8]>(row, name)?.try_into().map_err(unreadable)
}

pub(super) fn column<'r, T>(row: &'r DbRow, name: &str) -> StoreResult<T>
where
    T: sqlx::Decode<'r, Db> + sqlx::Type<Db>,
{
    row.try_get(name).map_err(store_error)
}

/// Columns `account, used, latest_lease`.
pub(super) fn lease(row: &DbRow) -> StoreResult<(AccountId, Lease)> {
    Ok((account_id(row)?, Lease { granted: count(row, "latest_lease")?, used: count(row, "used")? }))
}

pub(super) fn total(row: &DbRow) -> StoreResult<u64> {
    count(row, "total")
}

/// The schema allows no negative counts.
pub(super) fn count(row: &DbRow, name: &str) -> StoreResult<u64> {
    u64::try_from(column::<i64>(row, name)?).map_err(unreadable)
}

pub(super) fn instant(microseconds: i64) -> StoreResult<Timestamp> {
    Timestamp::from_microsecond(microseconds).map_err(unreadable)
}
