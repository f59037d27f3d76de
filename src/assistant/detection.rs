//! The assistant, which consists of the rules and an optional language model. Detects contradictions with the rules.

use super::model::Model;
use super::rules::{Checked, Rules, shown};
use crate::domain::content::Content;
use crate::domain::finding::Findings;
use crate::domain::schema::{Schema, SchemaError};

pub struct Assistant {
    pub(super) rules: Rules,
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
