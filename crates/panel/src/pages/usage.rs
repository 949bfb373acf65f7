//! `GET /panel/consumo`: the month's usage, and the last 30 days by operation and result, also as CSV.

mod chart;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use jiff::{SignedDuration, Timestamp};
use kuraka_app::{Used, calendar};
use kuraka_domain::Date;
use kuraka_ports::{Account, DayCount};

pub(crate) use self::chart::Group;
use self::chart::{Chart, Day};
use crate::error::PageError;
use crate::layout::{Layout, MenuItem};
use crate::panel::Panel;
use crate::request::CurrentUser;
use crate::{large_answer, spanish};

/// Days that the page shows.
const DAYS: i32 = 30;

#[derive(Template)]
#[template(path = "usage.html")]
struct UsagePage {
    layout: Layout,
    month: String,
    plan: String,
    usage: Used,
    renews: String,
    first_day: String,
    last_day: String,
    charts: Vec<Chart>,
    /// Operations and days with queries, newest first.
    rows: Vec<(String, Day)>,
}

pub(crate) async fn show(user: CurrentUser) -> Result<HttpResponse, PageError> {
    let now = user.panel.clock.now();
    let usage = used_this_month(&user).await?;
    let today = calendar::today(now);
    let first = first_day(now);
    let counts = user.panel.usage.daily.since(user.account.id, first).await?;
    let by_operation: Vec<(String, Vec<Day>)> = operations(&user.panel, &counts)
        .into_iter()
        .map(|operation| (title(&user.panel, operation), by_day(&counts, operation, first)))
        .collect();
    let is_used = by_operation.iter().any(|(_, days)| days.iter().any(|day| day.total() > 0));
    let page = UsagePage {
        layout: user.layout(MenuItem::USAGE),
        month: format!("{} de {}", spanish::month(usage.period.month), usage.period.year),
        plan: user.account.plan.to_string(),
        renews: spanish::short_day(calendar::today(renewal(now))),
        usage,
        first_day: spanish::short_day(first),
        last_day: spanish::short_day(today),
        charts: if is_used {
            by_operation.iter().map(|(title, days)| Chart::new(title, days)).collect()
        } else {
            vec![]
        },
        rows: rows(by_operation),
    };
    large_answer::page(&user, None, StatusCode::OK, &page)
}

/// `GET /panel/consumo.csv`.
pub(crate) async fn download(user: CurrentUser) -> Result<HttpResponse, PageError> {
    let mut lines = "dia,operacion,resultado,consultas\r\n".to_owned();
    let first = first_day(user.panel.clock.now());
    for DayCount { day, operation, code, count } in user.panel.usage.daily.since(user.account.id, first).await? {
        lines.push_str(&format!("{day},{},{},{count}\r\n", path(&operation), code.as_str()));
    }
    large_answer::file(&user, None, "text/csv; charset=utf-8", "kuraka-consumo.csv", lines.as_bytes())
}

/// Zero of zero if the plan is not in the settings any more.
pub(super) async fn used_this_month(user: &CurrentUser) -> Result<Used, PageError> {
    let none = Used { period: calendar::period(user.panel.clock.now()), limit: 0, used: 0 };
    Ok(used_by(&user.panel, &user.account).await?.unwrap_or(none))
}

/// An error if the plan is not in the settings any more: nothing can be said of what is left.
pub(super) async fn used_of_plan(user: &CurrentUser) -> Result<Used, PageError> {
    let used = used_by(&user.panel, &user.account).await?;
    used.ok_or(PageError::Internal("the plan of the account is not in the settings"))
}

/// `None` = the plan is not in the settings any more.
pub(super) async fn used_by(panel: &Panel, account: &Account) -> Result<Option<Used>, PageError> {
    let Some(plan) = panel.plans.find(&account.plan) else { return Ok(None) };
    Ok(Some(panel.usage.month(account.id, &plan).await?))
}

fn first_day(now: Timestamp) -> Date {
    Date::from_days_since_epoch(calendar::today(now).days_since_epoch() - DAYS + 1).unwrap_or(Date::MIN)
}

/// When the next month begins.
pub(super) fn renewal(now: Timestamp) -> Timestamp {
    let left = i64::try_from(calendar::seconds_left(now)).unwrap_or(0);
    now.saturating_add(SignedDuration::from_secs(left)).unwrap_or(now)
}

fn title(panel: &Panel, name: &str) -> String {
    let operation = panel.operations.iter().find(|operation| operation.name == name);
    operation.map_or_else(|| path(name), |operation| operation.title.to_owned())
}

fn path(operation: &str) -> String {
    format!("/{operation}")
}

/// The operations that cost queries, in the table's order, then others with counts, perhaps of another version.
fn operations<'a>(panel: &'a Panel, counts: &'a [DayCount]) -> Vec<&'a str> {
    let listed = panel.operations.iter().filter(|operation| operation.cost > 0).map(|operation| operation.name);
    let mut names = Vec::new();
    for name in listed.chain(counts.iter().map(|count| &*count.operation)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// An operation's days from `first` to today.
fn by_day(counts: &[DayCount], operation: &str, first: Date) -> Vec<Day> {
    let date = |after: i32| Date::from_days_since_epoch(first.days_since_epoch() + after);
    let mut days: Vec<Day> = (0..DAYS).filter_map(date).map(Day::empty).collect();
    for count in counts.iter().filter(|count| &*count.operation == operation) {
        if let Some(day) = days.iter_mut().find(|day| day.date == count.day) {
            day.add(count.code, count.count);
        }
    }
    days
}

/// The days with queries, the newest first.
fn rows(by_operation: Vec<(String, Vec<Day>)>) -> Vec<(String, Day)> {
    let of_operation = |(title, days): (String, Vec<Day>)| days.into_iter().map(move |day| (title.clone(), day));
    let mut rows: Vec<_> = by_operation.into_iter().flat_map(of_operation).filter(|(_, day)| day.total() > 0).collect();
    rows.sort_by_key(|(_, day)| std::cmp::Reverse(day.date.days_since_epoch()));
    rows
}

/// Rounded down.
fn percent(&Used { used, limit, .. }: &Used) -> u64 {
    if limit == 0 { 100 } else { u64::try_from(u128::from(used) * 100 / u128::from(limit)).unwrap_or(100) }
}

/// The progress bar's CSS class.
fn level(usage: &Used) -> &'static str {
    match percent(usage) {
        0..80 => "",
        80..100 => "high",
        _ => "gone",
    }
}
