//! Reads a document into fields, and makes its pictures. Stores nothing.

use std::collections::HashMap;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use fieldbook_reader::{
    Block, Document, Fields, Filled, Picture, Places, Source, by_headings, fill, place_pictures, read,
};
use serde::Serialize;
use tokio::time::timeout;

use super::error::AuthoringError;
use crate::admission::{self, Actor, BusyError, Class, Permit, SMALL, WAIT};
use crate::app::App;
use crate::assistant::model::{Model, ModelError};
use crate::domain::content::Content;
use crate::domain::finding::source_of_model;
use crate::limits::AssistantRequest;
use crate::store::StoreError;

/// Who chooses the field of each block.
pub enum SplitBy {
    /// The language model, or the headings if there is none or it fails.
    Assistant,
    Headings,
    /// The caller.
    Places(Places),
}

/// A document that was read into fields.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Split {
    /// The content of the lesson. It is valid for creating an investigation.
    pub content: Content,
    pub blocks: Vec<SplitBlock>,
    /// Ids of the blocks that are in no field.
    pub not_placed: Vec<String>,
    pub notices: Vec<String>,
    pub split_by: String,
}

#[derive(Debug, Serialize)]
pub struct SplitBlock {
    #[serde(flatten)]
    pub block: Block,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<SplitPicture>,
}

/// A picture of a document, which can be stored once the lesson is created.
#[derive(Debug, Serialize)]
pub struct SplitPicture {
    /// Path of the content value for which the picture was chosen, such as `pictures` or `steps.2.picture`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Its caption in the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
    /// The converted picture. Omitted if the caller chose the fields, because the caller has the pictures from an
    /// earlier response.
    #[serde(flatten)]
    pub made: Option<Made>,
}

#[derive(Debug, Serialize)]
pub struct Made {
    /// The media type.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The file in Base64.
    pub data: String,
}

/// The field that was chosen for each block, and who chose the fields, as in `splitBy`.
struct Choice {
    fields: Vec<Option<String>>,
    by: String,
}

/// Reading even a small file can be expensive, so every file is treated as large.
const WORK: usize = fieldbook_reader::MAX_BYTES;

/// Maximum size of all pictures that are made, in bytes.
const MAX_MADE: usize = 4 * 1024 * 1024;

const HEADINGS: &str = "headings";

/// Reads the document into fields.
pub async fn split(app: &App, actor: Actor, source: Source<'_>, by: SplitBy) -> Result<Split, AuthoringError> {
    let fields = Fields::of(app.schema.document());
    let makes = !matches!(by, SplitBy::Places(_));
    let (mut document, mut made) = blocks(app, actor, source, makes).await?;
    let choice = match (by, app.assistant.model()) {
        (SplitBy::Places(places), _) => {
            let chosen = || places.apply(&mut document);
            Choice { fields: app.admission.core(actor, WORK).await.run(chosen), by: "place".to_owned() }
        }
        (SplitBy::Assistant, Some(model)) => match by_model(app, actor, model, &document, &fields).await? {
            Ok(places) => {
                let mut choices = places.apply(&mut document);
                place_pictures(&document, &fields, &mut choices);
                Choice { fields: choices, by: source_of_model(model.name()) }
            }
            Err(error) => {
                let chosen = app.admission.core(actor, WORK).await.run(|| by_headings(&document, &fields));
                let choice = Choice { fields: chosen, by: HEADINGS.into() };
                document
                    .notices
                    .push(format!("The assistant could not sort this: {error} It was sorted by its headings instead."));
                choice
            }
        },
        _ => {
            let chosen = app.admission.core(actor, WORK).await.run(|| by_headings(&document, &fields));
            Choice { fields: chosen, by: HEADINGS.into() }
        }
    };
    let refused = |content: &Content| {
        let violations = app.schema.violations(content);
        violations.into_iter().map(|violation| violation.path).collect()
    };
    let place = || fill(&document, &choice.fields, &fields, &refused);
    let filled = app.admission.core(actor, WORK).await.run(place);
    let Filled { content, blocks, not_placed, notices, mut pictures, mut captions, .. } = filled;
    let with_picture = |block: Block| {
        let (path, made) = (pictures.remove(&block.id), made.remove(&block.id));
        let caption = captions.remove(&block.id);
        let picture = (path.is_some() || made.is_some()).then_some(SplitPicture { path, caption, made });
        SplitBlock { block, picture }
    };
    let blocks = blocks.into_iter().map(with_picture).collect();
    Ok(Split { content, blocks, not_placed, notices, split_by: choice.by })
}

