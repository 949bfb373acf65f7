//! Applies changed settings to the running server, where they can change.

use std::sync::Arc;

use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::sources::provider_api::ProviderApi;
use kuraka_app::CredentialCache;
use kuraka_connections::TrustedProxies;
use kuraka_ports::{Clock, PlanName};

use crate::bootstrap::sources::setup_errors;
use crate::logs;
use crate::settings::{Settings, Values, environment};

pub(crate) struct Reload {
    /// Takes the plans, also for the panel.
    pub(crate) credentials: Arc<CredentialCache>,
    /// `http.trusted_proxies`.
    pub(crate) trusted_proxies: TrustedProxies,
    /// Take their tokens; in the chain's order.
    pub(crate) providers: Vec<Arc<ProviderApi>>,
}

pub(crate) struct Running {
    started: Values,
    applied: Values,
}

impl Running {
    pub(crate) fn new(started: Values) -> Self {
        Self { applied: started.clone(), started }
    }

    /// Reads the settings again and applies those that can change; invalid ones change nothing. Logs and returns the
    /// applied ones.
    pub(crate) fn reload(&mut self, parts: &Reload) -> Option<String> {
        let read = || -> Result<_, Box<dyn std::error::Error + Send + Sync>> {
            let values = Values::load_with(self.started.file().map(Into::into), environment(), &[])?;
            let settings = Settings::read(&values)?;
            let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
            setup_errors(&settings, &clock).into_iter().next().map_or(Ok((values, settings)), Err)
        };
        let (values, settings) = match read() {
            Ok(read) => read,
            Err(error) => {
                tracing::error!(cause = logs::chain(error.as_ref()), "the settings are not reloaded");
                return None;
            }
        };
        let changed = values.changed_from(&self.applied);
        let mut waiting = values.changed_from(&self.started);
        // The panel's plan for new accounts is fixed at the start.
        let sign_up = self.started.text("panel.sign_up").and_then(|name| PlanName::parse(name).ok());
        let keeps_plans = sign_up.is_some_and(|name| name.as_str() != "off" && settings.plans.find(&name).is_none());
        let can_change = |key: &str| can_change(key) && !(keeps_plans && key.starts_with("plans."));
        let applied: Vec<_> = changed.into_iter().filter(|key| can_change(key)).collect();
        waiting.retain(|key| !can_change(key));
        parts.apply(&settings, keeps_plans, &waiting);
        let applied = applied.join(", ");
        tracing::info!(changed = applied, "the settings are reloaded");
        if !waiting.is_empty() {
            tracing::warn!(settings = waiting.join(", "), "changed settings need a restart");
        }
        self.applied = values;
        Some(applied)
    }
}

impl Reload {
    /// `waiting` are the settings that need a restart.
    fn apply(&self, settings: &Settings, keeps_plans: bool, waiting: &[String]) {
        if !keeps_plans {
            self.credentials.replace_plans(&settings.plans);
        }
        self.trusted_proxies.replace(settings.http.trusted_proxies.clone());
        logs::set_level(&settings.log.level);
        for provider in &self.providers {
            let name = kuraka_ports::TaxpayerSource::name(&**provider);
            // One that left the chain stays in use until a restart.
            let Some(set) = settings.providers.iter().find(|set| set.name == name) else { continue };
            // A token is not sent to another address than its own.
            if waiting.iter().any(|key| key.starts_with(&format!("providers.{name}."))) {
                continue;
            }
            if let Err(error) = provider.set_token(set.token.clone()) {
                tracing::error!(cause = logs::chain(&error), "the token of a provider is not changed");
            }
        }
    }
}

/// Whether a setting changes without a restart.
fn can_change(key: &str) -> bool {
    let is_token = || key.starts_with("providers.") && key.ends_with(".token");
    key.starts_with("plans.") || matches!(key, "log.level" | "http.trusted_proxies") || is_token()
}
