//! Events as clients receive them.

use serde::Serialize;

use super::event::{Cause, Event, EventKind, LinkName};
use super::id::ObjectId;
use super::time::Timestamp;

/// An event. The first five fields are always present. The other fields depend on the type of the event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventView {
    /// Id of the event. It stays the same if the event is sent again.
    id: String,
    /// Type of the event.
    #[serde(rename = "type")]
    kind: &'static str,
    /// When the event happened.
    at: Timestamp,
    /// The investigation that the event is about.
    investigation_id: ObjectId,
    /// Revision of the investigation after the event; for a deleted investigation, its last revision.
    revision: u64,
    /// For `investigation.created`: the investigation that the new one was cloned from, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    cloned_from: Option<ObjectId>,
    /// For `investigation.updated`: the cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<Cause>,
    /// For `investigation.updated`: the resulting version. For `investigation.version_named`: the version whose name
    /// changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
    /// For `investigation.updated`: names of changed top-level fields, see `moreFields`. For `link.changed`: names of
    /// the changed properties of the link, such as `maxVisits`.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_fields: Option<Vec<String>>,
    /// For `investigation.updated`: true if `changedFields` lacks names that did not fit. Otherwise omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    more_fields: Option<bool>,
    /// For `investigation.status_changed`: the status before the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'static str>,
    /// For `investigation.status_changed`: the status after the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'static str>,
    /// For `investigation.contradictions_found`: number of new contradictions. For `link.visits`: number of visits on
    /// the day.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    /// For `investigation.contradictions_found` and `investigation.contradictions`: number of contradictions after the
    /// change.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
    /// For `investigation.editors_changed`: the editors after the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    editors: Option<Vec<ObjectId>>,
    /// For `investigation.finding_dismissed` and `investigation.dismissal_removed`: id of the dismissal.
    #[serde(skip_serializing_if = "Option::is_none")]
    dismissal_id: Option<ObjectId>,
    /// For `investigation.contradictions`: number of hints after the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    hints: Option<usize>,
    /// For `investigation.contradictions`: whether a rule or the language model failed, so that there may be more
    /// contradictions and hints.
    #[serde(skip_serializing_if = "Option::is_none")]
    incomplete: Option<bool>,
    /// For events about links: the first part of the link's address.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// For events about links: the second part of the link's address.
    #[serde(skip_serializing_if = "Option::is_none")]
    sub_link: Option<String>,
    /// For `link.visits`: the day in UTC, `YYYY-MM-DD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    day: Option<String>,
}

impl Event {
    /// Returns the event as clients receive it.
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
                (view.by, view.version) = (Some(*by), Some(*version));
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
            EventKind::VersionNamed { version } => view.version = Some(*version),
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
