//! Consistency rules: CEL expressions in the schema, under `x-rules`, in the manner of Kubernetes' validations.
//!
//! A rule says what must hold; where it does not, it names the places that show it and, where it can, the mend.
//! With `each`, a rule holds for every item of a list of facts, which its expressions know as `it`.

use std::collections::HashMap;
use std::sync::Arc;

use cel::{Context, Env, Program, Value as Cel};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::edit::{Edit, Mend};
use super::{cel as bridge, lint};
use crate::domain::content::Content;
use crate::domain::finding::{Evidence, Finding};
use crate::domain::path::FieldPath;
use crate::domain::schema::Schema;

/// Of one rule at most this many findings are shown for one content, so that no text can fill a response.
const MAX_SHOWN: usize = 50;
/// A finding quotes at most this many places.
const MAX_PLACES: usize = 50;
/// Rules are read on a thread with a stack of this many bytes: what is too deep is known only when it has been parsed.
const STACK: usize = 64 * 1024 * 1024;
/// Quotes are cut to this many characters: they point, the text stands in the document.
const MAX_QUOTE: usize = 200;

/// All rules of a schema.
pub struct Rules {
    env: Arc<Env>,
    rules: Vec<Rule>,
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

/// A finding of a rule and what would mend it.
#[derive(Debug)]
pub struct Found {
    /// What was found.
    pub finding: Finding,
    /// What makes it go, for each side that can give way.
    pub mends: Vec<Mend>,
}

/// How thoroughly a content is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// For showing: what is found, up to a limit, without mends.
    Shown,
    /// For mending: everything that is found, with its mends.
    Mended,
}

/// A rule as the schema writes it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Source {
    id: String,
    #[serde(rename = "description")]
    _description: Option<String>,
    fields: Vec<String>,
    each: Option<String>,
    when: Option<String>,
    rule: String,
    message: Option<String>,
    message_expression: Option<String>,
    #[serde(default)]
    evidence: Vec<String>,
    suggestion: Option<String>,
    suggestion_expression: Option<String>,
    #[serde(default)]
    fix: Map<String, Value>,
}

#[derive(Debug)]
struct Rule {
    id: String,
    fields: Vec<String>,
    each: Option<Program>,
    when: Option<Program>,
    rule: Program,
    message: Words,
    evidence: Vec<FieldPath>,
    suggestion: Option<Words>,
    /// The field, or `it`, and the expression of its new value.
    fixes: Vec<(String, Program)>,
}

#[derive(Debug)]
enum Words {
    Fixed(String),
    Computed(Program),
}

impl Rules {
    /// Reads the rules of a schema.
    ///
    /// # Errors
    /// [`RuleError`] for the first rule that cannot be used.
    pub fn of(schema: &Schema) -> Result<Self, RuleError> {
        let none = Vec::new();
        let sources = match schema.document().get("x-rules") {
            None => &none,
            Some(Value::Array(sources)) => sources,
            Some(_) => return Err(RuleError { place: "/x-rules".into(), reason: "must be an array of rules".into() }),
        };
        let failed = |reason: String| RuleError { place: "/x-rules".into(), reason };
        std::thread::scope(|scope| {
            let reader = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || Self::read(sources));
            let reader = reader.map_err(|error| failed(format!("no thread to read them on: {error}")))?;
            reader.join().unwrap_or_else(|_| Err(failed("they cannot be read".into())))
        })
    }

    fn read(sources: &[Value]) -> Result<Self, RuleError> {
        let env = Arc::new(Env::stdlib());
        let mut rules: Vec<Rule> = Vec::new();
        for (index, source) in sources.iter().enumerate() {
            let place = format!("/x-rules/{index}");
            let rule = Rule::read(&env, source, &place)?;
            if rules.iter().any(|earlier| earlier.id == rule.id) {
                return Err(RuleError {
                    place: format!("{place}/id"),
                    reason: format!("\"{}\" stands twice", rule.id),
                });
            }
            rules.push(rule);
        }
        let rules = Self { env, rules };
        rules.dry_run()?;
        Ok(rules)
    }

    /// In what `content` breaks a rule.
    pub fn check(&self, content: &Content, check: Check) -> Vec<Found> {
        let mut found = Vec::new();
        let document = Value::Object(content.clone());
        match bridge::context(&self.env, content) {
            Ok(context) => {
                for rule in &self.rules {
                    if let Err(error) = rule.check(&context, &document, check, &mut found) {
                        tracing::warn!(
                            rule.id = rule.id,
                            error,
                            "a consistency rule failed and is passed over for this content"
                        );
                    }
                }
            }
            Err(error) => tracing::error!(error, "the consistency rules could not be run"),
        }
        found
    }

    /// Runs every rule over an empty document, where a field that is missing must not make it fail.
    fn dry_run(&self) -> Result<(), RuleError> {
        let failed = |index: usize, reason: String| RuleError { place: format!("/x-rules/{index}"), reason };
        let context = bridge::context(&self.env, &Content::new()).map_err(|reason| failed(0, reason))?;
        for (index, rule) in self.rules.iter().enumerate() {
            rule.check(&context, &Value::Object(Content::new()), Check::Shown, &mut Vec::new()).map_err(|reason| {
                failed(index, format!("fails for an empty document: {reason}; guard it with \"when\""))
            })?;
        }
        Ok(())
    }
}

