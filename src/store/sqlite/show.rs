//! Reads investigations for display, from the cache if it contains their current state.

use std::sync::{Arc, LazyLock};

use rusqlite::{Connection, OptionalExtension};

use super::investigations::load;
use super::{Sqlite, rows};
use crate::domain::content::RawContent;
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::store::StoreError;
use crate::store::document_cache::{DocumentCache, SharedInvestigation, State};

impl Sqlite {
    /// Returns an investigation in its current state for display.
    pub async fn show(&self, id: ObjectId) -> Result<Option<Arc<Investigation<RawContent>>>, StoreError> {
        self.readers
            .look_up(|connection| {
                static SQL: LazyLock<String> =
                    LazyLock::new(|| format!("SELECT {} FROM investigation i WHERE i.id = ?1", rows::STATE));
                let state = connection.prepare_cached(&SQL)?.query_row([id.to_string()], |row| rows::state(row, 0));
                let Some(state) = state.optional()? else { return Ok(None) };
                show(connection, &self.recent, id, state)
            })
            .await
    }
}

/// Returns the investigation from the cache if it is cached in this state. Otherwise reads and caches it.
pub(super) fn show(
    connection: &Connection,
    recent: &DocumentCache,
    id: ObjectId,
    state: State,
) -> Result<Option<SharedInvestigation>, rusqlite::Error> {
    if let Some(kept) = recent.get(id, state) {
        return Ok(Some(kept));
    }
    let shown = load(connection, id)?.map(Arc::new);
    shown.iter().for_each(|shown| recent.insert(shown, state));
    Ok(shown)
}
