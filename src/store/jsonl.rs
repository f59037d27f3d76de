//! The lines of an export file (JSON Lines): converts what a store holds to lines and back.
//!
//! Derived data (full copies, sort keys, search words) is not exported, but computed again on import. Import rejects
//! data that the service could not have produced.

mod api_key;
mod person;
mod picture;
mod trash;

use std::collections::HashSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::row::{RECORDS_PER_COPY, Row, to_json};
use super::{FullCopy, InvestigationSnapshot, RecordRow, StoreError, VisitedLink};
use crate::domain::audit::AuditEntry;
use crate::domain::chat::{Chat, ChatEntry};
use crate::domain::content::{self, Content};
use crate::domain::dismissal;
use crate::domain::finding::Findings;
use crate::domain::history::{VersionRecord, name_fault};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::json::{self, MAX_COUNT};
use crate::domain::lineage::{self, LineageError};
use crate::domain::link;
use crate::domain::schema::Schema;
use crate::domain::size::{self, MAX_LIST, MAX_STORED, MAX_STORED_DEPTH};
pub use api_key::ApiKeyLine;
pub use person::PersonLine;
pub use picture::PictureLine;
pub use trash::TrashLine;

/// Version of the export format that this program writes and reads.
pub const FORMAT_VERSION: u32 = 2;

/// Maximum number of version records in a line.
pub const RECORDS_PER_LINE: u32 = 1000;
/// Maximum total size of the version records in a line, in bytes. Only their changes (as JSON) count. A line with a
/// single record may be larger.
pub const BYTES_PER_LINE: i64 = 4 * 1024 * 1024;

/// Number of nesting levels that a line may have around the content of an investigation.
const EXTRA_DEPTH: usize = 8;

/// A line of an export file. The lines have the order of these kinds. Within a kind, they have the order of ids or
/// numbers, so that the exports of equal stores are equal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Line {
    /// The first line, such as `{"fieldbook":{"form":2}}`.
    Fieldbook(Header),
    Investigation(Box<Entry>),
    /// More version records of the preceding investigation, which may be one in the trash.
    Records(MoreRecords),
    /// A picture of the preceding investigation, after its version records.
    Picture(PictureLine),
    Trash(Box<TrashLine>),
    Person(Box<PersonLine>),
    /// Only in exports that contain passwords.
    Password(PasswordLine),
    ApiKey(ApiKeyLine),
    Audit(AuditLine),
    /// The last line. A file without this line is incomplete.
    End(End),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Version of the export format, see [`FORMAT_VERSION`].
    #[serde(rename = "form")]
    pub format_version: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// Number of lines before this one.
    pub lines: u64,
}

/// How much of each kind a file has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub investigations: u64,
    pub trashed: u64,
    pub pictures: u64,
    pub people: u64,
    pub passwords: u64,
    pub api_keys: u64,
    pub audit_entries: u64,
}

impl Counts {
    pub fn count(&mut self, line: &Line) {
        match line {
            Line::Investigation(_) => self.investigations += 1,
            Line::Trash(_) => self.trashed += 1,
            Line::Picture(_) => self.pictures += 1,
            Line::Person(_) => self.people += 1,
            Line::Password(_) => self.passwords += 1,
            Line::ApiKey(_) => self.api_keys += 1,
            Line::Audit(_) => self.audit_entries += 1,
            Line::Fieldbook(_) | Line::Records(_) | Line::End(_) => {}
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { investigations, trashed, pictures, people, passwords, api_keys, audit_entries } = self;
        // Most exports have none.
        let pictures = if *pictures > 0 { format!(" {pictures} pictures,") } else { String::new() };
        let passwords = if *passwords > 0 { format!(" {passwords} passwords,") } else { String::new() };
        write!(
            f,
            "{investigations} investigations, {trashed} in the trash,{pictures} {people} people,{passwords} {api_keys} API keys, and {audit_entries} entries of the audit log"
        )
    }
}

/// The slow digest of the password of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PasswordLine {
    pub person: ObjectId,
    pub digest: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditLine {
    pub number: i64,
    pub entry: AuditEntry,
}

/// An investigation with everything that belongs to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    document: Investigation,
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
pub struct MoreRecords {
    pub of: ObjectId,
    /// Version records, oldest first.
    pub records: Vec<VersionRecord>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChatLine {
    #[serde(rename = "_id")]
    id: ObjectId,
    history: Vec<ChatEntry>,
}

impl Line {
    /// Parses a line of an export file.
    ///
    /// # Errors
    /// What is wrong with the line, as a phrase that follows the line number: `is not a line of an export: …`.
    pub fn read(text: &[u8]) -> Result<Self, String> {
        let value = json::parse_to_depth(text, MAX_STORED_DEPTH + EXTRA_DEPTH).map_err(|error| {
            let path = error.path.to_string();
            if path.is_empty() { format!("{}", error.kind) } else { format!("{path} {}", error.kind) }
        })?;
        let mut line: Self =
            serde_json::from_value(value).map_err(|error| format!("is not a line of an export: {error}"))?;
        if let Some(Entry { document, .. }) = line.entry() {
            // As in a new investigation. A program that wrote the file may know only one of the two.
            document.author = document.author.or(document.metadata_author);
        }
        Ok(line)
    }

    /// Returns the investigation of the line, which may be in the trash.
    fn entry(&mut self) -> Option<&mut Entry> {
        match self {
            Self::Investigation(entry) => Some(entry),
            Self::Trash(trash) => Some(&mut trash.investigation),
            _ => None,
        }
    }

    /// Adds the version records of a later line.
    ///
    /// # Errors
    /// What is wrong with the later line, as a phrase that follows its number: `has records of the investigation …`.
    pub fn add(&mut self, more: MoreRecords) -> Result<(), String> {
        match self.entry() {
            Some(entry) => entry.add(more),
            None => Err("has records without the investigation before".to_owned()),
        }
    }
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

    fn add(&mut self, more: MoreRecords) -> Result<(), String> {
        if more.of != self.document.id {
            return Err(format!(
                "has records of the investigation {}, and comes after that of {}",
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
    pub fn whole(self) -> Result<InvestigationSnapshot, String> {
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
        Ok(InvestigationSnapshot {
            row: Row::of(document).map_err(|error| format!("cannot be imported: {error}"))?,
            records: records.collect(),
            copies,
            chat: chat.map(|ChatLine { id: chat, history }| Chat { id: chat, investigation_id: id, history }),
            links,
        })
    }
}

/// Returns whether two parts of an export have the same bytes.
pub fn equal<T: Serialize>(one: &T, other: &T) -> Result<bool, StoreError> {
    Ok(to_json(one)? == to_json(other)?)
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

/// Returns [`RecordRow::since_copy`] for each of `records`: all version records of an investigation, oldest first.
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
            return refuse(format!("was visited {} times, fewer than its days say", link.visit_count));
        }
    }
    Ok(())
}
