//! `POST /cpe-multiple`: SUNAT's validation of many vouchers.

use std::borrow::Cow;

use actix_web::dev::Payload;
use kuraka_api::cpe_multiple::{self, FIELDS};
use kuraka_api::mass_validator::{MassRecord, MassRow};
use kuraka_api::table_row::{VOUCHER_COLUMNS, voucher_cells};
use kuraka_api::{VoucherBatchRecord, VoucherForm, VoucherItemRecord, VoucherRecord};
use kuraka_app::{Causes, calendar, drained};
use kuraka_domain::{Date, ResultCode, Voucher};
use kuraka_ports::VoucherAnswer;

use super::cpe;
use crate::http::admission::CheckedRequest;
use crate::http::batch::{BatchPermit, ItemError, Table};
use crate::http::context::RequestContext;
use crate::http::endpoint::{Endpoint, SourcesOf};
use crate::http::object::{Item, Object};
use crate::http::response::{ApiResponse, Failure};
use crate::http::source_failure;
use crate::logs;

/// As many as the batches' share of the source answers within their deadline, at the usual size and speed.
const CALLS: usize = 32;
/// The start of the names of the original interface's mass validator.
const MASS_VALIDATOR: &str = "validacion";
const NOT_A_LINE: &str = "La línea debe tener seis campos separados por |: ruc|tipo|serie|numero|fecha|total.";

pub(crate) const ENDPOINT: Endpoint =
    Endpoint::new(&cpe_multiple::OPERATION, CALLS, |context, payload| Box::pin(validate(context, payload)))
        .asking(SourcesOf::Vouchers);

struct Sent<'a> {
    /// `None` = a line without six fields.
    fields: Option<Object<'a>>,
    line: Option<Cow<'a, str>>,
}

type Answered<'a> = (Sent<'a>, Result<VoucherAnswer, ItemError>);

async fn validate(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    let request = CheckedRequest::check(context, payload).await?;
    let today = calendar::today(context.api.clock.now());
    let read = || {
        let fields = request.fields()?;
        let issuer = fields.text_if_any("ruc_emisor")?;
        let items = fields.list("comprobantes", request.caller.plan.batch_vouchers, true)?;
        let is_legacy = context.route.is_legacy();
        Ok(items.into_iter().map(|item| parsed(item, issuer.as_deref(), today, is_legacy)).collect())
    };
    let (call, items) = request.charge_each(read, <[_]>::len).await?;
    let vouchers = items.iter().filter_map(|(_, voucher)| voucher.as_ref().ok().copied());
    let asked = request.instance.validate_voucher.run_all(call, vouchers, drained(context.api.drain_ends.clone()));
    let answers = context.origin().scope(asked).await;
    let mut causes = Causes::default();
    let mut answer = |voucher: Voucher| match answers.get(&voucher) {
        Some(Ok(answer)) => Ok(answer.clone()),
        Some(Err(error)) => Err(cpe::rejection(error).map_or_else(
            || {
                causes.add(logs::chain(error));
                ItemError::unavailable(source_failure::retry_after(error))
            },
            ItemError::invalid,
        )),
        None => {
            causes.add("no answer within the time of the list");
            Err(ItemError::unavailable(source_failure::HELD_BACK))
        }
    };
    let answered = |(sent, voucher): (_, Result<Voucher, ItemError>)| (sent, voucher.and_then(&mut answer));
    let items: Vec<Answered<'_>> = items.into_iter().map(answered).collect();
    let permit = BatchPermit::wait(context).await;
    let mass_validator = context.route.name().filter(|name| name.starts_with(MASS_VALIDATOR));
    let response = match mass_validator {
        Some(name) => permit.answer(context, || table(&items), || mass_record(&items, name)).await,
        None => permit.answer(context, || table(&items), || record(&items)).await,
    };
    let response = response.with_causes(causes);
    Ok(match items.iter().find_map(|(_, answer)| answer.as_ref().ok()) {
        Some(VoucherAnswer { freshness, .. }) => {
            response.with_provenance(source_failure::provenance("official", *freshness))
        }
        None => response,
    })
}

