//! Reads documents of MongoDB collections: investigations, their chats, links and versions.

use serde_json::{Map, Value};

use super::chats::{self, ChatPart};
use super::extended;
use super::field_map::FieldMap;
use super::links;
use super::members::{Account, Members, Outcome};
use super::values::{REFERENCES, object_id, time};
use super::versions::{self, Version};
use crate::assistant::Assistant;
use crate::domain::content::is_system_field;
use crate::domain::finding::Findings;
use crate::domain::id::ObjectId;
use crate::domain::investigation::{Investigation, NewInvestigation};
use crate::domain::json::{self, MAX_DEPTH};
use crate::domain::link::Link;
use crate::domain::schema::Schema;
use crate::domain::status::Status;

/// Additional levels of nesting that Extended JSON needs for dates and numbers.
const EXTRA_DEPTH: usize = 4;

/// System fields that only an investigation has.
const INVESTIGATION_FIELDS: &str = "lastChangeWithAI contradictions clonedFrom";

/// The fields in [`REFERENCES`] that always name an investigation.
const OWN_REFERENCES: &str = "investigationId investigation investigation_id";

/// Fields that user accounts have. An account may also have a title or a grade, but must never become an investigation.
const ACCOUNT_FIELDS: &str = "email username login password passwordHash hashedPassword salt googleId firstName \
     lastName displayName lastLogin";

/// Fields whose values the service computes itself.
const COMPUTED: &str = "__v version revision contradictions hints contradictionsIncomplete contradictionsPending";

/// Collections whose documents can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Investigation,
    Chat,
    Link,
    /// Earlier versions of investigations, as full copies or as changes.
    Version,
}

impl Kind {
    /// The kinds, with the names that the command line uses.
    pub const NAMES: [(&str, Self); 4] = [
        ("investigation", Self::Investigation),
        ("chat", Self::Chat),
        ("link", Self::Link),
        ("version", Self::Version),
    ];
}

/// A converted document of a collection.
#[derive(Debug)]
pub enum Document {
    /// An investigation.
    Investigation(Box<Investigation>),
    /// A chat of an investigation.
    Chat(ChatPart),
    /// A link to an investigation.
    Link(Link),
    /// A version of an investigation.
    Version(Version),
}

/// The result of reading a document.
pub struct Reading {
    /// The `_id` as text; empty if there is none.
    pub id: String,
    /// Counts of the members of the document.
    pub account: Account,
    /// The converted document, or why it is left out, as a phrase that follows the line number.
    pub document: Result<Document, String>,
}

/// Converter of MongoDB documents. It computes values that a document lacks, such as the contradictions.
pub struct Reader<'r> {
    /// Content schema, which determines the status of an investigation and the kind of a document.
    pub schema: &'r Schema,
    /// Assistant that detects the contradictions.
    pub assistant: &'r Assistant,
    /// Map that moves members to other paths, such as `data.name` to `title`.
    pub map: &'r FieldMap,
    /// Kind of all documents; `None` to detect the kind of each document from its fields.
    pub kind: Option<Kind>,
}

