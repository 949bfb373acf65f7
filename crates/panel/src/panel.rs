//! The services and data that the pages use.

use std::sync::Arc;

use kuraka_api::{CodeDescription, Operation};
use kuraka_app::{
    Admission, CalledOperation, ConcurrencyLimit, FormRate, IssuedCertificates, Lists, LookupTaxpayer, MailChanges,
    Notifier, OwnTokens, Places, Plans, RequestedMails, SignIn, Usage, ValidateVoucher, Watching,
};
use kuraka_ports::{Accounts, Audit, Clock, DatasetStatus, Datasets, EditionOrigin};

use crate::documentation::Documentation;
use crate::error::PageError;
use crate::operator::Operator;
use crate::site::Site;
use crate::source_status::{ServiceStatus, Sources};

/// Whether the padrón is the sample of a demonstration.
pub(crate) fn is_demo(statuses: &[DatasetStatus]) -> bool {
    let padron = DatasetStatus::of_padron(statuses).and_then(|padron| padron.edition.as_ref());
    padron.is_some_and(|edition| edition.origin == EditionOrigin::Sample)
}

impl Panel {
    pub(crate) fn operation(&self, operation: &Operation) -> Result<(CalledOperation, &ConcurrencyLimit), PageError> {
        let index = self.operations.iter().position(|known| known.name == operation.name);
        let called = |index| CalledOperation { name: operation.name, index, in_usage: operation.cost > 0 };
        index
            .and_then(|index| Some((called(index), self.concurrency.get(index)?)))
            .ok_or(PageError::Internal("the server does not have an operation that the page needs"))
    }
}

/// Everything that the pages need, registered by the server as application data.
pub struct Panel {
    /// How clients reach this server, and who may sign up.
    pub site: Site,
    pub sign_in: Arc<SignIn>,
    /// The mails that visitors request; `None` = there is no mail server.
    pub mails: Option<Arc<RequestedMails>>,
    /// `None` as of `mails`.
    pub mail_changes: Option<Arc<MailChanges>>,
    /// Limits the forms of a minute.
    pub form_rate: FormRate,
    /// For uploads and large answers.
    pub places: Arc<Places>,
    pub admission: Arc<Admission>,
    /// The operations' limits, in the order of [`Panel::operations`].
    pub concurrency: Arc<[ConcurrencyLimit]>,
    pub lookup_taxpayer: Arc<LookupTaxpayer>,
    /// Validates vouchers, with the API's permits.
    pub validate_voucher: Arc<ValidateVoucher>,
    pub own_tokens: Arc<OwnTokens>,
    pub watching: Arc<Watching>,
    pub lists: Arc<Lists>,
    pub certificates: Arc<IssuedCertificates>,
    /// Webhooks; `None` = the settings have none.
    pub notifier: Option<Arc<Notifier>>,
    pub usage: Arc<Usage>,
    pub audit: Arc<dyn Audit>,
    /// For the operator.
    pub accounts: Arc<dyn Accounts>,
    pub operator: Arc<dyn Operator>,
    pub plans: Plans,
    pub datasets: Arc<dyn Datasets>,
    pub sources: Sources,
    /// What `/estado` shows.
    pub service: ServiceStatus,
    /// In the order of the pages.
    pub operations: Vec<&'static Operation>,
    pub codes: Vec<CodeDescription>,
    /// What `/docs` derives from operations and codes.
    pub documentation: Documentation,
    pub clock: Arc<dyn Clock>,
}
