//! What a language model proposes. It is looked at before it is taken; one that is not taken is asked for again,
//! with the reason, a few times.

use super::{Failure, processing};
use crate::app::App;
use crate::assistant::mend::{self, Mended};
use crate::assistant::model::{Model, ModelFailure, Proposal};
use crate::domain::change;
use crate::domain::chat::ChatEntry;
use crate::domain::content::{self, Content};
use crate::domain::finding::{Finding, Findings};

/// So many proposals are looked at.
const MAX_TRIES: usize = 3;
/// So many violations of the schema are told to the model.
const MAX_VIOLATIONS: usize = 5;

/// Makes the contradictions that touch `field` go: by the rules' own mends where they have some, else as the model
/// proposes. The message says what changed and why.
pub(super) async fn resolve(app: &App, model: &Model, content: &Content, field: &str) -> Result<Proposal, Failure> {
    let by_rules = app.assistant.detect(content);
    let (by_model, silence) = match processing::found(app, model, content).await {
        Ok(findings) => (findings, None),
        Err(failure) => (Findings::default(), Some(failure)),
    };
    let shown = by_rules.clone().joined(by_model.clone()).contradictions;
    let reasons: Vec<String> = shown.into_iter().filter(|f| f.touches(field)).map(|f| f.reason).collect();
    if reasons.is_empty() {
        if let Some(failure) = silence {
            return Err(Failure::Model(failure));
        }
        // What the rules hint at they may mend as well.
        let Mended { content, message } = app.assistant.resolve(content, field, &app.schema)?;
        return Ok(Proposal { content, message });
    }
    // A model that could be asked before is asked again: no mend may bring what it would find.
    let model_has_a_say = silence.is_none();
    let known = [by_rules.contradictions, by_model.contradictions].concat();
    let case = Case { app, model, content, field, known, model_has_a_say };

    let (mut best, mut left) = (content.clone(), case.touching(&case.known));
    if let Ok(mended) = app.assistant.resolve(content, field, &app.schema) {
        let after = case.contradictions(&mended.content).await?;
        if case.new_one(&after).is_none() {
            (best, left) = (mended.content, case.touching(&after));
        }
    }
    let mut refused = Vec::new();
    while !left.is_empty() && refused.len() < MAX_TRIES {
        let proposed = applied(model.resolve(&best, &app.schema, &left, field, &refused).await)?;
        let objection = match &proposed {
            Ok(proposal) => case.objection(&best, &left, &proposal.content).await?,
            Err(reason) => Some(reason.clone()),
        };
        match (proposed, objection) {
            (Ok(proposal), None) => (best, left) = (proposal.content, Vec::new()),
            (_, objection) => refused.extend(objection),
        }
    }
    if !left.is_empty() {
        return Err(not_taken(refused));
    }
    Ok(Proposal { message: mend::told(content, &best, &reasons), content: best })
}

/// Makes the other fields agree with `field`, which stays to the byte. From a field that says nothing, nothing follows.
pub(super) async fn regenerate(
    app: &App,
    model: &Model,
    content: &Content,
    chat: &[ChatEntry],
    field: &str,
) -> Result<Proposal, Failure> {
    let Some(kept) = content.get(field).filter(|value| !content::is_blank(value)) else {
        return Ok(Proposal { content: content.clone(), message: String::new() });
    };
    let mut refused = Vec::new();
    while refused.len() < MAX_TRIES {
        let proposed = applied(model.regenerate(content, &app.schema, field, chat, &refused).await)?;
        let checked = proposed.and_then(|proposal| {
            let stays = proposal.content.get(field).is_some_and(|value| change::same(value, kept));
            if stays { valid(app, content, proposal) } else { Err(format!("\"{field}\" must stay as it is.")) }
        });
        match checked {
            Ok(proposal) => return Ok(proposal),
            Err(reason) => refused.push(reason),
        }
    }
    Err(not_taken(refused))
}

