//! Opens what a command needs, runs it, and closes the store even if the command failed.

use super::parts::{app, open_store, runtime};
use crate::app::App;
use crate::settings::Settings;
use crate::store::Store;

/// Runs `work` with the store, which must exist.
pub fn with_store<T>(settings: &Settings, work: impl AsyncFnOnce(&Store) -> Result<T, String>) -> Result<T, String> {
    runtime()?.block_on(async {
        let store = open_store(settings).await?;
        let done = work(&store).await;
        store.close().await;
        done
    })
}

/// Runs `work` with all of the service. Creates the store if it is missing.
pub fn with_app<T>(settings: &Settings, work: impl AsyncFnOnce(&App) -> Result<T, String>) -> Result<T, String> {
    runtime()?.block_on(async {
        let app = app(settings).await?;
        let done = work(&app).await;
        app.store.close().await;
        done
    })
}
