//! Consistency rules: CEL expressions in the schema, under `x-rules`, in the manner of Kubernetes' validations.
//!
//! A rule says what must hold; where it does not, it names the places that show it and, where it can, the mend.
//! With `each`, a rule holds for every item of a list of facts, which its expressions know as `it`.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::Arc;

use cel::common::types::{CelList, CelMap, CelMapKey, CelString};
use cel::common::value::Val;
use cel::{Context, Env};
use serde_json::Value;

use super::edit::{Edit, Mend};
use super::expression::{Expression, Failure, Words};
use super::facts::{self, StepReference};
use super::meter::{self, Meter, Patterns};
use super::quotes::{places, shortened};
use super::reads::{Known, Reads};
use super::{cel as bridge, source};
use crate::domain::content::Content;
use crate::domain::finding::{Evidence, Finding};
use crate::domain::path::FieldPath;
use crate::domain::sample::{names, sample};
use crate::domain::schema::Schema;

/// Of one rule at most this many findings are shown for one content, so that no text can fill a response.
const MAX_SHOWN: usize = 50;
/// Rules are read on a thread with a stack of this many bytes: what is too deep is known only when it has been parsed.
const READING_STACK: usize = 64 * 1024 * 1024;
/// Rules are run on a thread with a stack of this many bytes, several times what the deepest expression takes of it:
/// how much is left of the caller's, nobody knows.
const RUNNING_STACK: usize = 16 * 1024 * 1024;

/// All rules of a schema.
pub struct Rules {
    env: Arc<Env>,
    patterns: Arc<Patterns>,
    rules: Vec<Rule>,
    /// What all rules read to show what they find.
    reads: Reads,
    /// Whether a rule asks for the references to steps, in whatever it does.
    refers: bool,
    known: Known,
}

/// A rule that cannot be used, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at {place}: {reason}")]
pub struct RuleError {
    /// Where in the schema, as a JSON Pointer.
    pub place: String,
    /// What is wrong there.
    pub reason: String,
}

impl RuleError {
    /// What is wrong at a place.
    pub fn at(place: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { place: place.into(), reason: reason.into() }
    }
}

/// A finding of a rule and what would mend it.
#[derive(Debug)]
pub struct Found {
    /// What was found.
    pub finding: Finding,
    /// What makes it go, for each side that can give way.
    pub mends: Vec<Mend>,
}

/// What the rules say of one content.
#[derive(Debug, Default)]
pub struct Checked {
    /// In what it breaks them.
    pub found: Vec<Found>,
    /// What is not sure enough to count.
    pub hints: Vec<Found>,
    /// The rules that failed for it or cost too much, and so say nothing, by their ids.
    pub passed_over: Vec<String>,
}

/// How thoroughly a content is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// For showing: what is found, up to a limit, without mends.
    Shown,
    /// For mending: everything that is found, with its mends.
    Mended,
}

/// A rule that can be run.
#[derive(Debug)]
pub struct Rule {
    pub(super) id: String,
    pub(super) fields: Vec<String>,
    pub(super) each: Option<Expression>,
    pub(super) when: Option<Expression>,
    pub(super) rule: Expression,
    pub(super) message: Words,
    pub(super) evidence: Vec<FieldPath>,
    pub(super) suggestion: Option<Words>,
    /// The field, or `it`, and the expression of its new value.
    pub(super) fixes: Vec<(String, Expression)>,
}