/// Answers what a person said, with the fields changed that they asked to change.
pub(super) async fn converse(
    app: &App,
    model: &Model,
    content: &Content,
    chat: &[ChatEntry],
    said: &str,
) -> Result<Proposal, Failure> {
    let mut refused = Vec::new();
    while refused.len() < MAX_TRIES {
        let proposed = applied(model.converse(content, &app.schema, chat, said, &refused).await)?;
        match proposed.and_then(|proposal| valid(app, content, proposal)) {
            Ok(proposal) => return Ok(proposal),
            Err(reason) => refused.push(reason),
        }
    }
    Err(not_taken(refused))
}

/// A field whose contradictions are to go.
struct Case<'c> {
    app: &'c App,
    model: &'c Model,
    content: &'c Content,
    field: &'c str,
    /// All contradictions of the content as it stands.
    known: Vec<Finding>,
    /// Whether the model said what it finds in the content, and so is asked what it finds after a mend.
    model_has_a_say: bool,
}

impl Case<'_> {
    async fn contradictions(&self, content: &Content) -> Result<Vec<Finding>, Failure> {
        let mut found = self.app.assistant.detect(content).contradictions;
        if self.model_has_a_say {
            found.extend(processing::found(self.app, self.model, content).await?.contradictions);
        }
        Ok(found)
    }

    fn touching(&self, found: &[Finding]) -> Vec<Finding> {
        found.iter().filter(|finding| finding.touches(self.field)).cloned().collect()
    }

    fn new_one<'f>(&self, found: &'f [Finding]) -> Option<&'f Finding> {
        found.iter().find(|finding| !self.known.iter().any(|known| known.is_about_the_same_as(finding)))
    }

    /// Why `after` cannot be taken in place of `before`: those that are `left` must go, none may come,
    /// and no field may change but their sides.
    async fn objection(&self, before: &Content, left: &[Finding], after: &Content) -> Result<Option<String>, Failure> {
        let changed = changed_fields(before, after);
        if changed.is_empty() {
            return Ok(Some("It changes nothing.".to_owned()));
        }
        if let Some(stray) = changed.iter().find(|field| !left.iter().any(|finding| finding.touches(field))) {
            return Ok(Some(format!("\"{stray}\" is on neither side of the contradiction.")));
        }
        if let Some(violation) = violation(self.app, self.content, after) {
            return Ok(Some(violation));
        }
        let found = self.contradictions(after).await?;
        if let Some(stays) = found.iter().find(|finding| finding.touches(self.field)) {
            return Ok(Some(format!("\"{}\" is still contradicted: {}", self.field, stays.reason)));
        }
        Ok(self.new_one(&found).map(|new| format!("It brings another contradiction: {}", new.reason)))
    }
}

/// The names of the top-level fields that differ.
fn changed_fields<'c>(before: &'c Content, after: &'c Content) -> Vec<&'c str> {
    let differs = |field: &&String| match (before.get(*field), after.get(*field)) {
        (Some(one), Some(other)) => !change::same(one, other),
        _ => true,
    };
    let came = after.keys().filter(|field| !before.contains_key(*field));
    before.keys().filter(differs).chain(came).map(String::as_str).collect()
}

/// A proposal that could be applied, or the reason why not, which the model can make use of.
fn applied(proposed: Result<Proposal, ModelFailure>) -> Result<Result<Proposal, String>, ModelFailure> {
    match proposed {
        Ok(proposal) => Ok(Ok(proposal)),
        Err(ModelFailure::NotAllowed(reason)) => Ok(Err(reason)),
        Err(failure) => Err(failure),
    }
}

/// The proposal, if it breaks the schema in no new way.
fn valid(app: &App, before: &Content, proposal: Proposal) -> Result<Proposal, String> {
    match violation(app, before, &proposal.content) {
        None => Ok(proposal),
        Some(reason) => Err(reason),
    }
}

/// In which new ways `after` breaks the schema.
fn violation(app: &App, before: &Content, after: &Content) -> Option<String> {
    let violations = app.schema.violations_brought(before, after);
    let told: Vec<String> =
        violations.iter().take(MAX_VIOLATIONS).map(|v| format!("\"{}\" {}.", v.path, v.message)).collect();
    (!told.is_empty()).then(|| told.join(" "))
}

fn not_taken(refused: Vec<String>) -> Failure {
    Failure::NotTaken { tries: refused.len(), reason: refused.into_iter().next_back().unwrap_or_default() }
}
