//! Rewrites the expressions of rules so that every operation is charged before it runs; see [`super::meter`].
//!
//! Results stay the same: each operand is wrapped in a function that charges for the operand and returns it. Operators
//! that are not wrapped (conditionals, `&&`, `||`, member access) take constant time.

use std::collections::BTreeSet;

use cel::common::ast::{CallExpr, EntryExpr, Expr, LiteralValue, operators};
use cel::common::types::{CelBool, CelString};
use cel::common::value::CowVal;
use cel::{Context, ExecutionError, IdedExpr};

use super::functions::is_function;
use super::input::Input;
use super::meter::{AMONG, KEY, LOOP, MATCHES, METER, Meter, Patterns, SPENT, TOP, WHOLE};

/// Name of the variable in which CEL collects the result of a loop. No rule can use this name.
const RESULT: &str = "@result";
/// Maximum length of a reported error, in characters. Errors can contain values of any length.
const MAX_ERROR: usize = 300;
/// Maximum length of a computed message or suggestion, in characters.
const MAX_WORDS: usize = 1000;

/// A compiled expression of a rule. Running it uses up the budget of a [`Meter`].
#[derive(Debug)]
pub struct Expression {
    root: IdedExpr,
    weight: u64,
    reads: Reads,
}

/// Values of the document that an expression reads.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// True if the expression uses `self` as a whole, and so may read any field.
    pub any: bool,
    /// True if the expression computes the path or list that a function reads.
    pub computed: bool,
    /// Fields that the expression reads as `self.field`, and facts and amounts that its functions return.
    pub inputs: BTreeSet<Input>,
}

/// Reason why an expression has no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The budget of the rule, or of all rules together, is exhausted.
    #[error("{SPENT}")]
    Spent,
    /// A value does not have the type that the expression needs.
    #[error("{0}")]
    Types(String),
    /// The expression reads a missing member.
    #[error("No such key: {0}")]
    Missing(String),
    /// The expression fails for these values, for example because of a division by zero or a text that is not a number.
    #[error("{0}")]
    Values(String),
}

impl Failure {
    fn of(error: &ExecutionError) -> Self {
        let text = error.to_string().chars().take(MAX_ERROR).collect();
        match error {
            ExecutionError::FunctionError { .. }
            | ExecutionError::DivisionByZero(_)
            | ExecutionError::RemainderByZero(_)
            | ExecutionError::Overflow(..)
            | ExecutionError::IndexOutOfBounds(_)
            | ExecutionError::DuplicateKey(_) => Self::Values(text),
            ExecutionError::NoSuchKey(name) => Self::Missing(name.chars().take(MAX_ERROR).collect()),
            _ => Self::Types(text),
        }
    }
}

impl Expression {
    /// Rewrites `root` so that each operation first charges a meter. Adds its regular expressions to `patterns`.
    ///
    /// # Errors
    /// Returns a message if a pattern cannot be used.
    pub fn new(root: IdedExpr, reads: Reads, patterns: &mut Patterns) -> Result<Self, String> {
        let root = metered(root, patterns)?;
        Ok(Self { weight: weight(&root), root, reads })
    }

    /// Returns true if the expression may read this top-level field.
    pub fn reads(&self, field: &str) -> bool {
        self.reads.any || self.inputs().any(|input| matches!(input, Input::Field(name) if name == field))
    }

    /// Returns the known inputs of the expression.
    pub fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.reads.inputs.iter()
    }

    /// Returns true if the expression has no inputs besides [`Self::inputs`].
    pub fn has_known_inputs(&self) -> bool {
        !self.reads.any && !self.reads.computed
    }

    /// Evaluates the expression, and charges the cost to `meter`.
    pub fn run<'e, 'v>(&'e self, context: &'e Context<'_, 'v>, meter: &Meter) -> Result<CowVal<'e, 'v>, Failure> {
        let result = meter.charge(self.weight).and_then(|()| cel::Value::resolve_val(&self.root, context));
        // An expression can hide the meter's error, so no result is valid once the budget is exhausted.
        if meter.is_spent() {
            return Err(Failure::Spent);
        }
        result.map_err(|error| Failure::of(&error))
    }

    /// Evaluates the expression to true or false. Any other result is an error.
    pub fn is_true(&self, context: &Context<'_, '_>, meter: &Meter) -> Result<bool, Failure> {
        let value = self.run(context, meter)?;
        let wrong = || Failure::Types(format!("true or false was expected, not {}", value.get_type().name()));
        value.downcast_ref::<CelBool>().map(|is_true| *is_true.inner()).ok_or_else(wrong)
    }

    /// Evaluates the expression to a string of at most `max` characters. A longer string is truncated.
    pub fn text(&self, context: &Context<'_, '_>, meter: &Meter, max: usize) -> Result<String, Failure> {
        let value = self.run(context, meter)?;
        let wrong = || Failure::Types(format!("a text was expected, not {}", value.get_type().name()));
        value.downcast_ref::<CelString>().map(|text| text.inner().chars().take(max).collect()).ok_or_else(wrong)
    }
}

