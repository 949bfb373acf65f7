//! A layer keeps the promises of what it wraps.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::layers::{Breaker, Cache, Coalesce, Fallback, Layered, Limit, Metered, Timeout, Timeouts, stack};
use kuraka_domain::Ruc;
use kuraka_ports::contract::taxpayer_source::Working;
use kuraka_ports::{DetailAnswer, DetailOrigin, SourceErrorKind, TaxpayerSource};
use tokio::runtime::Handle;

use super::{Notebook, absent, clock, known, layer_context, other, page, provider, steady};

const MINUTE: Duration = Duration::from_secs(60);

/// A layer around the page.
fn working<S>(layer: impl FnOnce(Arc<dyn TaxpayerSource>) -> S) -> (Working<S>, ()) {
    let page = page();
    let failing = (Ruc::parse("20100128056").unwrap(), SourceErrorKind::Refused);
    page.fail_for(failing.0, failing.1);
    let known = vec![known(), other()];
    let source = Arc::new(layer(page));
    (Working { source, known, absent: absent(), failing, origin: DetailOrigin::Official }, ())
}

mod metered {
    use super::*;
    kuraka_ports::contract!(
        taxpayer_source,
        Layered<Metered, dyn TaxpayerSource>,
        working(|page| Layered::new(Metered::new(Arc::<Notebook>::default(), clock()), page))
    );
}

mod coalesce {
    use super::*;
    kuraka_ports::contract!(
        taxpayer_source,
        Coalesce<dyn TaxpayerSource, Ruc, DetailAnswer>,
        working(|page| Coalesce::new(page, Handle::current()))
    );
}

mod cache {
    use super::*;
    kuraka_ports::contract!(
        taxpayer_source,
        Cache,
        working(|page| Cache::new(page, MINUTE, MINUTE, clock(), steady()))
    );
}

mod fallback {
    use super::*;
    kuraka_ports::contract!(
        taxpayer_source,
        Fallback<dyn TaxpayerSource>,
        working(|page| Fallback::new(vec![page], MINUTE))
    );
}

mod breaker {
    use super::*;
    kuraka_ports::contract!(
        taxpayer_source,
        Layered<Arc<Breaker>, dyn TaxpayerSource>,
        working(|page| {
            let breaker = Breaker::new("page", MINUTE, clock(), steady());
            Layered::new(Arc::new(breaker), page)
        })
    );
}

mod limit {
    use super::*;
    kuraka_ports::contract!(taxpayer_source, Layered<Limit, dyn TaxpayerSource>, working(|page| Layered::new(Limit::new(1), page)));
}

mod timeout {
    use super::*;
    kuraka_ports::contract!(taxpayer_source, Layered<Timeout, dyn TaxpayerSource>, working(|page| Layered::new(Timeout(MINUTE), page)));
}

mod all {
    use super::*;
    kuraka_ports::contract!(
        taxpayer_source,
        Layered<Timeout, dyn TaxpayerSource>,
        working(|page| {
            // Fails as the page does.
            let provider = provider("provider");
            provider.fail(SourceErrorKind::Unavailable);
            let context = layer_context(Arc::<Notebook>::default());
            Layered::new(Timeout(MINUTE), stack(Some(page), vec![provider], Timeouts::default(), &context).source)
        })
    );
}
