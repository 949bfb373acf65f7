//! What the pages of kept lists share: the list of an address, its contents, and a thread for work on them.

use kuraka_api::spanish::no_edition;
use kuraka_domain::Ruc;
use kuraka_ports::{DatasetState, DatasetStatus, KeptList, ListId, ListStatus};
use kuraka_tables::{Reading, Source, TableError, unpacked};

use super::answer::{Answer, AnswerBatch};
use super::item::Kind;
use super::run::{ListResults, day_of_run};
use super::settings::Settings;
use super::table::Table;
use crate::error::PageError;
use crate::pages::packed_json::unpack;
use crate::pages::upload::{ROWS, large};
use crate::request::CurrentUser;
use crate::spanish;

pub(super) const UNREADABLE: PageError = PageError::Internal("the cells of a kept list cannot be read");

/// What a list is called, and how far it is.
pub(in crate::pages) fn title(list: &KeptList) -> String {
    if list.name.is_empty() { format!("Lista del {}", spanish::moment(list.created)) } else { list.name.clone() }
}

pub(in crate::pages) const fn status_words(status: ListStatus) -> &'static str {
    match status {
        ListStatus::Read => "Sin consultar",
        ListStatus::Running => "En curso",
        ListStatus::Done => "Terminada",
        ListStatus::Stopped => "Detenida",
        ListStatus::Exhausted => "Faltan consultas del plan",
        ListStatus::Unanswered => "Faltan respuestas",
        ListStatus::Full => "Falta espacio",
    }
}

/// The dataset that is missing for what is not answered.
pub(super) fn missing(user: &CurrentUser, list: &KeptList) -> Option<String> {
    let needs_flags = Settings::parse(&list.settings).kind() == Some(Kind::Rucs);
    let statuses = user.panel.datasets.statuses();
    let missing = statuses.iter().find(|status| status.is_required && !status.state.answers());
    let missing = missing.filter(|_| list.status == ListStatus::Unanswered && needs_flags)?;
    Some(no_edition(missing.name, missing.state != DatasetState::NeverImported))
}

/// The list of the request's address, with its account's rights.
pub(super) async fn find(user: &CurrentUser) -> Result<KeptList, PageError> {
    let id = user.request.match_info().get("id").and_then(ListId::parse).ok_or(PageError::NotFound)?;
    user.panel.lists.store.list(user.account.id, id).await?.ok_or(PageError::NotFound)
}

/// Whether a run of the user's list with this number was charged for this RUC, with the padrón's present edition.
pub(in crate::pages) async fn has_paid(user: &CurrentUser, list: &str, ruc: Ruc) -> Result<bool, PageError> {
    let Some(id) = ListId::parse(list) else { return Ok(false) };
    let contents = user.panel.lists.store.list_contents(user.account.id, id).await?;
    let (ruc, statuses) = (ruc.to_string(), user.panel.datasets.statuses());
    let edition = DatasetStatus::of_padron(&statuses).and_then(|padron| padron.edition.clone());
    let (Some((_, results)), Some(edition)) = (contents, edition) else { return Ok(false) };
    large(move || {
        let is_current =
            |batch: &AnswerBatch| batch.padron.as_ref().is_some_and(|(label, _)| **label == *edition.label);
        let is_paid = |answer: &Answer| answer.is_paid() && answer.item.split('|').next() == Some(&*ruc);
        let batches = results.iter().filter_map(|batch| unpack::<AnswerBatch>(batch)).filter(is_current);
        batches.flat_map(|batch| batch.answers).any(|answer| is_paid(&answer))
    })
    .await
}

/// The lists whose cells have this RUC.
pub(super) async fn with_ruc(user: &CurrentUser, lists: Vec<KeptList>, ruc: Ruc) -> Result<Vec<KeptList>, PageError> {
    let mut found = Vec::new();
    for list in lists {
        let Some((source, _)) = user.panel.lists.store.list_contents(list.account, list.id).await? else { continue };
        let digits = ruc.to_string();
        let has = move || unpacked(&source).is_ok_and(|text| text.windows(11).any(|part| part == digits.as_bytes()));
        if large(has).await? {
            found.push(list);
        }
    }
    Ok(found)
}

/// Reads what is kept of a list, and works on it.
pub(super) async fn with_contents<T: Send + 'static>(
    user: &CurrentUser,
    list: &KeptList,
    work: impl FnOnce(Reading, &[Vec<u8>]) -> T + Send + 'static,
) -> Result<T, PageError> {
    let contents = user.panel.lists.store.list_contents(list.account, list.id).await?;
    let (source, results) = contents.ok_or(PageError::NotFound)?;
    let choice = Settings::parse(&list.settings).choice();
    let done = large(move || {
        let reading = Source::from_bytes(&source).map_err(TableError::Io)?.reading(&choice, ROWS)?;
        Ok::<_, TableError>(work(reading, &results))
    });
    done.await?.map_err(|_| UNREADABLE)
}

/// Makes the table of a list that was looked up, and works on it.
pub(super) async fn with_table<T: Send + 'static>(
    user: &CurrentUser,
    list: &KeptList,
    work: impl FnOnce(&Reading, Table) -> T + Send + 'static,
) -> Result<T, PageError> {
    let kind = Settings::parse(&list.settings).kind().ok_or(PageError::NotFound)?;
    let today = day_of_run(list, user.panel.clock.now());
    let work =
        move |reading, results: &[_]| work(&reading, Table::new(&reading, kind, today, ListResults::new(results)));
    with_contents(user, list, work).await
}
