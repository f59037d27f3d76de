//! The assistant: finds where a document contradicts itself, resolves that, and regenerates fields from one.
//!
//! Built in are the consistency rules of the schema. They are pure functions of the content, so their findings
//! can be worked out again at any time and are the same for the same content. A language model may stand beside them.

pub mod facts;
pub mod mend;
pub mod model;
pub mod rules;
pub mod summary;

use crate::domain::content::Content;
use crate::domain::finding::Findings;
use crate::domain::schema::Schema;
use model::Model;
use rules::{Check, Checked, Found, RuleError, Rules};

/// What the assistant made of a content.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The new content; the old one where nothing changed.
    pub content: Content,
    /// What it says in the chat. Empty for a regeneration, of which the service says the same each time.
    pub message: String,
    /// What it says about that beside the message, if anything.
    pub explanation: Option<String>,
}

/// What detects, resolves and regenerates.
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

    /// The same assistant with a language model beside the rules.
    #[must_use]
    pub fn with_model(self, model: Option<Model>) -> Self {
        Self { model, ..self }
    }

    /// The language model, where one is set up. It is slow: it is asked outside of any change.
    pub fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    /// Everything in which `content` contradicts itself, as far as the rules can tell: a language model, where there is
    /// one, is still to be asked.
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

    /// How many rules may read a top-level field.
    pub fn rules_that_read(&self, field: &str) -> usize {
        self.rules.reading(field)
    }

    fn check(&self, content: &Content, check: Check) -> Checked {
        self.rules.check(content, check)
    }
}
