//! `kuraka serve`: serves the API until SIGTERM or Ctrl-C.

use std::process;

use kuraka_server::application::Application;
use kuraka_server::logs;
use kuraka_server::settings::{Settings, absolute};
use tokio::signal::unix::{SignalKind, signal};

use super::runtime::{Failure, block_on};

pub(crate) fn serve(settings: Settings) -> Result<(), Failure> {
    let file = settings.file.as_deref().map_or_else(|| "none".to_owned(), absolute);
    tracing::info!(
        version = env!("CARGO_PKG_VERSION"),
        settings_file = file,
        data_dir = absolute(&settings.data_dir),
        store = settings.store_in_words(),
        api = %settings.http.bind,
        admin = %settings.admin_bind,
        "starting"
    );
    block_on(async {
        let stop = stop_signal()?;
        Application::build(settings).await?.run_until(stop).await
    })
}

/// Completes at the first SIGTERM or Ctrl-C. A second one ends the process at once.
pub(crate) fn stop_signal() -> Result<impl Future<Output = ()>, Failure> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        let mut signalled = async move || {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        };
        signalled().await;
        tokio::spawn(async move {
            signalled().await;
            tracing::error!("asked to stop again: calls in progress are aborted, leases count as used");
            logs::flush();
            #[expect(clippy::disallowed_methods, reason = "a second signal asks for an immediate end")]
            process::exit(1);
        });
    })
}