impl Rule {
    fn read(env: &Env, source: &Value, place: &str) -> Result<Self, RuleError> {
        let at = |key: &str, reason: String| RuleError { place: format!("{place}{key}"), reason };
        let source: Source = serde_json::from_value(source.clone()).map_err(|e| at("", e.to_string()))?;
        let Source {
            id,
            _description,
            fields,
            each,
            when,
            rule,
            message,
            message_expression,
            evidence,
            suggestion,
            suggestion_expression,
            fix,
        } = source;
        let names_each = each.is_some();
        let compile = |key: &str, text: &str| {
            let known: &[&str] =
                if names_each && key != "/each" && key != "/when" { &["self", "it"] } else { &["self"] };
            lint::compile(env, text, known).map_err(|reason| at(key, reason))
        };
        let optional = |key: &str, text: Option<String>| text.map(|text| compile(key, &text)).transpose();
        if id.is_empty() || fields.is_empty() {
            return Err(at("", "needs an id and at least one field".into()));
        }
        let message = match (message, optional("/messageExpression", message_expression)?) {
            (Some(text), None) => Words::Fixed(text),
            (None, Some(program)) => Words::Computed(program),
            _ => return Err(at("", "needs either message or messageExpression".into())),
        };
        let suggestion = match (suggestion, optional("/suggestionExpression", suggestion_expression)?) {
            (Some(text), _) => Some(Words::Fixed(text)),
            (None, program) => program.map(Words::Computed),
        };
        let mut fixes = Vec::new();
        for (field, expression) in fix {
            let key = format!("/fix/{field}");
            if !(fields.contains(&field) || names_each && field == "it") {
                return Err(at(&key, "mends a field that the rule does not name".into()));
            }
            let text = expression.as_str().ok_or_else(|| at(&key, "must be an expression".into()))?;
            fixes.push((field, compile(&key, text)?));
        }
        Ok(Self {
            each: optional("/each", each)?,
            when: optional("/when", when)?,
            rule: compile("/rule", &rule)?,
            evidence: evidence.iter().map(|path| FieldPath::parse(path)).collect(),
            id,
            fields,
            message,
            suggestion,
            fixes,
        })
    }

    fn check(
        &self,
        context: &Context<'_, '_>,
        document: &Value,
        check: Check,
        found: &mut Vec<Found>,
    ) -> Result<(), String> {
        if let Some(when) = &self.when
            && !truth(when, context)?
        {
            return Ok(());
        }
        let Some(each) = &self.each else {
            if !truth(&self.rule, context)? {
                found.push(self.found(context, document, None, check)?);
            }
            return Ok(());
        };
        let Cel::List(items) = run(each, context)? else {
            return Err("each must give a list".to_owned());
        };
        let mut reported: Vec<Found> = Vec::new();
        let mut places: HashMap<Finding, usize> = HashMap::new();
        for item in items.iter() {
            let mut scope = context.new_inner_scope();
            scope.add_variable_from_value("it", item.clone());
            if truth(&self.rule, &scope)? {
                continue;
            }
            let new = self.found(&scope, document, Some(&Item::read(item)?), check)?;
            // The same words twice in one text are one finding, with a mend for each place.
            match places.get(&new.finding) {
                Some(known) => reported[*known].mends.extend(new.mends),
                None if check == Check::Shown && reported.len() == MAX_SHOWN => break,
                None => {
                    places.insert(new.finding.clone(), reported.len());
                    reported.push(new);
                }
            }
        }
        found.append(&mut reported);
        Ok(())
    }

