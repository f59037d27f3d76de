//! The assistant: finds contradictions in a document, resolves them, and regenerates fields from one.
//!
//! The schema's consistency rules are built in. They are pure functions of the content: their findings can be
//! recomputed at any time. A language model is optional.

pub mod facts;
pub mod fix;
pub mod model;
pub mod rules;
pub mod summary;

use crate::domain::content::Content;
use crate::domain::finding::Findings;
use crate::domain::schema::Schema;
use model::Model;
use rules::{Check, Checked, Found, RuleError, Rules};

/// Result of the assistant's work on a content.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The new content, or the old one if nothing changed.
    pub content: Content,
    /// The message for the chat. Empty for a regeneration, which has a fixed message.
    pub message: String,
    /// An explanation in addition to the message.
    pub explanation: Option<String>,
}

/// Detects and resolves contradictions, and regenerates fields.
pub struct Assistant {
    rules: Rules,
    model: Option<Model>,
}

impl Assistant {
    /// The assistant for content of this schema.
    ///
    /// # Errors
    /// [`RuleError`] for a rule that cannot be used.
    pub fn for_schema(schema: &Schema) -> Result<Self, RuleError> {
        Ok(Self { rules: Rules::of(schema)?, model: None })
    }

    /// Adds a language model.
    #[must_use]
    pub fn with_model(self, model: Option<Model>) -> Self {
        Self { model, ..self }
    }

    /// The language model, if any. It is slow and must be called outside of changes.
    pub fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    /// The contradictions that the rules find. A language model, if any, is yet to be asked.
    pub fn detect(&self, content: &Content) -> Findings {
        let Checked { found, hints, passed_over } = self.check(content, Check::Shown);
        let incomplete = !passed_over.is_empty();
        if incomplete {
            metrics::counter!("fieldbook_contradictions_incomplete_total", "cause" => "rule").increment(1);
        }
        let findings = |found: Vec<Found>| found.into_iter().map(|found| found.finding).collect();
        let pending = self.model.is_some();
        Findings { contradictions: findings(found), hints: findings(hints), incomplete, pending }
    }

    /// Number of rules that may read a top-level field.
    pub fn rules_that_read(&self, field: &str) -> usize {
        self.rules.reading(field)
    }

    fn check(&self, content: &Content, check: Check) -> Checked {
        self.rules.check(content, check)
    }
}
