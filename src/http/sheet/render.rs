//! Puts a lesson sheet together, unless it was put together recently.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use zip::result::ZipResult;

use super::html::html;
use super::word::word;
use crate::admission::{self, Class};
use crate::app::{App, SheetKey};
use crate::authoring::Failure;
use crate::domain::content::ContentFields as _;
use crate::domain::lesson_sheet::Sheet;
use crate::limits::Actor;
use crate::store::StoreError;

/// Returns a sheet as HTML. Whoever asks for the same sheet gets the same rendering.
pub async fn rendered(app: &App, actor: Actor, key: SheetKey) -> Result<Arc<[u8]>, Failure> {
    let write = |sheet: &Sheet| {
        let html = html(sheet, &HashSet::new());
        app.sheets.keep(key, html.clone());
        html
    };
    written(app, actor, key, || app.sheets.get(&key), write).await
}

/// Returns a sheet as a Word document, and its title.
pub async fn document(app: &App, actor: Actor, key: SheetKey) -> Result<ZipResult<(String, Vec<u8>)>, Failure> {
    let write = |sheet: &Sheet| Ok((sheet.shown_title().to_owned(), word(sheet, &HashMap::new())?));
    written(app, actor, key, || None, write).await
}

/// Writes a sheet in some form, unless it is `known` by then.
async fn written<F>(
    app: &App,
    actor: Actor,
    key: SheetKey,
    known: impl Fn() -> Option<F>,
    write: impl FnOnce(&Sheet) -> F,
) -> Result<F, Failure> {
    if let Some(form) = known() {
        return Ok(form);
    }
    let SheetKey { investigation, version, audience, .. } = key;
    // An earlier version is put together from its history.
    let class = if version.is_some() { Class::Heavy } else { Class::Light };
    admission::hold(class).await.map_err(StoreError::from)?;
    // Others may have written it meanwhile.
    if let Some(form) = known() {
        return Ok(form);
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
    let write = || {
        let content =
            content.or_else(|current| current.content.parse()).map_err(|error| StoreError::damaged(&error))?;
        Ok::<F, StoreError>(write(&Sheet::of(&app.schema, &content, audience)))
    };
    let core = app.admission.core(actor, bytes).await;
    match known() {
        Some(form) => Ok(form),
        None => Ok(core.run(write)?),
    }
}
