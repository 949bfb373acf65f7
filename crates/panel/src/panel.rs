//! The services and data that the pages use.

use std::sync::Arc;

use kuraka_api::{CodeDescription, Operation};
use kuraka_app::{
    Admission, CalledOperation, ConcurrencyLimit, FormRate, IssuedCertificates, Lists, LookupHistory, LookupTaxpayer,
    Notifier, OwnTokens, Plans, RequestedMails, SearchTaxpayers, SignIn, Usage, ValidateVoucher, Watching,
};
use kuraka_ports::{Audit, Clock, Datasets};

use crate::documentation::Documentation;
use crate::error::PageError;
use crate::place::Places;
use crate::site::Site;
use crate::source_status::Sources;

impl Panel {
    /// An operation as calls name it, and its limit of calls in progress.
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
    /// Sign-up, log-in, sessions and passwords.
    pub sign_in: Arc<SignIn>,
    /// The mails that visitors request; `None` = there is no mail server.
    pub mails: Option<Arc<RequestedMails>>,
    /// Limits the forms of a minute.
    pub form_rate: FormRate,
    /// For uploads and large answers.
    pub places: Arc<Places>,
    /// Admits and charges pages' calls.
    pub admission: Arc<Admission>,
    /// The operations' limits, in the order of [`Panel::operations`].
    pub concurrency: Arc<[ConcurrencyLimit]>,
    /// Lookups in the published files.
    pub lookup_taxpayer: Arc<LookupTaxpayer>,
    /// States on past dates, and changes.
    pub lookup_history: Arc<LookupHistory>,
    /// Searches for companies by name.
    pub search_taxpayers: Arc<SearchTaxpayers>,
    /// Validates vouchers, with the API's permits.
    pub validate_voucher: Arc<ValidateVoucher>,
    /// Lists, creates and revokes the tokens of an account.
    pub own_tokens: Arc<OwnTokens>,
    /// The watched RUCs of accounts.
    pub watching: Arc<Watching>,
    /// The lists that accounts keep.
    pub lists: Arc<Lists>,
    /// The certificates of accounts.
    pub certificates: Arc<IssuedCertificates>,
    /// Webhooks; `None` = the settings have none.
    pub notifier: Option<Arc<Notifier>>,
    /// Counts of queries.
    pub usage: Arc<Usage>,
    /// What happened in accounts.
    pub audit: Arc<dyn Audit>,
    /// Every plan of the settings.
    pub plans: Plans,
    /// The state of the datasets.
    pub datasets: Arc<dyn Datasets>,
    /// The state of the sources.
    pub sources: Sources,
    /// In the order of the pages.
    pub operations: Vec<&'static Operation>,
    /// The codes of the API.
    pub codes: Vec<CodeDescription>,
    /// What `/docs` derives from operations and codes.
    pub documentation: Documentation,
    /// The time of day.
    pub clock: Arc<dyn Clock>,
}
