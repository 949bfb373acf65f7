//! Converts the settings and the sources' breakers to the panel's types.

use std::sync::Arc;

use kuraka_adapters::layers::{Breaker, BreakerState};
use kuraka_connections::TrustedProxies;
use kuraka_panel::source_status::{Role, Source, State};
use kuraka_panel::{Site, Sources};

use crate::http::client_address;
use crate::settings::Settings;

/// The sources with these breakers, in order. The first of `details` is the official page's if `has_page`, the others
/// the providers'.
pub(crate) fn sources(has_page: bool, details: &[Arc<Breaker>], vouchers: &[Arc<Breaker>]) -> Sources {
    let role = |at: usize| if at == 0 && has_page { Role::OfficialPage } else { Role::Provider };
    let details = details.iter().enumerate().map(|(at, breaker)| (role(at), Arc::clone(breaker)));
    let vouchers = vouchers.iter().map(|breaker| (Role::Vouchers, Arc::clone(breaker)));
    let all: Vec<_> = details.chain(vouchers).collect();
    Arc::new(move || all.iter().map(|(role, breaker)| Source { role: *role, state: state(breaker) }).collect())
}

pub(crate) fn state(breaker: &Breaker) -> State {
    match breaker.state() {
        BreakerState::Closed => State::Active,
        BreakerState::HalfOpen => State::Probing,
        BreakerState::Open => State::Paused,
    }
}

/// How clients reach this server. Warns if passwords would be sent unencrypted.
pub(crate) fn site(settings: &Settings, trusted: TrustedProxies) -> Site {
    let site = Site {
        public_url: settings.http.public_url.clone(),
        sign_up: settings.sign_up.clone(),
        confirm_address: settings.confirm_address,
        contact: settings.contact.clone(),
        brand: Arc::clone(&settings.brand),
        client_address: Arc::new(move |request| client_address(request.head(), &trusted)),
    };
    if !site.is_secure() && !settings.http.bind.ip().is_loopback() {
        tracing::warn!("http.public_url is not https: the panel's passwords and sessions are sent unencrypted");
    }
    site
}
