//! Reads versions, and builds the history of an investigation from them.

use fieldbook_domain::content::Content;
use fieldbook_domain::history::{self, Act, Kind, Step, VersionRecord};
use fieldbook_domain::investigation::Investigation;
use serde_json::Value;

use crate::document::{Converted, Document, Fate, REFERENCES, time};

#[derive(Debug)]
pub struct Version {
    number: Option<u64>,
    act: Act,
    with_ai: bool,
    /// The changed fields, with their values before and after the change.
    before: Content,
    after: Content,
}

pub fn read(document: &mut Document) -> Converted<Version> {
    document.set("_id", &Fate::Unneeded("versions are numbered"));
    let investigation_id = document.own_id(REFERENCES, "investigation")?;
    let number = document.take("version versionNumber number revision", Value::as_u64);
    let at = document.take("at createdAt timestamp date changedAt updatedAt", time);
    let at = at.unwrap_or_else(|| document.creation());
    let by = document.id("by updatedBy changedBy userId user author createdBy", "person");
    let with_ai = document.take("withAI isAI byAI", Value::as_bool).unwrap_or(false);
    let (before, after) = (document.content("before"), document.content("after"));
    if before == after {
        return Err("before and after do not differ".to_owned());
    }
    let act = Act { kind: Kind::Update, by, at };
    Ok((investigation_id, Version { number, act, with_ai, before, after }))
}

/// Returns the investigation with this history, and the version records. The error says why the versions are not a
/// consistent history.
pub fn history(
    current: &Investigation,
    mut versions: Vec<Version>,
) -> Result<(Investigation, Vec<VersionRecord>), String> {
    versions.sort_by_key(|version| (version.number, version.act.at));
    let mut content = current.content.clone();
    let mut contents = Vec::new();
    for version in versions.iter().rev() {
        let Version { act, before, after, .. } = version;
        let fits = after.iter().all(|(name, value)| content.get(name) == Some(value))
            && before.keys().all(|name| after.contains_key(name) || !content.contains_key(name));
        if !fits {
            return Err(format!("its version of {} does not match the content that follows", act.at));
        }
        contents.push(content.clone());
        content.retain(|name, _| before.contains_key(name) || !after.contains_key(name));
        content.extend(before.clone());
    }
    let mut investigation = Investigation { content, ..current.without_content() };
    let mut records = Vec::new();
    for (version, content) in versions.iter().zip(contents.into_iter().rev()) {
        if let Step::Record(mut record) = history::record(&investigation, &content, version.act) {
            record.with_ai = version.with_ai;
            let step = Step::Record(record.clone());
            records.push(record);
            investigation = Investigation { content, ..investigation.with_step(&step) };
        }
    }
    investigation.last_change_with_ai = current.last_change_with_ai;
    Ok((investigation, records))
}
