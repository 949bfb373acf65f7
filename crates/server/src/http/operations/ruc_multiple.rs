//! `POST /ruc-multiple`: many RUCs at once, from one snapshot.

use std::borrow::Cow;
use std::collections::HashMap;

use actix_web::dev::Payload;
use kuraka_api::spanish::{not_covered, stale_miss};
use kuraka_api::table_row::{DAY_COLUMNS, FICHA_COLUMNS, SUMMARY_COLUMNS, day_cells, ficha_cells, summary_cells};
use kuraka_api::{RucBatchRecord, RucItemRecord, ruc_multiple};
use kuraka_app::{Causes, HistoryError, LookupError, RegistryBatch};
use kuraka_domain::{Date, OnDay, ResultCode, Ruc, TaxpayerProfile};
use kuraka_ports::Parts;

use super::ruc_ficha;
use super::ruc_historial::NO_RECORD;
use crate::http::admission::CheckedRequest;
use crate::http::batch::{BatchPermit, ItemError, Table};
use crate::http::context::RequestContext;
use crate::http::endpoint::Endpoint;
use crate::http::object::{Item, Object, ObjectError};
use crate::http::registry_lookup::{CALLS, provenance};
use crate::http::response::{ApiResponse, Failure};
use crate::http::{registry_lookup, ruc_field};
use crate::logs;

/// The field with the items.
const LIST: &str = "rucs";
/// RUCs that are looked up before other calls of the thread get their turn.
const TURN: usize = 64;

pub(crate) const ENDPOINT: Endpoint =
    Endpoint::new(&ruc_multiple::OPERATION, CALLS, |context, payload| Box::pin(look_up(context, payload)));

/// An item as it was sent.
struct Sent<'a> {
    ruc: Cow<'a, str>,
    /// The day on which it is asked for.
    date: Option<Cow<'a, str>>,
    /// What is wrong with its fields.
    error: Option<ObjectError>,
}

/// What is known of an item.
enum Known {
    Now(TaxpayerProfile),
    OnDay(OnDay),
}

/// An item as it was sent, and its answer.
type Answered<'a> = (Sent<'a>, Result<Known, ItemError>);

async fn look_up(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    let request = CheckedRequest::check(context, payload).await?;
    let mut is_whole = false;
    let read = || {
        let fields = request.fields()?;
        is_whole = fields.flag("ficha")?;
        fields.list(LIST, request.caller.plan.batch, true)
    };
    let (call, items) = request.charge_each(read).await?;
    let registry = context.api.lookup_taxpayer.batch(call);
    let registry = registry.map_err(|error| registry_lookup::failed(context, &error))?;
    let (permit, mut causes) = (BatchPermit::wait().await, Causes::default());
    let items = answers(context, items, &registry, is_whole, &mut causes).await;
    let record = || record(&items, &registry, is_whole);
    let response = permit.answer(context, || table(&items, is_whole), record).await;
    Ok(response.with_causes(causes).with_provenance(provenance("registry", &registry.edition)))
}

impl<'a> Sent<'a> {
    fn of(item: Item<'a>) -> Self {
        let fields = match item {
            Item::Text(ruc) => return Self { ruc, date: None, error: None },
            Item::Object(fields) => fields,
        };
        let texts = |fields: &Object<'a>| Ok((fields.text("ruc")?, fields.text("fecha")?));
        match fields.as_ref().map_err(Clone::clone).and_then(texts) {
            Ok((ruc, date)) => Self { ruc, date: Some(date), error: None },
            Err(error) => {
                let shown = |field| fields.as_ref().map(|fields| fields.shown(field)).unwrap_or_default();
                Self { ruc: shown("ruc"), date: Some(shown("fecha")), error: Some(error) }
            }
        }
    }

    fn ruc(&self) -> Result<Ruc, ItemError> {
        match &self.error {
            None => ruc_field::parse(&self.ruc).map_err(ItemError::invalid),
            Some(error) => Err(ItemError::invalid(error.to_string())),
        }
    }
}

