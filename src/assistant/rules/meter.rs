//! Limits the cost of a schema's rules: every operation of an expression charges a meter before it runs.
//!
//! One unit pays for a step of the interpreter, for reading a value, or for 16 bytes of text. A unit takes some tenths
//! of a microsecond and at most some tens of bytes of memory. A rule that exceeds its budget fails.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use cel::common::types::{self, CelBytes, CelDouble, CelInt, CelList, CelMap, CelString, Type};
use cel::common::value::{CowVal, StaticVal, Val};
use cel::{DeclarationError, Env, ExecutionError};
use regex::{Regex, RegexBuilder};

use crate::domain::pattern;

/// Budget of one rule for one document, in cost units.
const RULE: u64 = 500_000;
/// Budget of all rules together for one document, in cost units.
const ALL_RULES: u64 = 2_000_000;
/// Number of bytes of text that cost one unit when an expression reads them.
const BYTES: u64 = 16;
/// Number of bytes of a finding that cost one unit.
const FINDING_BYTES_PER_UNIT: u64 = 8;
/// Name of the variable that contains the meter. No rule can use this name in an expression.
pub const METER: &str = "@meter";
/// Error message of a rule that exceeded its budget.
pub const SPENT: &str = "it costs too much for this content";

/// Name of the function that charges for a value and everything inside it.
pub const WHOLE: &str = "@whole";
/// Name of the function that charges for a value without its elements.
pub const TOP: &str = "@top";
/// Name of the function that charges for a key or index.
pub const KEY: &str = "@key";
/// Name of the function that charges for all iterations of a loop over a value.
pub const LOOP: &str = "@loop";
/// Name of the function that replaces the operator `in`. Returns true if a container has a value. Charges for comparing
/// the value with each element.
pub const AMONG: &str = "@among";
/// Name of the function that replaces `matches`. Charges for a text, and matches it against the pattern with the given
/// index in [`Patterns`].
pub const MATCHES: &str = "@matches";

/// Remaining budget of the current rule and of all rules, in cost units.
#[derive(Debug)]
pub struct Meter {
    rule: AtomicU64,
    all: AtomicU64,
    patterns: Arc<Patterns>,
}

impl Meter {
    /// Creates a meter for running all rules on one document. `patterns` has the regular expressions of these rules.
    pub fn new(patterns: Arc<Patterns>) -> Self {
        Self { rule: AtomicU64::new(0), all: AtomicU64::new(ALL_RULES), patterns }
    }

    /// Gives the full budget of one rule to the next rule. Must be called before each rule runs.
    pub fn next_rule(&self) {
        self.rule.store(RULE, Relaxed);
    }

    /// Returns the cost of the current rule so far, in units.
    pub fn spent(&self) -> u64 {
        RULE - self.rule.load(Relaxed)
    }

    /// Subtracts `units` from the budget of the current rule and from the budget of all rules.
    ///
    /// # Errors
    /// Returns an error if fewer than `units` units remain. The budget of the rule is then set to 0.
    pub fn charge(&self, units: u64) -> Result<(), ExecutionError> {
        let (rule, all) = (self.rule.load(Relaxed), self.all.load(Relaxed));
        let left = rule.min(all).checked_sub(units);
        self.rule.store(left.map_or(0, |_| rule - units), Relaxed);
        self.all.store(all.saturating_sub(units.min(rule)), Relaxed);
        left.map(|_| ()).ok_or_else(|| ExecutionError::function_error("rule", SPENT))
    }

    /// Charges for a text of this length, in bytes.
    pub fn charge_text(&self, bytes: usize) -> Result<(), ExecutionError> {
        self.charge(1 + bytes as u64 / BYTES)
    }

    /// Charges for the bytes of a finding, which stay in memory and are sent in the response.
    pub fn charge_finding_bytes(&self, bytes: usize) -> Result<(), ExecutionError> {
        self.charge(1 + bytes as u64 / FINDING_BYTES_PER_UNIT)
    }

    /// Returns true if the budget of the rule or of all rules is exhausted. The caller must then discard the result of
    /// the expression, because an expression such as `error || true` hides the meter's error.
    pub fn is_spent(&self) -> bool {
        self.rule.load(Relaxed) == 0 || self.all.load(Relaxed) == 0
    }

