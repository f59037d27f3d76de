//! What rules read of a document: of two documents that are alike in it they say the same.
//!
//! Their findings are kept by it, since most edits touch nothing that a rule reads. Where a rule may read anything,
//! nothing is kept.

use std::collections::BTreeSet;
use std::sync::Arc;

use cel::IdedExpr;
use cel::common::ast::{EntryExpr, Expr};
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::facts::StepReference;
use super::facts::asked::{self, Digest};
use crate::domain::content::Content;
use crate::domain::finding::Finding;
use crate::domain::path::FieldPath;

/// The function of rules that reads every text.
const REFERENCES: &str = "stepReferences";
/// What is kept takes about so many bytes.
const MOST: u64 = 2 * 1024 * 1024;
/// What is kept of one document takes about so many, and usually no more.
const USUAL: u64 = 256;

/// What is read of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reads {
    /// Whatever there is.
    anything: bool,
    /// The references to steps in all texts.
    references: bool,
    /// These top-level fields.
    fields: BTreeSet<String>,
}

impl Reads {
    /// What an expression reads.
    pub fn of(expression: &IdedExpr) -> Self {
        let mut reads = Self::default();
        reads.add_expression(expression);
        reads
    }

    /// Reads that too.
    pub fn add(&mut self, other: &Self) {
        self.anything |= other.anything;
        self.references |= other.references;
        self.fields.extend(other.fields.iter().cloned());
    }

    /// Reads the places of a pattern too.
    pub fn add_places(&mut self, pattern: &FieldPath) {
        match pattern.field() {
            Some(field) if field != "*" && !field.starts_with('-') => self.add_field(field),
            _ => self.anything = true,
        }
    }

    /// Whether the references to steps are read.
    pub fn references(&self) -> bool {
        self.references
    }

    fn add_field(&mut self, field: &str) {
        self.fields.insert(field.to_owned());
    }

    /// A loop may call its variable like the document: then more is taken for read than is.
    fn add_expression(&mut self, expression: &IdedExpr) {
        match &expression.expr {
            Expr::Unspecified | Expr::Literal(_) => {}
            Expr::Ident(name) => self.anything |= name == "self",
            Expr::Select(select) => match &select.operand.expr {
                Expr::Ident(name) if name == "self" => self.add_field(&select.field),
                _ => self.add_expression(&select.operand),
            },
            Expr::List(list) => list.elements.iter().for_each(|element| self.add_expression(element)),
            Expr::Map(map) => {
                for entry in &map.entries {
                    match &entry.expr {
                        EntryExpr::MapEntry(entry) => {
                            self.add_expression(&entry.key);
                            self.add_expression(&entry.value);
                        }
                        EntryExpr::StructField(_) => self.anything = true,
                    }
                }
            }
            Expr::Struct(_) => self.anything = true,
            Expr::Comprehension(looped) => {
                let parts =
                    [&looped.iter_range, &looped.accu_init, &looped.loop_cond, &looped.loop_step, &looped.result];
                parts.into_iter().for_each(|part| self.add_expression(part));
            }
            Expr::Call(call) => {
                self.references |= call.func_name == REFERENCES;
                call.target.iter().for_each(|target| self.add_expression(target));
                call.args.iter().for_each(|part| self.add_expression(part));
            }
        }
    }

    /// What tells apart documents that differ in what is read; `None` where that may be anything.
    pub fn digest(&self, content: &Content, references: &[StepReference]) -> Option<Digest> {
        if self.anything {
            return None;
        }
        let fields: Vec<_> =
            self.fields.iter().map(|field| (content.contains_key(field), content.get(field))).collect();
        let told = |told: &StepReference| {
            let StepReference { path, quote, number, digits, written } = told;
            (path.clone(), quote.clone(), *number, digits.clone(), written.clone())
        };
        let references: Vec<_> = references.iter().map(told).collect();
        Some(asked::digest(serde_json::to_vec(&(fields, references)).ok()?))
    }
}

/// Findings of rules, kept by what they were made of.
#[derive(Debug)]
pub struct Known(Cache<Digest, Arc<[Finding]>, Bytes>);

#[derive(Debug, Clone)]
struct Bytes;

impl Weighter<Digest, Arc<[Finding]>> for Bytes {
    fn weight(&self, _: &Digest, found: &Arc<[Finding]>) -> u64 {
        let evidence =
            |finding: &Finding| finding.evidence.iter().map(|e| 64 + e.field_path.len() + e.quote.len()).sum::<usize>();
        let words = |finding: &Finding| USUAL as usize + finding.reason.len() + evidence(finding);
        USUAL + found.iter().map(words).sum::<usize>() as u64
    }
}

impl Default for Known {
    fn default() -> Self {
        Self(Cache::with_weighter((MOST / USUAL) as usize, MOST, Bytes))
    }
}

impl Known {
    /// What was found where the same was read.
    pub fn get(&self, read: &Digest) -> Option<Arc<[Finding]>> {
        self.0.get(read)
    }

    /// Keeps what was found.
    pub fn keep(&self, read: Digest, found: Arc<[Finding]>) {
        self.0.insert(read, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assistant::meter;
    use serde_json::json;

    fn reads(text: &str) -> Reads {
        let env = meter::env().expect("an environment");
        Reads::of(env.compile(text).expect("an expression").expression())
    }

    #[test]
    fn what_an_expression_reads_is_known_before_it_is_run() {
        let fields = |text: &str| reads(text).fields.into_iter().collect::<Vec<_>>();
        assert_eq!(
            fields("has(self.a) && self.b.c > 1 ? [self.d] == [] : {'x': self.e}.x == self.f"),
            ["a", "b", "d", "e", "f"]
        );
        assert_eq!(fields("self.steps.all(s, has(s.minutes) && s.minutes < self.most)"), ["most", "steps"]);
        assert!(reads("size(stepReferences()) > 0").references && !reads("size(self.a) > 0").references);
        for anything in ["size(self) > 1", "self['a'] == 1", "self.a.all(x, x in self)", "[self].size() == 1"] {
            assert!(reads(anything).anything, "{anything}");
        }
    }

    #[test]
    fn documents_that_differ_in_what_is_read_are_told_apart() {
        let reads = reads("self.a == self.b");
        let digest = |content: serde_json::Value| {
            content.as_object().and_then(|content| reads.digest(content, &[])).expect("a digest")
        };
        assert_eq!(digest(json!({"a": 1, "c": 1})), digest(json!({"c": 2, "a": 1})));
        let others = [json!({"b": 1}), json!({"a": 1.0}), json!({"a": null}), json!({}), json!({"a": "1"})];
        for other in others {
            assert_ne!(digest(other), digest(json!({"a": 1})));
        }
        assert_ne!(digest(json!({"a": null})), digest(json!({})));
    }
}
