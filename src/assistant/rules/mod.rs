//! Consistency rules, which check what can be counted or looked up. Each rule is a function in a separate file. It
//! reads the texts and fields of a document, and returns findings with their fixes.

mod built_in;
mod document;
mod duration_sum;
pub mod edit;
mod grade_code;
mod grade_code_near;
mod grade_name;
mod group_size;
mod lesson_length;
mod material_amount;
mod rule;
mod same_variable;
mod set;
mod step_reference;

pub use built_in::BUILT_IN;
pub use document::{Document, RuleError};
pub use rule::{Field, FieldKind, Level, NamedPattern, Rule, RuleFinding};
pub use set::{Checked, CheckedFinding, Rules, shown};

#[cfg(test)]
#[path = "../../../tests/unit/assistant/rules/mod.rs"]
mod tests;
