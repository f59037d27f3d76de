//! `fieldbook person export`: writes everything that the store holds about one person, so that the operator can give it
//! to the person.

use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::domain::id::ObjectId;
use crate::store::jsonl::Line;
use crate::store::{ExportPart, Store};

/// Maximum number of parts of the export that wait to be processed.
const READ_AHEAD: usize = 2;

/// The lists in another author's investigation that may contain records which the person made. Each pair contains the
/// path of the list, and the path inside each record at which the id of the person who made the record is stored.
const PARTS: [(&str, &str); 3] = [("/records", "/by"), ("/document/dismissals", "/by"), ("/links", "/link/creator")];

/// Returns all data of a person as one JSON text. Reports parts that cannot be read on standard error.
pub async fn export(store: &Store, id: ObjectId) -> Result<String, String> {
    let (sender, mut parts) = mpsc::channel(READ_AHEAD);
    let mut found = Found::of(id);
    let look = async {
        while let Some(part) = parts.recv().await {
            match part {
                ExportPart::Line(line) => found.add(&line)?,
                ExportPart::Unreadable { what, reason, .. } => note!("{what} is left out, or a part of it: {reason}"),
            }
        }
        Ok::<_, String>(())
    };
    let (read, looked) = tokio::join!(store.export(sender, false), look);
    looked?;
    read.map_err(|error| error.to_string())?;
    found.end()
}

/// Returns whether `parts` contains anything in addition to the id of the investigation.
fn has_any(parts: &Value) -> bool {
    let is_empty = |part: &Value| part.as_array().is_some_and(Vec::is_empty) || part == &Value::Bool(false);
    parts.as_object().is_some_and(|parts| parts.iter().any(|(name, part)| name != "_id" && !is_empty(part)))
}

struct Found {
    id: String,
    person: Option<Value>,
    api_keys: Vec<Value>,
    /// Investigations whose author the person is, without what others wrote in their versions and chats.
    own: Vec<Value>,
    /// The person's actions in investigations of other authors.
    elsewhere: Vec<Value>,
    audit: Vec<Value>,
}

impl Found {
    fn of(id: ObjectId) -> Self {
        let (api_keys, own, elsewhere, audit) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { id: id.to_string(), person: None, api_keys, own, elsewhere, audit }
    }

    /// Collects the person's data from a line of an export.
    fn add(&mut self, line: &Line) -> Result<(), String> {
        let whole = serde_json::to_value(line).map_err(|e| format!("something cannot be written as JSON: {e}"))?;
        match line {
            Line::Person(_) if self.is_person(&whole["person"]["id"]) => self.person = Some(whole["person"].clone()),
            Line::ApiKey(_) if self.is_person(&whole["apiKey"]["user"]) => {
                let mut key = whole["apiKey"].clone();
                if let Some(key) = key.as_object_mut() {
                    key.remove("digest");
                }
                self.api_keys.push(key);
            }
            Line::Audit(_) if self.is_named_in(&whole["audit"]["entry"]) => {
                self.audit.push(whole["audit"]["entry"].clone())
            }
            Line::Investigation(_) => self.add_investigation(&whole["investigation"]),
            Line::Trash(_) => self.add_investigation(&whole["trash"]["investigation"]),
            Line::Records(_) => self.add_records(&whole["records"]),
            Line::Picture(_) => self.add_picture(&whole["picture"]),
            Line::Person(_)
            | Line::Password(_)
            | Line::ApiKey(_)
            | Line::Audit(_)
            | Line::Fieldbook(_)
            | Line::End(_) => {}
        }
        Ok(())
    }

    /// Adds a picture to the investigation that contains it, if the person is the author.
    fn add_picture(&mut self, picture: &Value) {
        let Some(own) = self.own.last_mut().filter(|own| own["document"]["_id"] == picture["of"]) else { return };
        match own["pictures"].as_array_mut() {
            Some(pictures) => pictures.push(picture.clone()),
            None => own["pictures"] = json!([picture]),
        }
    }

    fn add_investigation(&mut self, entry: &Value) {
        let document = &entry["document"];
        if self.is_person(&document["author"]) {
            let mut own = entry.clone();
            // Removes what the person did not write: findings, and the answers of the assistant.
            if let Some(document) = own["document"].as_object_mut() {
                document.remove("findings");
            }
            own["records"] = self.made_by_person(entry.get("records"), "/by");
            own["chat"] = self.turns(entry);
            self.own.push(own);
            return;
        }
        let mut parts = json!({
            "_id": document["_id"],
            "isEditor": self.is_named_in(&document["editors"]),
            "isMetadataAuthor": self.is_person(&document["metadataAuthor"]),
            "chat": self.turns(entry),
        });
        for (place, maker) in PARTS {
            let name = place.rsplit('/').next().unwrap_or_default();
            parts[name] = self.made_by_person(entry.pointer(place), maker);
        }
        if has_any(&parts) {
            parts["title"] = document["content"]["title"].clone();
        }
        self.keep_parts(parts);
    }

    /// Adds further version records to the last investigation.
    fn add_records(&mut self, more: &Value) {
        let of = &more["of"];
        let records = self.made_by_person(more.get("records"), "/by");
        if let Some(own) = self.own.last_mut().filter(|own| own["document"]["_id"] == *of) {
            if let (Some(all), Value::Array(more)) = (own["records"].as_array_mut(), records) {
                all.extend(more);
            }
            return;
        }
        self.keep_parts(json!({ "_id": of, "isEditor": false, "records": records }));
    }

    fn keep_parts(&mut self, parts: Value) {
        if has_any(&parts) {
            self.elsewhere.push(parts);
        }
    }

    /// Returns the elements of a list that the person made. `maker` is the path of the id of the person who made an
    /// element.
    fn made_by_person(&self, list: Option<&Value>, maker: &str) -> Value {
        let list = list.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        list.iter().filter(|one| one.pointer(maker).is_some_and(|by| self.is_person(by))).cloned().collect()
    }

    /// Returns what the person wrote to the assistant in the chat of an investigation. An imported chat may not say who
    /// wrote what.
    fn turns(&self, entry: &Value) -> Value {
        let made = self.made_by_person(entry.pointer("/chat/history"), "/user/by");
        made.as_array().into_iter().flatten().map(|turn| turn["user"].clone()).collect()
    }

    fn is_person(&self, value: &Value) -> bool {
        value.as_str() == Some(self.id.as_str())
    }

    fn is_named_in(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => *text == self.id,
            Value::Array(list) => list.iter().any(|one| self.is_named_in(one)),
            Value::Object(members) => members.values().any(|one| self.is_named_in(one)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }

    fn end(self) -> Result<String, String> {
        let Self { id, person, api_keys, own, elsewhere, audit } = self;
        let all = json!({
            "id": id,
            "person": person,
            "apiKeys": api_keys,
            "investigations": own,
            "investigationsOfOthers": elsewhere,
            "audit": audit,
        });
        serde_json::to_string(&all).map_err(|e| format!("something cannot be written as JSON: {e}"))
    }
}
