//! Builds the sources from the settings: the official page and the providers in their order for details, and SUNAT's
//! voucher service for vouchers.
//!
//! A provider is a preset's name or a file; an error in a file names the line. This module makes no request.

use std::borrow::Cow;
use std::error::Error;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::http::{self, ClientError, ClientLimits};
use kuraka_adapters::layers::{Jitter, LayerContext, Stack, Timeouts, stack, voucher_stack};
use kuraka_adapters::sources::provider_api::{ConfigError, ProviderApi, ProviderSpec, preset};
use kuraka_adapters::sources::sunat_portal::{SunatPortal, USER_AGENT};
use kuraka_adapters::sources::sunat_vouchers::SunatVouchers;
use kuraka_app::{AgeLimits, VerifyAbsence};
use kuraka_ports::{Clock, TaxpayerRegistry, TaxpayerSource, VoucherValidator};
use thiserror::Error;
use tokio::runtime::Handle;

use crate::http::NamedDialect;
use crate::metrics::Metrics;
use crate::settings::{Provider, Settings, provider_name};

/// Timeout of connecting to a source, including TLS.
const CONNECT: Duration = Duration::from_millis(1_500);
/// Timeout of the next bytes of an answer.
const READ: Duration = Duration::from_secs(3);

/// An entry of `providers.chain` names no provider that can be used.
#[derive(Debug, Error)]
#[error("{problem}")]
struct EntryError {
    problem: String,
    source: Failure,
}

type Failure = Box<dyn Error + Send + Sync>;

/// The sources with the layers around them.
pub(crate) struct Sources {
    pub(crate) details: Stack<dyn TaxpayerSource>,
    pub(crate) vouchers: Stack<dyn VoucherValidator>,
    /// The providers in the order of the chain.
    pub(crate) providers: Vec<Arc<ProviderApi>>,
}

impl Sources {
    /// Builds the sources that the settings enable, with the layers around them.
    pub(crate) fn new(
        settings: &Settings,
        registry: &Arc<dyn TaxpayerRegistry>,
        ages: &AgeLimits,
        metrics: &Arc<Metrics>,
        clock: &Arc<dyn Clock>,
    ) -> Result<Self, Failure> {
        let context = LayerContext {
            clock: Arc::clone(clock),
            jitter: Arc::new(Jitter::system()),
            observer: metrics.clone(),
            runtime: Handle::current(),
        };
        // This is the innermost layer: the other layers see only a verified "not found".
        let verified = |source| -> Arc<dyn TaxpayerSource> {
            Arc::new(VerifyAbsence::new(source, Arc::clone(registry), ages.clone()))
        };
        let page = official(settings, clock)?.map(verified);
        let providers = providers(settings, clock)?;
        let chain = providers.iter().map(|provider| verified(Arc::clone(provider) as Arc<dyn TaxpayerSource>));
        let details = stack(page, chain.collect(), settings.times, &context);
        if details.breakers.is_empty() {
            tracing::warn!("no source of details is set: /ruc-official has only the open data");
        }
        let vouchers = vouchers(settings, clock)?.map(|service| service as Arc<dyn VoucherValidator>);
        let vouchers = voucher_stack(vouchers, settings.times, &context);
        if vouchers.breakers.is_empty() {
            tracing::warn!("no voucher credentials are set: /cpe cannot answer");
        }
        let breakers = details.breakers.iter().chain(&vouchers.breakers).map(|breaker| breaker.source());
        for source in [details.source.name(), vouchers.source.name()].into_iter().chain(breakers) {
            metrics.add_source(source);
        }
        Ok(Self { details, vouchers, providers })
    }
}

/// The official page; `None` if the settings disable it.
///
/// # Errors
/// If no HTTP client can be created.
pub fn official(settings: &Settings, clock: &Arc<dyn Clock>) -> Result<Option<Arc<dyn TaxpayerSource>>, ClientError> {
    let Some(config) = &settings.official else { return Ok(None) };
    let client = http::client(USER_AGENT, limits(settings.times.page))?;
    Ok(Some(Arc::new(SunatPortal::new(config.clone(), client, Arc::clone(clock)))))
}

/// The providers in the order of `providers.chain`.
///
/// # Errors
/// The error of the first provider that cannot be used.
pub fn providers(settings: &Settings, clock: &Arc<dyn Clock>) -> Result<Vec<Arc<ProviderApi>>, Failure> {
    let source = |provider| Ok(Arc::new(provider_api(provider, settings.times, clock)?));
    settings.providers.iter().map(source).collect()
}