/// Message or suggestion of a rule.
#[derive(Debug)]
pub enum MessageTemplate {
    /// A fixed text.
    Fixed(String),
    /// A text computed from the content.
    Computed(Expression),
}

impl MessageTemplate {
    /// Returns the expression, if the message is computed.
    pub fn computed(&self) -> Option<&Expression> {
        match self {
            MessageTemplate::Fixed(_) => None,
            MessageTemplate::Computed(expression) => Some(expression),
        }
    }

    /// Returns the text of the message, and charges its cost to `meter`.
    pub fn say(&self, context: &Context<'_, '_>, meter: &Meter) -> Result<String, Failure> {
        match self {
            MessageTemplate::Fixed(text) => {
                meter.charge_text(text.len()).map_err(|_| Failure::Spent)?;
                Ok(text.clone())
            }
            MessageTemplate::Computed(expression) => expression.text(context, meter, MAX_WORDS),
        }
    }
}

/// Rewrites an expression so that each operation first charges a meter. Adds its regular expressions to `patterns`.
///
/// # Errors
/// Returns a message if a pattern cannot be used.
fn metered(mut expression: IdedExpr, patterns: &mut Patterns) -> Result<IdedExpr, String> {
    match &mut expression.expr {
        Expr::Unspecified | Expr::Literal(_) | Expr::Ident(_) | Expr::Struct(_) => {}
        Expr::Select(select) => rewrite(&mut select.operand, patterns)?,
        Expr::List(list) => {
            for element in &mut list.elements {
                charge(element, WHOLE, patterns)?;
            }
        }
        Expr::Map(map) => {
            for entry in &mut map.entries {
                if let EntryExpr::MapEntry(entry) = &mut entry.expr {
                    charge(&mut entry.key, WHOLE, patterns)?;
                    charge(&mut entry.value, WHOLE, patterns)?;
                }
            }
        }
        Expr::Comprehension(looped) => {
            for part in [&mut looped.accu_init, &mut looped.loop_cond, &mut looped.loop_step, &mut looped.result] {
                rewrite(part, patterns)?;
            }
            let round = 1 + weight(&looped.loop_cond) + weight(&looped.loop_step);
            rewrite(&mut looped.iter_range, patterns)?;
            let range = std::mem::take(&mut looped.iter_range);
            looped.iter_range = meter_call(LOOP, vec![integer(round), range]);
        }
        Expr::Call(call) => return metered_call(std::mem::take(call), expression.id, patterns),
    }
    Ok(expression)
}

fn metered_call(mut call: CallExpr, id: u64, patterns: &mut Patterns) -> Result<IdedExpr, String> {
    let fact = is_function(&call.func_name);
    match call.func_name.as_str() {
        operators::CONDITIONAL
        | operators::LOGICAL_AND
        | operators::LOGICAL_OR
        | operators::LOGICAL_NOT
        | operators::NOT_STRICTLY_FALSE
        | operators::NEGATE => every(&mut call, |part| rewrite(part, patterns))?,
        operators::INDEX => {
            for (index, part) in call.args.iter_mut().enumerate() {
                if index == 0 { rewrite(part, patterns)? } else { charge(part, KEY, patterns)? }
            }
        }
        // A loop appends to its accumulator. This needs no charge, because the appended values were already charged and
        // the existing values are not copied.
        operators::ADD if matches!(call.args.first().map(|arg| &arg.expr), Some(Expr::Ident(name)) if name == RESULT) =>
        {
            every(&mut call, |part| rewrite(part, patterns))?;
        }
        operators::IN => {
            every(&mut call, |part| rewrite(part, patterns))?;
            return Ok(meter_call(AMONG, call.args));
        }
        "matches" => return matches(call, patterns),
        "size" | "type" | "dyn" => every(&mut call, |part| charge(part, TOP, patterns))?,
        _ => every(&mut call, |part| charge(part, WHOLE, patterns))?,
    }
    let call = IdedExpr { id, expr: Expr::Call(call) };
    Ok(if fact { meter_call(WHOLE, vec![call]) } else { call })
}

