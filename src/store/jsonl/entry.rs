//! An investigation in an export, and the validation of all its data.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::MoreRecords;
use crate::domain::chat::{Chat, ChatEntry};
use crate::domain::content::{self, Content};
use crate::domain::dismissal;
use crate::domain::finding::Findings;
use crate::domain::history::{VersionRecord, name_fault};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::json::MAX_COUNT;
use crate::domain::lineage::{self, LineageError};
use crate::domain::link;
use crate::domain::schema::Schema;
use crate::domain::size::{self, MAX_LIST, MAX_STORED, MAX_STORED_DEPTH};
use crate::store::row::{InvestigationRow, RECORDS_PER_COPY};
use crate::store::{FullCopy, RecordRow, VisitedLink, WholeInvestigation};

/// An investigation with everything that belongs to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub(super) document: Investigation,
    /// Version records, oldest first.
    records: Vec<VersionRecord>,
    chat: Option<ChatLine>,
    /// Links, oldest first.
    links: Vec<VisitedLink>,
    /// Whether the import finds the contradictions and computes the status, instead of taking both from the document.
    /// Another program that writes such a file cannot know them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    detect: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChatLine {
    #[serde(rename = "_id")]
    id: ObjectId,
    history: Vec<ChatEntry>,
}

impl Entry {
    /// Creates the entry of a stored investigation. `records` may contain only the first version records.
    pub fn of(
        document: Investigation,
        records: Vec<VersionRecord>,
        chat: Option<Chat>,
        links: Vec<VisitedLink>,
    ) -> Self {
        let chat = chat.map(|Chat { id, investigation_id: _, history }| ChatLine { id, history });
        Self { document, records, chat, links, detect: false }
    }

    /// Returns the entry with the findings of `detect` and the resulting status, if the file leaves them to the import.
    #[must_use]
    pub fn with_findings(self, detect: impl FnOnce(&Content) -> Findings, schema: &Schema) -> Self {
        if !self.detect {
            return self;
        }
        let findings = detect(&self.document.content);
        Self { document: self.document.with_findings(findings, schema), detect: false, ..self }
    }

    pub fn id(&self) -> ObjectId {
        self.document.id
    }

    pub fn document(&self) -> &Investigation {
        &self.document
    }

    pub(super) fn add(&mut self, more: MoreRecords) -> Result<(), String> {
        if more.of != self.document.id {
            return Err(format!(
                "has version records of the investigation {}, but follows the investigation {}",
                more.of, self.document.id
            ));
        }
        self.records.extend(more.records);
        Ok(())
    }

    /// Validates the investigation and all its data. Computes what exports omit, such as search words.
    ///
    /// # Errors
    /// What is wrong with the entry, as a phrase that follows the line number: `cannot be imported: …`.
    pub fn whole(self) -> Result<WholeInvestigation, String> {
        let Self { document, records, chat, links, detect: _ } = self;
        let id = document.id;
        check_revision(&document)?;
        check_editors(&document.editors)?;
        if let Some(fault) = dismissal::fault(&document.dismissals, &document.content) {
            return Err(format!("cannot be imported: its {fault}"));
        }
        check_links(id, &links)?;
        check_names(&records)?;
        let since_copy = since_copies(&records);
        let mut copies = Vec::new();
        lineage::walk(&document, &records, |version, content| {
            let text = checked_text(content)
                .map_err(|fault| LineageError(format!("has the version {version}, which {fault}")))?;
            let is_copied = match version.checked_sub(1) {
                None => !records.is_empty(),
                Some(place) => usize::try_from(place).ok().and_then(|place| since_copy.get(place)) == Some(&0),
            };
            if is_copied {
                copies.push(FullCopy { version, content: text });
            }
            Ok(())
        })
        .map_err(|broken| format!("cannot be imported: its history {broken}"))?;
        copies.sort_by_key(|copy| copy.version);
        let records = records.into_iter().zip(since_copy).map(|(record, since_copy)| RecordRow { record, since_copy });
        Ok(WholeInvestigation {
            row: InvestigationRow::of(document).map_err(|error| format!("cannot be imported: {error}"))?,
            records: records.collect(),
            copies,
            chat: chat.map(|ChatLine { id: chat, history }| Chat { id: chat, investigation_id: id, history }),
            links,
        })
    }
}

