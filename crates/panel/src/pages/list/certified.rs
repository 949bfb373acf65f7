//! What a certificate says of a list: what was answered about its taxpayers, without the owner's columns.

use std::collections::{HashMap, HashSet};

use kuraka_api::spanish::NO_RECORD;
use kuraka_app::{ListItem, RegistryBatch, calendar};
use kuraka_domain::{DatasetRole, Date, ResultCode};
use kuraka_ports::{DatasetStatus, KeptList, ListStatus, ProfileParts};

use super::answer::{Answer, AnswerBatch, of_taxpayers};
use super::item::{self, Kind, Subject};
use super::kept::with_contents;
use super::run::day_of_run;
use super::settings::Settings;
use crate::error::PageError;
use crate::pages::certificate_content::{CertifiedRow, Content};
use crate::pages::packed_json::unpack;
use crate::pages::status_summary::INCAPABLE;
use crate::panel::Panel;
use crate::request::CurrentUser;

/// `None` = the list has no result yet.
pub(in crate::pages) async fn certified(user: &CurrentUser, list: &KeptList) -> Result<Option<Content>, PageError> {
    let kind = Settings::parse(&list.settings).kind();
    let Some(kind) = kind.filter(|_| list.done > 0 && list.status != ListStatus::Running) else { return Ok(None) };
    let capacity = user.panel.datasets.statuses().into_iter().find(is_of_capacity).map_or("", |list| list.title);
    let today = day_of_run(list, user.panel.clock.now());
    let content = with_contents(user, list, move |reading, results| {
        let (mut content, mut known, mut asked) = (Content::default(), HashSet::new(), HashSet::new());
        for batch in results.iter().filter_map(|batch| unpack::<AnswerBatch>(batch)) {
            add(&mut content, &mut known, kind, &batch, capacity);
            asked.extend(batch.answers.into_iter().map(|answer| answer.item));
        }
        let is_asked = |row| item::of_row(kind, row, today).is_ok_and(|(item, _)| asked.contains(&item));
        content.left_out = reading.list.iter().filter(|row| !is_asked(row)).count() as u64;
        content
    });
    content.await.map(Some)
}

/// What is known of a taxpayer, today or on a day; or why it is not.
pub(in crate::pages) fn certified_taxpayer(
    panel: &Panel,
    batch: &RegistryBatch,
    (ruc, date): ListItem,
) -> Result<Content, String> {
    let (kind, item) = match &date {
        None => (Kind::Rucs, ruc.to_string()),
        Some(date) => (Kind::Days, format!("{ruc}|{}", date.as_ref().map(Date::to_string).unwrap_or_default())),
    };
    let (statuses, now) = (panel.datasets.statuses(), panel.clock.now());
    let (found, asked) = (batch.answers(&[(ruc, date)], ProfileParts::TABLE), [(item, Subject::Taxpayer((ruc, date)))]);
    let answers = of_taxpayers(batch, (&statuses, calendar::today(now)), kind, &asked, found, |_, _| None);
    let answers: Vec<Answer> = answers.into_iter().flatten().map(|(answer, _)| answer).collect();
    let capacity = statuses.iter().find(|status| is_of_capacity(status));
    let source = capacity.and_then(|list| Some((list.title.to_owned(), list.edition.as_ref()?.label.to_string())));
    let digest = batch.snapshot.edition().digest.as_ref().map(ToString::to_string);
    let batch = AnswerBatch {
        at: now.as_second(),
        sources: source.into_iter().collect(),
        padron: digest.map(|digest| (batch.snapshot.edition().label.to_string(), digest)),
        answers,
        before: HashMap::new(),
    };
    let mut content = Content::default();
    add(&mut content, &mut HashSet::new(), kind, &batch, capacity.map_or("", |list| list.title));
    let why = batch.answers.first().map_or(NO_RECORD, |answer| &answer.situation);
    if content.rows.is_empty() { Err(why.to_owned()) } else { Ok(content) }
}

const fn is_of_capacity(status: &DatasetStatus) -> bool {
    matches!(status.role, DatasetRole::Capacity)
}

/// Adds what a batch says, each fact once. `capacity` is the title of the list of who has no operating capacity.
fn add(content: &mut Content, known: &mut HashSet<[String; 4]>, kind: Kind, batch: &AnswerBatch, capacity: &str) {
    content.asked_at = content.asked_at.max(batch.at);
    for answer in &batch.answers {
        let Some(row) = row(kind, answer) else {
            content.unknown += 1;
            continue;
        };
        if !row.edition.is_empty() {
            content.name_edition(&row.edition, batch.padron.as_ref());
        } else if row.is_of_month() {
            content.name_source("Datos abiertos del RUC, mes a mes", "", "");
        } else {
            content.name_source("Consulta de validez de comprobantes de la SUNAT", "", "");
        }
        let list = batch.sources.iter().find(|(title, _)| title == capacity);
        if let Some((title, edition)) = list.filter(|_| row.is_incapable()) {
            content.name_source(title, edition, "");
        }
        if known.insert([&row.ruc, &row.day, &row.status, &row.condition].map(Clone::clone)) {
            content.rows.push(row);
        }
    }
}

/// `None` = nothing is known of the item.
fn row(kind: Kind, answer: &Answer) -> Option<CertifiedRow> {
    // The columns `Kind::columns` begin with the code and the note, which the cells do not have.
    let columns = kind.columns().into_iter().skip(2).zip(&answer.cells);
    let cell = |name| columns.clone().find(|(column, _)| *column == name).map_or("", |(_, cell)| cell).to_owned();
    let part = |at| answer.item.split('|').nth(at).unwrap_or_default().to_owned();
    let of_padron = || answer.edition.get(..10).unwrap_or_default().to_owned();
    let (status, condition) = match kind {
        Kind::Vouchers => (cell("empresa_estado_descripcion"), cell("empresa_condicion_descripcion")),
        Kind::Rucs | Kind::Days => (cell("estado"), cell("condicion")),
    };
    let row = CertifiedRow { ruc: part(0), name: answer.name.clone(), status, condition, ..CertifiedRow::default() };
    let is_incapable = answer.problems.iter().any(|problem| problem == INCAPABLE);
    let row = if is_incapable { row.incapable() } else { row };
    if answer.code == ResultCode::DocumentNotFound.as_str() && kind != Kind::Vouchers {
        // The edition may be of another day than the asked one.
        let asked = if kind == Kind::Days { part(1) } else { of_padron() };
        return Some(CertifiedRow { day: asked, edition: answer.edition.clone(), ..row.absent() });
    }
    if answer.code != ResultCode::Found.as_str() {
        return None;
    }
    Some(match kind {
        Kind::Rucs => CertifiedRow { day: of_padron(), edition: answer.edition.clone(), ..row },
        Kind::Days if answer.cells.len() > 3 => {
            let row = CertifiedRow { day: part(1), edition: cell("edicion"), ..row };
            if cell("existe") == "NO" { row.absent() } else { row }
        }
        // What was published for a month has fewer cells.
        Kind::Days => CertifiedRow { day: part(1).get(..7)?.to_owned(), ..row },
        Kind::Vouchers if row.status.is_empty() && row.condition.is_empty() => return None,
        Kind::Vouchers => CertifiedRow { day: part(4), ..row },
    })
}
