//! A taxpayer's earlier states: its summary, its rows, or whether it had any.

use kuraka_domain::{Ruc, TaxpayerSummary};

use super::error::HistoryError;
use super::file::{History, States};
use crate::Edition;
use crate::changes::{Cell, ChangeKind, FieldChange, Row, set_field};
use crate::format::CorruptRowError;
use crate::row_id::row_id_of;

impl History {
    /// The summaries of a taxpayer up to `edition`, whose place is `at`, without the flags of lists; newest first, each
    /// with the place of the first edition that has it. `None` = the RUC was not there.
    ///
    /// # Errors
    /// [`HistoryError`] if bytes that were read have changed.
    pub fn summaries(
        &self,
        edition: &Edition,
        at: usize,
        ruc: Ruc,
    ) -> Result<States<Option<TaxpayerSummary>>, HistoryError> {
        let fields = edition.dataset().history.unwrap_or_default();
        let set = |summary: &mut TaxpayerSummary, place: usize, value: Cell| {
            set_field(summary, fields.get(place).copied().unwrap_or_default(), value);
        };
        self.states(ruc, at, edition.summary(ruc)?, |now, change| match (now, change) {
            (Some(_), ChangeKind::New { .. }) => Some(None),
            (Some(now), ChangeKind::Changed { fields }) => {
                let mut summary = now.clone();
                fields.into_iter().for_each(|FieldChange { field, before, .. }| set(&mut summary, field, before));
                Some(Some(summary))
            }
            (None, ChangeKind::Gone { rows }) => {
                let mut summary = TaxpayerSummary::empty(ruc);
                (0..).zip(rows.into_iter().next()?).for_each(|(place, value)| set(&mut summary, place, value));
                Some(Some(summary))
            }
            _ => None,
        })
    }

    /// Whether a taxpayer had rows, as [`History::summaries`].
    ///
    /// # Errors
    /// As [`History::summaries`].
    pub fn presence(&self, edition: &Edition, at: usize, ruc: Ruc) -> Result<States<bool>, HistoryError> {
        self.states(ruc, at, edition.count(ruc)? > 0, |now, change| match (now, change) {
            (true, ChangeKind::New { .. }) => Some(false),
            (false, ChangeKind::Gone { .. }) => Some(true),
            (true, ChangeKind::Changed { .. } | ChangeKind::Rows { .. }) => Some(true),
            _ => None,
        })
    }

    /// The rows of a taxpayer in no order, as [`History::summaries`]. A row has the fields of the dataset's
    /// [`history`](crate::dataset::Dataset::history).
    ///
    /// # Errors
    /// As [`History::summaries`].
    pub fn rows(&self, edition: &Edition, at: usize, ruc: Ruc) -> Result<States<Vec<Row>>, HistoryError> {
        let now = edition.rows_of(ruc, edition.dataset().history.unwrap_or_default())?;
        self.states(ruc, at, now, |now, change| match change {
            ChangeKind::New { .. } if !now.is_empty() => Some(Vec::new()),
            ChangeKind::Gone { rows } if now.is_empty() => Some(rows),
            ChangeKind::Rows { removed, added } => {
                let mut rows = now.clone();
                for row in added {
                    rows.swap_remove(rows.iter().position(|known| *known == row)?);
                }
                rows.extend(removed);
                Some(rows)
            }
            ChangeKind::New { .. } | ChangeKind::Gone { .. } | ChangeKind::Changed { .. } => None,
        })
    }
}

impl Edition {
    fn rows_of(&self, ruc: Ruc, fields: &[&str]) -> Result<Vec<Row>, CorruptRowError> {
        let Some(record) = self.record(ruc)? else { return Ok(Vec::new()) };
        let names = self.field_names();
        let places: Vec<usize> =
            fields.iter().filter_map(|field| names.iter().position(|name| name == field)).collect();
        self.texts(ruc, &record, &places).map_err(|_| CorruptRowError::near(row_id_of(ruc)))
    }
}
