//! What the operations on lists share: an item without data, and the answer as JSON or as a table.

use std::borrow::Cow;
use std::fmt::Display;

use kuraka_api::Record;
use kuraka_app::Grant;
use kuraka_domain::ResultCode;
use kuraka_tables::{TableForm, TableWriter, WriteTableError};

use super::context::RequestContext;
use super::media_type;
use super::response::ApiResponse;
use super::{admission, code};

/// Why an item has no data.
#[derive(Clone)]
pub(crate) struct ItemError {
    pub(crate) code: ResultCode,
    pub(crate) message: Cow<'static, str>,
}

impl ItemError {
    /// With the code's default message.
    pub(crate) const fn of(code: ResultCode) -> Self {
        Self { code, message: Cow::Borrowed(code::message(code)) }
    }

    pub(crate) fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self { code: ResultCode::InvalidInput, message: message.into() }
    }
}

/// The causes of items that no source could answer, for one line of the log.
#[derive(Default)]
pub(crate) struct Causes {
    first: Option<String>,
    count: usize,
}

impl Causes {
    pub(crate) fn add(&mut self, cause: impl Display) {
        self.first.get_or_insert_with(|| cause.to_string());
        self.count += 1;
    }

    /// Adds the causes to a response.
    pub(crate) fn of(self, response: ApiResponse) -> ApiResponse {
        match self.first {
            Some(first) => response.with_cause(format!("{} of the list, the first one: {first}", self.count)),
            None => response,
        }
    }
}

/// A table of items.
pub(crate) struct Table<'a> {
    pub(crate) columns: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<Cow<'a, str>>>,
}

impl Table<'_> {
    fn write(&self, form: TableForm) -> Result<Vec<u8>, WriteTableError> {
        let mut writer = TableWriter::new(form, self.columns.iter().copied())?;
        for row in &self.rows {
            writer.row(row.iter().map(|cell| &**cell))?;
        }
        writer.finish()
    }
}

/// The response to a batch: its table if the client prefers one, else its record.
pub(crate) fn answer<'a, R: Record>(
    context: &RequestContext<'_>,
    grant: &Grant,
    table: impl FnOnce() -> Table<'a>,
    record: impl FnOnce() -> R,
) -> ApiResponse {
    let response = match media_type::preferred_table(&context.request.headers) {
        None => ApiResponse::with_data(context.took(), &record()),
        Some(form) => match table().write(form) {
            Ok(table) => ApiResponse::with_table(context.took(), form.media_type(), table),
            Err(error) => return admission::refund(context, ResultCode::InternalError).with_cause(error.to_string()),
        },
    };
    response.granted(grant)
}
