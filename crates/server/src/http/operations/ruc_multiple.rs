//! `POST /ruc-multiple`: many RUCs at once, from one snapshot.

use std::borrow::Cow;

use actix_web::dev::Payload;
use kuraka_api::table_row::{FICHA_COLUMNS, SUMMARY_COLUMNS, ficha_cells, summary_cells};
use kuraka_api::{RucBatchRecord, RucItemRecord, ruc_multiple, spanish};
use kuraka_app::{LookupError, RegistryBatch};
use kuraka_domain::{ResultCode, Ruc, TaxpayerProfile};
use kuraka_ports::Parts;

use super::ruc_ficha;
use crate::http::admission::CheckedCall;
use crate::http::batch::{Causes, ItemError, Table, Turn};
use crate::http::context::RequestContext;
use crate::http::endpoint::Endpoint;
use crate::http::object::Item;
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

/// An item as it was sent, and its answer.
type Answered<'a> = (Cow<'a, str>, Result<TaxpayerProfile, ItemError>);

async fn look_up(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    let call = CheckedCall::of(context, payload).await?;
    let mut is_whole = false;
    let read = || {
        let fields = call.fields()?;
        is_whole = fields.flag("ficha")?;
        fields.list(LIST, call.caller.plan.batch, false)
    };
    let (grant, items) = call.charge_each(context, read).await?;
    let registry = context.api.lookup_taxpayer.batch(&grant);
    let registry = registry.map_err(|error| registry_lookup::failed(context, &grant, &error))?;
    let (turn, mut causes) = (Turn::wait().await, Causes::default());
    let texts = items.into_iter().filter_map(Item::into_text).collect();
    let items = answers(texts, &registry, is_whole, &mut causes).await;
    let record = || record(&items, &registry, is_whole);
    let response = turn.answer(context, &grant, || table(&items, is_whole), record).await;
    Ok(causes.of(response.with_provenance(provenance("registry", &registry.edition))))
}

/// The answer about each item.
async fn answers<'a>(
    texts: Vec<Cow<'a, str>>,
    registry: &RegistryBatch,
    is_whole: bool,
    causes: &mut Causes,
) -> Vec<Answered<'a>> {
    let parts = if is_whole { ruc_ficha::PARTS } else { Parts::FLAGS };
    let mut answers = Vec::with_capacity(texts.len());
    for texts in texts.chunks(TURN) {
        let parsed: Vec<_> = texts.iter().map(|text| ruc_field::parse(text)).collect();
        let rucs: Vec<Ruc> = parsed.iter().filter_map(|ruc| ruc.as_ref().ok().copied()).collect();
        let mut found = registry.taxpayers(&rucs, parts);
        for ruc in parsed {
            answers.push(match ruc.map(|_| found.next()) {
                Err(message) => Err(ItemError::invalid(message)),
                Ok(Some(Ok(Some(profile)))) => Ok(profile),
                Ok(Some(Ok(None)) | None) => Err(ItemError::of(ResultCode::DocumentNotFound)),
                Ok(Some(Err(error))) => {
                    causes.add(logs::chain(&error));
                    let mut unavailable = ItemError::of(ResultCode::UpstreamUnavailable);
                    if let LookupError::StaleMiss { age_days, .. } = error {
                        unavailable.message = spanish::stale_miss(age_days).into();
                    }
                    Err(unavailable)
                }
            });
        }
        tokio::task::yield_now().await;
    }
    texts.into_iter().zip(answers).collect()
}

fn record<'a>(items: &'a [Answered<'_>], registry: &'a RegistryBatch, is_whole: bool) -> RucBatchRecord<'a> {
    let items = items.iter().map(|(ruc, answer)| match answer {
        Ok(profile) => RucItemRecord::found(Cow::Borrowed(ruc), profile, is_whole),
        Err(error) => RucItemRecord::failed(Cow::Borrowed(ruc), error.code, Cow::Borrowed(&error.message)),
    });
    let mut record = RucBatchRecord::new(&registry.edition.label, items.collect());
    if is_whole {
        let (files, missing) = ruc_ficha::files(&*registry.snapshot);
        (record.fuentes, record.no_disponibles) = (Some(files), Some(missing));
    }
    record
}

fn table(items: &[Answered<'_>], is_whole: bool) -> Table {
    let of_profile = FICHA_COLUMNS.into_iter().filter(|_| is_whole);
    let columns = ["ruc", "code", "message"].into_iter().chain(SUMMARY_COLUMNS).chain(of_profile).collect();
    let row = |(ruc, answer): &Answered<'_>| {
        let (code, message, profile) = match answer {
            Ok(profile) => (ResultCode::Found, "", Some(profile)),
            Err(error) => (error.code, &*error.message, None),
        };
        let mut row = vec![ruc.to_string(), code.as_str().to_owned(), message.to_owned()];
        if let Some(profile) = profile {
            row.extend(summary_cells(&profile.summary).map(str::to_owned));
            if is_whole {
                row.extend(ficha_cells(profile).map(Cow::into_owned));
            }
        }
        row
    };
    Table { columns, rows: items.iter().map(row).collect() }
}