    fn found(
        &self,
        context: &Context<'_, '_>,
        document: &Value,
        item: Option<&Item>,
        check: Check,
    ) -> Result<Found, String> {
        let finding = self.finding(context, document, item)?;
        let mends = match check {
            Check::Shown => Vec::new(),
            Check::Mended => self.mends(context, document, item)?,
        };
        Ok(Found { finding, mends })
    }

    fn finding(&self, context: &Context<'_, '_>, document: &Value, item: Option<&Item>) -> Result<Finding, String> {
        let mut evidence = Vec::new();
        evidence.extend(item.map(|item| Evidence::new(&item.path, shortened(&item.quote))));
        for pattern in &self.evidence {
            places(pattern.segments(), FieldPath::root(), document, &mut evidence);
        }
        let (field_name, conflicts_with) = match (item, self.fields.split_first()) {
            (Some(item), _) => (item.path.field().unwrap_or_default().to_owned(), self.fields.clone()),
            (None, Some((first, []))) => (first.clone(), vec![first.clone()]),
            (None, Some((first, others))) => (first.clone(), others.to_vec()),
            (None, None) => return Err("names no field".to_owned()),
        };
        Ok(Finding {
            field_name,
            conflicts_with,
            reason: self.message.say(context)?,
            evidence,
            suggestion: self.suggestion.as_ref().map(|words| words.say(context)).transpose()?,
            source: format!("rule:{}", self.id),
        })
    }

    fn mends(&self, context: &Context<'_, '_>, document: &Value, item: Option<&Item>) -> Result<Vec<Mend>, String> {
        let mut mends = Vec::new();
        for (field, program) in &self.fixes {
            let path = match item {
                Some(item) if field == "it" => item.path.clone(),
                _ => FieldPath::root().child(field.as_str()),
            };
            let value = bridge::to_json(&run(program, context)?).filter(|value| !value.is_null());
            mends.extend(value.map(|value| Mend { edit: Edit::read(value, path.get(document)), path }));
        }
        Ok(mends)
    }
}

/// What an item of `each` must have: where it stands and the words that stand there.
struct Item {
    path: FieldPath,
    quote: String,
}

impl Item {
    fn read(item: &Cel) -> Result<Self, String> {
        let member = |key: &str| match bridge::to_json(item).as_ref().and_then(|item| item.get(key)) {
            Some(Value::String(text)) => Ok(text.clone()),
            _ => Err(format!("the items of each must have a text \"{key}\"")),
        };
        Ok(Self { path: FieldPath::parse(&member("path")?), quote: member("quote")? })
    }
}

impl Words {
    fn say(&self, context: &Context<'_, '_>) -> Result<String, String> {
        match self {
            Words::Fixed(text) => Ok(text.clone()),
            Words::Computed(program) => match run(program, context)? {
                Cel::String(text) => Ok(text.to_string()),
                other => Err(format!("a text was expected, not {}", other.type_of())),
            },
        }
    }
}

fn run(program: &Program, context: &Context<'_, '_>) -> Result<Cel, String> {
    program.execute(context).map_err(|error| error.to_string())
}

fn truth(program: &Program, context: &Context<'_, '_>) -> Result<bool, String> {
    match run(program, context)? {
        Cel::Bool(truth) => Ok(truth),
        other => Err(format!("true or false was expected, not {}", other.type_of())),
    }
}

/// The places of the document that `pattern` names, with what stands there. `*` is every element, `-1` the last.
fn places(pattern: &[Arc<str>], path: FieldPath, value: &Value, evidence: &mut Vec<Evidence>) {
    if evidence.len() >= MAX_PLACES {
        return;
    }
    let Some((segment, rest)) = pattern.split_first() else {
        let quote = match value {
            Value::String(text) => shortened(text),
            other => shortened(&other.to_string()),
        };
        evidence.push(Evidence::new(&path, quote));
        return;
    };
    match (value, segment.as_ref()) {
        (Value::Array(elements), "*") => {
            for (index, element) in elements.iter().enumerate().take(MAX_PLACES) {
                places(rest, path.child(index.to_string()), element, evidence);
            }
        }
        (Value::Array(elements), "-1") => {
            if let Some(last) = elements.last() {
                places(rest, path.child((elements.len() - 1).to_string()), last, evidence);
            }
        }
        _ => {
            if let Some(member) = crate::domain::path::step(value, segment) {
                places(rest, path.child(segment.clone()), member, evidence);
            }
        }
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(MAX_QUOTE).collect()
}