impl Rules {
    /// Reads the rules of a schema, and tries them out.
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
            let mut reads = Reads::default();
            rules.iter().for_each(|rule| rule.add_reads(&mut reads));
            let refers = rules.iter().any(Rule::refers);
            let rules = Self { env, rules, patterns: Arc::new(patterns), reads, refers, known: Known::default() };
            rules.try_out(schema)?;
            Ok(rules)
        };
        on_a_stack_of(READING_STACK, read)
            .unwrap_or_else(|problem| Err(failed(format!("they cannot be read: {problem}"))))
    }

    /// In what `content` breaks a rule. A rule that fails for this content, or costs too much, is passed over.
    pub fn check(&self, content: &Content, check: Check) -> Checked {
        if self.rules.is_empty() {
            return Checked::default();
        }
        let references = self.references(content);
        let read = if check == Check::Shown { self.reads.digest(content, &references) } else { None };
        if let Some(known) = read.and_then(|read| self.known.get(&read)) {
            let found = |finding: &Finding| Found { finding: finding.clone(), mends: Vec::new() };
            return Checked { found: known.iter().map(found).collect(), ..Checked::default() };
        }
        let checked = self.check_anew(content, &references, check);
        if let Some(read) = read.filter(|_| checked.passed_over.is_empty()) {
            self.known.keep(read, checked.found.iter().map(|found| found.finding.clone()).collect());
        }
        checked
    }

    /// The references to steps, where a rule asks for them.
    pub(super) fn references(&self, content: &Content) -> Vec<StepReference> {
        if self.refers { facts::step_references(content) } else { Vec::new() }
    }

    pub(super) fn check_anew(&self, content: &Content, references: &[StepReference], check: Check) -> Checked {
        let run = || {
            let document = Value::Object(content.clone());
            let run = self.run(content, references, &document, check)?;
            let mut found = Vec::new();
            let mut failures = Vec::new();
            for rule in &self.rules {
                failures.extend(rule.check(&run, &mut found).err().map(|failure| (rule.id.clone(), failure)));
            }
            Ok((found, failures))
        };
        match on_a_stack_of(RUNNING_STACK, run).and_then(|result| result) {
            Ok((found, failures)) => {
                for (id, error) in &failures {
                    tracing::warn!(
                        rule.id = id,
                        %error,
                        "a consistency rule failed and is passed over for this content"
                    );
                }
                Checked { found, hints: Vec::new(), passed_over: failures.into_iter().map(|(id, _)| id).collect() }
            }
            Err(error) => {
                tracing::error!(error, "the consistency rules could not be run");
                Checked {
                    found: Vec::new(),
                    hints: Vec::new(),
                    passed_over: self.rules.iter().map(|rule| rule.id.clone()).collect(),
                }
            }
        }
    }

    fn run<'c>(
        &self,
        content: &'c Content,
        references: &[StepReference],
        document: &'c Value,
        check: Check,
    ) -> Result<Run<'c>, String> {
        let meter = Arc::new(Meter::new(self.patterns.clone()));
        let context = bridge::context(&self.env, content, references, meter.clone())?;
        Ok(Run { context, meter, document, check })
    }

    /// Runs every rule over an empty document, where a field that is missing must not make it fail, and every
    /// expression of it over a document that has all fields of the schema, where it must fit their types.
    fn try_out(&self, schema: &Schema) -> Result<(), RuleError> {
        let place = |index: usize| format!("/x-rules/{index}");
        let (empty, full) = (Content::new(), sample(schema.document()));
        for (content, is_empty) in [(&empty, true), (&full, false)] {
            let document = Value::Object(content.clone());
            let references = self.references(content);
            let run = self.run(content, &references, &document, Check::Mended);
            let run = run.map_err(|reason| RuleError::at(place(0), reason))?;
            for (index, rule) in self.rules.iter().enumerate() {
                let tried = if is_empty { rule.check(&run, &mut Vec::new()) } else { rule.try_out(&run) };
                let refused = |reason: String| Err(RuleError::at(place(index), reason));
                match tried {
                    Err(failure) if is_empty => {
                        return refused(format!("fails for an empty document: {failure}; guard it with \"when\""));
                    }
                    // A sample may lack what the schema describes elsewhere; what it describes nowhere is misspelt.
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

/// What `work` gives, done on a thread of its own with a stack of so many bytes; an error where that cannot be.
fn on_a_stack_of<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(bytes).spawn_scoped(scope, work);
        let worker = worker.map_err(|error| format!("no thread to run on: {error}"))?;
        worker.join().map_err(|_| "it was given up".to_owned())
    })
}

/// One content that rules are run on.
struct Run<'c> {
    context: Context<'c, 'c>,
    meter: Arc<Meter>,
    document: &'c Value,
    check: Check,
}

