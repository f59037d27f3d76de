//! Reads versions of a MongoDB collection, and builds the history of an investigation from them. A version contains
//! either the values before and after a change, or a full copy of the content.

use serde_json::{Map, Value};

use super::members::{Members, Outcome};
use super::values::{object_id, take_reference, time};
use crate::domain::content::{Content, is_system_field};
use crate::domain::history::{self, Act, Kind, Step, VersionRecord};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;

const COPIES: &str = "snapshot data content document fullDocument state";
const NUMBERS: &str = "version versionNumber number revision";
const TIMES: &str = "at createdAt timestamp date changedAt updatedAt";
const AUTHORS: &str = "by updatedBy changedBy userId user author createdBy";

/// A version of an investigation.
#[derive(Debug)]
pub struct Version {
    pub investigation_id: ObjectId,
    number: Option<u64>,
    act: Act,
    with_ai: bool,
    state: State,
}

#[derive(Debug)]
enum State {
    Change { before: Content, after: Content },
    Copy(Content),
}

/// Returns whether a document contains a change (`before` and `after`) or a full copy of the content.
pub fn is_version(document: &Map<String, Value>) -> bool {
    let has = |name: &str| document.get(name).is_some_and(Value::is_object);
    has("before") && has("after") || COPIES.split(' ').any(has)
}

/// Reads a version. The error says why the version is left out, as a phrase that follows the line number.
pub fn read(id: ObjectId, mut members: Members<'_>) -> Result<Version, String> {
    members.take_reported("__v", Outcome::Replaced, "the service computes it");
    let investigation_id = take_reference(&mut members)?;
    let number = members.take_first(NUMBERS, Value::is_u64).as_ref().and_then(Value::as_u64);
    let at = members
        .take_first(TIMES, |value| time(value).is_some())
        .as_ref()
        .and_then(time)
        .unwrap_or_else(|| id.made_at());
    let by = members.take_first(AUTHORS, |value| object_id(value).is_some() || value.is_null());
    let act = Act { kind: Kind::Update, by: by.as_ref().and_then(object_id), at };
    let with_ai = members.take_first("withAI isAI byAI", Value::is_boolean) == Some(Value::Bool(true));
    let state = if let Some(field) = members.find(COPIES, Value::is_object) {
        members.note(
            field,
            "it is kept as a change since the copy before; of the oldest copy, author and time are not kept",
        );
        State::Copy(content(&mut members, field))
    } else {
        State::Change { before: content(&mut members, "before"), after: content(&mut members, "after") }
    };
    match &state {
        State::Change { before, after } if before == after => {
            Err("is left out: it has no change in a known form".to_owned())
        }
        State::Copy(copy) if copy.is_empty() => Err("is left out: its copy of the content is empty".to_owned()),
        _ => Ok(Version { investigation_id, number, act, with_ai, state }),
    }
}

fn content(members: &mut Members<'_>, field: &str) -> Content {
    if members.get(field).and_then(Value::as_object).is_some_and(Map::is_empty) {
        members.map(field);
    }
    let inside = members.take_object(field, "it is not content");
    inside
        .map(|mut inside| inside.take_matching(|name| !is_system_field(name) && name != "__v", false))
        .unwrap_or_default()
}

/// Builds the history of an investigation. Returns the investigation with this history, and the version records. The
/// error says why the versions form no history.
pub fn history(
    current: &Investigation,
    mut versions: Vec<Version>,
) -> Result<(Investigation, Vec<VersionRecord>), String> {
    let is_numbered = versions.iter().all(|version| version.number.is_some());
    versions.sort_by_key(|version| (version.number.filter(|_| is_numbered), version.act.at));
    let is_copies = |version: &Version| matches!(version.state, State::Copy(_));
    if is_numbered && versions.windows(2).any(|pair| pair.first().map(|v| v.number) == pair.last().map(|v| v.number)) {
        return Err("two versions of the investigation have the same number".to_owned());
    }
    if versions.iter().any(is_copies) && !versions.iter().all(is_copies) {
        return Err("some versions of the investigation are full copies, and others changes".to_owned());
    }
    // Contents from the newest to the oldest, each with the change that led to it.
    let mut content = current.content.clone();
    let mut contents = Vec::new();
    let mut last = (Act { kind: Kind::Update, by: None, at: current.updated_at }, false);
    for Version { number, act, with_ai, state, .. } in versions.into_iter().rev() {
        match state {
            State::Change { before, after } => {
                if !after.iter().all(|(name, value)| content.get(name) == Some(value))
                    || !before.keys().all(|name| after.contains_key(name) || !content.contains_key(name))
                {
                    let name = number.map_or_else(|| act.at.to_string(), |number| number.to_string());
                    return Err(format!("the version {name} does not lead to the content that follows it"));
                }
                contents.push((content.clone(), (act, with_ai)));
                content.retain(|name, _| before.contains_key(name) || !after.contains_key(name));
                content.extend(before);
            }
            State::Copy(copy) => {
                // The newest copy usually equals the current content, so it is no change.
                if copy != content {
                    contents.push((content.clone(), last));
                    content = history::in_order_of(&content, &copy);
                }
                last = (act, with_ai);
            }
        }
    }
    let mut investigation = Investigation { content, ..current.without_content() };
    let mut records = Vec::new();
    for (content, (act, with_ai)) in contents.into_iter().rev() {
        if let Step::Record(mut record) = history::record(&investigation, &content, act) {
            record.with_ai |= with_ai;
            let step = Step::Record(record.clone());
            records.push(record);
            investigation = Investigation { content, ..investigation.with_step(&step) };
        }
    }
    investigation.findings = current.findings.clone();
    investigation.last_change_with_ai = current.last_change_with_ai;
    Ok((investigation, records))
}
