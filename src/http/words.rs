//! The success and failure messages of operations.

use super::error::{ApiError, Wording};
use crate::app::App;
use crate::authoring::AuthoringError;

/// What an operation says about its success and about its failure. The layer that catches panics reads it, too.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    pub done: &'static str,
    pub failed: Wording,
}

impl Words {
    pub const fn fixed(done: &'static str, failed: &'static str) -> Self {
        Self { done, failed: Wording::Fixed(failed) }
    }

    pub const fn text(done: &'static str, failed: &'static str) -> Self {
        Self { done, failed: Wording::Text(failed) }
    }

    pub fn error(self, app: &App) -> impl Fn(AuthoringError) -> ApiError + use<> {
        let statuses = app.http.error_statuses;
        move |error| ApiError::per_contract(error, self.failed, statuses)
    }
}
