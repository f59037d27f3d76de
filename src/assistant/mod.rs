//! The assistant: finds where a document contradicts itself, resolves that, and regenerates fields from one.
//!
//! Built in are the consistency rules of the schema. They are pure functions of the content, so their findings
//! can be worked out again at any time and are the same for the same content. A language model may stand beside them.

pub mod cel;
pub mod edit;
pub mod expression;
pub mod facts;
pub mod lint;
pub mod mend;
pub mod meter;
pub mod model;
pub mod rules;
pub mod source;

use crate::domain::content::Content;
use crate::domain::finding::Findings;
use crate::domain::schema::Schema;
use model::Model;
use rules::{Check, RuleError, Rules};

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

    /// Everything in which `content` contradicts itself, as far as rules can tell.
    pub fn detect(&self, content: &Content) -> Findings {
        let found = self.rules.check(content, Check::Shown).found;
        let contradictions = found.into_iter().map(|found| found.finding).collect();
        Findings { contradictions, hints: Vec::new() }
    }
}
