//! Converts columns to the ports' values, and values to parameters.

use std::time::Duration;

use ipnet::IpNet;
use jiff::Timestamp;
use kuraka_domain::{Date, ResultCode};
use kuraka_ports::{
    Account, AccountId, AccountPage, AccountRole, AccountStatus, Attempt, AttemptResult, Certificate, CertificateCode,
    DayCount, Delivery, DeliveryId, Email, FoundAccount, KeptList, Lease, ListId, ListStatus, MeasuredHour, NoAnswer,
    OperationName, PlanName, Session, StoreError, Token, TokenId, TokenKey, TokenKind, Webhook, WebhookId,
    WebhookSecret, WebhookStatus,
};
use sqlx::Row;

use super::error::{store_error, unreadable};
use super::{Db, DbRow};

/// Columns `account, email, plan, status, role, account_created`.
pub(super) fn account(row: &DbRow) -> Result<Account, StoreError> {
    let email: &str = column(row, "email")?;
    let plan: &str = column(row, "plan")?;
    let (status, role): (&str, &str) = (column(row, "status")?, column(row, "role")?);
    let known_role = AccountRole::ALL.into_iter().find(|known| known.as_str() == role);
    let known = AccountStatus::ALL.into_iter().find(|known| known.as_str() == status);
    Ok(Account {
        id: AccountId(column(row, "account")?),
        email: Email::parse(email).map_err(unreadable)?,
        plan: PlanName::parse(plan).map_err(unreadable)?,
        status: known.ok_or_else(|| unreadable(format!("an account's status is {status:?}")))?,
        role: known_role.ok_or_else(|| unreadable(format!("an account's role is {role:?}")))?,
        created: instant(column(row, "account_created")?)?,
    })
}

/// Columns of [`account`], `page, used`.
pub(super) fn found_account(found: &DbRow) -> Result<FoundAccount, StoreError> {
    Ok(FoundAccount { account: account(found)?, page: account_page(found)?, used: count(column(found, "used")?)? })
}

/// Column `page`.
pub(super) fn account_page(found: &DbRow) -> Result<AccountPage, StoreError> {
    let page: &[u8] = column(found, "page")?;
    Ok(AccountPage(page.try_into().map_err(unreadable)?))
}

/// Columns `account, begun, seen`.
pub(super) fn session(row: &DbRow) -> Result<Session, StoreError> {
    Ok(Session {
        account: AccountId(column(row, "account")?),
        begun: instant(column(row, "begun")?)?,
        seen: instant(column(row, "seen")?)?,
    })
}

/// Columns `day, operation, code, count`.
pub(super) fn day_count(row: &DbRow) -> Result<DayCount, StoreError> {
    let (day, operation, code): (&str, &str, &str) =
        (column(row, "day")?, column(row, "operation")?, column(row, "code")?);
    let code_of = ResultCode::ALL.into_iter().find(|known| known.as_str() == code);
    Ok(DayCount {
        day: Date::parse(day).map_err(unreadable)?,
        operation: OperationName::from(operation.to_owned()),
        code: code_of.ok_or_else(|| unreadable(format!("the history names the code {code:?}, which is none")))?,
        count: count(column(row, "count")?)?,
    })
}

pub(super) fn allowed(row: &DbRow) -> Result<Vec<IpNet>, StoreError> {
    let text: &str = column(row, "allowed")?;
    text.split(',').filter(|network| !network.is_empty()).map(|network| network.parse().map_err(unreadable)).collect()
}

pub(super) fn allowed_parameter(networks: &[IpNet]) -> String {
    networks.iter().map(IpNet::to_string).collect::<Vec<_>>().join(",")
}

pub(super) fn instant_if_any(row: &DbRow, name: &str) -> Result<Option<Timestamp>, StoreError> {
    column::<Option<i64>>(row, name)?.map(instant).transpose()
}

