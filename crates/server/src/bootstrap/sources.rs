//! The sources, made out of the settings: the official page and the providers in their order for details, the tax
//! authority's service for vouchers.
//!
//! A provider is a preset's name or a file; what is wrong with a file is told by line. Nothing is asked here.

use std::error::Error;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::http::{self, ClientError, ClientLimits};
use kuraka_adapters::layers::{Jitter, LayerContext, Stack, Times, stack, voucher_stack};
use kuraka_adapters::sources::provider_api::{ConfigError, ProviderApi, ProviderError, ProviderSpec, preset};
use kuraka_adapters::sources::sunat_portal::{SunatPortal, USER_AGENT};
use kuraka_adapters::sources::sunat_vouchers::SunatVouchers;
use kuraka_app::{AbsenceRule, VerifyAbsence};
use kuraka_ports::{Clock, TaxpayerRegistry, TaxpayerSource, VoucherValidator};
use thiserror::Error;
use tokio::runtime::Handle;

use crate::metrics::Metrics;
use crate::settings::{Provider, Settings};

/// For a connection, TLS included: a source that takes longer is not well.
const CONNECT: Duration = Duration::from_millis(1_500);
/// For the next bytes of an answer.
const READ: Duration = Duration::from_secs(3);

/// Why a link of the provider chain cannot be used.
#[derive(Debug, Error)]
pub enum ProviderProblem {
    /// Neither a preset nor a file.
    #[error("providers.chain names {entry}, which is no preset and no file that can be read")]
    Entry {
        /// What the chain says.
        entry: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file cannot be understood.
    #[error("the provider {entry} cannot be understood")]
    File {
        /// What the chain says.
        entry: String,
        /// What is wrong, by line.
        source: ConfigError,
    },
    /// The provider cannot be asked as it is set up.
    #[error(transparent)]
    Setup(#[from] ProviderError),
    /// No HTTP client can be made.
    #[error(transparent)]
    Client(#[from] ClientError),
}

/// The sources in their layers.
pub(crate) struct Sources {
    pub(crate) details: Stack<dyn TaxpayerSource>,
    pub(crate) vouchers: Stack<dyn VoucherValidator>,
}

impl Sources {
    /// Makes the sources of the settings and puts the layers around them.
    pub(crate) fn new(
        settings: &Settings,
        registry: &Arc<dyn TaxpayerRegistry>,
        absence: &AbsenceRule,
        metrics: &Arc<Metrics>,
        clock: &Arc<dyn Clock>,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let context = LayerContext {
            clock: Arc::clone(clock),
            jitter: Arc::new(Jitter::system()),
            observer: metrics.clone(),
            runtime: Handle::current(),
        };
        // Each "not found" is compared with the registry before a layer sees it.
        let verified = |source| -> Arc<dyn TaxpayerSource> {
            Arc::new(VerifyAbsence::new(source, Arc::clone(registry), absence.clone()))
        };
        let page = official(settings, clock)?.map(verified);
        let providers = providers(settings, clock)?.into_iter().map(verified).collect();
        let details = stack(page, providers, settings.times, &context);
        if details.breakers.is_empty() {
            tracing::warn!("no source of details is set: /ruc-official cannot answer");
        }
        let vouchers = voucher_stack(vouchers(settings, clock)?, settings.times, &context);
        if vouchers.breakers.is_empty() {
            tracing::warn!("no voucher credentials are set: /cpe cannot answer");
        }
        Ok(Self { details, vouchers })
    }
}

/// The official page, if it is asked at all.
///
/// # Errors
/// If no HTTP client can be made.
pub fn official(settings: &Settings, clock: &Arc<dyn Clock>) -> Result<Option<Arc<dyn TaxpayerSource>>, ClientError> {
    let Some(config) = &settings.official else { return Ok(None) };
    let client = http::client(USER_AGENT, limits(settings.times.page))?;
    Ok(Some(Arc::new(SunatPortal::new(config.clone(), client, Arc::clone(clock)))))
}

/// The providers, in the order in which they are asked.
///
/// # Errors
/// The first link of the chain that cannot be used.
pub fn providers(settings: &Settings, clock: &Arc<dyn Clock>) -> Result<Vec<Arc<dyn TaxpayerSource>>, ProviderProblem> {
    let ready = |provider| Ok(Arc::new(ready(provider, settings.times, clock)?) as Arc<dyn TaxpayerSource>);
    settings.providers.iter().map(ready).collect()
}

/// The voucher service, if there are credentials for it. Its tokens are asked for on the runtime this is called on.
///
/// # Errors
/// If no HTTP client can be made.
pub fn vouchers(settings: &Settings, clock: &Arc<dyn Clock>) -> Result<Option<Arc<dyn VoucherValidator>>, ClientError> {
    let Some(config) = &settings.vouchers else { return Ok(None) };
    // The service is known to think for long before it answers: only the whole call has a limit.
    let whole = settings.times.voucher;
    let limits = ClientLimits { read: whole, ..limits(whole) };
    let client = http::client(USER_AGENT, limits)?;
    Ok(Some(Arc::new(SunatVouchers::new(config.clone(), client, Arc::clone(clock), Handle::current()))))
}

/// What a link of the chain describes.
///
/// # Errors
/// [`ProviderProblem::Entry`], [`ProviderProblem::File`].
pub fn spec(entry: &str) -> Result<ProviderSpec, ProviderProblem> {
    let parse = |text: &str| {
        ProviderSpec::parse(entry, text).map_err(|source| ProviderProblem::File { entry: entry.to_owned(), source })
    };
    match preset(entry) {
        Some(preset) => parse(preset.text),
        None => {
            let text = fs::read_to_string(entry);
            parse(&text.map_err(|source| ProviderProblem::Entry { entry: entry.to_owned(), source })?)
        }
    }
}

fn ready(provider: &Provider, times: Times, clock: &Arc<dyn Clock>) -> Result<ProviderApi, ProviderProblem> {
    let Provider { entry, name, token, url } = provider;
    let client = http::client(USER_AGENT, limits(times.provider))?;
    Ok(ProviderApi::new(name, spec(entry)?, token.clone(), url.clone(), client, Arc::clone(clock))?)
}

fn limits(total: Duration) -> ClientLimits {
    ClientLimits { connect: CONNECT, read: READ, total }
}

/// Every problem of the chain at once, for a person who sets it up.
#[must_use]
pub fn problems(settings: &Settings, clock: &Arc<dyn Clock>) -> Vec<Box<dyn Error + Send + Sync>> {
    settings
        .providers
        .iter()
        .filter_map(|provider| ready(provider, settings.times, clock).err())
        .map(Into::into)
        .collect()
}
