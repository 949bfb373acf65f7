//! The panel's place in this server: what the settings and the sources' breakers mean to it. What it shows is its own.

use std::sync::Arc;

use kuraka_adapters::layers::{BreakerHandle, BreakerState};
use kuraka_panel::source_status::{Role, Source, State};
use kuraka_panel::{Site, Sources};

use crate::http::client_address;
use crate::settings::Settings;

/// The breakers of the sources, each with what its source is for.
pub(crate) struct Watched(Vec<(Role, Arc<BreakerHandle>)>);

impl Watched {
    /// The breakers as the stacks give them: of details the page's comes first, if the page is asked at all.
    pub(crate) fn new(page_is_asked: bool, details: &[Arc<BreakerHandle>], vouchers: &[Arc<BreakerHandle>]) -> Self {
        let role = |at: usize| if at == 0 && page_is_asked { Role::OfficialPage } else { Role::Provider };
        let details = details.iter().enumerate().map(|(at, switch)| (role(at), Arc::clone(switch)));
        let vouchers = vouchers.iter().map(|switch| (Role::Vouchers, Arc::clone(switch)));
        Self(details.chain(vouchers).collect())
    }
}

impl Sources for Watched {
    fn sources(&self) -> Vec<Source> {
        let state = |switch: &BreakerHandle| match switch.state() {
            BreakerState::Closed => State::Active,
            BreakerState::HalfOpen => State::Probing,
            BreakerState::Open => State::Paused,
        };
        self.0.iter().map(|(role, switch)| Source { role: *role, state: state(switch) }).collect()
    }
}

/// How this server is reached, as the settings say; a warning where that is not safe for passwords.
pub(crate) fn site(settings: &Settings) -> Site {
    let site = Site {
        public_url: settings.http.public_url.clone(),
        sign_up: settings.sign_up.clone(),
        client_address: {
            let trusted = settings.http.trusted_proxies.clone();
            Arc::new(move |request| client_address(request, &trusted))
        },
    };
    if !site.is_secure() && !settings.http.bind.ip().is_loopback() {
        tracing::warn!("http.public_url is not https: passwords and sessions of the panel travel in clear");
    }
    site
}
