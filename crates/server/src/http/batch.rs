//! What operations on lists share: an item without data, and the answer as JSON or a table.

use std::borrow::Cow;
use std::io;

use kuraka_api::spanish;
use kuraka_app::{Causes, HistoryError, ListAnswer, LookupError};
use kuraka_domain::{Date, DateError, ListedTaxpayer, ResultCode};
use kuraka_tables::{TableForm, write_table};
use serde::Serialize;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::code;
use super::context::RequestContext;
use super::media_type;
use super::registry_lookup;
use super::response::ApiResponse;
use crate::logs;

/// Why an item has no data.
#[derive(Clone)]
pub struct ItemError {
    pub code: ResultCode,
    pub message: Cow<'static, str>,
    /// Seconds to wait before a retry, if one may help.
    pub retry_after: Option<u64>,
}

impl ItemError {
    /// With the code's default message.
    pub const fn new(code: ResultCode) -> Self {
        Self { code, message: Cow::Borrowed(code::message(code)), retry_after: None }
    }

    /// With the code's default message; a retry may help after these seconds.
    pub(crate) fn unavailable(seconds: u64) -> Self {
        Self { retry_after: Some(seconds), ..Self::new(ResultCode::UpstreamUnavailable) }
    }

    pub fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self { message: message.into(), ..Self::new(ResultCode::InvalidInput) }
    }
}

/// An item's taxpayer, or why it has none.
///
/// # Errors
/// [`ItemError`]; the operator's cause is added to `causes`.
pub fn listed_taxpayer(answer: ListAnswer, causes: &mut Causes) -> Result<ListedTaxpayer, ItemError> {
    let error = match answer {
        Ok(taxpayer) => return taxpayer.ok_or(ItemError::new(ResultCode::DocumentNotFound)),
        Err(HistoryError::NotCovered { date, periods }) => {
            let code = not_covered_code(&date);
            return Err(ItemError {
                message: spanish::not_covered(date.ok(), &periods).into(),
                ..ItemError::new(code)
            });
        }
        Err(error) => error,
    };
    causes.add(logs::chain(&error));
    let message = match error {
        HistoryError::NoRecord => spanish::NO_RECORD.into(),
        HistoryError::Registry(LookupError::StaleMiss { age_days, .. }) => spanish::stale_miss(age_days).into(),
        HistoryError::NotCovered { .. } | HistoryError::Registry(_) => {
            return Err(ItemError::unavailable(registry_lookup::RETRY_AFTER));
        }
    };
    Err(ItemError { message, ..ItemError::unavailable(registry_lookup::RETRY_AFTER_UPDATE) })
}

/// The code of an uncovered or invalid day.
pub(crate) const fn not_covered_code(date: &Result<Date, DateError>) -> ResultCode {
    if date.is_ok() { ResultCode::DateNotCovered } else { ResultCode::InvalidInput }
}

/// Columns of numbers.
const NUMBERS: [&str; 4] = ["trabajadores", "total", "compra", "venta"];

/// Lists answered at the same time by all threads; one may take 15 MB until it is written.
static PERMITS: Semaphore = Semaphore::const_new(4);
/// The same of test calls.
static TEST_PERMITS: Semaphore = Semaphore::const_new(1);

/// The permit to answer a list, taken after its charge and its sources.
pub(crate) struct BatchPermit(#[expect(dead_code, reason = "released when dropped")] Option<SemaphorePermit<'static>>);

impl BatchPermit {
    pub(crate) async fn wait(context: &RequestContext<'_>) -> Self {
        let permits = if context.is_test() { &TEST_PERMITS } else { &PERMITS };
        // Never closed.
        Self(permits.acquire().await.ok())
    }

    /// A list's table if the client prefers one, else its record.
    pub(crate) async fn answer<R: Serialize>(
        &self,
        context: &RequestContext<'_>,
        table: impl FnOnce() -> Table,
        record: impl FnOnce() -> R,
    ) -> ApiResponse {
        let table = match media_type::preferred_table(&context.request.headers) {
            None => return ApiResponse::with_data(context.took(), &record()),
            Some(TableForm::Csv) => table().write(TableForm::Csv).map(|table| (TableForm::Csv, table)),
            Some(form @ TableForm::Xlsx) => {
                // A workbook takes 20 ms, for which the thread's other calls would wait.
                let table = table();
                let written = tokio::task::spawn_blocking(move || table.write(form)).await;
                written.unwrap_or_else(|panic| Err(io::Error::other(panic))).map(|table| (form, table))
            }
        };
        match table {
            Ok((form, table)) => ApiResponse::with_table(context.took(), form, table),
            Err(error) => ApiResponse::new(ResultCode::InternalError).with_cause(logs::chain(&error)),
        }
    }
}

pub(crate) struct Table {
    pub(crate) columns: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    fn write(self, form: TableForm) -> Result<Vec<u8>, std::io::Error> {
        write_table(form, &self.columns, &NUMBERS, self.rows)
    }
}
