//! Notifies systemd when the server is up, and regularly that its runtime works (`Type=notify`, `WatchdogSec=`).
//! Without `NOTIFY_SOCKET` nothing is sent.

use std::env;
use std::os::unix::net::UnixDatagram;
use std::time::Duration;

/// A line such as `READY=1`; see sd_notify(3).
pub(crate) fn notify(state: &str) {
    let Some(socket) = env::var_os("NOTIFY_SOCKET") else { return };
    let sent = UnixDatagram::unbound().and_then(|from| {
        from.set_nonblocking(true)?;
        from.send_to(state.as_bytes(), socket)
    });
    if let Err(error) = sent {
        tracing::warn!(%error, state, "systemd cannot be notified");
    }
}

/// Reports twice in the watchdog's time that this runtime makes progress.
pub(crate) fn start_watchdog() {
    let micros = env::var_os("WATCHDOG_USEC").and_then(|micros| micros.to_str()?.parse().ok());
    let Some(every) = micros.map(|micros| Duration::from_micros(micros) / 2).filter(|every| !every.is_zero()) else {
        return;
    };
    tokio::spawn(async move {
        let mut ticks = tokio::time::interval(every);
        loop {
            ticks.tick().await;
            notify("WATCHDOG=1");
        }
    });
}
