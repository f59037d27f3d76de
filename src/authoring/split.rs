//! Splits a pasted text into fields with the language model. Nothing is stored.

use super::failure::Failure;
use crate::app::App;
use crate::domain::placement::{self, Placed};
use crate::limits::{Actor, AssistantRequest};

/// Returns `text` sorted into fields. Requires a language model.
pub async fn split(app: &App, actor: Actor, text: &str) -> Result<Placed, Failure> {
    let model =
        app.assistant.model().ok_or(Failure::NoModel { operation: "Splitting a text" })?.for_one_operation(actor);
    AssistantRequest::by(actor).count(&app.limits)?;
    let split = tokio::select! {
        split = model.split(text, &app.schema) => split?,
        () = app.questions.cancelled() => return Err(Failure::Stopping),
    };
    let place = || placement::place(text, split.content, &split.headings, &app.schema);
    let placed = app.admission.core(actor, crate::admission::SMALL).await.run(place);
    match placed.content.is_empty() {
        true => Err(Failure::NoValidProposal { tries: 1, reason: "Nothing in it stands in the text.".to_owned() }),
        false => Ok(placed),
    }
}