/// Columns `token, name, prefix, token_created, revoked, last_used, expires, allowed`.
pub(super) fn token(row: &DbRow) -> Result<Token, StoreError> {
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

/// Reads the columns of a kept list.
pub(super) fn kept_list(found: &DbRow) -> Result<KeptList, StoreError> {
    let (id, status): (&[u8], &str) = (column(found, "id")?, column(found, "status")?);
    let known = ListStatus::ALL.into_iter().find(|known| known.as_str() == status);
    let number = |name| count(column(found, name)?);
    Ok(KeptList {
        id: ListId(id.try_into().map_err(unreadable)?),
        account: AccountId(column(found, "account")?),
        name: column(found, "name")?,
        note: column(found, "note")?,
        created: instant(column(found, "created")?)?,
        ran: instant(column(found, "ran")?)?,
        status: known.ok_or_else(|| unreadable(format!("a list's status is {status:?}")))?,
        settings: column(found, "settings")?,
        items: number("items")?,
        done: number("done")?,
        batches: number("batches")?,
        charged: number("charged")?,
    })
}

pub(super) fn certificate(found: &DbRow) -> Result<Certificate, StoreError> {
    let code: &[u8] = column(found, "code")?;
    Ok(Certificate {
        code: CertificateCode(code.try_into().map_err(unreadable)?),
        account: AccountId(column(found, "account")?),
        created: instant(column(found, "created")?)?,
        title: column(found, "title")?,
    })
}

pub(super) fn measured_hour(found: &DbRow) -> Result<MeasuredHour, StoreError> {
    Ok(MeasuredHour {
        hour: column(found, "hour")?,
        minutes: count(column(found, "minutes")?)?,
        subjects: serde_json::from_str(column(found, "subjects")?).map_err(unreadable)?,
    })
}

pub(super) fn webhook(found: &DbRow) -> Result<Webhook, StoreError> {
    let status: &str = column(found, "status")?;
    let known = WebhookStatus::ALL.into_iter().find(|known| known.as_str() == status);
    let previous: Option<String> = column(found, "previous_secret")?;
    let until = instant_if_any(found, "previous_until")?;
    Ok(Webhook {
        id: WebhookId(column(found, "id")?),
        account: AccountId(column(found, "account")?),
        kind: if column::<i64>(found, "test")? == 1 { TokenKind::Test } else { TokenKind::Live },
        url: column(found, "url")?,
        created: instant(column(found, "created")?)?,
        by_operator: column::<i64>(found, "by_operator")? == 1,
        status: known.ok_or_else(|| unreadable(format!("a webhook's status is {status:?}")))?,
        secret: WebhookSecret::new(column(found, "secret")?),
        previous_secret: previous.map(WebhookSecret::new).zip(until),
        cursor: column(found, "cursor")?,
        failures: number(found, "failures")?,
        failing_since: instant_if_any(found, "failing_since")?,
        next_attempt: instant_if_any(found, "next_attempt")?,
    })
}

pub(super) fn delivery(found: &DbRow) -> Result<Delivery, StoreError> {
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

fn attempt(found: &DbRow, at: Timestamp) -> Result<Attempt, StoreError> {
    let (status, answer): (Option<i64>, &str) = (column(found, "http_status")?, column(found, "answer")?);
    let result = match status {
        Some(status) => {
            AttemptResult::Answered { status: u16::try_from(status).map_err(unreadable)?, text: answer.to_owned() }
        }
        None => {
            let known = NoAnswer::ALL.into_iter().find(|known| known.as_str() == answer);
            AttemptResult::NoAnswer(known.ok_or_else(|| unreadable(format!("no answer because of {answer:?}")))?)
        }
    };
    Ok(Attempt { at, took: Duration::from_millis(count(column(found, "took")?)?), result })
}

fn number(found: &DbRow, name: &str) -> Result<u32, StoreError> {
    u32::try_from(column::<i64>(found, name)?).map_err(unreadable)
}

/// Column `bytes` of the tokens' key.
pub(super) fn token_key(row: &DbRow) -> Result<TokenKey, StoreError> {
    let bytes: &[u8] = column(row, "bytes")?;
    bytes.try_into().map(TokenKey).map_err(unreadable)
}

pub(super) fn column<'r, T>(row: &'r DbRow, name: &str) -> Result<T, StoreError>
where
    T: sqlx::Decode<'r, Db> + sqlx::Type<Db>,
{
    row.try_get(name).map_err(store_error)
}

/// Columns `account, used, latest_lease`.
pub(super) fn lease(row: &DbRow) -> Result<(AccountId, Lease), StoreError> {
    let lease = Lease { granted: count(column(row, "latest_lease")?)?, used: count(column(row, "used")?)? };
    Ok((AccountId(column(row, "account")?), lease))
}

/// The schema allows no negative counts.
pub(super) fn count(stored: i64) -> Result<u64, StoreError> {
    u64::try_from(stored).map_err(unreadable)
}

/// At most `i64::MAX`.
pub(super) fn count_parameter(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(super) fn instant(microseconds: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_microsecond(microseconds).map_err(unreadable)
}
