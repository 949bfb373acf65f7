//! `GET /panel`, *Inicio*: what changed among the watched RUCs since the last visit, the latest lists, what is left of the
//! plan, and the age of the data. Free of charge.

use std::cmp::Reverse;
use std::collections::HashMap;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_api::seguimiento;
use kuraka_app::watching::{ChangesError, ChangesPage, ChangesQuery, MAX_RUCS};
use kuraka_app::{ChargedCall, Used, calendar};
use kuraka_domain::{Date, ResultCode, Ruc, RucKind};
use kuraka_ports::{DatasetStatus, FeedChange, FeedError, KeptList, ListStatus};

use crate::cookie::Cookie;
use crate::error::PageError;
use crate::layout::{Layout, MenuItem};
use crate::pages::watching::{self, NEWS_DAYS, WatchedRow};
use crate::pages::{change, list, upload, usage};
use crate::request::CurrentUser;
use crate::{csrf, response, spanish};

/// The most changes that are read, and the most taxpayers and lists that are shown.
const CHANGES: &str = "1000";
const TAXPAYERS: usize = 20;
const LISTS: usize = 5;

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    layout: Layout,
    /// `None` = the changes could not be read.
    news: Option<News>,
    lists: Vec<KeptList>,
    used: Used,
    renews: String,
    padron: Option<DatasetStatus>,
}

struct News {
    watched: u64,
    is_first_visit: bool,
    /// Worst first.
    taxpayers: Vec<Changed>,
    has_more: bool,
}

struct Changed {
    row: WatchedRow,
    /// In words, newest first.
    changes: Vec<String>,
}

/// What a browser remembers between visits, as `SESSION.SEEN.NEWEST`: in one session the page shows the same changes again.
struct Visit {
    session: String,
    /// The cursor of the last visit; empty = there was none.
    seen: String,
}

impl Visit {
    fn from_cookie(user: &CurrentUser) -> Self {
        let session: String = csrf::form_token(&user.session).chars().take(16).collect();
        let kept = Cookie::Seen.read(&user.request, &user.panel.site).unwrap_or_default();
        let mut parts = kept.split('.');
        let [of, seen, newest] = [(); 3].map(|()| parts.next().unwrap_or_default());
        let seen = if of == session { seen } else { newest }.to_owned();
        Self { session, seen }
    }
}

pub(crate) async fn show(user: CurrentUser) -> Result<HttpResponse, PageError> {
    let visit = Visit::from_cookie(&user);
    let (news, newest) = match user.call(&seguimiento::LIST, 0).await {
        Ok((call, _permit)) => {
            let found = news(&user, &call, &visit.seen).await?;
            call.end(ResultCode::Found, None);
            found.map_or((None, None), |(news, newest)| (Some(news), Some(newest)))
        }
        Err(error @ PageError::SignedOut { .. }) => return Err(error),
        Err(_) => (None, None),
    };
    let panel = &user.panel;
    let now = panel.clock.now();
    let mut lists = panel.lists.store.lists(user.account.id).await?;
    lists.sort_by_key(|list| (list.status == ListStatus::Done, Reverse(list.ran)));
    let used = usage::used_this_month(&user).await?;
    let statuses = panel.datasets.statuses();
    let page = HomePage {
        layout: user.layout(MenuItem::HOME),
        news,
        lists,
        used,
        renews: spanish::short_day(calendar::today(usage::renewal(now))),
        padron: DatasetStatus::of_padron(&statuses).cloned(),
    };
    let mut answer = response::page(StatusCode::OK, &page);
    if let Some(newest) = newest {
        Cookie::Seen.set(&panel.site, &[&*visit.session, &visit.seen, &newest].join("."), &mut answer);
    }
    Ok(answer)
}

/// The changes after a cursor, and the newest cursor; `None` = they cannot be read.
async fn news(user: &CurrentUser, call: &ChargedCall, seen: &str) -> Result<Option<(News, String)>, PageError> {
    let watched = watching::watched(user, call, MAX_RUCS).await?;
    let Some(found) = changes(user, call, seen).await? else { return Ok(None) };
    let newest = if found.page.is_last { found.next } else { newest(user, call).await?.unwrap_or(found.next) };
    let is_shown = |ruc: Ruc| {
        let mut persons = watched.rucs.iter().filter(|entry| entry.watched.ruc == ruc);
        ruc.kind() == RucKind::LegalPerson || persons.any(|entry| user.panel.watching.is_shown(entry))
    };
    let mut by_ruc: HashMap<Ruc, Vec<FeedChange>> = HashMap::new();
    for change in found.page.changes {
        by_ruc.entry(change.ruc).or_default().push(change);
    }
    let shown: Vec<(Ruc, Vec<FeedChange>, bool)> =
        by_ruc.into_iter().map(|(ruc, changes)| (ruc, changes, is_shown(ruc))).collect();
    let panel = user.panel.clone();
    let batch = panel.lookup_taxpayer.batch(call).ok();
    let taxpayers = upload::large(move || {
        let statuses = panel.datasets.statuses();
        let rucs = shown.iter().map(|(ruc, _, is_shown)| (*ruc, *is_shown));
        let rows = watching::taxpayers(&panel, batch.as_ref(), rucs);
        let changed = |((_, changes, is_shown), row): ((Ruc, Vec<FeedChange>, bool), WatchedRow)| {
            let words = |one: &FeedChange| change::with_day(one, &statuses);
            Changed { row, changes: changes.iter().rev().filter(|_| is_shown).map(words).collect() }
        };
        let mut taxpayers: Vec<Changed> = shown.into_iter().zip(rows).map(changed).collect();
        taxpayers
            .sort_by_cached_key(|Changed { row, changes }| (changes.is_empty(), Reverse(row.tone), row.ruc.clone()));
        taxpayers
    });
    let taxpayers = taxpayers.await?;
    let (watched, is_first_visit, has_more) = (watched.total, seen.is_empty(), !found.page.is_last);
    Ok(Some((News { watched, is_first_visit, taxpayers, has_more }, newest)))
}

/// The page of changes after a cursor of this account, else of the last days, as far back as is recorded.
async fn changes(user: &CurrentUser, call: &ChargedCall, seen: &str) -> Result<Option<ChangesPage>, PageError> {
    let today = calendar::today(user.panel.clock.now()).days_since_epoch();
    let first = Date::from_days_since_epoch(today - NEWS_DAYS).unwrap_or(Date::MIN).to_string();
    let mut from = if seen.is_empty() { first.clone() } else { seen.to_owned() };
    for _ in 0..3 {
        let query = ChangesQuery { from: Some(&from), limit: Some(CHANGES), ..ChangesQuery::default() };
        from = match user.panel.watching.changes(call, query).await {
            Ok(found) => return Ok(Some(found)),
            Err(ChangesError::Feed(FeedError::NotRecorded { since: Some(since) })) => since.to_string(),
            Err(ChangesError::Cursor { .. }) => first.clone(),
            Err(ChangesError::Store(error)) => return Err(error.into()),
            Err(_) => return Ok(None),
        };
    }
    Ok(None)
}

async fn newest(user: &CurrentUser, call: &ChargedCall) -> Result<Option<String>, PageError> {
    match user.panel.watching.changes(call, ChangesQuery::default()).await {
        Ok(found) => Ok(Some(found.next)),
        Err(ChangesError::Store(error)) => Err(error.into()),
        Err(_) => Ok(None),
    }
}
