//! A voucher validator whose answers a test sets.

use std::collections::HashMap;
use std::ops::Deref;

use async_trait::async_trait;
use kuraka_domain::{Voucher, VoucherStatus, VoucherValidation};

use super::Script;
use crate::{Freshness, SourceError, SourceErrorKind, VoucherAnswer, VoucherValidator};

/// Fails, waits or hangs as its [`Script`] says.
#[derive(Debug)]
pub struct ScriptedValidator {
    name: &'static str,
    vouchers: HashMap<Voucher, VoucherValidation>,
    script: Script<Voucher>,
}

impl ScriptedValidator {
    /// In every rejection.
    pub const REASON: &'static str = "Fecha incorrecta";

    /// None exists.
    pub fn new(name: &'static str) -> Self {
        Self { name, vouchers: HashMap::new(), script: Script::new() }
    }

    #[must_use]
    pub fn with(mut self, vouchers: impl IntoIterator<Item = (Voucher, VoucherValidation)>) -> Self {
        self.vouchers.extend(vouchers);
        self
    }
}

impl Deref for ScriptedValidator {
    type Target = Script<Voucher>;

    fn deref(&self) -> &Script<Voucher> {
        &self.script
    }
}

#[async_trait]
impl VoucherValidator for ScriptedValidator {
    fn name(&self) -> &str {
        self.name
    }

    async fn validate(&self, voucher: Voucher) -> Result<VoucherAnswer, SourceError> {
        self.script.play(voucher).await.map_err(|kind| {
            let reason = (kind == SourceErrorKind::Rejected).then(|| Self::REASON.into());
            SourceError { reason, ..SourceError::new(self.name, kind) }
        })?;
        let unknown = || VoucherValidation {
            issuer: voucher.issuer,
            series: voucher.series,
            number: voucher.number,
            status: VoucherStatus::NotFound,
            issuer_status: None,
            issuer_condition: None,
            observations: Vec::new(),
        };
        let validation = self.vouchers.get(&voucher).cloned().unwrap_or_else(unknown);
        Ok(VoucherAnswer { validation, freshness: Freshness::Live })
    }
}