/// The rule, and what of its findings does not depend on the item.
struct Place<'r, 'c> {
    run: &'r Run<'c>,
    evidence: OnceCell<Vec<Evidence>>,
}

impl Rule {
    /// Adds what it reads to show what it finds; what its fixes read is no part of that.
    fn add_reads(&self, reads: &mut Reads) {
        let words = [Some(&self.message), self.suggestion.as_ref()].into_iter().flatten().filter_map(Words::computed);
        let tests = [self.each.as_ref(), self.when.as_ref(), Some(&self.rule)].into_iter().flatten();
        tests.chain(words).for_each(|expression| reads.add(expression.reads()));
        self.evidence.iter().for_each(|pattern| reads.add_places(pattern));
    }

    fn refers(&self) -> bool {
        let mut reads = Reads::default();
        self.add_reads(&mut reads);
        self.fixes.iter().for_each(|(_, fix)| reads.add(fix.reads()));
        reads.references()
    }

    fn check(&self, run: &Run<'_>, found: &mut Vec<Found>) -> Result<(), Failure> {
        let Run { context, meter, check, .. } = run;
        meter.next_rule();
        if let Some(when) = &self.when
            && !when.truth(context, meter)?
        {
            return Ok(());
        }
        let place = Place { run, evidence: OnceCell::new() };
        let Some(each) = &self.each else {
            if !self.rule.truth(context, meter)? {
                found.push(self.found(context, &place, None)?);
            }
            return Ok(());
        };
        let list = each.run(context, meter)?;
        let mut reported: Vec<Found> = Vec::new();
        let mut places: HashMap<Finding, usize> = HashMap::new();
        for item in items(list.as_ref())?.iter().map(AsRef::as_ref) {
            let scope = self.scope(run, item)?;
            if self.rule.truth(&scope, meter)? {
                continue;
            }
            let new = self.found(&scope, &place, Some(&Item::read(item)?))?;
            // The same words twice in one text are one finding, with a mend for each place.
            match places.get(&new.finding) {
                Some(known) => {
                    if let Some(known) = reported.get_mut(*known) {
                        known.mends.extend(new.mends);
                    }
                }
                None if *check == Check::Shown && reported.len() == MAX_SHOWN => break,
                None => {
                    places.insert(new.finding.clone(), reported.len());
                    reported.push(new);
                }
            }
        }
        found.append(&mut reported);
        Ok(())
    }

    /// Runs every expression once if the rule applies, whether it holds or not.
    fn try_out(&self, run: &Run<'_>) -> Result<(), Failure> {
        run.meter.next_rule();
        if let Some(when) = &self.when
            && !when.truth(&run.context, &run.meter)?
        {
            return Ok(());
        }
        let place = Place { run, evidence: OnceCell::new() };
        let Some(each) = &self.each else {
            self.rule.truth(&run.context, &run.meter)?;
            return self.found(&run.context, &place, None).map(|_| ());
        };
        let list = each.run(&run.context, &run.meter)?;
        if let Some(item) = items(list.as_ref())?.first() {
            let scope = self.scope(run, item.as_ref())?;
            self.rule.truth(&scope, &run.meter)?;
            self.found(&scope, &place, Some(&Item::read(item.as_ref())?))?;
        }
        Ok(())
    }

