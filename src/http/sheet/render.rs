//! Puts a lesson sheet together, unless it was put together recently.

use std::collections::HashSet;
use std::sync::Arc;

use super::html::html;
use crate::admission::{self, Class};
use crate::app::{App, SheetKey};
use crate::authoring::Failure;
use crate::domain::content::ContentFields as _;
use crate::domain::lesson_sheet::Sheet;
use crate::limits::Actor;
use crate::store::StoreError;

/// Returns a sheet as HTML. Whoever asks for the same sheet gets the same rendering.
pub async fn rendered(app: &App, actor: Actor, key: SheetKey) -> Result<Arc<[u8]>, Failure> {
    if let Some(html) = app.sheets.get(&key) {
        return Ok(html);
    }
    let SheetKey { investigation, version, audience, .. } = key;
    // An earlier version is put together from its history.
    let class = if version.is_some() { Class::Heavy } else { Class::Light };
    admission::hold(class).await.map_err(StoreError::from)?;
    // Others may have rendered it meanwhile.
    if let Some(html) = app.sheets.get(&key) {
        return Ok(html);
    }
    let current = app.store.show(investigation).await?.ok_or(Failure::InvestigationNotFound)?;
    let (content, bytes) = match version {
        Some(version) if version != current.version => {
            let found = app.store.content_at(investigation, version).await?.flatten();
            let content = found.ok_or(Failure::VersionNotFound(version))?;
            let bytes = content.bytes();
            (Ok(content), bytes)
        }
        _ => {
            let bytes = current.content.bytes();
            let class = Class::of_document(bytes, current.content.memory());
            admission::hold(class).await.map_err(StoreError::from)?;
            (Err(current), bytes)
        }
    };
    let render = || {
        let content =
            content.or_else(|current| current.content.parse()).map_err(|error| StoreError::damaged(&error))?;
        let sheet = Sheet::of(&app.schema, &content, audience);
        Ok::<Arc<[u8]>, StoreError>(html(&sheet, &HashSet::new()))
    };
    let core = app.admission.core(actor, bytes).await;
    if let Some(html) = app.sheets.get(&key) {
        return Ok(html);
    }
    let html = core.run(render)?;
    app.sheets.keep(key, html.clone());
    Ok(html)
}
