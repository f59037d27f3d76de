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
pub mod quotes;
pub mod reads;
pub mod rules;
pub mod source;
#[cfg(test)]
mod tests;
pub mod text;

use serde_json::{Value, json};

use crate::domain::content::Content;
use crate::domain::finding::Findings;
use crate::domain::schema::Schema;
use model::Model;
use rules::{Check, Checked, Found, RuleError, Rules};
use text::Matchers;

/// What detects, resolves and regenerates.
pub struct Assistant {
    rules: Rules,
    matchers: Matchers,
    model: Option<Model>,
}

impl Assistant {
    /// The assistant for content of this schema.
    ///
    /// # Errors
    /// [`RuleError`] for a rule that cannot be used.
    pub fn for_schema(schema: &Schema) -> Result<Self, RuleError> {
        Ok(Self { rules: Rules::of(schema)?, matchers: Matchers::of(schema)?, model: None })
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

    /// Everything in which `content` contradicts itself, as far as rules and matchers can tell.
    pub fn detect(&self, content: &Content) -> Findings {
        let Checked { found, hints, .. } = self.check(content, Check::Shown);
        let findings = |found: Vec<Found>| found.into_iter().map(|found| found.finding).collect();
        Findings { contradictions: findings(found), hints: findings(hints) }
    }

    /// Does what the first detection of a process would wait for: the patterns of the matchers are compiled when they
    /// are asked for. Those of the rules are as soon as they are tried out.
    pub fn warm_up(&self) {
        let lesson = json!({
            "title": "Seed race (40 min)",
            "grade": 4,
            "curriculum": "NGSS 4-LS1-1",
            "phenomenon": "Some seeds grow faster than others.",
            "hypothesis": "If the water is warmer, the seeds will grow faster.",
            "objectives": ["Fifth graders will compare seeds in pairs.", "This lesson is done in one day."],
            "variables": {
                "independent": "water temperature",
                "dependent": "height",
                "controlled": ["the same kind of seed"],
            },
            "materials": [{"name": "seeds", "quantity": 10, "unit": "g"}, {"name": "cup", "quantity": 2}],
            "groupSize": 3,
            "durationMinutes": 40,
            "steps": [
                {"text": "Pour 20 ml of warm water into each of the two cups.", "minutes": 5},
                {"text": "Leave them overnight, as in step 1, then wait 5 minutes.", "minutes": 5},
            ],
            "safety": ["Do not taste the seeds."],
            "assessment": "The seeds in warmer water grew faster, as we predicted.",
        });
        if let Value::Object(lesson) = lesson {
            self.matchers.find(&lesson);
        }
    }

    /// What the rules find, and then what the matchers find beside it.
    fn check(&self, content: &Content, check: Check) -> Checked {
        let mut checked = self.rules.check(content, check);
        for text::Match { finding, mends, sure } in self.matchers.find(content) {
            let known = |found: &Found| found.finding.same_places(&finding);
            if checked.found.iter().any(known) {
                continue;
            }
            let list = if sure { &mut checked.found } else { &mut checked.hints };
            list.push(Found { finding, mends });
        }
        checked
    }
}
