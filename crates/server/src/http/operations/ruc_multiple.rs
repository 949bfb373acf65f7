//! `POST /ruc-multiple`: many RUCs, from one snapshot.

use std::borrow::Cow;

use actix_web::dev::Payload;
use kuraka_adapters::sources::provider_api::{AnswerForm, DialectAnswer, DialectTaxpayer};
use kuraka_api::table_row::TaxpayerColumns;
use kuraka_api::{RucBatchRecord, RucItemRecord, ruc_multiple};
use kuraka_app::{Causes, ListItem, LookupError, LookupTaxpayer, RegistryBatch};
use kuraka_domain::{Date, DateError, ListedTaxpayer, ResultCode};
use kuraka_ports::{ProfileParts, RegistrySnapshot};

use super::ruc_ficha;
use crate::http::admission::CheckedRequest;
use crate::http::batch::{BatchPermit, ItemError, Table, listed_taxpayer};
use crate::http::context::RequestContext;
use crate::http::endpoint::Endpoint;
use crate::http::object::{Item, Object, ObjectError};
use crate::http::registry_lookup::{CALLS, provenance};
use crate::http::response::{ApiResponse, Failure};
use crate::http::{dialects, registry_lookup, ruc_field};

const LIST: &str = "rucs";

pub(crate) const ENDPOINT: Endpoint =
    Endpoint::new(&ruc_multiple::OPERATION, CALLS, |context, payload| Box::pin(look_up(context, payload)));

struct SentItem<'a> {
    ruc: Cow<'a, str>,
    /// As sent.
    date: Option<Cow<'a, str>>,
    day: Option<Result<Date, DateError>>,
    error: Option<ObjectError>,
}

type Answered<'a> = (SentItem<'a>, Result<ListedTaxpayer, ItemError>);

async fn look_up(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    let request = CheckedRequest::check(context, payload).await?;
    let mut is_whole = false;
    let read = || {
        let fields = request.fields()?;
        is_whole = fields.flag("ficha")?;
        let items = fields.list(LIST, request.caller.plan.batch, true)?;
        Ok(items.into_iter().map(SentItem::new).map(|item| (item.parse(), item)).collect())
    };
    let (call, items) = request.charge_each(read, |items| not_free(&request.instance.lookup_taxpayer, items)).await?;
    // Nothing was looked up.
    let refused = |error: LookupError| {
        call.refund();
        registry_lookup::failed(request.instance, &error)
    };
    let batch = request.instance.lookup_taxpayer.batch(call).map_err(refused)?;
    let valid: Vec<ListItem> = items.iter().filter_map(|(parsed, _)| parsed.as_ref().ok().copied()).collect();
    batch.check(&valid).map_err(refused)?;
    let (permit, mut causes) = (BatchPermit::wait(context).await, Causes::default());
    let parts = match context.route.form() {
        Some(_) => dialects::PARTS,
        None if is_whole => ruc_ficha::PARTS,
        None => ProfileParts::FLAGS,
    };
    let mut answers = batch.answers_of_call(&valid, parts).await.into_iter();
    let mut answered = |(parsed, item): (Result<ListItem, ItemError>, _)| {
        let answer = parsed.and_then(|_| {
            let answer = answers.next().ok_or(ItemError::new(ResultCode::UpstreamUnavailable))?;
            listed_taxpayer(answer, &mut causes)
        });
        (item, answer)
    };
    let items: Vec<Answered<'_>> = items.into_iter().map(&mut answered).collect();
    if let Some(DialectAnswer::Taxpayer(form)) = context.route.form() {
        let response = write_form(context, form, &items, &*batch.snapshot)?;
        return Ok(response.with_causes(causes).with_provenance(provenance("registry", batch.snapshot.edition())));
    }
    let record = || record(&items, &batch, is_whole);
    let response = permit.answer(context, || table(&items, is_whole), record).await;
    Ok(response.with_causes(causes).with_provenance(provenance("registry", batch.snapshot.edition())))
}

