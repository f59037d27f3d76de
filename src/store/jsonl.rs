//! The lines of an export file (JSON Lines): converts the records of a store to lines and back.
//!
//! Derived data (full copies, sort keys, search words) is not exported, but computed again on import. Import rejects
//! data that the service could not have produced.

mod entry;
mod person;
mod picture;
mod trash;

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::StoreError;
use super::row::to_json;
use crate::domain::api_key::ApiKey;
use crate::domain::audit::AuditEntry;
use crate::domain::history::VersionRecord;
use crate::domain::id::ObjectId;
use crate::domain::json;
use crate::domain::size::MAX_STORED_DEPTH;
pub use entry::Entry;
pub use person::PersonLine;
pub use picture::PictureLine;
pub use trash::TrashLine;

/// Version of the export format that this program writes and reads.
pub const FORMAT_VERSION: u32 = 2;

/// Maximum number of version records in a line.
pub const RECORDS_PER_LINE: u32 = 1000;
/// Maximum total size of the version records in a line, in bytes. Only the JSON of their changes is included in this
/// size. A line with a single record may be larger.
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
    ApiKey(ApiKey),
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

/// Number of records of each kind in a file.
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
        // Pictures and passwords are mentioned only if there are some, because most exports have none.
        let pictures = if *pictures > 0 { format!(" {pictures} pictures,") } else { String::new() };
        let passwords = if *passwords > 0 { format!(" {passwords} passwords,") } else { String::new() };
        write!(
            f,
            "{investigations} investigations, {trashed} in the trash,{pictures} {people} people,{passwords} {api_keys} API keys, and {audit_entries} entries of the audit log"
        )
    }
}

/// The password hash (Argon2id) of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PasswordLine {
    pub person: ObjectId,
    #[serde(rename = "digest")]
    pub hash: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditLine {
    pub number: i64,
    pub entry: AuditEntry,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoreRecords {
    pub of: ObjectId,
    /// Version records, oldest first.
    pub records: Vec<VersionRecord>,
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
            // The program that wrote the file may know only the field `metadata.author`. Then the person in that field
            // also becomes the owner of the investigation, as when an investigation is created.
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
    /// What is wrong with the later line, as a phrase that follows its number: `has version records of …`.
    pub fn add(&mut self, more: MoreRecords) -> Result<(), String> {
        match self.entry() {
            Some(entry) => entry.add(more),
            None => Err("has version records, but the line before belongs to no investigation".to_owned()),
        }
    }
}

/// Returns whether two parts of an export have the same bytes.
pub fn equal<T: Serialize>(one: &T, other: &T) -> Result<bool, StoreError> {
    Ok(to_json(one)? == to_json(other)?)
}

/// Returns a hash of a part of an export.
pub fn digest(part: &impl Serialize) -> Result<u64, StoreError> {
    let mut hasher = DefaultHasher::new();
    to_json(part)?.hash(&mut hasher);
    Ok(hasher.finish())
}
