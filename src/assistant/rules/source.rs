//! Reads the rules in a schema and checks them. The error for an invalid rule contains the rule's location and the
//! reason.

use std::collections::HashSet;

use cel::Env;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::RuleError;
use super::expression::{Expression, MessageTemplate};
use super::lint;
use super::meter::Patterns;
use super::rule::Rule;
use crate::domain::content;
use crate::domain::path::FieldPath;

const MAX_RULES: usize = 200;
/// Maximum size of the expressions of all rules together, in bytes.
const MAX_EXPRESSIONS: usize = 100_000;
/// Maximum number of names in the `fields` of a rule, and of paths in its `evidence`.
const MAX_NAMED: usize = 20;
/// Maximum size in bytes of a name, of a fixed text, of the whole list `fields`, and of the whole list `evidence`.
const MAX_TEXT: usize = 1000;

/// A rule as JSON in the schema.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Source {
    id: String,
    #[serde(rename = "description")]
    _description: Option<String>,
    #[serde(default)]
    level: Level,
    fields: Vec<String>,
    each: Option<String>,
    when: Option<String>,
    rule: String,
    message: Option<String>,
    message_expression: Option<String>,
    #[serde(default)]
    evidence: Vec<String>,
    evidence_expression: Option<String>,
    suggestion: Option<String>,
    suggestion_expression: Option<String>,
    #[serde(default)]
    fix: Map<String, Value>,
    #[serde(default)]
    guess: bool,
}

/// Kind of findings that a rule reports.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Level {
    #[default]
    Contradiction,
    Hint,
}

/// Reads all rules. Callers need a large stack, because the nesting depth is known only after parsing.
///
/// # Errors
/// [`RuleError`] for the first invalid rule.
pub fn read(env: &Env, sources: &[Value]) -> Result<(Vec<Rule>, Patterns), RuleError> {
    if sources.len() > MAX_RULES {
        return Err(RuleError::at("/x-rules", format!("has more than {MAX_RULES} rules")));
    }
    let (mut rules, mut patterns, mut ids, mut bytes) = (Vec::new(), Patterns::default(), HashSet::new(), 0);
    for (index, source) in sources.iter().enumerate() {
        let place = format!("/x-rules/{index}");
        let mut reader = Reader { env, place: &place, patterns: &mut patterns, bytes: &mut bytes };
        let rule = reader.rule(source)?;
        if !ids.insert(rule.id.clone()) {
            return Err(RuleError::at(format!("{place}/id"), format!("\"{}\" stands twice", rule.id)));
        }
        rules.push(rule);
    }
    Ok((rules, patterns))
}

struct Reader<'r> {
    env: &'r Env,
    place: &'r str,
    patterns: &'r mut Patterns,
    /// Size of the expressions read so far, in bytes.
    bytes: &'r mut usize,
}

impl Reader<'_> {
    fn refused(&self, key: &str, reason: impl Into<String>) -> RuleError {
        RuleError::at(format!("{}{key}", self.place), reason)
    }

    fn rule(&mut self, source: &Value) -> Result<Rule, RuleError> {
        let source: Source = serde_json::from_value(source.clone()).map_err(|e| self.refused("", e.to_string()))?;
        self.check_names(&source)?;
        let Source {
            id,
            _description,
            level,
            fields,
            each,
            when,
            rule,
            message,
            message_expression,
            evidence,
            evidence_expression,
            suggestion,
            suggestion_expression,
            fix,
            guess,
        } = source;
        let known: &[&str] = if each.is_some() { &["self", "it"] } else { &["self"] };
        let message = match (message, self.optional("/messageExpression", message_expression, known)?) {
            (Some(text), None) => MessageTemplate::Fixed(text),
            (None, Some(expression)) => MessageTemplate::Computed(expression),
            _ => return Err(self.refused("", "needs either message or messageExpression")),
        };
        let suggestion = match (suggestion, self.optional("/suggestionExpression", suggestion_expression, known)?) {
            (Some(text), _) => Some(MessageTemplate::Fixed(text)),
            (None, expression) => expression.map(MessageTemplate::Computed),
        };
        let mut fixes = Vec::new();
        for (field, expression) in fix {
            let key = format!("/fix/{}", field.replace('~', "~0").replace('/', "~1"));
            if !(fields.contains(&field) || each.is_some() && field == "it") {
                return Err(self.refused(&key, "fixes a field that the rule does not name"));
            }
            let text = expression.as_str().ok_or_else(|| self.refused(&key, "must be an expression"))?;
            let expression = self.compile(&key, text, known)?;
            fixes.push((field, expression));
        }
        Ok(Rule {
            each: self.optional("/each", each, &["self"])?,
            when: self.optional("/when", when, &["self"])?,
            rule: self.compile("/rule", &rule, known)?,
            evidence_expression: self.optional("/evidenceExpression", evidence_expression, known)?,
            evidence: evidence.iter().map(|path| FieldPath::parse(path)).collect(),
            is_hint: level == Level::Hint,
            id,
            fields,
            message,
            suggestion,
            fixes,
            guess,
        })
    }

    fn check_names(&self, source: &Source) -> Result<(), RuleError> {
        if source.id.is_empty() || source.fields.is_empty() {
            return Err(self.refused("", "needs an id and at least one field"));
        }
        for (key, names) in [("/fields", &source.fields), ("/evidence", &source.evidence)] {
            if names.len() > MAX_NAMED {
                return Err(self.refused(key, format!("names more than {MAX_NAMED}")));
            }
            if names.iter().map(String::len).sum::<usize>() > MAX_TEXT {
                return Err(self.refused(key, format!("has names of more than {MAX_TEXT} bytes together")));
            }
        }
        let texts = [("/id", Some(&source.id)), ("/message", source.message.as_ref())];
        let texts = texts.into_iter().chain([("/suggestion", source.suggestion.as_ref())]);
        let names = source.fields.iter().map(|name| ("/fields", Some(name)));
        let places = source.evidence.iter().map(|place| ("/evidence", Some(place)));
        for (key, text) in texts.chain(names).chain(places) {
            if text.is_some_and(|text| text.len() > MAX_TEXT) {
                return Err(self.refused(key, format!("is longer than {MAX_TEXT} bytes")));
            }
        }
        match source.fields.iter().position(|field| content::is_system_field(field)) {
            Some(index) => Err(self.refused(&format!("/fields/{index}"), "belongs to the service and is no content")),
            None => Ok(()),
        }
    }

    fn optional(&mut self, key: &str, text: Option<String>, known: &[&str]) -> Result<Option<Expression>, RuleError> {
        text.map(|text| self.compile(key, &text, known)).transpose()
    }

    fn compile(&mut self, key: &str, text: &str, known: &[&str]) -> Result<Expression, RuleError> {
        *self.bytes += text.len();
        if *self.bytes > MAX_EXPRESSIONS {
            let reason = format!("the expressions of all rules are longer than {MAX_EXPRESSIONS} bytes together");
            return Err(self.refused(key, reason));
        }
        lint::compile(self.env, text, known, self.patterns).map_err(|reason| self.refused(key, reason))
    }
}
