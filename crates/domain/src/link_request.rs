//! Reads the bodies of requests that create or change a link.

use serde_json::{Map, Value, json};

use super::event::EventKind;
use super::link::{Link, LinkOptions, Shows, description_fault, key_fault, max_visits_fault, name_fault};
use super::members::Members;
use super::schema::Violation;
use super::time::Timestamp;

/// A request to create a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkRequest {
    /// The key of the link.
    pub key: String,
    /// The sub-link; `None` to have the service generate it.
    pub sub_link: Option<String>,
    /// The author's note about the link.
    pub description: String,
    /// The other members of the request. An omitted member has its default.
    pub options: LinkOptions,
}

/// A request to change a link, in the form of a JSON Merge Patch. `None` leaves a member unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkChange {
    /// The new description.
    pub description: Option<String>,
    /// What the page of the link shows from now on: nothing, the handout or the lesson.
    pub shows: Option<Shows>,
    /// The version to show; the inner `None` means the current version.
    pub version: Option<Option<u64>>,
    /// The new expiry time; the inner `None` removes the expiry time.
    pub expires_at: Option<Option<Timestamp>>,
    /// The new visit limit; the inner `None` removes the visit limit.
    pub max_visits: Option<Option<u64>>,
    /// Whether the link is archived from now on.
    pub archived: Option<bool>,
}

/// Reads a whole number that is not negative. As in JSON Schema, `3.0` is 3. Returns `None` for other values.
fn whole_number(value: &Value) -> Option<u64> {
    let is_exact = |number: &f64| number.fract() == 0.0 && (0.0..=MAX_EXACT).contains(number);
    value.as_u64().or_else(|| value.as_f64().filter(is_exact).map(|number| number as u64))
}

/// The largest number, 2^53 - 1, up to which a double represents every whole number.
const MAX_EXACT: f64 = 9_007_199_254_740_991.0;

impl LinkRequest {
    /// Reads the body of a request to create a link.
    pub fn read(body: &Map<String, Value>) -> Result<Self, Vec<Violation>> {
        let mut members = Members::of(body);
        let key = members.text("key", key_fault);
        let sub_link = match members.get("subLink") {
            Some(Value::Null) => None,
            Some(Value::String(text)) if text.is_empty() => None,
            _ => members.text("subLink", name_fault),
        };
        let change = LinkChange::of(&mut members);
        members.require("key", key.is_some());
        members.require("description", change.description.is_some());
        members.refuse_others("a link");
        let mut options = LinkOptions::default();
        change.apply_to(&mut options);
        match (key, change.description) {
            (Some(key), Some(description)) if members.violations.is_empty() => {
                Ok(Self { key, sub_link, description, options })
            }
            _ => Err(members.violations),
        }
    }
}

impl LinkChange {
    /// Reads the body of a request to change a link.
    pub fn read(body: &Map<String, Value>) -> Result<Self, Vec<Violation>> {
        let mut members = Members::of(body);
        let change = Self::of(&mut members);
        members.refuse_others("a link");
        if members.violations.is_empty() { Ok(change) } else { Err(members.violations) }
    }

    fn of(members: &mut Members<'_>) -> Self {
        let shows = |value: &Value| value.as_str().and_then(|name| name.parse().ok());
        let moment = |value: &Value| value.as_str().and_then(Timestamp::from_rfc3339);
        let limit = |value: &Value| whole_number(value).filter(|most| max_visits_fault(*most).is_none());
        Self {
            description: members.text("description", description_fault),
            shows: members.value("shows", "must be \"nothing\", \"handout\" or \"lesson\"", shows),
            version: members.nullable("version", "must be the number of a version, or null", whole_number),
            expires_at: members.nullable(
                "expiresAt",
                "must be a time such as \"2026-11-30T12:00:00Z\", or null",
                moment,
            ),
            max_visits: members.nullable("maxVisits", "must be a whole number from 1, or null", limit),
            archived: members.value("archived", "must be true or false", Value::as_bool),
        }
    }

    /// Applies the change to `link`. Returns the names of the members that changed.
    pub fn apply(&self, link: &mut Link) -> Vec<String> {
        let before = json!(link);
        if let Some(description) = &self.description {
            link.description.clone_from(description);
        }
        self.apply_to(&mut link.options);
        let after = json!(link);
        let names = |of: &Value| of.as_object().into_iter().flat_map(Map::keys).cloned().collect::<Vec<_>>();
        // Members that the change removes are only in the JSON from before the change.
        let gone = names(&before).into_iter().filter(|name| after.get(name).is_none());
        names(&after).into_iter().chain(gone).filter(|name| before.get(name) != after.get(name)).collect()
    }

    /// Applies the change to `link` at the time `at`. Returns the events of the change; empty if nothing changed.
    pub fn events(&self, link: &mut Link, at: Timestamp) -> Vec<EventKind> {
        let was_open = !link.is_closed(at);
        let fields = self.apply(link);
        if fields.is_empty() {
            return Vec::new();
        }
        let closed = (was_open && link.is_closed(at)).then(|| EventKind::LinkClosed(link.name()));
        std::iter::once(EventKind::LinkChanged { link: link.name(), fields }).chain(closed).collect()
    }

    fn apply_to(&self, options: &mut LinkOptions) {
        options.shows = self.shows.unwrap_or(options.shows);
        options.version = self.version.unwrap_or(options.version);
        options.expires_at = self.expires_at.unwrap_or(options.expires_at);
        options.max_visits = self.max_visits.unwrap_or(options.max_visits);
        options.archived = self.archived.unwrap_or(options.archived);
    }
}