/// Checks the range of the revision. Version numbers need no check here: each version must have a record in the file.
fn check_revision(document: &Investigation) -> Result<(), String> {
    match document.revision {
        1..=MAX_COUNT => Ok(()),
        revision => Err(format!("cannot be imported: its revision is {revision}, and must be from 1 to {MAX_COUNT}")),
    }
}

fn check_editors(editors: &[ObjectId]) -> Result<(), String> {
    if editors.len() > MAX_LIST {
        return Err(format!("cannot be imported: it has {} editors; at most {MAX_LIST} are allowed", editors.len()));
    }
    let mut known = HashSet::new();
    match editors.iter().find(|editor| !known.insert(**editor)) {
        Some(editor) => Err(format!("cannot be imported: its editor {editor} appears twice")),
        None => Ok(()),
    }
}

fn checked_text(content: &Content) -> Result<String, String> {
    if let Some(field) = content.keys().find(|field| content::is_system_field(field)) {
        return Err(format!("has the field {field} in its content, which the service sets itself"));
    }
    if size::depth(content) > MAX_STORED_DEPTH {
        return Err(format!("is nested deeper than {MAX_STORED_DEPTH} levels"));
    }
    let text = serde_json::to_string(content).map_err(|error| error.to_string())?;
    if text.len() > MAX_STORED {
        return Err(format!("takes {} bytes; at most {MAX_STORED} are allowed", text.len()));
    }
    Ok(text)
}

/// Returns, for each version record of an investigation, the number of versions since the last full copy of the content
/// ([`RecordRow::since_copy`]). `records` contains all records, oldest first.
fn since_copies(records: &[VersionRecord]) -> Vec<i64> {
    let mut since: Vec<i64> = Vec::with_capacity(records.len());
    for record in records {
        let place = record.parent.checked_sub(1).and_then(|place| usize::try_from(place).ok());
        let of_parent = place.and_then(|place| since.get(place)).copied().unwrap_or(0);
        since.push((of_parent + 1) % i64::from(RECORDS_PER_COPY));
    }
    since
}

fn check_names(records: &[VersionRecord]) -> Result<(), String> {
    let fault = records.iter().find_map(|record| Some((record.version, name_fault(record.name.as_deref()?)?)));
    fault.map_or(Ok(()), |(version, fault)| {
        Err(format!("cannot be imported: the name of its version {version} {fault}"))
    })
}

fn check_links(id: ObjectId, links: &[VisitedLink]) -> Result<(), String> {
    let mut names = HashSet::new();
    for VisitedLink { link, days } in links {
        let name = link.address();
        let refuse = |fault: String| Err(format!("cannot be imported: its link {name} {fault}"));
        if let Some(fault) = link::fault(link) {
            return refuse(fault);
        }
        if link.investigation_id != id {
            return refuse(format!("leads to {}", link.investigation_id));
        }
        if !names.insert((&link.key, &link.sub_link)) {
            return refuse("appears twice".to_owned());
        }
        let in_order = days.windows(2).all(|pair| matches!(pair, [one, next] if one.day < next.day));
        if !in_order || !days.iter().all(|day| link::is_day(&day.day) && day.count > 0) {
            return refuse("has days that are not in order or have no visits".to_owned());
        }
        let visits = days.iter().try_fold(0_u64, |sum, day| sum.checked_add(day.count));
        if visits.is_none_or(|visits| visits > link.visit_count) {
            return refuse(format!("has {} visits, fewer than the sum of its days", link.visit_count));
        }
    }
    Ok(())
}
