//! An event as clients receive it.

use serde::Serialize;
use utoipa::ToSchema;

use super::event::{Event, EventKind, LinkName};
use super::id::ObjectId;
use super::time::Timestamp;

/// An event for clients. Its type decides which fields follow the first five.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Event)]
pub struct EventView {
    /// Identifies the event; the same if it is sent again.
    id: String,
    /// `investigation.created`, `investigation.updated`, `investigation.status_changed`, `investigation.contradictions_found`,
    /// `investigation.contradictions`, `investigation.finding_dismissed`, `investigation.dismissal_removed`,
    /// `investigation.editors_changed`, `investigation.deleted`, `investigation.undeleted`, `link.created`, `link.changed`, `link.closed` or `link.visits`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// When it happened.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// The investigation that it happened to.
    #[schema(value_type = String)]
    investigation_id: ObjectId,
    /// The revision that the investigation has since then; of one that was deleted, its last.
    revision: u64,
    /// Created: the source, if it is a clone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    cloned_from: Option<ObjectId>,
    /// Updated: `update`, `resolve`, `regenerate`, `converse`, `restore`, `undo` or `redo`.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'static str>,
    /// Updated: the current version.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
    /// Updated: the changed top-level fields, or the first of them if there are very many. Link changed: the changed members.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_fields: Option<Vec<String>>,
    /// Updated: true if more fields changed than are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    more_fields: Option<bool>,
    /// Status changed: the status before.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'static str>,
    /// Status changed: the status now.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'static str>,
    /// Contradictions found: how many that were not there before. Link visits: the visits of the day.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    /// Contradictions found, and contradictions: the number of contradictions now.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
    /// Editors changed: the editors now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<String>>)]
    editors: Option<Vec<ObjectId>>,
    /// Finding dismissed, dismissal removed: the dismissal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    dismissal_id: Option<ObjectId>,
    /// Contradictions: the number of hints now.
    #[serde(skip_serializing_if = "Option::is_none")]
    hints: Option<usize>,
    /// Contradictions: whether a rule or the language model failed, so that there may be more.
    #[serde(skip_serializing_if = "Option::is_none")]
    incomplete: Option<bool>,
    /// Events of links: the first part of the link's address.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// Events of links: the second part of the link's address.
    #[serde(skip_serializing_if = "Option::is_none")]
    sub_link: Option<String>,
    /// Link visits: the day in UTC, `YYYY-MM-DD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    day: Option<String>,
}

impl Event {
    /// Returns the event for clients.
    pub fn view(&self) -> EventView {
        let Event { id, investigation_id, revision, what } = self;
        let mut view = EventView {
            id: id.to_string(),
            kind: what.name(),
            at: id.at,
            investigation_id: *investigation_id,
            revision: *revision,
            cloned_from: None,
            by: None,
            version: None,
            changed_fields: None,
            more_fields: None,
            from: None,
            to: None,
            count: None,
            total: None,
            editors: None,
            dismissal_id: None,
            hints: None,
            incomplete: None,
            key: None,
            sub_link: None,
            day: None,
        };
        match what {
            EventKind::Created { cloned_from } => view.cloned_from = *cloned_from,
            EventKind::Updated { by, version, fields, more } => {
                (view.by, view.version) = (Some(by.name()), Some(*version));
                (view.changed_fields, view.more_fields) = (Some(fields.clone()), more.then_some(true));
            }
            EventKind::StatusChanged { from, to } => (view.from, view.to) = (Some(from.name()), Some(to.name())),
            EventKind::ContradictionsFound { count, total } => {
                (view.count, view.total) = (Some(*count as u64), Some(*total));
            }
            EventKind::Contradictions { total, hints, incomplete } => {
                (view.total, view.hints, view.incomplete) = (Some(*total), Some(*hints), Some(*incomplete));
            }
            EventKind::FindingDismissed { dismissal_id } | EventKind::DismissalRemoved { dismissal_id } => {
                view.dismissal_id = Some(*dismissal_id);
            }
            EventKind::EditorsChanged { editors } => view.editors = Some(editors.clone()),
            EventKind::Deleted | EventKind::Undeleted => {}
            EventKind::LinkCreated(link) | EventKind::LinkClosed(link) => view.name(link),
            EventKind::LinkChanged { link, fields } => {
                view.name(link);
                view.changed_fields = Some(fields.clone());
            }
            EventKind::LinkVisits { link, day, count } => {
                view.name(link);
                (view.day, view.count) = (Some(day.clone()), Some(*count));
            }
        }
        view
    }
}

impl EventView {
    fn name(&mut self, LinkName { key, sub_link }: &LinkName) {
        (self.key, self.sub_link) = (Some(key.clone()), Some(sub_link.clone()));
    }
}
