//! Runs consistency rules: CEL expressions in the schema under `x-rules`, similar to Kubernetes' validation rules.
//!
//! A rule is a condition that every document should meet. If a document does not meet it, the rule reports the values
//! that conflict and, if possible, a fix. With `each`, the rule is checked for every item of a list of facts, and its
//! expressions refer to the item as `it`.

pub mod cel;
mod context;
pub mod edit;
pub mod expression;
pub mod functions;
mod input;
pub mod lint;
pub mod meter;
mod passes;
pub mod quotes;
pub mod rule;
pub mod source;

use std::cell::LazyCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ::cel::Env;
use serde_json::Value;

use edit::Fix;
use expression::{Expression, Failure};
use input::Input;
use meter::{Meter, Patterns};
use passes::Passes;
use rule::{Rule, Run};

use crate::assistant::facts::{FactReader, Facts};
use crate::domain::content::Content;
use crate::domain::finding::Finding;
use crate::domain::sample::{names, sample};
use crate::domain::schema::Schema;

/// Stack size for parsing rules, in bytes. It is large, because the nesting depth is known only after parsing.
const READING_STACK: usize = 64 * 1024 * 1024;
/// Stack size for running rules, in bytes. Rules start with at least a quarter of it free, and even the deepest
/// expression needs only a fraction of that quarter.
const RUNNING_STACK: usize = 16 * 1024 * 1024;

/// All rules of a schema.
pub struct Rules {
    env: Arc<Env>,
    patterns: Arc<Patterns>,
    rules: Vec<Rule>,
    facts: FactReader,
    passes: Passes,
}

/// Error of a rule that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at {place}: {reason}")]
pub struct RuleError {
    /// Location in the schema, as a JSON Pointer.
    pub place: String,
    /// Problem at that location.
    pub reason: String,
}

impl RuleError {
    /// Creates an error for a location in the schema.
    pub fn at(place: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { place: place.into(), reason: reason.into() }
    }
}

/// A finding of a rule, with its fixes.
#[derive(Debug)]
pub struct RuleFinding {
    /// Finding, with the rule as its source.
    pub finding: Finding,
    /// Edits that should remove the finding. Empty with [`Check::Shown`].
    pub fixes: Vec<Fix>,
}

/// Result of running all rules on one document.
#[derive(Debug, Default)]
pub struct Checked {
    /// Contradictions that were found.
    pub found: Vec<RuleFinding>,
    /// Uncertain findings, which do not affect the status.
    pub hints: Vec<RuleFinding>,
    /// Ids of rules that failed or exceeded their budget.
    pub skipped: Vec<String>,
}

/// Purpose of a check, which determines how much is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// For display: a limited number of findings per rule, without fixes.
    Shown,
    /// For fixing: all findings with their fixes.
    WithFixes,
}

impl Rules {
    /// Reads the rules of a schema and tests them on an empty document and on a sample document.
    ///
    /// # Errors
    /// [`RuleError`] for the first rule that cannot be used.
    pub fn of(schema: &Schema) -> Result<Self, RuleError> {
        let none = Vec::new();
        let sources = match schema.document().get("x-rules") {
            None => &none,
            Some(Value::Array(sources)) => sources,
            Some(_) => return Err(RuleError::at("/x-rules", "must be an array of rules")),
        };
        let failed = |reason: String| RuleError::at("/x-rules", reason);
        let read = || {
            let env = Arc::new(meter::env().map_err(|error| failed(error.to_string()))?);
            let (rules, patterns) = source::read(&env, sources)?;
            let inputs = || rules.iter().flat_map(Rule::expressions).flat_map(Expression::inputs);
            let list = |input: &Input| if let Input::Amounts(list) = input { Some(list.clone()) } else { None };
            let calls = |name: &str| inputs().any(|input| matches!(input, Input::Facts(function) if function == name));
            let facts = FactReader::new(calls, inputs().filter_map(list).collect());
            let passes = Passes::new(&rules);
            let rules = Self { env, rules, facts, passes, patterns: Arc::new(patterns) };
            rules.dry_run(schema)?;
            Ok(rules)
        };
        on_a_stack_of(READING_STACK, read)
            .unwrap_or_else(|problem| Err(failed(format!("they cannot be read: {problem}"))))
    }