    /// What the expressions of one item are run in.
    fn scope<'r, 'c>(&self, run: &'r Run<'c>, item: &(dyn Val + 'c)) -> Result<Context<'r, 'c>, Failure> {
        run.meter.pay_for(item, 1).map_err(|_| Failure::Spent)?;
        let mut scope = run.context.new_inner_scope();
        scope.add_variable_as_val("it", item.clone_as_boxed());
        Ok(scope)
    }

    fn found(&self, context: &Context<'_, '_>, place: &Place<'_, '_>, item: Option<&Item>) -> Result<Found, Failure> {
        let finding = self.finding(context, place, item)?;
        let mends = match place.run.check {
            Check::Shown => Vec::new(),
            Check::Mended => self.mends(context, place.run, item)?,
        };
        Ok(Found { finding, mends })
    }

    fn finding(
        &self,
        context: &Context<'_, '_>,
        place: &Place<'_, '_>,
        item: Option<&Item>,
    ) -> Result<Finding, Failure> {
        let meter = &place.run.meter;
        let of_rule = place.evidence.get_or_init(|| {
            let mut evidence = Vec::new();
            for pattern in &self.evidence {
                places(pattern.segments(), FieldPath::root(), place.run.document, &mut evidence);
            }
            evidence
        });
        let of_evidence = of_rule.iter().map(|evidence| 64 + evidence.field_path.len() + evidence.quote.len());
        let named = self.fields.iter().chain([&self.id]).map(|name| 64 + name.len());
        let bytes = of_evidence.chain(named).sum::<usize>() + item.map_or(0, |item| 64 + item.quote.len());
        meter.pay_kept(bytes).map_err(|_| Failure::Spent)?;
        let own = item.map(|item| Evidence::new(&item.path, shortened(&item.quote)));
        let evidence = own.into_iter().chain(of_rule.iter().cloned()).collect();
        let (field_name, conflicts_with) = match (item, self.fields.split_first()) {
            (Some(item), _) => (item.path.field().unwrap_or_default().to_owned(), self.fields.clone()),
            (None, Some((first, []))) => (first.clone(), vec![first.clone()]),
            (None, Some((first, others))) => (first.clone(), others.to_vec()),
            (None, None) => return Err(Failure::Types("names no field".to_owned())),
        };
        Ok(Finding {
            field_name,
            conflicts_with,
            reason: self.message.say(context, meter)?,
            evidence,
            suggestion: self.suggestion.as_ref().map(|words| words.say(context, meter)).transpose()?,
            source: format!("rule:{}", self.id),
        })
    }

    fn mends(&self, context: &Context<'_, '_>, run: &Run<'_>, item: Option<&Item>) -> Result<Vec<Mend>, Failure> {
        let mut mends = Vec::new();
        for (field, expression) in &self.fixes {
            let path = match item {
                Some(item) if field == "it" => item.path.clone(),
                _ => FieldPath::root().child(field.as_str()),
            };
            let value = expression.run(context, &run.meter)?;
            run.meter.pay_for(value.as_ref(), 1).map_err(|_| Failure::Spent)?;
            let value = bridge::to_json(value.as_ref()).filter(|value| !value.is_null());
            mends.extend(value.map(|value| Mend { edit: Edit::read(value, path.get(run.document)), path }));
        }
        Ok(mends)
    }
}

fn items<'l, 'v>(list: &'l (dyn Val + 'v)) -> Result<&'l [Box<dyn Val + 'v>], Failure> {
    let list = list.downcast_ref::<CelList>().map(CelList::inner);
    list.ok_or_else(|| Failure::Types("each must give a list".to_owned()))
}

/// What an item of `each` must have: where it stands and the words that stand there.
struct Item {
    path: FieldPath,
    quote: String,
}

impl Item {
    fn read(item: &dyn Val) -> Result<Self, Failure> {
        let members = item.downcast_ref::<CelMap>().map(CelMap::inner);
        let member = |key: &str| {
            let text = members.and_then(|members| members.get(&CelMapKey::from(key)));
            let text = text.and_then(|text| text.downcast_ref::<CelString>()).map(|text| text.inner().to_owned());
            text.ok_or_else(|| Failure::Types(format!("the items of each must have a text \"{key}\"")))
        };
        Ok(Self { path: FieldPath::parse(&member("path")?), quote: member("quote")? })
    }
}
