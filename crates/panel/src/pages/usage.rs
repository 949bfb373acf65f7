//! `GET /panel/consumo`: what is used and left of the month, and the last 30 days by operation and outcome; the same
//! days as a file.

mod chart;
mod days;
mod group;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HeaderValue};
use askama::Template;
use jiff::{SignedDuration, Timestamp};
use kuraka_app::{Used, calendar};
use kuraka_domain::Date;
use kuraka_ports::{DayCount, OperationName};

use self::chart::Chart;
use self::days::Day;
pub(crate) use self::group::Group;
use crate::frame::{Frame, Place};
use crate::problem::Problem;
use crate::visit::Visit;
use crate::{page, spanish};

/// Days that are shown.
const DAYS: i32 = 30;

/// Operations that are shown, by their paths.
const OPERATIONS: [&str; 3] = ["/ruc", "/ruc-official", "/cpe"];

/// One line of the table.
struct Row {
    day: String,
    operation: &'static str,
    counts: Vec<String>,
}

#[derive(Template)]
#[template(path = "usage.html")]
struct UsagePage {
    frame: Frame,
    month: String,
    plan: String,
    used: String,
    left: String,
    limit: String,
    renews: String,
    percent: u64,
    /// The class that colours the bar of what is used.
    level: &'static str,
    first_day: String,
    last_day: String,
    charts: Vec<Chart>,
    rows: Vec<Row>,
}

pub(crate) async fn show(visit: Visit) -> Result<HttpResponse, Problem> {
    let now = visit.panel.clock.now();
    let Used { period, limit, used } = of_month(&visit, now).await?;
    let today = calendar::today(now);
    let first = first_day(now);
    let history = visit.panel.usage.since(visit.account.id, first).await?;
    let by_operation = OPERATIONS.map(|path| (path, by_day(&history, path, first)));
    let is_used = by_operation.iter().any(|(_, days)| days.iter().any(|day| day.total() > 0));
    let page = UsagePage {
        frame: visit.frame(Place::Usage),
        month: format!("{} de {}", spanish::month(period.month), period.year),
        plan: visit.account.plan.to_string(),
        used: spanish::number(used),
        left: spanish::number(limit.saturating_sub(used)),
        limit: spanish::number(limit),
        renews: spanish::short_day(calendar::today(renewal(now))),
        percent: percent(used, limit),
        level: level(used, limit),
        first_day: spanish::short_day(first),
        last_day: spanish::short_day(today),
        charts: if is_used { by_operation.iter().map(|(path, days)| Chart::of(path, days)).collect() } else { vec![] },
        rows: rows(&by_operation),
    };
    Ok(page::html(StatusCode::OK, &page))
}

/// `GET /panel/consumo.csv`.
pub(crate) async fn download(visit: Visit) -> Result<HttpResponse, Problem> {
    let mut lines = "dia,operacion,resultado,consultas\r\n".to_owned();
    let first = first_day(visit.panel.clock.now());
    let mut counts = visit.panel.usage.since(visit.account.id, first).await?;
    let place = |operation: &OperationName| OPERATIONS.iter().position(|path| is_at(operation, path));
    counts.sort_by_key(|count| (count.day, place(&count.operation), count.code));
    for DayCount { day, operation, code, count } in counts {
        lines.push_str(&format!("{day},/{},{},{count}\r\n", operation.as_str(), code.as_str()));
    }
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8")))
        .insert_header((CONTENT_DISPOSITION, HeaderValue::from_static("attachment; filename=\"kuraka-consumo.csv\"")))
        .body(lines))
}

/// Where the account stands; nowhere if its plan is in no settings.
async fn of_month(visit: &Visit, now: Timestamp) -> Result<Used, Problem> {
    match visit.panel.plans.find(&visit.account.plan) {
        Some(plan) => Ok(visit.panel.usage.of_month(visit.account.id, plan).await?),
        None => Ok(Used { period: calendar::period(now), limit: 0, used: 0 }),
    }
}

/// The first of the days that are shown.
fn first_day(now: Timestamp) -> Date {
    Date::from_days_since_epoch(calendar::today(now).days_since_epoch() - DAYS + 1).unwrap_or(Date::MIN)
}

/// The instant at which the next month begins.
fn renewal(now: Timestamp) -> Timestamp {
    let left = i64::try_from(calendar::seconds_left(now)).unwrap_or(0);
    now.saturating_add(SignedDuration::from_secs(left)).unwrap_or(now)
}

/// Whether callers know an operation by this path.
fn is_at(operation: &OperationName, path: &str) -> bool {
    path.strip_prefix('/') == Some(operation.as_str())
}

/// One operation's days from the first to today, the oldest first.
fn by_day(history: &[DayCount], path: &str, first: Date) -> Vec<Day> {
    let date = |after: i32| Date::from_days_since_epoch(first.days_since_epoch() + after);
    let mut days: Vec<Day> = (0..DAYS).filter_map(date).map(Day::empty).collect();
    for count in history.iter().filter(|count| is_at(&count.operation, path)) {
        if let Some(day) = days.iter_mut().find(|day| day.date == count.day) {
            day.add(count.code, count.count);
        }
    }
    days
}

/// The days with queries, the newest first.
fn rows(by_operation: &[(&'static str, Vec<Day>)]) -> Vec<Row> {
    let mut days: Vec<(&'static str, &Day)> =
        by_operation.iter().flat_map(|(path, days)| days.iter().map(|day| (*path, day))).collect();
    days.retain(|(_, day)| day.total() > 0);
    days.sort_by_key(|(_, day)| std::cmp::Reverse(day.date.days_since_epoch()));
    let row = |(operation, day): (&'static str, &Day)| Row {
        day: spanish::day(day.date),
        operation,
        counts: day.parts().map(|(_, count)| spanish::number(count)).collect(),
    };
    days.into_iter().map(row).collect()
}

/// The part of the plan that is used: 100 only when all is.
fn percent(used: u64, limit: u64) -> u64 {
    if limit == 0 { 100 } else { u64::try_from(u128::from(used) * 100 / u128::from(limit)).unwrap_or(100) }
}

fn level(used: u64, limit: u64) -> &'static str {
    match percent(used, limit) {
        0..80 => "",
        80..100 => "high",
        _ => "gone",
    }
}
