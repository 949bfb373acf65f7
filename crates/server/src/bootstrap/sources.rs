//! Builds the sources from the settings, without a request: official page and providers in order for details, SUNAT's
//! voucher service for vouchers. A provider is a preset's name or a file.

use std::borrow::Cow;
use std::error::Error;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::http::{self, ClientError, ClientLimits};
use kuraka_adapters::layers::{Fallback, Jitter, LayerContext, Stack, Timeouts, stack, voucher_stack};
use kuraka_adapters::sources::provider_api::{ConfigError, ProviderApi, ProviderSpec, preset};
use kuraka_adapters::sources::sunat_portal::{Config as PortalConfig, SunatPortal, USER_AGENT};
use kuraka_adapters::sources::sunat_vouchers::{Config as VouchersConfig, SunatVouchers};
use kuraka_app::{AgeLimits, VerifyAbsence};
use kuraka_ports::{Clock, TaxpayerRegistry, TaxpayerSource, VoucherValidator};
use thiserror::Error;
use tokio::runtime::Handle;

use crate::http::NamedDialect;
use crate::metrics::Metrics;
use crate::settings::{Provider, Settings, provider_name};

/// Timeout of a connection to a source, TLS included.
const CONNECT: Duration = Duration::from_millis(1_500);
/// Timeout of an answer's next bytes.
const READ: Duration = Duration::from_secs(3);

#[derive(Debug, Error)]
#[error("{problem}")]
struct EntryError {
    problem: String,
    source: Failure,
}

type Failure = Box<dyn Error + Send + Sync>;

pub(crate) struct Sources {
    pub(crate) details: Stack<dyn TaxpayerSource>,
    pub(crate) vouchers: Stack<dyn VoucherValidator>,
    /// In the chain's order.
    pub(crate) providers: Vec<Arc<ProviderApi>>,
}

impl Sources {
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
        // The innermost layer: the others see only a verified "not found".
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

/// Details and vouchers.
type Simulated = (Arc<dyn TaxpayerSource>, Arc<dyn VoucherValidator>);

/// Details and vouchers from the sandbox of these settings. Without the layers that guard real sources: a failure is the
/// result that a caller tests, so it neither opens a breaker nor pauses a source for others, and no answer is kept.
pub(crate) fn simulated(
    settings: &Settings,
    registry: &Arc<dyn TaxpayerRegistry>,
    ages: &AgeLimits,
    clock: &Arc<dyn Clock>,
) -> Result<Simulated, Failure> {
    let mut settings = settings.clone();
    settings.official = settings.official.map(PortalConfig::without_pause);
    settings.vouchers = settings.vouchers.map(VouchersConfig::without_pause);
    let settings = &settings;
    let page = official(settings, clock)?;
    let providers = providers(settings, clock)?.into_iter().map(|provider| provider as Arc<dyn TaxpayerSource>);
    let verified = |source| -> Arc<dyn TaxpayerSource> {
        Arc::new(VerifyAbsence::new(source, Arc::clone(registry), ages.clone()))
    };
    let details = page.into_iter().chain(providers).map(verified).collect();
    let vouchers = vouchers(settings, clock)?.into_iter().map(|service| service as Arc<dyn VoucherValidator>).collect();
    let Timeouts { deadline, .. } = settings.times;
    Ok((Arc::new(Fallback::new(details, deadline)), Arc::new(Fallback::for_validators(vouchers, deadline))))
}

/// The official page; `None` = disabled.
///
/// # Errors
/// If no HTTP client can be created.
pub fn official(settings: &Settings, clock: &Arc<dyn Clock>) -> Result<Option<Arc<dyn TaxpayerSource>>, ClientError> {
    let Some(config) = &settings.official else { return Ok(None) };
    let client = http::client(USER_AGENT, limits(settings.times.page))?;
    Ok(Some(Arc::new(SunatPortal::new(config.clone(), client, Arc::clone(clock)))))
}

/// The providers in the chain's order.
///
/// # Errors
/// The first unusable provider's.
pub fn providers(settings: &Settings, clock: &Arc<dyn Clock>) -> Result<Vec<Arc<ProviderApi>>, Failure> {
    let source = |provider| Ok(Arc::new(provider_api(provider, settings.times, clock)?));
    settings.providers.iter().map(source).collect()
}

/// The voucher service; `None` without credentials. Requests its tokens on the current runtime.
///
/// # Errors
/// If no HTTP client can be created.
pub fn vouchers(settings: &Settings, clock: &Arc<dyn Clock>) -> Result<Option<Arc<SunatVouchers>>, ClientError> {
    let Some(config) = &settings.vouchers else { return Ok(None) };
    // The service may be silent for seconds, so only the whole call has a timeout.
    let total = settings.times.voucher;
    let limits = ClientLimits { read: total, ..limits(total) };
    let client = http::client(USER_AGENT, limits)?;
    Ok(Some(Arc::new(SunatVouchers::new(config.clone(), client, Arc::clone(clock), Handle::current()))))
}

/// # Errors
/// The entry is neither a preset nor a valid file.
pub fn spec(entry: &str) -> Result<ProviderSpec, Failure> {
    spec_in("providers.chain", entry)
}

/// The dialects of `compat.providers`.
///
/// # Errors
/// The first provider's whose file is unusable or has no dialect.
pub fn dialects(settings: &Settings) -> Result<Vec<NamedDialect>, Failure> {
    settings.compat.providers.iter().map(|entry| dialect(entry)).collect()
}

/// What a dialect's clients cannot do with these settings, one sentence for each.
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

/// The sources' names and addresses. An unusable provider has none.
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

pub fn setup_errors(settings: &Settings, clock: &Arc<dyn Clock>) -> Vec<Failure> {
    let providers = settings.providers.iter().map(|provider| provider_api(provider, settings.times, clock).map(drop));
    let dialects = settings.compat.providers.iter().map(|entry| dialect(entry).map(drop));
    providers.chain(dialects).filter_map(Result::err).collect()
}
