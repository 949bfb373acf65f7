//! Serves until SIGTERM or Ctrl-C. SIGHUP reloads the settings.

use std::error::Error;
use std::io;
use std::process;
use std::sync::Arc;
use std::time::Duration;

use kuraka_ports::{Audit, NewAuditLine, Origin};
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::timeout;

use crate::application::Application;
use crate::bootstrap::test_instance::TestData;
use crate::logs;
use crate::reload::Running;
use crate::settings::{Settings, Values, absolute};
use crate::systemd;

/// Of the settings in a line of the audit log.
const MAX_CHARS: usize = 4_000;

/// Signals within this time are one.
const ONE_SIGNAL: Duration = Duration::from_millis(250);

/// Serves with these settings, read from `values`, until a signal. `test_data` as in [`Application::build`].
///
/// # Errors
/// See [`Application::build`] and [`Application::run_until`].
pub async fn serve(
    settings: Settings,
    values: Values,
    test_data: TestData,
) -> Result<(), Box<dyn Error + Send + Sync>> {
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
        built = Application::build(settings, test_data) => built?,
        () = &mut stop => {
            tracing::info!("stopped");
            return Ok(());
        }
    };
    systemd::notify("READY=1");
    let (reload, audit) = (Arc::clone(&application.reload), application.audit());
    // The holder of credentials may be a person.
    let written = values.written();
    let written: String = written.split_inclusive('\n').filter(|line| !line.contains(".ruc = ")).collect();
    note(&*audit, "server.start", written).await;
    tokio::spawn(async move {
        let mut running = Running::new(values);
        while hangup.recv().await.is_some() {
            if let Some(applied) = running.reload(&reload) {
                note(&*audit, "settings.reload", applied).await;
            }
        }
    });
    application.run_until(stop).await
}

/// A server works without its line.
async fn note(audit: &dyn Audit, action: &'static str, after: String) {
    let object = format!("kuraka {}", env!("CARGO_PKG_VERSION"));
    let after = Some(after.chars().take(MAX_CHARS).collect());
    let line = NewAuditLine { action, object, after, ..NewAuditLine::default() };
    if let Err(error) = audit.add_line(&line, &Origin::default()).await {
        tracing::warn!(action, cause = logs::chain(&error), "an event is not audited");
    }
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
