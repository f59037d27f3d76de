//! Updates an investigation.

use serde_json::{Map, Value};

use super::change::{Decided, after_step, change, check_size};
use super::context::ChangeContext;
use super::error::{AuthoringError, refuse};
use super::load::Loaded;
use super::processing;
use crate::app::App;
use crate::domain::content;
use crate::domain::history::{self, Act, Kind, Step};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::permission::{self, Operation, Ownership};
use crate::domain::request::UpdateRequest;

pub async fn update(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
    body: Map<String, Value>,
) -> Result<Investigation, AuthoringError> {
    let update = UpdateRequest::read(body)?;
    let decide = |before: &Investigation, (): &()| decide(app, context, &update, before);
    let (changed, ()) = change(app, id, context, Loaded::nothing(content::bytes(&update.patch)), decide).await?;
    Ok(processing::process(app, changed, context).await)
}

fn decide(
    app: &App,
    context: &ChangeContext,
    update: &UpdateRequest,
    before: &Investigation,
) -> Result<Decided<()>, AuthoringError> {
    let mut content = update.apply(before.content.clone());
    check_size(&before.content, &content)?;
    refuse(app.schema.violations_introduced(&before.content, &mut content))?;
    let act = Act { kind: Kind::Update, by: context.caller.user, at: app.clock.now() };
    let start = Investigation { status: before.status.with_requested(update.status), ..before.without_content() };
    let settled = after_step(app, &start, &Step::Stay, content);
    let step = history::record_with_status(before, &settled.content, settled.status, act);
    let mut after = settled.with_step(&step);
    after.last_change_with_ai = false;
    after.metadata_author = before.metadata_author.or(update.metadata_author).or(context.caller.user);
    after.author = before.author.or(after.metadata_author);
    if let Some(editors) = update.editors.as_ref().filter(|editors| **editors != before.editors) {
        let ownership = Ownership { author: after.author, editors: &before.editors };
        permission::decide(context.caller, Operation::Own, Some(ownership), app.http.editing)?;
        after.editors.clone_from(editors);
    }
    Ok(Decided::step(after, step))
}
