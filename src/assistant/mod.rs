//! The assistant: finds where a document contradicts itself, resolves that, and regenerates fields from one.
//!
//! Built in are the consistency rules of the schema. They are pure functions of the content, so their findings
//! can be worked out again at any time and are the same for the same content.

pub mod cel;
pub mod edit;
pub mod facts;
pub mod lint;
pub mod mend;
pub mod model;
pub mod rules;

use crate::domain::content::Content;
use crate::domain::finding::Findings;
use crate::domain::schema::Schema;
use rules::{Check, RuleError, Rules};

/// What detects, resolves and regenerates.
pub struct Assistant {
    rules: Rules,
}

impl Assistant {
    /// The assistant for content of this schema.
    ///
    /// # Errors
    /// [`RuleError`] for a rule that cannot be used.
    pub fn for_schema(schema: &Schema) -> Result<Self, RuleError> {
        Ok(Self { rules: Rules::of(schema)? })
    }

    /// Everything in which `content` contradicts itself.
    pub fn detect(&self, content: &Content) -> Findings {
        let contradictions = self.rules.check(content, Check::Shown).into_iter().map(|found| found.finding).collect();
        Findings { contradictions, hints: Vec::new() }
    }
}
