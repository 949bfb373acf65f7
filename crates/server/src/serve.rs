//! Serves until SIGTERM or Ctrl-C. SIGHUP reloads the settings.

use std::error::Error;
use std::io;
use std::process;
use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio::time::timeout;

use crate::application::Application;
use crate::logs;
use crate::reload::Running;
use crate::settings::{Settings, Values, absolute};
use crate::systemd;

/// Signals within this time are one.
const ONE_SIGNAL: Duration = Duration::from_millis(250);

/// Serves with these settings, read from `values`, until a signal.
///
/// # Errors
/// See [`Application::build`] and [`Application::run_until`].
pub async fn serve(settings: Settings, values: Values) -> Result<(), Box<dyn Error + Send + Sync>> {
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
    let mut stop = Box::pin(stop_signal()?);
    // First: the signal would end the process.
    let mut hangup = signal(SignalKind::hangup())?;
    systemd::start_watchdog();
    // Building waits for the store.
    let application = tokio::select! {
        built = Application::build(settings) => built?,
        () = &mut stop => {
            tracing::info!("stopped");
            return Ok(());
        }
    };
    systemd::notify("READY=1");
    let reload = Arc::clone(&application.reload);
    tokio::spawn(async move {
        let mut running = Running::new(values);
        while hangup.recv().await.is_some() {
            running.reload(&reload);
        }
    });
    application.run_until(stop).await
}

/// Completes at the first SIGTERM or Ctrl-C. A second one ends the process at once.
///
/// # Errors
/// If signals cannot be handled.
pub fn stop_signal() -> io::Result<impl Future<Output = ()>> {
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
            // Programs such as timeout send the same signal twice.
            let _ = timeout(ONE_SIGNAL, async {
                loop {
                    signalled().await
                }
            })
            .await;
            signalled().await;
            tracing::error!("asked to stop again: calls in progress are aborted, leases count as used");
            logs::flush();
            #[expect(clippy::disallowed_methods, reason = "a second signal asks for an immediate end")]
            process::exit(1);
        });
    })
}
