//! Checks the size, depth, loops and names of a CEL expression before it runs.
//!
//! Expressions are evaluated recursively, so anything that could overflow the stack is refused here. Time and memory
//! depend on the content and are limited at run time: see [`super::meter`].

use cel::common::ast::{CallExpr, EntryExpr, Expr, LiteralValue};
use cel::{Env, IdedExpr};

use super::expression::{Expression, Reads};
use super::functions::{PURE, is_function};
use super::input::Input;
use super::meter::Patterns;
use crate::assistant::facts::KINDS;
use crate::domain::path::FieldPath;

/// Maximum length of an expression, in bytes.
const MAX_LENGTH: usize = 2000;
/// Maximum nesting of expressions. Each operator in a chain counts as one level.
const MAX_DEPTH: usize = 64;
/// Maximum nesting of loops (`all`, `exists`, `map`, `filter`). Each level multiplies the cost.
const MAX_LOOPS: usize = 2;

/// CEL's own functions that rules may use.
const STANDARD: [&str; 12] =
    ["bool", "contains", "double", "dyn", "endsWith", "int", "matches", "size", "startsWith", "string", "type", "uint"];

/// Names of types that an expression may compare with, as in `type(self.grade) == string`.
const TYPES: [&str; 9] = ["bool", "bytes", "double", "int", "list", "map", "null_type", "string", "uint"];

/// Part of an expression that is not checked yet. It may use the variables in `bound`, and is inside of `loops` loops.
struct Waiting<'e> {
    expression: &'e IdedExpr,
    depth: usize,
    bound: Vec<&'e str>,
    loops: usize,
}

/// Checks and compiles the expression `text`, which may use only the variables in `known`. Parsing is recursive, so
/// callers need a large stack.
///
/// # Errors
/// Returns a message about what is wrong with the expression.
pub fn compile(env: &Env, text: &str, known: &[&str], patterns: &mut Patterns) -> Result<Expression, String> {
    if text.len() > MAX_LENGTH {
        return Err(format!("is longer than {MAX_LENGTH} bytes"));
    }
    let program = env.compile(text).map_err(|error| error.to_string())?;
    let reads = check(program.expression(), known)?;
    Expression::new(program.expression().clone(), reads, patterns)
}

/// Checks an expression and returns the fields that it reads, or a message about what is wrong.
fn check(root: &IdedExpr, known: &[&str]) -> Result<Reads, String> {
    let mut reads = Reads::default();
    let mut waiting = vec![Waiting { expression: root, depth: 1, bound: known.to_vec(), loops: 0 }];
    while let Some(Waiting { expression, depth, bound, loops }) = waiting.pop() {
        if depth > MAX_DEPTH {
            return Err(format!("is nested deeper than {MAX_DEPTH} levels"));
        }
        let (mut parts, mut inside, mut loops_inside) = (Vec::new(), bound.clone(), loops);
        match &expression.expr {
            Expr::Unspecified => return Err("has a part without effect".to_owned()),
            Expr::Literal(_) => {}
            Expr::Ident(name) if bound.contains(&name.as_str()) || TYPES.contains(&name.as_str()) => {
                reads.any |= name == "self";
            }
            Expr::Ident(name) => return Err(format!("knows no \"{name}\"; the document is \"self\"")),
            Expr::Call(call) => {
                // Names of operators, such as `_+_`, contain characters that a function name in an expression cannot
                // contain. A dot is not such a character, because `.name` is valid.
                let operator = call.func_name.contains(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'));
                match call.func_name.as_str() {
                    name if operator || STANDARD.contains(&name) => {}
                    name if is_function(name) => note_function(call, &mut reads),
                    name => return Err(format!("knows no function \"{name}\"")),
                }
                parts.extend(call.target.as_deref());
                parts.extend(&call.args);
            }
            Expr::Select(select) if matches!(&select.operand.expr, Expr::Ident(name) if name == "self") => {
                reads.inputs.insert(Input::Field(select.field.clone()));
            }
            Expr::Select(select) => parts.push(&*select.operand),
            Expr::List(list) => parts.extend(&list.elements),
            Expr::Map(map) => {
                for entry in &map.entries {
                    if let EntryExpr::MapEntry(entry) = &entry.expr {
                        parts.extend([&entry.key, &entry.value]);
                    }
                }
            }
            Expr::Struct(_) => return Err("must not build messages".to_owned()),
            Expr::Comprehension(looped) => {
                if loops == MAX_LOOPS {
                    return Err(format!("has more than {MAX_LOOPS} nested loops"));
                }
                waiting.push(Waiting { expression: &looped.iter_range, depth: depth + 1, bound, loops });
                parts.extend([&looped.accu_init, &looped.loop_cond, &looped.loop_step, &looped.result]);
                inside.extend([looped.iter_var.as_str(), looped.accu_var.as_str()]);
                inside.extend(looped.iter_var2.as_deref());
                loops_inside += 1;
            }
        }
        let around = |expression| Waiting { expression, depth: depth + 1, bound: inside.clone(), loops: loops_inside };
        waiting.extend(parts.into_iter().map(around));
    }
    Ok(reads)
}

/// Notes what a function of Fieldbook reads. A function that is not known here may read anything.
fn note_function(call: &CallExpr, reads: &mut Reads) {
    // The functions ignore a target, as in `'steps'.texts('title')`.
    let argument = call.args.first().and_then(|argument| match &argument.expr {
        Expr::Literal(LiteralValue::String(text)) => Some(text.inner()),
        _ => None,
    });
    match (call.func_name.as_str(), argument) {
        ("texts", Some(path)) => {
            reads.inputs.extend(FieldPath::parse(path).field().map(|field| Input::Field(field.to_owned())));
        }
        ("amountsOf", Some(list)) => drop(reads.inputs.insert(Input::Amounts(list.to_owned()))),
        (name, _) if KINDS.iter().any(|kind| kind.function == name) => {
            reads.inputs.insert(Input::Facts(name.to_owned()));
        }
        (name, _) => reads.computed |= !PURE.contains(&name),
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/rules/lint.rs"]
mod tests;
