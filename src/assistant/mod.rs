//! Finds contradictions in a document, resolves them, and makes the other fields agree with one field.
//!
//! The consistency rules are pure functions of the content, so their findings can be recomputed at any time. A language
//! model is optional.

pub mod facts;
pub mod fix;
pub mod model;
pub mod rules;
pub mod summary;

use crate::domain::content::Content;
use crate::domain::finding::Findings;
use crate::domain::schema::{Schema, SchemaError};
use model::Model;
use rules::{Checked, Rules, shown};

/// Result of resolving contradictions, regenerating fields, or answering a chat message.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// New content, or the old content if nothing changed.
    pub content: Content,
    /// Message for the chat. Empty for a regeneration, whose chat message is always the same.
    pub message: String,
    /// More sentences for the author, such as what could not be resolved; `None` if there are none.
    pub explanation: Option<String>,
}

pub struct Assistant {
    rules: Rules,
    model: Option<Model>,
}

impl Assistant {
    /// Creates an assistant for content that follows `schema`, without a language model.
    pub fn for_schema(schema: &Schema) -> Result<Self, SchemaError> {
        Rules::of(schema).map(Self::with_rules)
    }

    pub fn with_rules(rules: Rules) -> Self {
        Self { rules, model: None }
    }

    #[must_use]
    pub fn with_model(self, model: Option<Model>) -> Self {
        Self { model, ..self }
    }

    /// Returns the language model, if any. Calls to the model are slow, so no transaction or lock may be held during a
    /// call.
    pub fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    /// Returns the findings of the rules. If a language model is set up, [`Findings::pending`] is true, because the
    /// model has not read the content yet.
    pub fn detect(&self, content: &Content) -> Findings {
        let Checked { contradictions, hints, failed } = self.rules.check(content);
        let incomplete = !failed.is_empty();
        if incomplete {
            metrics::counter!("fieldbook_contradictions_incomplete_total", "cause" => "rule").increment(1);
        }
        let pending = self.model.is_some();
        Findings { contradictions: shown(contradictions), hints: shown(hints), incomplete, pending }
    }

    pub fn rules(&self) -> &Rules {
        &self.rules
    }
}
