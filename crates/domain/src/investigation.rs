//! The investigation: its content, its system fields, and the effect of a change on them.

use serde::{Deserialize, Serialize};

use super::change;
use super::content::{Content, ContentFields};
use super::dismissal::{self, Dismissal};
use super::finding::Findings;
use super::id::ObjectId;
use super::permission::Ownership;
use super::record::Step;
use super::schema::Schema;
use super::status::Status;
use super::time::Timestamp;

/// Maximum number of investigations that a user may have created, including those in the trash. Admins have no limit. A
/// search reads every investigation that it finds, so without a limit one user could delay the searches of others.
pub const MAX_CREATED: u64 = 20_000;

/// An investigation. `C` is the type of its content and findings: parsed, or stored JSON text. Export files and answers
/// stored for an `Idempotency-Key` contain the JSON of this type. Responses use
/// [`Document`](super::representation::Document) instead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Investigation<C: ContentFields = Content> {
    /// Id of the investigation.
    #[serde(rename = "_id")]
    pub id: ObjectId,
    /// Current status.
    pub status: Status,
    /// The author, who owns the investigation, if known.
    pub author: Option<ObjectId>,
    /// Other users who may change the investigation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub editors: Vec<ObjectId>,
    /// `metadata.author`: the user named as the original author, if known. Only `author` owns the investigation.
    pub metadata_author: Option<ObjectId>,
    /// Whether the assistant made the last change of the content.
    #[serde(rename = "lastChangeWithAI")]
    pub last_change_with_ai: bool,
    /// Findings in the content that no dismissal hides.
    pub findings: Findings<C::Findings>,
    /// Dismissed findings, oldest first, including dormant dismissals, which hide nothing because a value has changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dismissals: Vec<Dismissal>,
    /// Current version. Version 0 is the content before the first version record.
    pub version: u64,
    /// Highest version number, including undone versions.
    pub latest_version: u64,
    /// Number that increases with every stored change. It is the entity tag in HTTP.
    pub revision: u64,
    /// The investigation that this one was cloned from, if any.
    pub cloned_from: Option<ObjectId>,
    /// When the investigation was created.
    pub created_at: Timestamp,
    /// When a change was last stored.
    pub updated_at: Timestamp,
    /// The content.
    pub content: C,
}

/// Data for a new investigation, except its content.
#[derive(Debug, Clone, Copy)]
pub struct NewInvestigation {
    /// Id of the new investigation.
    pub id: ObjectId,
    /// The author, who owns the investigation, if known. If it is `None`, `metadata_author` becomes the author.
    pub author: Option<ObjectId>,
    /// `metadata.author`, if known.
    pub metadata_author: Option<ObjectId>,
    /// Status that a person asked for, if any.
    pub status: Option<Status>,
    /// The investigation that the new one is cloned from, if any.
    pub cloned_from: Option<ObjectId>,
    /// Creation time.
    pub at: Timestamp,
}

impl Investigation {
    /// Creates an investigation with this content and these findings, at revision 1 and version 0.
    pub fn new(birth: NewInvestigation, content: Content, findings: Findings, schema: &Schema) -> Self {
        let new = Self {
            id: birth.id,
            status: Status::DraftIncomplete.with_requested(birth.status),
            author: birth.author.or(birth.metadata_author),
            editors: Vec::new(),
            metadata_author: birth.metadata_author,
            last_change_with_ai: false,
            findings: Findings::default(),
            dismissals: Vec::new(),
            version: 0,
            latest_version: 0,
            revision: 1,
            cloned_from: birth.cloned_from,
            created_at: birth.at,
            updated_at: birth.at,
            content,
        };
        new.with_findings(findings, schema)
    }

    /// Returns the investigation after a change at the time `at`. It has the version after `step`, the new `content`,
    /// the `findings` in the new content that no dismissal hides, and the next revision.
    pub fn after(&self, step: &Step, content: Content, findings: Findings, schema: &Schema, at: Timestamp) -> Self {
        let mut next = Self { content, ..self.without_content() }.with_findings(findings, schema);
        next.revision += 1;
        // If the clock was set back, the time of the last change must not become earlier.
        next.updated_at = at.max(self.updated_at);
        next.with_step(step)
    }

    /// Applies `step` to the version numbers and to `last_change_with_ai`.
    #[must_use]
    pub fn with_step(mut self, step: &Step) -> Self {
        match step {
            Step::Stay | Step::Name { .. } => {}
            Step::Record(record) => {
                self.version = record.version;
                self.latest_version = record.version;
                self.last_change_with_ai = record.with_ai;
            }
            Step::Undo { to, with_ai, .. } | Step::Redo { to, with_ai } => {
                self.version = *to;
                self.last_change_with_ai = *with_ai;
            }
        }
        self
    }

    /// Returns the investigation without its content and findings.
    #[must_use]
    pub fn without_content(&self) -> Self {
        // Destructured, so that the compiler reports a new field that is not handled here.
        let Self {
            id,
            status,
            author,
            ref editors,
            metadata_author,
            last_change_with_ai,
            findings: _,
            ref dismissals,
            version,
            latest_version,
            revision,
            cloned_from,
            created_at,
            updated_at,
            content: _,
        } = *self;
        Self {
            id,
            status,
            author,
            editors: editors.clone(),
            metadata_author,
            last_change_with_ai,
            findings: Findings::default(),
            dismissals: dismissals.clone(),
            version,
            latest_version,
            revision,
            cloned_from,
            created_at,
            updated_at,
            content: Content::new(),
        }
    }

    /// Returns the investigation with the given findings, except those that a dismissal hides, and with the resulting
    /// status. Also updates which dismissals are dormant.
    #[must_use]
    pub fn with_findings(self, findings: Findings, schema: &Schema) -> Self {
        let dismissals = dismissal::for_content(self.dismissals, &self.content);
        let findings = dismissal::shown(&dismissals, findings);
        let status = self.status.after_processing(&self.content, &findings, schema);
        Self { status, findings, dismissals, ..self }
    }

    /// Returns whether this investigation and `other` are equal, ignoring the revision and the time of the last change.
    /// If so, there is nothing to store.
    pub fn equals_except_revision(&self, other: &Self) -> bool {
        let Self { revision, updated_at, .. } = *other;
        Self { revision, updated_at, ..self.without_content() } == other.without_content()
            && self.findings == other.findings
            && change::same_content(&self.content, &other.content)
    }
}

impl<C: ContentFields> Investigation<C> {
    /// Returns the author and the editors.
    pub fn ownership(&self) -> Ownership<'_> {
        Ownership { author: self.author, editors: &self.editors }
    }
}

/// Revisions that a change may be based on (`If-Match`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Expected {
    /// Any revision.
    #[default]
    Any,
    /// One of these revisions.
    Revisions(Vec<u64>),
}

impl Expected {
    /// Returns whether a change may be based on `revision`.
    pub fn allows(&self, revision: u64) -> bool {
        match self {
            Expected::Any => true,
            Expected::Revisions(revisions) => revisions.contains(&revision),
        }
    }
}