    /// Charges for a value and everything inside it.
    pub fn charge_value(&self, value: &dyn Val) -> Result<(), ExecutionError> {
        self.charge(1)?;
        if let Some(list) = value.downcast_ref::<CelList>() {
            return list.inner().iter().try_for_each(|element| self.charge_value(element.as_ref()));
        }
        if let Some(map) = value.downcast_ref::<CelMap>() {
            return map.inner().iter().try_for_each(|(key, member)| {
                self.charge_value(key.inner())?;
                self.charge_value(member.as_ref())
            });
        }
        self.charge(bytes(value) / BYTES)
    }
}

fn bytes(value: &dyn Val) -> u64 {
    let text = value.downcast_ref::<CelString>().map(|text| text.inner().len());
    text.or_else(|| value.downcast_ref::<CelBytes>().map(|bytes| bytes.inner().len())).unwrap_or(0) as u64
}

/// The meter as a CEL value, so that it can be passed to CEL functions.
#[derive(Debug)]
pub struct MeterValue(pub Arc<Meter>);

static ACCOUNT: Type = Type::new_unspecified_type("meter");

impl Val for MeterValue {
    fn get_type(&self) -> &Type {
        &ACCOUNT
    }

    fn cel_type() -> &'static Type {
        &ACCOUNT
    }

    fn clone_as_boxed<'v>(&self) -> Box<dyn Val + 'v> {
        Box::new(Self(self.0.clone()))
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}

impl StaticVal for MeterValue {}

/// Returns the environment of the rules: CEL's own functions without optional values, and the functions that charge the
/// meter.
///
/// # Errors
/// Returns an error if CEL already has a function with the same name.
pub fn env() -> Result<Env, DeclarationError> {
    let mut env = Env::stdlib().with_optional_support(false);
    let any = || types::DYN_TYPE;
    env.add_overload(WHOLE, "whole", vec![any(), any()], whole)?;
    env.add_overload(TOP, "top", vec![any(), any()], top)?;
    env.add_overload(KEY, "key", vec![any(), any()], key)?;
    env.add_overload(LOOP, "loop", vec![any(), any(), any()], rounds)?;
    env.add_overload(AMONG, "among", vec![any(), any(), any()], among)?;
    env.add_overload(MATCHES, "matches", vec![any(), any(), any()], matches)?;
    Ok(env)
}

type Paid<'b, 'v> = Result<CowVal<'b, 'v>, ExecutionError>;

