//! The success and failure messages of operations.

use super::error::{ApiError, FailureMessage};
use crate::app::App;
use crate::authoring::AuthoringError;

/// The messages with which an operation reports success and failure. The layer that catches panics uses them, too.
#[derive(Debug, Clone, Copy)]
pub struct Messages {
    pub done: &'static str,
    pub failed: FailureMessage,
}

impl Messages {
    pub const fn fixed(done: &'static str, failed: &'static str) -> Self {
        Self { done, failed: FailureMessage::Fixed(failed) }
    }

    pub const fn text(done: &'static str, failed: &'static str) -> Self {
        Self { done, failed: FailureMessage::Text(failed) }
    }

    pub fn error(self, app: &App) -> impl Fn(AuthoringError) -> ApiError + use<> {
        let statuses = app.http.error_statuses;
        move |error| ApiError::per_contract(error, self.failed, statuses)
    }
}