    /// Runs the rules on `content`. A rule that fails or exceeds its budget is skipped.
    pub fn check(&self, content: &Content, check: Check) -> Checked {
        if self.rules.is_empty() {
            return Checked::default();
        }
        let run = || {
            let facts = self.facts.read(content);
            let hashes = self.passes.hashes(&facts);
            let meter = Arc::new(Meter::new(self.patterns.clone()));
            let copy = LazyCell::new(|| Arc::new(content.clone()));
            let run = LazyCell::new(|| self.run(&copy, &facts, &meter, check));
            let mut checked = Checked::default();
            for (rule, hash) in self.rules.iter().zip(hashes) {
                let list = if rule.is_hint { &mut checked.hints } else { &mut checked.found };
                meter.next_rule();
                let outcome = match hash.and_then(|hash| self.passes.units.get(&hash)) {
                    Some(units) => meter.charge(units).ok().filter(|()| !meter.is_spent()).ok_or(Failure::Spent),
                    None => {
                        let found_before = list.len();
                        let outcome = rule.check(LazyCell::force(&run).as_ref().map_err(String::clone)?, list);
                        if let (Ok(()), Some(hash)) = (&outcome, hash)
                            && list.len() == found_before
                        {
                            self.passes.units.insert(hash, meter.spent());
                        }
                        outcome
                    }
                };
                if let Err(error) = outcome {
                    tracing::warn!(rule.id, %error, "a consistency rule failed for this content");
                    checked.skipped.push(rule.id.clone());
                }
            }
            Ok(checked)
        };
        on_a_stack_of(RUNNING_STACK, run).and_then(|result| result).unwrap_or_else(|error| {
            tracing::error!(error, "the consistency rules could not be run");
            Checked { skipped: self.rules.iter().map(|rule| rule.id.clone()).collect(), ..Checked::default() }
        })
    }

    /// Returns the number of rules that may read a top-level field.
    pub fn reading(&self, field: &str) -> usize {
        let reads = |rule: &&Rule| rule.expressions().any(|expression| expression.reads(field));
        self.rules.iter().filter(reads).count()
    }

    fn run<'c>(
        &self,
        content: &'c Arc<Content>,
        facts: &Facts,
        meter: &Arc<Meter>,
        check: Check,
    ) -> Result<Run<'c>, String> {
        let context = context::context(&self.env, content, facts, |field| self.reading(field) > 0, meter.clone())?;
        Ok(Run { context, meter: meter.clone(), content, check })
    }

    /// Runs every rule on an empty document, to find rules that fail if a field is missing. Then runs every expression
    /// on a sample with all fields of the schema, to find expressions that fail for its types.
    fn dry_run(&self, schema: &Schema) -> Result<(), RuleError> {
        let place = |index: usize| format!("/x-rules/{index}");
        let (empty, full) = (Arc::new(Content::new()), Arc::new(sample(schema.document())));
        for (content, is_empty) in [(&empty, true), (&full, false)] {
            let meter = Arc::new(Meter::new(self.patterns.clone()));
            let run = self.run(content, &self.facts.read(content), &meter, Check::WithFixes);
            let run = run.map_err(|reason| RuleError::at(place(0), reason))?;
            for (index, rule) in self.rules.iter().enumerate() {
                meter.next_rule();
                let tried = if is_empty { rule.check(&run, &mut Vec::new()) } else { rule.dry_run(&run) };
                let refused = |reason: String| Err(RuleError::at(place(index), reason));
                match tried {
                    Err(failure) if is_empty => {
                        return refused(format!("fails for an empty document: {failure}; guard it with \"when\""));
                    }
                    // The sample may lack members that the schema describes. A name that appears nowhere in the schema
                    // is a spelling mistake.
                    Err(Failure::Missing(name)) if names(schema.document(), &name) => {}
                    Err(failure @ (Failure::Types(_) | Failure::Missing(_) | Failure::Spent)) => {
                        return refused(format!("fails for a document with all fields of the schema: {failure}"));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// Runs `work` on the caller's stack if a quarter of `bytes` is free there, and otherwise on a new stack of `bytes`.
/// Returns an error if `work` panics.
fn on_a_stack_of<T>(bytes: usize, work: impl FnOnce() -> T) -> Result<T, String> {
    let work = AssertUnwindSafe(|| stacker::maybe_grow(bytes / 4, bytes, work));
    catch_unwind(work).map_err(|_| "it panicked".to_owned())
}