/// Calls `price` to charge for a value, and returns the value. `args` has the meter, a number if there is one, and the
/// value. Without a number, `price` gets 0.
fn paid<'b, 'v>(
    mut args: Vec<CowVal<'b, 'v>>,
    price: impl Fn(&Meter, &(dyn Val + 'v), u64) -> Result<(), ExecutionError>,
) -> Paid<'b, 'v> {
    let value = args.pop();
    let number = args.get(1).and_then(|number| number.downcast_ref::<CelInt>()).map_or(0, |number| *number.inner());
    match (args.first().and_then(|meter| meter.downcast_ref::<MeterValue>()), value) {
        (Some(MeterValue(meter)), Some(value)) => price(meter, value.as_ref(), number.unsigned_abs()).map(|()| value),
        _ => Err(ExecutionError::function_error("rule", "is not metered")),
    }
}

fn whole<'b, 'v>(args: Vec<CowVal<'b, 'v>>) -> Paid<'b, 'v> {
    paid(args, |meter, value, _| meter.charge_value(value))
}

fn top<'b, 'v>(args: Vec<CowVal<'b, 'v>>) -> Paid<'b, 'v> {
    paid(args, |meter, value, _| meter.charge(1 + bytes(value) / BYTES))
}

fn key<'b, 'v>(args: Vec<CowVal<'b, 'v>>) -> Paid<'b, 'v> {
    paid(args, |meter, value, _| {
        if value.downcast_ref::<CelDouble>().is_some() {
            return Err(mistyped(value, "a whole number or a text"));
        }
        meter.charge_value(value)
    })
}

fn rounds<'b, 'v>(args: Vec<CowVal<'b, 'v>>) -> Paid<'b, 'v> {
    paid(args, |meter, value, round| {
        let count = value.as_sizer().map_or(0, |sizer| sizer.size().inner().unsigned_abs());
        meter.charge(count.saturating_mul(round))?;
        meter.charge_value(value)
    })
}

/// Implements `in`. Charges the whole value once per element, because each comparison may read the whole value.
fn among<'b, 'v>(args: Vec<CowVal<'b, 'v>>) -> Paid<'b, 'v> {
    let [account, sought, place] = args.as_slice() else { return Err(ExecutionError::MissingArgumentOrTarget) };
    let (Some(MeterValue(meter)), Some(container)) = (account.downcast_ref::<MeterValue>(), place.as_container())
    else {
        return Err(mistyped(place.as_ref(), "a list or map"));
    };
    let count = place.as_sizer().map_or(0, |sizer| sizer.size().inner().unsigned_abs());
    let before = meter.rule.load(Relaxed);
    meter.charge_value(sought.as_ref())?;
    let once = before - meter.rule.load(Relaxed);
    meter.charge(once.saturating_mul(count))?;
    meter.charge_value(place.as_ref())?;
    container.contains(sought.as_ref()).map(|found| CowVal::owned(types::CelBool::from(found)))
}

/// Returns the error for a value of the wrong type.
fn mistyped(value: &dyn Val, want: &str) -> ExecutionError {
    ExecutionError::UnexpectedType { got: value.get_type().name().to_owned(), want: want.to_owned() }
}

fn matches<'b, 'v>(args: Vec<CowVal<'b, 'v>>) -> Paid<'b, 'v> {
    let answer = std::cell::Cell::new(false);
    paid(args, |meter, value, index| {
        let pattern = usize::try_from(index).ok().and_then(|index| meter.patterns.all.get(index));
        let (Some(pattern), Some(text)) = (pattern, value.downcast_ref::<CelString>()) else {
            return Err(mistyped(value, "a text"));
        };
        meter.charge(1 + (text.inner().len() as u64).saturating_mul(pattern.price))?;
        answer.set(pattern.regex.is_match(text.inner()));
        Ok(())
    })?;
    Ok(CowVal::owned(types::CelBool::from(answer.get())))
}

/// Compiled regular expressions of all rules of a schema.
#[derive(Debug, Default)]
pub struct Patterns {
    all: Vec<Pattern>,
    /// Size of all patterns together; see [`pattern::positions`].
    positions: u64,
}

#[derive(Debug)]
struct Pattern {
    regex: Regex,
    /// Cost of matching one byte of text, in units.
    price: u64,
}

/// Maximum number of patterns in the rules of a schema. Each thread has a cache for each pattern.
const MAX_PATTERNS: usize = 64;
/// Maximum size of the cache of one pattern in one thread, in bytes.
const CACHE: usize = 128 * 1024;

impl Patterns {
    /// Returns the index of a pattern. Compiles and stores the pattern if it is new.
    ///
    /// # Errors
    /// Returns a message if the pattern cannot be used, or if there are too many patterns.
    pub fn add(&mut self, text: &str) -> Result<usize, String> {
        if let Some(known) = self.all.iter().position(|pattern| pattern.regex.as_str() == text) {
            return Ok(known);
        }
        if self.all.len() == MAX_PATTERNS {
            return Err(format!("there are more than {MAX_PATTERNS} patterns in all rules"));
        }
        let positions = pattern::positions(text).map_err(|error| format!("the pattern cannot be read: {error}"))?;
        let too_large = || format!("the pattern {text} is too large, alone or with those of other rules");
        self.positions = self.positions.saturating_add(positions);
        if self.positions > pattern::MAX_POSITIONS {
            return Err(too_large());
        }
        let built = RegexBuilder::new(text).size_limit(pattern::MAX_BYTES).dfa_size_limit(CACHE).nest_limit(32).build();
        let regex = built.map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => too_large(),
            error => format!("the pattern cannot be read: {error}"),
        })?;
        self.all.push(Pattern { regex, price: positions.div_ceil(32) });
        Ok(self.all.len() - 1)
    }
}