/// The items that cost a query: all but those with an uncovered day.
fn not_free(history: &LookupTaxpayer, items: &[(Result<ListItem, ItemError>, SentItem<'_>)]) -> usize {
    let asked = || items.iter().filter_map(|(parsed, _)| parsed.as_ref().ok());
    let mut dated = asked().filter_map(|(ruc, date)| Some((*ruc, date.as_ref()?))).peekable();
    let covered = dated.peek().and_then(|(ruc, _)| history.covered(*ruc));
    let free = covered.map_or(0, |days| dated.filter(|(_, date)| days.is_free(date)).count());
    items.len() - free
}

/// The answer in another provider's form, which leaves out missing taxpayers. It cannot report an invalid or failed
/// item, so then there is none.
fn write_form(
    context: &RequestContext<'_>,
    form: &AnswerForm<DialectTaxpayer>,
    items: &[Answered<'_>],
    snapshot: &dyn RegistrySnapshot,
) -> Result<ApiResponse, Failure> {
    let mut taxpayers = Vec::new();
    for (_, answer) in items {
        match answer {
            Ok(ListedTaxpayer::Now(profile)) => taxpayers.push(dialects::taxpayer(profile.clone(), snapshot)),
            Ok(ListedTaxpayer::OnDay(_)) => return Err(ApiResponse::invalid("Esta lista no admite fechas.")),
            Err(ItemError { code: ResultCode::DocumentNotFound, .. }) => {}
            Err(error) => {
                let response = ApiResponse::new(error.code).with_message(error.message.clone());
                return Err(Box::new(error.retry_after.into_iter().fold(response, ApiResponse::retry_after)));
            }
        }
    }
    Ok(ApiResponse::with_json(context.took(), form.write(&taxpayers)))
}

impl<'a> SentItem<'a> {
    fn new(item: Item<'a>) -> Self {
        let fields = match item {
            Item::Text(ruc) => return Self { ruc, date: None, day: None, error: None },
            Item::Object(fields) => fields,
        };
        let read = |fields: &Object<'a>| {
            let (ruc, date, day) = (fields.text("ruc")?, fields.text("fecha")?, fields.date("fecha")?);
            Ok(Self { ruc, date: Some(date), day: Some(Date::parse(day.trim())), error: None })
        };
        fields.as_ref().map_err(Clone::clone).and_then(read).unwrap_or_else(|error| {
            let shown = |field| fields.as_ref().map(|fields| fields.shown(field)).unwrap_or_default();
            Self { ruc: shown("ruc"), date: Some(shown("fecha")), day: None, error: Some(error) }
        })
    }

    fn parse(&self) -> Result<ListItem, ItemError> {
        if let Some(error) = &self.error {
            return Err(ItemError::invalid(error.to_string()));
        }
        let ruc = ruc_field::parse(&self.ruc).map_err(ItemError::invalid)?;
        Ok((ruc, self.day))
    }
}

fn record<'a>(items: &'a [Answered<'_>], batch: &'a RegistryBatch, is_whole: bool) -> RucBatchRecord<'a> {
    let items = items.iter().map(|(SentItem { ruc, date, error, .. }, answer)| {
        let item = match answer {
            Ok(taxpayer) => RucItemRecord::found(Cow::Borrowed(ruc), taxpayer, is_whole),
            Err(error) => RucItemRecord::failed(Cow::Borrowed(ruc), error.code, Cow::Borrowed(&error.message)),
        };
        let retry_after = answer.as_ref().err().and_then(|error| error.retry_after);
        let fecha = date.as_deref().filter(|date| error.is_none() || !date.is_empty()).map(Cow::Borrowed);
        RucItemRecord { fecha, retry_after, ..item }
    });
    let mut record = RucBatchRecord::new(&batch.snapshot.edition().label, items.collect());
    if is_whole {
        let (files, missing) = ruc_ficha::files(&*batch.snapshot);
        (record.fuentes, record.no_disponibles) = (Some(files), Some(missing));
    }
    record
}

/// With dates there are more columns, empty in rows without one.
fn table(items: &[Answered<'_>], is_whole: bool) -> Table {
    let has_dates = items.iter().any(|(sent, _)| sent.date.is_some());
    let of_taxpayer = TaxpayerColumns { ficha: is_whole, days: has_dates };
    let columns = ["ruc"].into_iter().chain(has_dates.then_some("fecha")).chain(["code", "message"]);
    let row = |(sent, answer): &Answered<'_>| {
        let date = has_dates.then(|| sent.date.as_deref().unwrap_or_default().to_owned());
        let (code, message) =
            answer.as_ref().map_or_else(|error| (error.code, &*error.message), |_| (ResultCode::Found, ""));
        let row = [sent.ruc.to_string()].into_iter().chain(date).chain([code.as_str(), message].map(str::to_owned));
        let taxpayer = answer.iter().flat_map(|taxpayer| of_taxpayer.cells(taxpayer)).map(Cow::into_owned);
        row.chain(taxpayer).collect()
    };
    Table { columns: columns.chain(of_taxpayer.names()).collect(), rows: items.iter().map(row).collect() }
}