fn parsed<'a>(
    item: Item<'a>,
    issuer: Option<&str>,
    today: Date,
    is_legacy: bool,
) -> (Sent<'a>, Result<Voucher, ItemError>) {
    let (fields, line, form) = match item {
        Item::Object(fields) => (fields, None, VoucherForm::Fields),
        Item::Text(line) => match from_line(&line) {
            Some(fields) => (Ok(fields.lenient(is_legacy)), Some(line), VoucherForm::Line),
            None => return (Sent { fields: None, line: Some(line) }, Err(ItemError::invalid(NOT_A_LINE))),
        },
    };
    let (fields, voucher) = match fields {
        Ok(mut fields) => {
            if let Some(issuer) = issuer {
                fields.fill("ruc_emisor", issuer);
            }
            let voucher = cpe::voucher(&fields, form, today).map_err(ItemError::invalid);
            (fields, voucher)
        }
        Err(error) => (Object::from_path(None), Err(ItemError::invalid(error.to_string()))),
    };
    (Sent { fields: Some(fields), line }, voucher)
}

/// `None` = not six fields.
fn from_line(line: &str) -> Option<Object<'static>> {
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    let parts = <[&str; FIELDS.len()]>::try_from(parts).ok()?;
    Some(Object::from_texts(FIELDS.into_iter().zip(parts.map(|part| Cow::Owned(part.to_owned())))))
}

fn record<'a>(items: &'a [Answered<'_>]) -> VoucherBatchRecord<'a> {
    let record = |(sent, answer): &'a Answered<'_>| {
        let line = sent.line.as_deref().filter(|_| sent.fields.is_none()).map(Cow::Borrowed);
        let [issuer, kind, series, number, issued, total] =
            FIELDS.map(|field| sent.fields.as_ref().map(|fields| fields.shown(field)));
        let code = answer.as_ref().map_or_else(|error| error.code, |_| ResultCode::Found);
        VoucherItemRecord {
            linea: line,
            ruc_emisor: issuer,
            codigo_tipo_documento: kind,
            serie_documento: series,
            numero_documento: number,
            fecha_de_emision: issued,
            total,
            code,
            retryable: code.retryable(),
            retry_after: answer.as_ref().err().and_then(|error| error.retry_after),
            data: answer.as_ref().ok().map(|answer| VoucherRecord::from(&answer.validation)),
            message: answer.as_ref().err().map(|error| Cow::Borrowed(&*error.message)),
        }
    };
    let found = items.iter().filter(|(_, answer)| answer.is_ok()).count();
    VoucherBatchRecord { total: items.len(), encontrados: found, resultados: items.iter().map(record).collect() }
}

/// The mass validator's answer. Its names without a version answer lines with lines.
fn mass_record<'a>(items: &'a [Answered<'_>], name: &str) -> MassRecord<'a> {
    let are_lines = !name.ends_with("v2") && items.iter().all(|(sent, _)| sent.line.is_some());
    let row = |(sent, answer): &'a Answered<'_>| {
        let found = answer.as_ref().map(|answer| &answer.validation).map_err(|error| &*error.message);
        let line = sent.line.as_deref().unwrap_or_default();
        match &sent.fields {
            _ if are_lines => MassRow::line(line, found.ok()),
            Some(fields) => MassRow::fields(FIELDS.map(|field| fields.sent(field)), found),
            None => {
                let parts = Object::from_texts(FIELDS.into_iter().zip(line.split('|').map(Cow::Borrowed)));
                MassRow::fields(FIELDS.map(|field| parts.sent(field)), found)
            }
        }
    };
    MassRecord { cantidad_de_comprobantes: items.len(), comprobantes: items.iter().map(row).collect() }
}

/// An invalid line is in the first column.
fn table(items: &[Answered<'_>]) -> Table {
    let columns = FIELDS.into_iter().chain(["code", "message"]).chain(VOUCHER_COLUMNS).collect();
    let row = |(sent, answer): &Answered<'_>| {
        let mut row: Vec<String> = match (&sent.fields, &sent.line) {
            (Some(fields), _) => FIELDS.map(|field| fields.shown(field).into_owned()).to_vec(),
            (None, line) => [line.as_deref().unwrap_or_default(), "", "", "", "", ""].map(str::to_owned).to_vec(),
        };
        match answer {
            Ok(answer) => {
                row.extend([ResultCode::Found.as_str(), ""].map(str::to_owned));
                row.extend(voucher_cells(&answer.validation).map(Cow::into_owned));
            }
            Err(error) => row.extend([error.code.as_str(), &*error.message].map(str::to_owned)),
        }
        row
    };
    Table { columns, rows: items.iter().map(row).collect() }
}
