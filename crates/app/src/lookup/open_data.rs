//! A taxpayer's detail composed from the published files, if no source answers.
//!
//! Name, status, condition and address are the padrón's, which must be recent enough to prove an absence; the rest is
//! from the open data, which has legal persons only. Both are from one snapshot, and no other dataset is read. The open
//! data proves no absence and is never mixed with a source's answer.

use std::sync::Arc;

use kuraka_domain::{OpenData, Ruc, TaxpayerDetail, TaxpayerSummary};
use kuraka_ports::{Edition, ProfileParts, SourceError, chain, dataset};

use super::LookupTaxpayer;

impl LookupTaxpayer {
    /// The taxpayer and the open data's edition; `None` proves nothing. Never blocks.
    pub(super) fn open_data_detail(&self, ruc: Ruc) -> Option<(TaxpayerDetail, Arc<Edition>)> {
        match self.read_open_data(ruc) {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!(?ruc, cause = chain(&error), "the open data cannot be read");
                None
            }
        }
    }

    fn read_open_data(&self, ruc: Ruc) -> Result<Option<(TaxpayerDetail, Arc<Edition>)>, SourceError> {
        let Some(snapshot) = self.registry.snapshot() else { return Ok(None) };
        let edition = snapshot.dataset(dataset::OPEN_DATA).and_then(|state| state.edition.clone());
        let Some(edition) = edition else { return Ok(None) };
        let is_too_old = |name, edition| self.ages.too_old(name, edition).is_some();
        if is_too_old(dataset::PADRON, snapshot.edition()) || is_too_old(dataset::OPEN_DATA, &edition) {
            return Ok(None);
        }
        let profile = snapshot.profile(ruc, ProfileParts::OPEN_DATA)?;
        let found = profile.and_then(|profile| Some((profile.open_data??, profile.summary)));
        Ok(found.map(|(data, summary)| (compose(summary, *data), edition)))
    }
}

/// Unknown fields are empty.
fn compose(summary: TaxpayerSummary, data: OpenData) -> TaxpayerDetail {
    let full_address = summary.full_address();
    TaxpayerDetail {
        name: summary.name,
        status: summary.status,
        condition: summary.condition,
        full_address,
        taxpayer_type: data.taxpayer_type,
        activities: data.activities,
        issuing_system: data.issuing_system,
        foreign_trade: data.foreign_trade,
        accounting_system: data.accounting_system,
        ..TaxpayerDetail::empty(summary.ruc)
    }
}
