//! Reads investigations.

use fieldbook_domain::finding::Findings;
use fieldbook_domain::investigation::Investigation;
use fieldbook_domain::size::MAX_LIST;
use fieldbook_domain::status::Status;
use serde_json::Value;

use crate::document::{Converted, Document, Fate, object_id, time};

const COMPUTED: &str = "contradictions hints contradictionsIncomplete contradictionsPending version revision";

pub fn read(document: &mut Document) -> Converted<Investigation> {
    let id = document.own_id("_id", "investigation")?;
    COMPUTED.split(' ').for_each(|field| document.set(field, &Fate::Unneeded("Fieldbook computes its own")));
    let new_ids = document.new_ids;
    let (author, metadata_author) = (document.id("author", "person"), document.id("metadata.author", "person"));
    let editors = |value: &Value| {
        let mut editors = Vec::new();
        for editor in value.as_array()? {
            let editor = object_id(editor, "person", new_ids)?;
            if !editors.contains(&editor) {
                editors.push(editor);
            }
        }
        (editors.len() <= MAX_LIST).then_some(editors)
    };
    let created_at = document.creation();
    let later = |value: &Value| time(value).filter(|time| *time >= created_at);
    let planned = document.get("status").and_then(planned);
    let named = |value: &Value| planned.or_else(|| value.as_str()?.parse().ok());
    let status = document.read("status", "a status, so the import computes one", named);
    if planned.is_some() {
        document.set("status", &Fate::Mapped);
    }
    let investigation = Investigation {
        id,
        status: status.unwrap_or(Status::DraftIncomplete),
        // If only one of `author` and `metadata.author` is known, it is the author.
        author: author.or(metadata_author),
        editors: document
            .read("editors", &format!("a list of at most {MAX_LIST} object identifiers"), editors)
            .unwrap_or_default(),
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

/// Returns the status for a name that the service before Fieldbook planned to use. All names of drafts become the same
/// status, because the import computes the right draft status.
fn planned(status: &Value) -> Option<Status> {
    match status.as_str()? {
        "draft" | "review_ready" | "needs_review" => Some(Status::DraftIncomplete),
        "in_progress" => Some(Status::InDevelopment),
        _ => None,
    }
}
