//! Reads versions, and builds the history of an investigation from them.

use fieldbook_domain::content::Content;
use fieldbook_domain::history::{self, Act, Kind, Step, VersionRecord};
use fieldbook_domain::investigation::Investigation;
use fieldbook_domain::time::Timestamp;
use serde_json::Value;

use crate::document::{Converted, Document, Fate, REFERENCES, time};

#[derive(Debug)]
pub struct Version {
    number: Option<u64>,
    act: Act,
    with_ai: bool,
    /// The fields that changed, before the change; `None` if `content` is a copy of the whole content.
    before: Option<Content>,
    content: Content,
}

pub fn read(document: &mut Document) -> Converted<Version> {
    document.set("_id", &Fate::Unneeded("versions are numbered"));
    let investigation_id = document.own_id(REFERENCES, "investigation")?;
    let number = document.take("version versionNumber number revision", Value::as_u64);
    let at = document.take("at createdAt timestamp date changedAt updatedAt", time);
    let at = at.or(document.created_at).unwrap_or(Timestamp(0));
    let by = document.id("by updatedBy changedBy userId user author createdBy", "person");
    let with_ai = document.take("withAI isAI byAI", Value::as_bool).unwrap_or(false);
    let (before, content) = match document.find("snapshot data content document fullDocument state", Value::is_object) {
        Some(copy) => (None, document.content(copy)),
        None => (Some(document.content("before")), document.content("after")),
    };
    if before.as_ref().unwrap_or(&Content::new()) == &content {
        return Err("it has neither a change in before and after, nor a copy such as snapshot".to_owned());
    }
    let act = Act { kind: Kind::Update, by, at };
    Ok((investigation_id, Version { number, act, with_ai, before, content }))
}

/// Builds the history of an investigation. Returns the investigation with this history, and the version records. The
/// error says why the versions form no history.
pub fn history(
    current: &Investigation,
    mut versions: Vec<Version>,
) -> Result<(Investigation, Vec<VersionRecord>), String> {
    let is_numbered = versions.iter().all(|version| version.number.is_some());
    versions.sort_by_key(|version| (version.number.filter(|_| is_numbered), version.act.at));
    if is_numbered && versions.windows(2).any(|pair| matches!(pair, [one, next] if one.number == next.number)) {
        return Err("two versions of its investigation have the same number".to_owned());
    }
    let copies = versions.iter().filter(|version| version.before.is_none()).count();
    if copies > 0 && copies < versions.len() {
        return Err("some versions of its investigation are copies, and others changes".to_owned());
    }
    // Contents from the newest to the oldest, each with the change that led to it.
    let mut content = current.content.clone();
    let mut contents = Vec::new();
    let mut last = (Act { kind: Kind::Update, by: None, at: current.updated_at }, false);
    for Version { number, act, with_ai, before, content: after } in versions.into_iter().rev() {
        let change = (act, with_ai);
        if let Some(before) = before {
            let fits = after.iter().all(|(name, value)| content.get(name) == Some(value))
                && before.keys().all(|name| after.contains_key(name) || !content.contains_key(name));
            if !fits {
                let name = number.map_or_else(|| act.at.to_string(), |number| number.to_string());
                return Err(format!("the version {name} does not lead to the content that follows it"));
            }
            contents.push((content.clone(), change));
            content.retain(|name, _| before.contains_key(name) || !after.contains_key(name));
            content.extend(before);
        } else {
            // The newest copy usually equals the current content, so it is no change.
            if after != content {
                contents.push((content.clone(), last));
                content = history::in_order_of(&content, &after);
            }
            last = change;
        }
    }
    let mut investigation = Investigation { content, ..current.without_content() };
    let mut records = Vec::new();
    for (content, (act, with_ai)) in contents.into_iter().rev() {
        if let Step::Record(mut record) = history::record(&investigation, &content, act) {
            record.with_ai = with_ai;
            let step = Step::Record(record.clone());
            records.push(record);
            investigation = Investigation { content, ..investigation.with_step(&step) };
        }
    }
    investigation.last_change_with_ai = current.last_change_with_ai;
    Ok((investigation, records))
}