fn every(call: &mut CallExpr, mut each: impl FnMut(&mut IdedExpr) -> Result<(), String>) -> Result<(), String> {
    call.target.iter_mut().map(|target| &mut **target).chain(&mut call.args).try_for_each(&mut each)
}

/// Rewrites a call of `matches` so that it charges the meter. Refuses a computed pattern, because a pattern from a
/// document could have any cost. Compiles the pattern once, when the rule is read.
fn matches(call: CallExpr, patterns: &mut Patterns) -> Result<IdedExpr, String> {
    let mut parts: Vec<IdedExpr> = call.target.into_iter().map(|target| *target).chain(call.args).collect();
    let (Some(pattern), Some(mut text), None) = (parts.pop(), parts.pop(), parts.pop()) else {
        return Err("\"matches\" takes a text and a pattern".to_owned());
    };
    let Expr::Literal(LiteralValue::String(pattern)) = pattern.expr else {
        return Err("the pattern of \"matches\" must be written out, not computed".to_owned());
    };
    let index = patterns.add(pattern.inner())?;
    rewrite(&mut text, patterns)?;
    Ok(meter_call(MATCHES, vec![integer(index as u64), text]))
}

fn rewrite(place: &mut IdedExpr, patterns: &mut Patterns) -> Result<(), String> {
    *place = metered(std::mem::take(place), patterns)?;
    Ok(())
}

fn charge(place: &mut IdedExpr, price: &str, patterns: &mut Patterns) -> Result<(), String> {
    rewrite(place, patterns)?;
    // These literals cost one unit, which is already part of the operation's fixed cost.
    if !matches!(&place.expr, Expr::Literal(LiteralValue::Int(_) | LiteralValue::Boolean(_) | LiteralValue::Null)) {
        *place = meter_call(price, vec![std::mem::take(place)]);
    }
    Ok(())
}

fn meter_call(function: &str, mut args: Vec<IdedExpr>) -> IdedExpr {
    args.insert(0, IdedExpr { id: 0, expr: Expr::Ident(METER.to_owned()) });
    IdedExpr { id: 0, expr: Expr::Call(CallExpr { func_name: function.to_owned(), target: None, args }) }
}

fn integer(value: u64) -> IdedExpr {
    let value = i64::try_from(value).unwrap_or(i64::MAX);
    IdedExpr { id: 0, expr: Expr::Literal(LiteralValue::Int(value.into())) }
}

/// Returns the fixed cost of an expression, in units. Loop bodies are not included: they are charged per iteration.
fn weight(expression: &IdedExpr) -> u64 {
    1 + match &expression.expr {
        Expr::Unspecified | Expr::Literal(_) | Expr::Struct(_) => 0,
        Expr::Ident(name) => name.len() as u64 / 16,
        Expr::Select(select) => select.field.len() as u64 / 16 + weight(&select.operand),
        Expr::List(list) => list.elements.iter().map(weight).sum(),
        Expr::Map(map) => map.entries.iter().map(|entry| entry_weight(&entry.expr)).sum(),
        Expr::Comprehension(looped) => weight(&looped.iter_range) + weight(&looped.result),
        Expr::Call(call) => call.target.iter().map(|target| weight(target)).chain(call.args.iter().map(weight)).sum(),
    }
}

fn entry_weight(entry: &EntryExpr) -> u64 {
    match entry {
        EntryExpr::MapEntry(entry) => weight(&entry.key) + weight(&entry.value),
        EntryExpr::StructField(_) => 0,
    }
}
