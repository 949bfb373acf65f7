//! What the operator of a server does with webhooks: only the operator may make one to this machine.

use std::sync::Arc;

use kuraka_adapters::clock::SystemClock;
use kuraka_app::Notifier;
use kuraka_sandbox::sample;
use kuraka_server::bootstrap;

use crate::app::App;

/// The operator's use cases on the server's store.
pub(crate) fn operator(app: &App) -> Arc<Notifier> {
    let (feed, changing) = (bootstrap::feed(&app.settings), sample::DESCRIBED.parse().unwrap());
    Arc::new(bootstrap::notifier(&app.settings, &app.store, feed, changing, Arc::new(SystemClock::start())).unwrap())
}