/// The voucher service; `None` without credentials. It requests its tokens on the current runtime.
///
/// # Errors
/// If no HTTP client can be created.
pub fn vouchers(settings: &Settings, clock: &Arc<dyn Clock>) -> Result<Option<Arc<SunatVouchers>>, ClientError> {
    let Some(config) = &settings.vouchers else { return Ok(None) };
    // The service may send nothing for seconds before it answers, so only the whole call has a timeout.
    let total = settings.times.voucher;
    let limits = ClientLimits { read: total, ..limits(total) };
    let client = http::client(USER_AGENT, limits)?;
    Ok(Some(Arc::new(SunatVouchers::new(config.clone(), client, Arc::clone(clock), Handle::current()))))
}

/// Parses the preset or the file that an entry of the chain names.
///
/// # Errors
/// The entry is neither a preset nor a readable file, or the file is not valid.
pub fn spec(entry: &str) -> Result<ProviderSpec, Failure> {
    spec_in("providers.chain", entry)
}

/// The dialects of `compat.providers`.
///
/// # Errors
/// The error of the first provider whose file cannot be used, or does not say how it is called.
pub fn dialects(settings: &Settings) -> Result<Vec<NamedDialect>, Failure> {
    settings.compat.providers.iter().map(|entry| dialect(entry)).collect()
}

/// What a client of a dialect cannot do with these settings, in a sentence for each dialect.
#[must_use]
pub fn dialect_hints(settings: &Settings) -> Vec<String> {
    let dialects = dialects(settings).unwrap_or_default().into_iter();
    let in_query = dialects.filter(|it| !settings.compat.tokens_in_query && it.dialect.token_fields().next().is_some());
    let hint = |NamedDialect { name, .. }: NamedDialect| {
        format!(
            "clients of {name} may send the token in the query or the body, which is refused: set compat.tokens_in_query \
             to true to accept it"
        )
    };
    in_query.map(hint).collect()
}

fn dialect(entry: &str) -> Result<NamedDialect, Failure> {
    let spec = spec_in("compat.providers", entry)?;
    let missing = || format!("the file of the provider {entry} has no [dialect]: it cannot be in compat.providers");
    let dialect = spec.dialect().cloned().ok_or_else(missing)?;
    Ok(NamedDialect { name: provider_name(entry).to_owned(), dialect })
}

/// The same for an entry of this setting.
fn spec_in(setting: &str, entry: &str) -> Result<ProviderSpec, Failure> {
    let failed = |problem, source| EntryError { problem, source };
    let unknown = || format!("{setting} names {entry}, which is neither a preset nor a readable file");
    let text = match preset(entry) {
        Some(preset) => Cow::Borrowed(preset.text),
        None => fs::read_to_string(entry).map_err(|error| failed(unknown(), error.into()))?.into(),
    };
    let invalid = |error: ConfigError| failed(format!("the file of the provider {entry} is not valid"), error.into());
    Ok(ProviderSpec::parse(entry, &text).map_err(invalid)?)
}

fn provider_api(provider: &Provider, times: Timeouts, clock: &Arc<dyn Clock>) -> Result<ProviderApi, Failure> {
    let Provider { entry, name, token, url } = provider;
    let client = http::client(USER_AGENT, limits(times.provider))?;
    Ok(ProviderApi::new(name, spec(entry)?, token.clone(), url.clone(), client, Arc::clone(clock))?)
}

fn limits(total: Duration) -> ClientLimits {
    ClientLimits { connect: CONNECT, read: READ, total }
}

/// The addresses of the sources, each with the source's name. A provider that cannot be used has none.
#[must_use]
pub fn addresses(settings: &Settings) -> Vec<(String, String)> {
    let named = |name: &str, address: &str| (name.to_owned(), address.to_owned());
    let page = settings.official.iter().map(|page| named("official", page.address()));
    let providers = settings.providers.iter().filter_map(|provider| {
        let address = provider.url.clone().or_else(|| Some(spec(&provider.entry).ok()?.address().to_owned()))?;
        Some((provider.name.clone(), address))
    });
    let vouchers = settings.vouchers.iter().flat_map(|service| service.addresses());
    page.chain(providers).chain(vouchers.map(|address| named("vouchers", address))).collect()
}

/// The errors of all providers that cannot be used.
#[must_use]
pub fn setup_errors(settings: &Settings, clock: &Arc<dyn Clock>) -> Vec<Failure> {
    let providers = settings.providers.iter().map(|provider| provider_api(provider, settings.times, clock).map(drop));
    let dialects = settings.compat.providers.iter().map(|entry| dialect(entry).map(drop));
    providers.chain(dialects).filter_map(Result::err).collect()
}
