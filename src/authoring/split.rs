//! Reads a document into fields. Stores nothing.

use fieldbook_reader::{Block, Document, Fields, Filled, Places, Source, by_headings, fill, read};
use serde::Serialize;
use tokio::time::timeout;

use super::failure::Failure;
use crate::admission::{self, Busy, Class, SMALL, WAIT};
use crate::app::App;
use crate::assistant::model::{Model, ModelFailure};
use crate::domain::content::Content;
use crate::limits::{Actor, AssistantRequest};
use crate::store::StoreError;

/// What decides the field of each block.
pub enum SplitBy {
    /// The language model, or the headings if there is none or it fails.
    Assistant,
    Headings,
    /// The caller.
    Places(Places),
}

/// A document in fields.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Split {
    /// A valid creation.
    pub content: Content,
    pub blocks: Vec<Block>,
    /// Ids of the blocks that are in no field.
    pub not_placed: Vec<String>,
    pub notices: Vec<String>,
    pub split_by: String,
}

/// The choice of a field for each block, and what made it.
struct Choice {
    fields: Vec<Option<String>>,
    by: String,
}

/// Reading a small file can be much work, so it always counts as large.
const WORK: usize = fieldbook_reader::MAX_BYTES;

const HEADINGS: &str = "headings";

/// Returns the document in fields.
pub async fn split(app: &App, actor: Actor, source: Source<'_>, by: SplitBy) -> Result<Split, Failure> {
    let fields = Fields::of(app.schema.document());
    let mut document = blocks(app, actor, source).await?;
    let headings = || by_headings(&document, &fields);
    let choice = match (by, app.assistant.model()) {
        (SplitBy::Places(places), _) => {
            let chosen = || places.choices(document.blocks.len());
            Choice { fields: app.admission.core(actor, WORK).await.run(chosen), by: "place".to_owned() }
        }
        (SplitBy::Assistant, Some(model)) => match by_model(app, actor, model, &document, &fields).await? {
            Ok(fields) => Choice { fields, by: format!("model:{}", model.name()) },
            Err(failure) => {
                let choice =
                    Choice { fields: app.admission.core(actor, WORK).await.run(headings), by: HEADINGS.into() };
                document.notices.push(format!("The assistant did not sort this: {failure} The headings did."));
                choice
            }
        },
        _ => Choice { fields: app.admission.core(actor, WORK).await.run(headings), by: HEADINGS.into() },
    };
    let refused = |content: &Content| {
        let violations = app.schema.violations(content);
        violations.into_iter().map(|violation| violation.path).collect()
    };
    let place = || fill(&document, &choice.fields, &fields, &refused);
    let Filled { content, blocks, not_placed, notices, .. } = app.admission.core(actor, WORK).await.run(place);
    Ok(Split { content, blocks, not_placed, notices, split_by: choice.by })
}

/// Reads a document. A large one takes more memory than a heavy request may have, so large ones are read by turns.
async fn blocks(app: &App, actor: Actor, source: Source<'_>) -> Result<Document, Failure> {
    let is_large = source.text_bytes() > SMALL;
    let mut turn = None;
    if is_large {
        admission::hold(Class::Heavy).await.map_err(StoreError::from)?;
        let taken = timeout(WAIT, app.admission.files.take(actor, 1)).await;
        turn = Some(taken.map_err(|_| StoreError::from(Busy))?);
    }
    let mut document = app.admission.core(actor, WORK).await.run(|| read(source))?;
    drop(turn);
    let pictures = std::mem::take(&mut document.pictures).len();
    if pictures > 0 {
        document.notices.push(format!("Pictures that are not in the lesson: {pictures}."));
    }
    Ok(document)
}

async fn by_model(
    app: &App,
    actor: Actor,
    model: &Model,
    document: &Document,
    fields: &Fields,
) -> Result<Result<Vec<Option<String>>, ModelFailure>, Failure> {
    // The document was read with a permit that others need while the model is at work.
    admission::without_waiting(admission::hold(Class::Assistant)).await.map_err(StoreError::from)?;
    AssistantRequest::by(actor).count(&app.limits)?;
    let model = model.for_one_operation(actor);
    let places = tokio::select! {
        places = model.split(&document.blocks, fields, &app.schema) => places,
        () = app.questions.cancelled() => return Err(Failure::Stopping),
    };
    Ok(places.map(|places| places.choices(document.blocks.len())))
}