/// The answer about each item.
async fn answers<'a>(
    context: &RequestContext<'_>,
    items: Vec<Item<'a>>,
    registry: &RegistryBatch,
    is_whole: bool,
    causes: &mut Causes,
) -> Vec<Answered<'a>> {
    let parts = if is_whole { ruc_ficha::PARTS } else { Parts::FLAGS };
    let items: Vec<Sent<'a>> = items.into_iter().map(Sent::of).collect();
    let mut answers = Vec::with_capacity(items.len());
    for items in items.chunks(TURN) {
        let parsed: Vec<_> = items.iter().map(|item| (item.ruc(), item.date.as_deref())).collect();
        let now = |(ruc, date): &(Result<Ruc, _>, Option<&str>)| ruc.as_ref().ok().copied().filter(|_| date.is_none());
        let rucs: Vec<Ruc> = parsed.iter().filter_map(now).collect();
        let mut found = registry.taxpayers(&rucs, parts);
        for (ruc, date) in parsed {
            let mut known = |ruc| match date {
                None => Ok(found.next().transpose().map_err(HistoryError::from)?.flatten().map(Known::Now)),
                Some(date) => {
                    let history = &context.api.lookup_history;
                    Ok(history.on_day(&*registry.snapshot, ruc, Date::parse(date.trim()))?.map(Known::OnDay))
                }
            };
            answers.push(ruc.and_then(|ruc| match known(ruc) {
                Ok(Some(known)) => Ok(known),
                Ok(None) => Err(ItemError::of(ResultCode::DocumentNotFound)),
                Err(error) => Err(failed(&error, causes)),
            }));
        }
        tokio::task::yield_now().await;
    }
    items.into_iter().zip(answers).collect()
}

fn failed(error: &HistoryError, causes: &mut Causes) -> ItemError {
    if let HistoryError::NotCovered { date, periods } = error {
        return ItemError::invalid(not_covered(date.ok(), periods));
    }
    causes.add(logs::chain(error));
    let code = ResultCode::UpstreamUnavailable;
    match error {
        HistoryError::NoRecord => ItemError { code, message: NO_RECORD.into() },
        HistoryError::Registry(LookupError::StaleMiss { age_days, .. }) => {
            ItemError { code, message: stale_miss(*age_days).into() }
        }
        HistoryError::NotCovered { .. } | HistoryError::Registry(_) => ItemError::of(code),
    }
}

fn record<'a>(items: &'a [Answered<'_>], registry: &'a RegistryBatch, is_whole: bool) -> RucBatchRecord<'a> {
    let items = items.iter().map(|(Sent { ruc, .. }, answer)| match answer {
        Ok(Known::Now(profile)) => RucItemRecord::found(Cow::Borrowed(ruc), profile, is_whole),
        Ok(Known::OnDay(on_day)) => RucItemRecord::on_day(Cow::Borrowed(ruc), on_day),
        Err(error) => RucItemRecord::failed(Cow::Borrowed(ruc), error.code, Cow::Borrowed(&error.message)),
    });
    let mut record = RucBatchRecord::new(&registry.edition.label, items.collect());
    if is_whole {
        let (files, missing) = ruc_ficha::files(&*registry.snapshot);
        (record.fuentes, record.no_disponibles) = (Some(files), Some(missing));
    }
    record
}

/// A list with a date has columns of its own, which are empty in the rows without one.
fn table(items: &[Answered<'_>], is_whole: bool) -> Table {
    let has_dates = items.iter().any(|(sent, _)| sent.date.is_some());
    let of_profile = FICHA_COLUMNS.into_iter().filter(|_| is_whole);
    let of_day = DAY_COLUMNS.into_iter().filter(|column| !is_whole || !FICHA_COLUMNS.contains(column));
    let columns = ["ruc"].into_iter().chain(has_dates.then_some("fecha")).chain(["code", "message"]);
    let columns: Vec<_> =
        columns.chain(SUMMARY_COLUMNS).chain(of_profile).chain(of_day.filter(|_| has_dates)).collect();
    let row = |(sent, answer): &Answered<'_>| {
        let mut cells = HashMap::from([("ruc", sent.ruc.to_string())]);
        cells.extend(sent.date.as_ref().map(|date| ("fecha", date.to_string())));
        let (code, message) = match answer {
            Ok(_) => (ResultCode::Found, ""),
            Err(error) => (error.code, &*error.message),
        };
        cells.extend([("code", code.as_str().to_owned()), ("message", message.to_owned())]);
        match answer {
            Ok(Known::Now(profile)) => {
                cells.extend(SUMMARY_COLUMNS.into_iter().zip(summary_cells(&profile.summary).map(str::to_owned)));
                if is_whole {
                    cells.extend(FICHA_COLUMNS.into_iter().zip(ficha_cells(profile).map(Cow::into_owned)));
                }
            }
            Ok(Known::OnDay(on_day)) => {
                let names = SUMMARY_COLUMNS.into_iter().chain(DAY_COLUMNS);
                cells.extend(names.zip(day_cells(on_day).into_iter().map(Cow::into_owned)));
            }
            Err(_) => {}
        }
        columns.iter().map(|column| cells.remove(column).unwrap_or_default()).collect()
    };
    let rows = items.iter().map(row).collect();
    Table { columns, rows }
}