/// Reads a document. If `makes` is true, also makes its pictures, and returns them by the id of their block.
async fn blocks(
    app: &App,
    actor: Actor,
    source: Source<'_>,
    makes: bool,
) -> Result<(Document, HashMap<String, Made>), AuthoringError> {
    if source.text_bytes() > SMALL {
        admission::hold(Class::Heavy).await.map_err(StoreError::from)?;
    }
    let mut document = app.admission.core(actor, WORK).await.run(|| read(source))?;
    let made = if makes { make_pictures(app, actor, &mut document).await? } else { HashMap::new() };
    Ok((document, made))
}

/// Waits for a heavy permit, and then for the permit to decode a picture.
async fn turn(app: &App, actor: Actor) -> Result<Permit, AuthoringError> {
    admission::hold(Class::Heavy).await.map_err(StoreError::from)?;
    let taken = timeout(WAIT, app.admission.pictures.take(actor, 1)).await;
    Ok(taken.map_err(|_| StoreError::from(BusyError))?)
}

/// Makes the pictures of a document. Files that are not pictures or are too large are omitted, with a notice. Releases
/// the permit between two pictures, so that other callers can take turns.
async fn make_pictures(
    app: &App,
    actor: Actor,
    document: &mut Document,
) -> Result<HashMap<String, Made>, AuthoringError> {
    let mut made = HashMap::new();
    let (mut room, mut pixels) = (MAX_MADE, fieldbook_pictures::MAX_PIXELS_OF_DOCUMENT);
    for Picture { block, bytes } in &mut document.pictures {
        let file = std::mem::take(bytes);
        let turn = match turn(app, actor).await {
            Ok(turn) => turn,
            Err(_) if !made.is_empty() => {
                document.notices.push("The service is busy, so the other pictures are left out.".to_owned());
                break;
            }
            Err(busy) => return Err(busy),
        };
        let core = app.admission.core(actor, fieldbook_pictures::MAX_BYTES).await;
        let result: Result<Made, String> = core.run(|| {
            let size = fieldbook_pictures::pixels(&file).map_err(|error| error.to_string())?;
            pixels = pixels
                .checked_sub(size)
                .ok_or_else(|| "the pictures have more than 120 megapixels in total".to_owned())?;
            let picture = fieldbook_pictures::make(&file).map_err(|error| error.to_string())?;
            room =
                room.checked_sub(picture.bytes.len()).ok_or_else(|| "the pictures exceed 4 MiB in total".to_owned())?;
            Ok(Made { kind: picture.kind.media_type(), data: BASE64_STANDARD.encode(picture.bytes) })
        });
        drop((core, turn));
        match result {
            Ok(picture) => drop(made.insert(block.clone(), picture)),
            Err(why) => document.notices.push(left_out(&document.blocks, block, &why)),
        }
    }
    document.pictures.retain(|picture| made.contains_key(&picture.block));
    Ok(made)
}

fn left_out(blocks: &[Block], id: &str, why: &str) -> String {
    let alt = blocks.iter().find(|block| block.id == id).map_or("", |block| block.text.as_str());
    let name = if alt.is_empty() { "A picture".to_owned() } else { format!("The picture “{alt}”") };
    format!("{name} is left out: {why}.")
}

async fn by_model(
    app: &App,
    actor: Actor,
    model: &Model,
    document: &Document,
    fields: &Fields,
) -> Result<Result<Places, ModelError>, AuthoringError> {
    // Exchanges the permit to read documents for a permit to use the assistant, because other requests need the permit
    // to read documents while the model works.
    admission::without_waiting(admission::hold(Class::Assistant)).await.map_err(StoreError::from)?;
    AssistantRequest::by(actor).count(&app.limits)?;
    let model = model.for_one_operation(actor);
    let places = tokio::select! {
        places = model.split(&document.blocks, fields, &app.schema) => places,
        () = app.model_calls.cancelled() => return Err(AuthoringError::Stopping),
    };
    Ok(places)
}
