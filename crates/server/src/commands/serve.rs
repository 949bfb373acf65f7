//! `kuraka serve`: the API, until a signal.

use std::process;

use kuraka_server::application::Application;
use kuraka_server::settings::Settings;
use tokio::signal::unix::{SignalKind, signal};

use super::runtime::{Failure, block_on};

pub(crate) fn serve(settings: Settings) -> Result<(), Failure> {
    block_on(async {
        let stop = stop_signal()?;
        Application::build(settings).await?.run_until(stop).await
    })
}

/// Done when the process is asked to stop, by SIGTERM or Ctrl-C. Asked again while it stops, it ends at once.
pub(crate) fn stop_signal() -> Result<impl Future<Output = ()>, Failure> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        let mut asked = async move || {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        };
        asked().await;
        tokio::spawn(async move {
            asked().await;
            tracing::error!("asked to stop again: calls under way are cut off, leases count as used");
            #[allow(clippy::disallowed_methods, reason = "whoever asks twice wants nothing put in order")]
            process::exit(1);
        });
    })
}
