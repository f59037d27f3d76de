//! Reads investigations.

use fieldbook_domain::finding::Findings;
use fieldbook_domain::investigation::Investigation;
use fieldbook_domain::status::Status;
use serde_json::Value;

use crate::document::{Converted, Document, Fate, object_id, time};

/// Fields of user accounts, which may also have a title or a grade, and of documents that belong to an investigation.
const FOREIGN: &str = "email username login password passwordHash hashedPassword salt googleId firstName lastName \
     displayName lastLogin investigationId investigation_id";

const COMPUTED: &str = "contradictions hints contradictionsIncomplete contradictionsPending version revision";

/// Names that the earlier service planned for statuses.
const PLANNED_STATUSES: [(&str, Status); 4] = [
    ("draft", Status::DraftIncomplete),
    ("review_ready", Status::DraftNonContradictoryComplete),
    ("needs_review", Status::DraftContradictoryComplete),
    ("in_progress", Status::InDevelopment),
];

pub fn read(document: &mut Document) -> Converted<Investigation> {
    let id = document.own_id("_id", "investigation")?;
    if let Some(name) = FOREIGN.split(' ').find(|name| document.get(name).is_some()) {
        return Err(format!("no investigation has {name}; if this is one, give {name} another name with --map"));
    }
    COMPUTED.split(' ').for_each(|field| document.set(field, &Fate::Unneeded("Fieldbook computes its own")));
    let new_ids = document.new_ids;
    let (author, metadata_author) = (document.id("author", "person"), document.id("metadata.author", "person"));
    let editors = |value: &Value| {
        let editors = value.as_array()?.iter();
        editors.map(|editor| object_id(editor, "person", new_ids)).collect::<Option<Vec<_>>>()
    };
    let created_at = document.creation();
    let later = |value: &Value| time(value).filter(|time| *time >= created_at);
    let planned = PLANNED_STATUSES.iter().find(|(name, _)| document.get("status").is_some_and(|value| value == name));
    if planned.is_some() {
        document.set("status", &Fate::Mapped);
    }
    let status = planned.map(|(_, status)| *status).or_else(|| {
        document.read("status", "a status, so the import computes one", |value| Status::from_name(value.as_str()?))
    });
    let investigation = Investigation {
        id,
        status: status.unwrap_or(Status::DraftIncomplete),
        // Where only one of the two is known, it is the author.
        author: author.or(metadata_author),
        editors: document.read("editors", "a list of object identifiers", editors).unwrap_or_default(),
        metadata_author,
        last_change_with_ai: document.read("lastChangeWithAI", "true or false", Value::as_bool).unwrap_or(false),
        findings: Findings::default(),
        dismissals: Vec::new(),
        version: 0,
        latest_version: 0,
        revision: 1,
        cloned_from: document.id("clonedFrom", "investigation"),
        created_at,
        updated_at: document.read("updatedAt", "a time after the creation", later).unwrap_or(created_at),
        content: document.content(""),
    };
    Ok((id, investigation))
}
