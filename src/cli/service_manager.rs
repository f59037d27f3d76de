//! Tells systemd that the service is ready, alive, or stopping. Without systemd, nothing happens.

use sd_notify::NotifyState;

/// Reports that the service is ready. If systemd watches the service, also reports from now on that it is alive, twice
/// in each interval of the watchdog.
pub fn ready() {
    send(NotifyState::Ready);
    if let Some(interval) = sd_notify::watchdog_enabled() {
        tokio::spawn(async move {
            let mut beats = tokio::time::interval(interval / 2);
            loop {
                beats.tick().await;
                send(NotifyState::Watchdog);
            }
        });
    }
}

pub fn stopping() {
    send(NotifyState::Stopping);
}

fn send(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "could not report the state of the service to systemd");
    }
}