impl Reader<'_> {
    /// Converts a document, which is given as JSON.
    pub fn read(&self, text: &[u8]) -> Reading {
        let (mut id, mut account) = (String::new(), Account::default());
        let document = json::parse_to_depth(text, MAX_DEPTH + EXTRA_DEPTH).map_err(|refusal| {
            let path = refusal.path.to_string();
            if path.is_empty() { format!("{}", refusal.problem) } else { format!("{path} {}", refusal.problem) }
        });
        let document = document.and_then(|value| {
            account = Account::of(&value);
            let document = extended::plain_document(value, &mut account)?;
            let document = self.map.apply(document, &mut account)?;
            id = document
                .get("_id")
                .map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned))
                .unwrap_or_default();
            self.convert(document, &mut account)
        });
        Reading { id, account, document }
    }

    fn convert(&self, document: Map<String, Value>, account: &mut Account) -> Result<Document, String> {
        let kind = self.kind.map_or_else(|| self.kind_of(&document), Ok)?;
        let id = document.get("_id").and_then(object_id).ok_or("is left out: its _id is not an object identifier")?;
        let mut members = Members::of(document, account, "");
        if kind == Kind::Version {
            members.take_reported("_id", Outcome::Replaced, "the service numbers versions");
        } else {
            members.keep("_id");
        }
        members.reason = match kind {
            Kind::Investigation => "it is not kept of an investigation",
            Kind::Chat => "it is not a field of a chat",
            Kind::Link => "it is not a field of a link",
            Kind::Version => "it is not a field of a version",
        };
        match kind {
            Kind::Investigation => Ok(Document::Investigation(Box::new(self.investigation(id, members)))),
            Kind::Chat => chats::read(id, members).map(Document::Chat),
            Kind::Link => links::read(id, members).map(Document::Link),
            Kind::Version => versions::read(id, members).map(Document::Version),
        }
    }

    fn kind_of(&self, document: &Map<String, Value>) -> Result<Kind, String> {
        let properties = self.schema.document().get("properties").and_then(Value::as_object);
        let is_content = |name: &str| properties.is_some_and(|properties| properties.contains_key(name));
        let has = |names: &'static str| names.split(' ').find(|name| document.contains_key(*name) && !is_content(name));
        let fields = document.keys().filter(|name| is_content(name)).count();
        let turns = |fits: fn(&Value) -> bool| chats::TURNS.split(' ').any(|name| document.get(name).is_some_and(fits));
        let refers = has(if fields == 0 { REFERENCES } else { OWN_REFERENCES }).is_some();
        let words = if document.contains_key("key") && document.contains_key("subLink") {
            return Ok(Kind::Link);
        } else if refers && turns(Value::is_array) {
            return Ok(Kind::Chat);
        } else if refers && versions::is_version(document) {
            return Ok(Kind::Version);
        } else if let Some(name) = has(OWN_REFERENCES) {
            format!("it has the field {name}, and is no chat, link or version in a known form")
        } else if fields < 2 && turns(chats::has_turns) {
            "it is a chat, and does not name an investigation".to_owned()
        } else if let Some(name) = has(ACCOUNT_FIELDS) {
            format!("it has the field {name}, which user accounts have")
        } else if fields > 0 || has(INVESTIGATION_FIELDS).is_some() {
            return Ok(Kind::Investigation);
        } else {
            "it has no field of an investigation".to_owned()
        };
        Err(format!("is left out: {words}; import it with --as investigation if it is one"))
    }

    fn investigation(&self, id: ObjectId, mut members: Members<'_>) -> Investigation {
        let an_id = "an object identifier";
        let author = members.read("author", an_id, object_id);
        members.take_first("metadata", Value::is_null);
        let metadata = members.take_object("metadata", "only metadata.author is kept");
        let metadata_author = metadata.and_then(|mut metadata| metadata.read("author", an_id, object_id));
        let at = members.read("createdAt", "a time", time).unwrap_or_else(|| id.made_at());
        let updated_at = members.read("updatedAt", "a time after the creation", |v| time(v).filter(|t| *t >= at));
        let new = NewInvestigation {
            id,
            author,
            metadata_author,
            status: members.get("status").and_then(|status| Status::from_name(status.as_str()?)),
            cloned_from: members.read("clonedFrom", an_id, object_id),
            at,
        };
        let with_ai = members.read("lastChangeWithAI", "true or false", Value::as_bool);
        let editors = members.read("editors", "a list of object identifiers", |editors| {
            editors.as_array()?.iter().map(object_id).collect::<Option<Vec<_>>>()
        });
        for field in COMPUTED.split(' ') {
            members.take_reported(field, Outcome::Replaced, "the service computes it");
        }
        let content = members.take_matching(|field| !is_system_field(field), true);
        // An import does not ask a language model. The model will read the content after the next change.
        let findings = Findings { pending: false, ..self.assistant.detect(&content) };
        let mut investigation = Investigation::new(new, content, findings, self.schema);
        investigation.updated_at = updated_at.unwrap_or(at);
        investigation.last_change_with_ai = with_ai.unwrap_or(false);
        investigation.editors = editors.unwrap_or_default();
        match new.status {
            Some(status) if status != investigation.status => {
                members.take_reported("status", Outcome::Replaced, "the service computes it");
            }
            given => drop(members.read("status", "a status, so it is computed", |_| given)),
        }
        investigation
    }
}
