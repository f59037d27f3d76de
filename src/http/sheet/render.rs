//! Renders a lesson sheet, unless it was rendered recently.

use std::collections::HashMap;
use std::sync::Arc;

use axum::body::Bytes;
use fieldbook_pictures::{Picture as StoredPicture, Type};
use zip::result::ZipResult;

use super::codes::Code;
use super::html::html;
use super::word::{self, word};
use crate::admission::{self, Actor, Class};
use crate::app::{App, SheetHtml, SheetKey};
use crate::authoring::AuthoringError;
use crate::domain::content::ContentFields as _;
use crate::domain::id::ObjectId;
use crate::domain::lesson_sheet::{MAX_SHEET, Picture, Sheet};
use crate::store::StoreError;

/// Maximum size of the pictures of a Word document, in bytes. Even with the largest sheet, the document stays below the
/// maximum size of a response.
const MAX_PICTURES: usize = 6 * 1024 * 1024;

/// Returns a sheet as a page. The addresses of its pictures begin with `before`, and end with the id and `after`.
pub async fn page(app: &App, actor: Actor, key: SheetKey, before: &str, after: &str) -> Result<Bytes, AuthoringError> {
    let sheet = rendered(app, actor, key).await?;
    // Removing a picture, or uploading it again, does not change the rendered sheet.
    let held = match sheet.pictures.is_empty() {
        true => HashMap::new(),
        false => app.store.pictures_of(key.investigation).await?,
    };
    Ok(sheet.page(&held, before, after))
}

/// Returns whether a sheet refers to a picture. The picture itself may be missing.
pub async fn shows(app: &App, actor: Actor, key: SheetKey, picture: &str) -> Result<bool, AuthoringError> {
    Ok(rendered(app, actor, key).await?.pictures.iter().any(|id| id == picture))
}

/// Returns a sheet as HTML. If another request renders the same sheet while this one waits for a permit, returns the
/// sheet of the other request.
async fn rendered(app: &App, actor: Actor, key: SheetKey) -> Result<Arc<SheetHtml>, AuthoringError> {
    let write = |sheet: Sheet| {
        let html = Arc::new(html(&sheet));
        app.sheets.keep(key, html.clone());
        html
    };
    written(app, actor, key, || app.sheets.get(&key), write).await
}

/// Returns a sheet as a Word document, and its title. The QR code of `link` is at the top.
pub async fn document(
    app: &App,
    actor: Actor,
    key: SheetKey,
    link: Option<Code>,
) -> Result<ZipResult<(String, Vec<u8>)>, AuthoringError> {
    let sheet = written(app, actor, key, || None, |sheet| sheet).await?;
    let stored = pictures(app, key.investigation, &sheet).await?;
    let held = stored.iter().map(|(id, stored)| (id.clone(), stored.as_ref().map(drawn))).collect();
    let bytes = stored.values().flatten().map(|picture| picture.bytes.len()).sum::<usize>();
    let core = app.admission.core(actor, MAX_SHEET + bytes).await;
    Ok(core.run(|| Ok((sheet.shown_title().to_owned(), word(&sheet, &held, link.as_ref())?))))
}

/// Returns the stored pictures of a sheet by id; `None` for pictures that are omitted because the document would be too
/// large.
async fn pictures(
    app: &App,
    investigation: ObjectId,
    sheet: &Sheet,
) -> Result<HashMap<String, Option<StoredPicture>>, AuthoringError> {
    let mut found = HashMap::new();
    let mut left = MAX_PICTURES;
    for Picture { id, .. } in sheet.pictures() {
        if found.contains_key(id) {
            continue;
        }
        if let Some(stored) = app.store.picture(investigation, id.clone()).await? {
            let room = left.checked_sub(stored.bytes.len());
            left = room.unwrap_or(left);
            found.insert(id.clone(), room.map(|_| stored));
        }
    }
    Ok(found)
}

fn drawn(picture: &StoredPicture) -> word::Picture<'_> {
    let StoredPicture { width, height, kind, ref bytes, .. } = *picture;
    word::Picture { bytes, is_png: kind == Type::Png, width, height }
}

/// Returns the result of `write` for a sheet. Does not call `write` if `known` returns a result, for example because
/// another request has rendered the sheet in the meantime.
async fn written<F>(
    app: &App,
    actor: Actor,
    key: SheetKey,
    known: impl Fn() -> Option<F>,
    write: impl FnOnce(Sheet) -> F,
) -> Result<F, AuthoringError> {
    if let Some(form) = known() {
        return Ok(form);
    }
    let SheetKey { investigation, version, audience, .. } = key;
    // An earlier version must be reconstructed from the history.
    let class = if version.is_some() { Class::Heavy } else { Class::Light };
    admission::hold(class).await.map_err(StoreError::from)?;
    // Another request may have rendered the sheet during the wait for the permit.
    if let Some(form) = known() {
        return Ok(form);
    }
    let current = app.store.show(investigation).await?.ok_or(AuthoringError::InvestigationNotFound)?;
    let (earlier, bytes) = match version {
        Some(version) if version != current.version => {
            let found = app.store.content_at(investigation, version).await?;
            let content = found.ok_or(AuthoringError::VersionNotFound(version))?;
            let bytes = content.bytes();
            (Some(content), bytes)
        }
        _ => {
            let bytes = current.content.bytes();
            let class = Class::of_document(bytes, current.content.memory());
            admission::hold(class).await.map_err(StoreError::from)?;
            (None, bytes)
        }
    };
    let write = || {
        let content = match earlier {
            Some(content) => content,
            None => current.content.parse().map_err(|error| StoreError::damaged(&error))?,
        };
        Ok::<F, StoreError>(write(Sheet::of(&app.schema, &content, audience)))
    };
    let core = app.admission.core(actor, bytes).await;
    match known() {
        Some(form) => Ok(form),
        None => Ok(core.run(write)?),
    }
}
