//! Opens the store, and builds the use cases of accounts.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::clock::FollowingClock;
use kuraka_adapters::passwords::Passwords;
use kuraka_adapters::store::{OpenStoreError, Store, StoreAddress};
use kuraka_app::{
    AccountMeters, CheckKey, CredentialCache, DeliverChanges, Mails, Notifier, OwnTokens, Refusals, SignIn, Usage,
};
use kuraka_domain::Ruc;
use kuraka_ports::{ChangeFeed, Clock, StoreErrorKind, StoreResult};
use tokio::runtime::Handle;

use super::{notifier, server_id};
use crate::background::HeartbeatJob;
use crate::logs;
use crate::settings::Settings;
use crate::systemd;

/// Before an unreachable store is tried again. Doubles up to [`MAX_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const MAX_PAUSE: Duration = Duration::from_secs(5);

/// Waits for an unreachable PostgreSQL, which is logged once. Fails for what does not pass by itself.
pub(crate) async fn open_store(settings: &Settings) -> Result<Arc<dyn Store>, OpenStoreError> {
    let mut pause = FIRST_PAUSE;
    loop {
        match settings.store.open().await {
            Err(error) if error.may_pass() => {
                if pause == FIRST_PAUSE {
                    tracing::error!(cause = logs::chain(&error), "the server waits for its store");
                    // The server is up, so systemd does not end it.
                    systemd::notify("READY=1");
                }
                tokio::time::sleep(pause).await;
                pause = (2 * pause).min(MAX_PAUSE);
            }
            opened => return opened,
        }
    }
}

/// Asks a store that was just opened again, for some seconds: it may be busy.
async fn patiently<T, F: Future<Output = StoreResult<T>>>(ask: impl Fn() -> F) -> StoreResult<T> {
    let mut pause = FIRST_PAUSE;
    loop {
        match ask().await {
            Err(error) if error.kind == StoreErrorKind::Unavailable && pause < MAX_PAUSE => {
                tracing::warn!(cause = logs::chain(&error), "the store answers late, and is asked again");
                tokio::time::sleep(pause).await;
                pause *= 2;
            }
            answered => return answered,
        }
    }
}

/// What API, panel and jobs share.
pub(crate) struct AccountUseCases {
    pub(crate) credentials: Arc<CredentialCache>,
    pub(crate) meters: Arc<AccountMeters>,
    pub(crate) usage: Arc<Usage>,
    pub(crate) sign_in: Arc<SignIn>,
    pub(crate) own_tokens: Arc<OwnTokens>,
    pub(crate) heartbeat: HeartbeatJob,
    /// `None` = webhooks are off.
    pub(crate) notifier: Option<Arc<Notifier>>,
    pub(crate) deliver: Option<DeliverChanges>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) mails: Mails,
    pub(crate) refused_tokens: Arc<Refusals>,
}

impl AccountUseCases {
    /// Sends the first heartbeat, too.
    pub(crate) async fn start(
        settings: &Settings,
        store: &Arc<dyn Store>,
        clock: Arc<FollowingClock>,
        feed: &Arc<dyn ChangeFeed>,
        changing: Ruc,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let time: Arc<dyn Clock> = clock.clone();
        store.keep_lines(settings.audit_kept_days);
        let meters = Arc::new(AccountMeters::new(store.clone(), Arc::clone(&time), Handle::current()));
        let plans = settings.plans.clone();
        let key = CheckKey::from(patiently(|| store.token_key()).await?);
        let credentials =
            CredentialCache::new(store.clone(), key.clone(), Arc::clone(&time), plans, Arc::clone(&meters));
        let heartbeat =
            HeartbeatJob { server: server_id()?, membership: store.clone(), clock, meters: Arc::clone(&meters) };
        // The first call needs this server's share of the rates and the store's time.
        if let StoreAddress::Sqlite(_) = settings.store {
            // An embedded store has neither. The server starts, and is ready once the store takes writes.
            let passes = [StoreErrorKind::Unwritable, StoreErrorKind::Unavailable];
            heartbeat.send().await.or_else(|error| if passes.contains(&error.kind) { Ok(()) } else { Err(error) })?;
        } else {
            patiently(|| heartbeat.send()).await?;
        }
        // First: credentials cached before it would be dropped again.
        patiently(|| credentials.watch()).await?;
        let usage = Usage::new(store.clone(), store.clone(), Arc::clone(&meters), Arc::clone(&time));
        let own_tokens = OwnTokens::new(store.clone(), Arc::clone(&time), getrandom::fill);
        let notifier = settings
            .webhooks
            .enabled
            .then(|| notifier(settings, store, Arc::clone(feed), changing, Arc::clone(&time)))
            .transpose()?
            .map(Arc::new);
        let tells_owners = settings.mail.is_some();
        let deliver = notifier.clone().map(|notifier| DeliverChanges { queue: store.clone(), notifier, tells_owners });
        let mails = Mails {
            outbox: store.clone(),
            accounts: store.clone(),
            codes: store.clone(),
            clock: Arc::clone(&time),
            random: getrandom::fill,
        };
        let hasher = Arc::new(Passwords::new());
        let sign_in = SignIn::new(store.clone(), store.clone(), hasher, time, key, getrandom::fill);
        Ok(Self {
            credentials: Arc::new(credentials),
            meters,
            usage: Arc::new(usage),
            sign_in: Arc::new(sign_in),
            own_tokens: Arc::new(own_tokens),
            heartbeat,
            notifier,
            deliver,
            store: Arc::clone(store),
            mails,
            refused_tokens: Arc::default(),
        })
    }
}
