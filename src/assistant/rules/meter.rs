//! Limits the cost of a schema's rules: every operation of an expression charges a meter before it runs.
//!
//! One unit is a step of the interpreter, a value read, or 16 bytes of text: some tenths of a microsecond, and at most
//! some tens of bytes. A rule that exceeds its budget fails.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use cel::common::types::{self, CelBytes, CelDouble, CelInt, CelList, CelMap, CelString, Type};
use cel::common::value::{CowVal, StaticVal, Val};
use cel::{DeclarationError, Env, ExecutionError};
use regex::{Regex, RegexBuilder};

use crate::domain::pattern;

/// Budget of one rule for one content.
const RULE: u64 = 500_000;
/// Budget of all rules for one content.
const ALL_RULES: u64 = 2_000_000;
/// Bytes of text per unit.
const BYTES: u64 = 16;
/// Bytes of text in a finding per unit.
const FINDING_BYTES_PER_UNIT: u64 = 8;
/// The variable that holds the meter; no expression can write it.
pub const METER: &str = "@meter";
/// The error of a rule that exceeded its budget.
pub const SPENT: &str = "it costs too much for this content";

/// Charges for a value and everything inside it.
pub const WHOLE: &str = "@whole";
/// Charges for a value without its elements.
pub const TOP: &str = "@top";
/// Charges for a key or index.
pub const KEY: &str = "@key";
/// Charges for a loop over a value, per iteration.
pub const LOOP: &str = "@loop";
/// Charges for a value and for comparing it with each element of another, and returns whether it is one of them.
pub const AMONG: &str = "@among";
/// Charges for a text and matches it with the pattern at that index.
pub const MATCHES: &str = "@matches";

/// The remaining budget.
#[derive(Debug)]
pub struct Meter {
    rule: AtomicU64,
    all: AtomicU64,
    patterns: Arc<Patterns>,
}

impl Meter {
    /// A meter for one content and the rules that use these patterns.
    pub fn new(patterns: Arc<Patterns>) -> Self {
        Self { rule: AtomicU64::new(0), all: AtomicU64::new(ALL_RULES), patterns }
    }

    /// Gives the next rule its share.
    pub fn next_rule(&self) {
        self.rule.store(RULE, Relaxed);
    }

    /// Spends units.
    ///
    /// # Errors
    /// If fewer remain; then the rule has nothing left.
    pub fn charge(&self, units: u64) -> Result<(), ExecutionError> {
        let (rule, all) = (self.rule.load(Relaxed), self.all.load(Relaxed));
        let left = rule.min(all).checked_sub(units);
        self.rule.store(left.map_or(0, |_| rule - units), Relaxed);
        self.all.store(all.saturating_sub(units.min(rule)), Relaxed);
        left.map(|_| ()).ok_or_else(|| ExecutionError::function_error("rule", SPENT))
    }

    /// Charges for a text of this length.
    ///
    /// # Errors
    /// See [`Meter::charge`].
    pub fn charge_text(&self, bytes: usize) -> Result<(), ExecutionError> {
        self.charge(1 + bytes as u64 / BYTES)
    }

    /// Charges for bytes that stay in a finding, and so fill memory and the response.
    ///
    /// # Errors
    /// See [`Meter::charge`].
    pub fn charge_finding_bytes(&self, bytes: usize) -> Result<(), ExecutionError> {
        self.charge(1 + bytes as u64 / FINDING_BYTES_PER_UNIT)
    }

    /// Whether a rule has nothing left. Its result is then ignored, because it may have swallowed the error.
    pub fn is_spent(&self) -> bool {
        self.rule.load(Relaxed) == 0 || self.all.load(Relaxed) == 0
    }

    /// Pays for a value and all that is in it.
    ///
    /// # Errors
    /// See [`Meter::charge`].
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

/// The meter as a value of CEL, so that its functions get it handed in.
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

/// The language of rules: CEL's own functions, without optional values, and the paying ones.
///
/// # Errors
/// If CEL has a function of the same name.
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

/// Returns the last argument after charging `price` for it. The first argument is the meter; an optional number comes
/// between.
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

/// Each comparison may read the whole value, even if types differ.
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

/// The error for a value of the wrong type.
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

/// The patterns of all rules, compiled.
#[derive(Debug, Default)]
pub struct Patterns {
    all: Vec<Pattern>,
    /// Size of all patterns together.
    places: u64,
}

#[derive(Debug)]
struct Pattern {
    regex: Regex,
    /// Units for a byte of text.
    price: u64,
}

/// Maximum number of patterns in a schema; each has a cache per thread.
const MAX_PATTERNS: usize = 64;
/// Size of that cache, in bytes.
const CACHE: usize = 128 * 1024;

impl Patterns {
    /// The index of a pattern, compiled and stored on first use.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn add(&mut self, text: &str) -> Result<usize, String> {
        if let Some(known) = self.all.iter().position(|pattern| pattern.regex.as_str() == text) {
            return Ok(known);
        }
        if self.all.len() == MAX_PATTERNS {
            return Err(format!("there are more than {MAX_PATTERNS} patterns in all rules"));
        }
        let places = pattern::places(text).map_err(|error| format!("the pattern cannot be read: {error}"))?;
        let too_large = || format!("the pattern {text} is too large, alone or with those of other rules");
        self.places = self.places.saturating_add(places);
        if self.places > pattern::MAX_PLACES {
            return Err(too_large());
        }
        let built = RegexBuilder::new(text).size_limit(pattern::MAX_BYTES).dfa_size_limit(CACHE).nest_limit(32).build();
        let regex = built.map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => too_large(),
            error => format!("the pattern cannot be read: {error}"),
        })?;
        self.all.push(Pattern { regex, price: places.div_ceil(32) });
        Ok(self.all.len() - 1)
    }
}
