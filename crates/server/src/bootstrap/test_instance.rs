//! Builds what answers test tokens: the lookups on the bundled sample, and the sandbox instead of every source. This crate
//! does not know them, the program passes them in.

use std::error::Error;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use kuraka_adapters::datasets::{DatasetStatuses, EmbeddedRegistry};
use kuraka_app::{AgeLimits, LookupDetail, LookupTaxpayer, ValidateVoucher, Watching};
use kuraka_domain::Ruc;
use kuraka_ports::{Clock, TaxpayerRegistry};

use super::max_age_days;
use super::sources::simulated;
use crate::http::{Instance, MakeTest, Running};
use crate::settings::Settings;

/// Vouchers of batches that the sandbox validates at the same time, times four.
const VOUCHERS_AT_ONCE: usize = 32;

type Failure = Box<dyn Error + Send + Sync>;

#[derive(Clone)]
pub struct TestData {
    /// The invented company of the sample that changes every minute.
    pub changing: Ruc,
    pub start: StartTestData,
}

/// Returns settings whose data folder has the sample, and whose every source is the running sandbox.
pub type StartTestData = Arc<dyn Fn() -> BoxFuture<'static, Result<(Settings, Running), Failure>> + Send + Sync>;

/// Makes the test instance of the data that `start` provides.
pub(crate) fn maker(start: StartTestData, clock: Arc<dyn Clock>, watching: Arc<Watching>) -> MakeTest {
    Arc::new(move || {
        let (start, clock, watching) = (Arc::clone(&start), Arc::clone(&clock), Arc::clone(&watching));
        Box::pin(async move {
            let (settings, running) = start().await?;
            Ok((instance(&settings, &clock, watching)?, running))
        })
    })
}

fn instance(settings: &Settings, clock: &Arc<dyn Clock>, watching: Arc<Watching>) -> Result<Instance, Failure> {
    let folder = settings.datasets_dir();
    let (registry, _) = EmbeddedRegistry::open_with(&folder, &settings.datasets.enabled)?;
    let registry = Arc::new(registry);
    let taxpayers: Arc<dyn TaxpayerRegistry> = registry.clone();
    let max_age_days = max_age_days(settings);
    let ages = AgeLimits::new(Arc::clone(clock), max_age_days.clone());
    let (details, vouchers) = simulated(settings, &taxpayers, &ages, clock)?;
    let lookup_taxpayer = Arc::new(LookupTaxpayer::new(taxpayers, ages));
    Ok(Instance {
        datasets: Arc::new(DatasetStatuses::new(Arc::clone(&registry), folder, Arc::clone(clock), max_age_days)),
        lookup_taxpayer: Arc::clone(&lookup_taxpayer),
        lookup_detail: LookupDetail::new(details, Some(lookup_taxpayer)),
        validate_voucher: Arc::new(ValidateVoucher::new(vouchers, VOUCHERS_AT_ONCE)),
        watching,
    })
}
