//! Answers are kept for as long as they should, failures never.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::layers::Cache;
use kuraka_domain::Ruc;
use kuraka_ports::{DetailAnswer, DetailOrigin, Freshness, SourceError, SourceErrorKind, TaxpayerSource};
use tokio::time::advance;

use super::{SECOND, absent, clock, known, page, steady};

/// A cache that keeps every answer a tenth longer than the house's time.
fn longest(source: Arc<dyn TaxpayerSource>) -> Cache {
    Cache::new(source, Cache::FOUND_FOR, Cache::NOT_FOUND_FOR, clock(), steady())
}

async fn freshness(cache: &Cache, ruc: Ruc) -> Freshness {
    cache.detail(ruc).await.unwrap().freshness
}

#[tokio::test(start_paused = true)]
async fn a_record_is_kept_ten_minutes_and_says_so() {
    let page = page();
    let cache = longest(page.clone());
    let live = cache.detail(known().ruc).await.unwrap();
    assert_eq!(live.freshness, Freshness::Live);
    advance(659 * SECOND).await;
    let cached = cache.detail(known().ruc).await.unwrap();
    assert_eq!(cached, DetailAnswer { freshness: Freshness::Cached, ..live });
    advance(SECOND).await;
    assert_eq!(freshness(&cache, known().ruc).await, Freshness::Live);
    assert_eq!(page.asked().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn an_absence_is_kept_a_minute() {
    let cache = longest(page());
    assert_eq!(freshness(&cache, absent()).await, Freshness::Live);
    advance(65 * SECOND).await;
    assert_eq!(freshness(&cache, absent()).await, Freshness::Cached);
    advance(SECOND).await;
    assert_eq!(freshness(&cache, absent()).await, Freshness::Live);
}

#[tokio::test(start_paused = true)]
async fn failures_are_not_cached() {
    let page = page();
    let cache = longest(page.clone());
    page.fail(SourceErrorKind::Unreadable);
    cache.detail(known().ruc).await.unwrap_err();
    cache.detail(known().ruc).await.unwrap_err();
    page.fail(None);
    assert_eq!(freshness(&cache, known().ruc).await, Freshness::Live);
    page.fail(SourceErrorKind::Unreadable);
    assert_eq!(freshness(&cache, known().ruc).await, Freshness::Cached);
    assert_eq!(page.asked().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn with_a_time_of_zero_nothing_is_kept() {
    let page = page();
    let cache = Cache::new(page.clone(), Duration::ZERO, Duration::ZERO, clock(), steady());
    for ruc in [known().ruc, known().ruc, absent(), absent()] {
        assert_eq!(freshness(&cache, ruc).await, Freshness::Live);
    }
    assert_eq!(page.asked().len(), 4);
}

#[tokio::test(start_paused = true)]
async fn no_time_is_too_long() {
    let cache = Cache::new(page(), Duration::MAX, Duration::MAX, clock(), steady());
    freshness(&cache, known().ruc).await;
    assert_eq!(freshness(&cache, known().ruc).await, Freshness::Cached);
    advance(86_400 * SECOND).await;
    assert_eq!(freshness(&cache, known().ruc).await, Freshness::Live);
}

#[tokio::test(start_paused = true)]
async fn a_cached_answer_of_the_sandbox_still_says_sandbox() {
    let cache = longest(Arc::new(Sandbox));
    assert_eq!(freshness(&cache, absent()).await, Freshness::Sandbox);
    assert_eq!(freshness(&cache, absent()).await, Freshness::Sandbox);
}

struct Sandbox;

#[async_trait::async_trait]
impl TaxpayerSource for Sandbox {
    fn name(&self) -> &str {
        "sandbox"
    }

    async fn detail(&self, _ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        Ok(DetailAnswer { taxpayer: None, origin: DetailOrigin::Official, freshness: Freshness::Sandbox })
    }
}
