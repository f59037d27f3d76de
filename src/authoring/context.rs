//! The caller and the options of a change.

use crate::admission;
use crate::app::{App, Right};
use crate::domain::investigation::Expected;
use crate::domain::permission::Principal;
use crate::store::Stamp;

/// When the response to a change is sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RespondAfter {
    /// After the language model has read the content or has failed.
    #[default]
    Processed,
    /// As soon as the change is stored. The language model reads the content afterwards.
    Stored,
}

#[derive(Debug, Clone, Default)]
pub struct ChangeContext {
    pub caller: Principal,
    /// The right that the caller's credential gives; `None` for an anonymous caller and for the service itself.
    pub right: Option<Right>,
    /// The caller whose limits the work counts against.
    pub actor: admission::Actor,
    /// The revisions that may be changed, from the header `If-Match`.
    pub expected: Expected,
    /// When to respond, from the header `Prefer`.
    pub respond_after: RespondAfter,
    /// Whether the result is only returned, and not stored. A dry run includes the model's findings only if they are
    /// cached.
    pub dry_run: bool,
}

impl ChangeContext {
    pub(super) fn stamp(&self, app: &App) -> Stamp {
        Stamp { actor: self.caller.into(), at: app.clock.now() }
    }
}
