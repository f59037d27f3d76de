//! The content schema: JSON Schema 2020-12 with additional keywords of Fieldbook.
//!
//! A document is complete only if it has the properties with `x-complete: true`. `x-rules-off` at the root names
//! consistency rules that do not run. The schemas of operators use the same keywords.

use std::collections::HashSet;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{PatternOptions, ValidationError, Validator};
use serde_json::{Map, Value};

use super::content::{self, Content};
use super::keywords;
use super::label::resolve;
use super::path::FieldPath;
pub use super::schema_error::SchemaError;

/// The schema of a science investigation, used unless the operator provides one.
pub const BUILT_IN: &str = include_str!("../../../schemas/investigation.json");

/// Maximum number of reported violations. If there are more, they usually have a common cause, and a longer list would
/// not help.
const MAX_VIOLATIONS: usize = 1000;

/// If checking a document may find more violations than this number, only the first one is reported. Each violation
/// takes up to half a kilobyte of memory.
const MAX_CHECKS: u64 = 120_000;

const BAD_PATTERN: &str = "is not a regular expression, uses lookaround or a backreference, or is too large";

/// A valid content schema.
#[derive(Debug)]
pub struct Schema {
    document: Value,
    validator: Validator,
    complete: Vec<String>,
    /// Maximum number of violations per value: 1 plus the number of subschemas in all `anyOf` and `oneOf`.
    choices: u64,
}

/// A violation of the schema by the content, or of the request format by a request.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
pub struct Violation {
    /// Path of the invalid value, with dots. For a request, the name of a parameter or body field.
    pub path: String,
    /// What is wrong, or what is expected instead.
    pub message: String,
}

impl Violation {
    /// Creates a violation at `path`.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into() }
    }
}

impl Schema {
    /// Parses and checks a schema.
    pub fn parse(text: &str) -> Result<Self, SchemaError> {
        let document = super::json::parse(text.as_bytes())
            .map_err(|error| SchemaError::Json(format!("at \"{}\": {}", error.path, error.kind)))?;
        if !document.is_object() {
            return Err(SchemaError::invalid("/", "the schema must be an object"));
        }
        keywords::check(&document)?;
        let validator = jsonschema::draft202012::options()
            // With this regex engine, the time to match a pattern is proportional to the length of the text.
            .with_pattern_options(PatternOptions::regex())
            .should_validate_formats(true)
            .should_ignore_unknown_formats(false)
            .build(&document)
            .map_err(|error| {
                let is_pattern = matches!(error.kind(), ValidationErrorKind::Format { format } if format == "regex");
                let reason = if is_pattern { BAD_PATTERN.to_owned() } else { error.masked().to_string() };
                SchemaError::invalid(error.instance_path().as_str(), reason)
            })?;
        let mut complete = Vec::new();
        if let Some(properties) = document.get("properties").and_then(Value::as_object) {
            for (name, property) in properties {
                if content::is_system_field(name) {
                    return Err(SchemaError::invalid(
                        format!("/properties/{name}"),
                        "this name is reserved for the service; rename the field",
                    ));
                }
                match property.get("x-complete") {
                    None | Some(Value::Bool(false)) => {}
                    Some(Value::Bool(true)) => complete.push(name.clone()),
                    Some(_) => {
                        return Err(SchemaError::invalid(
                            format!("/properties/{name}/x-complete"),
                            "must be true or false",
                        ));
                    }
                }
            }
        }
        let choices = 1 + choices(&document);
        Ok(Self { document, validator, complete, choices })
    }

    /// Returns the schema as JSON, including annotations.
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// Returns the names of the fields that are necessary for completeness, but missing or blank in `content`.
    pub fn missing_fields<'s>(&'s self, content: &'s Content) -> impl Iterator<Item = &'s str> {
        self.complete.iter().map(String::as_str).filter(|name| content.get(*name).is_none_or(content::is_blank))
    }

    /// Removes each null member that the schema names. A form may send null for an empty input.
    pub fn remove_nulls(&self, content: &mut Content) {
        remove_nulls(&self.document, &self.document, content);
    }

    /// Returns the violations of the schema in `content`: at most 1000, or only the first if `content` is very large.
    pub fn violations(&self, content: &Content) -> Vec<Violation> {
        named(self.located(&Value::Object(content.clone())).map(|(_, violation)| violation))
    }

    /// Returns the violations in `after` that the change from `before` introduced. Leaves `after` as it was. Takes it
    /// by mutable reference, because the validator needs a [`Value`], and a copy takes more time than the check.
    pub fn violations_introduced(&self, before: &Content, after: &mut Content) -> Vec<Violation> {
        let value = Value::Object(std::mem::take(after));
        let introduced = if self.validator.is_valid(&value) { Vec::new() } else { self.introduced(before, &value) };
        if let Value::Object(members) = value {
            *after = members;
        }
        introduced
    }

    fn introduced(&self, before: &Content, after: &Value) -> Vec<Violation> {
        let before = Value::Object(before.clone());
        let earlier: HashSet<Violation> = self.located(&before).map(|(_, violation)| violation).collect();
        // A violation is not new if the earlier content had the same one and the value is unchanged. A list or object
        // may differ: a change inside it does not turn an earlier violation of the whole list or object into a new one.
        let stood = |path: &FieldPath, violation: &Violation| {
            let now = path.get(after);
            let whole = now.is_some_and(|value| value.is_array() || value.is_object());
            earlier.contains(violation) && (whole || path.get(&before) == now)
        };
        named(self.located(after).filter(|(path, violation)| !stood(path, violation)).map(|(_, violation)| violation))
    }

    fn located<'d>(&'d self, document: &'d Value) -> Box<dyn Iterator<Item = (FieldPath, Violation)> + 'd> {
        if values(document).saturating_mul(self.choices) <= MAX_CHECKS {
            return Box::new(self.validator.iter_errors(document).flat_map(|error| located(&error)));
        }
        let first = self.validator.validate(document).err().into_iter();
        let more = Violation::new("", "has more values than can be checked at once; the first violation is named");
        Box::new(first.flat_map(move |error| located(&error).into_iter().chain([(FieldPath::root(), more.clone())])))
    }
}

fn remove_nulls(root: &Value, schema: &Value, members: &mut Map<String, Value>) {
    let Some(properties) = resolve(root, Some(schema)).get("properties") else { return };
    members.retain(|name, value| match properties.get(name) {
        Some(_) if value.is_null() => false,
        Some(schema) => {
            remove_nulls_within(root, schema, value);
            true
        }
        None => true,
    });
}

fn remove_nulls_within(root: &Value, schema: &Value, value: &mut Value) {
    match value {
        Value::Object(members) => remove_nulls(root, schema, members),
        Value::Array(elements) => {
            if let Some(items) = resolve(root, Some(schema)).get("items") {
                elements.iter_mut().for_each(|element| remove_nulls_within(root, items, element));
            }
        }
        _ => {}
    }
}

fn located(error: &ValidationError<'_>) -> Vec<(FieldPath, Violation)> {
    let segments = error.instance_path().iter().map(|segment| segment.to_string().into());
    let path = FieldPath::from(segments.collect::<Vec<_>>());
    let located = |(path, message): (FieldPath, String)| {
        let violation = Violation::new(path.to_string(), message);
        (path, violation)
    };
    words(&path, error).into_iter().map(located).collect()
}

/// Returns the number of subschemas from which `anyOf` or `oneOf` choose. A value that fits none violates all of them.
fn choices(schema: &Value) -> u64 {
    match schema {
        Value::Array(elements) => elements.iter().map(choices).sum(),
        Value::Object(members) => {
            let listed = ["anyOf", "oneOf"].iter().filter_map(|name| members.get(*name)?.as_array());
            let here: u64 = listed.map(|list| list.len() as u64).sum();
            here + members.values().map(choices).sum::<u64>()
        }
        _ => 0,
    }
}

fn values(document: &Value) -> u64 {
    1 + match document {
        Value::Array(elements) => elements.iter().map(values).sum(),
        Value::Object(members) => members.values().map(values).sum(),
        _ => 0,
    }
}

/// Returns the violations without duplicates. If there are more than [`MAX_VIOLATIONS`], an additional entry says so.
fn named(found: impl Iterator<Item = Violation>) -> Vec<Violation> {
    let mut seen = HashSet::new();
    let mut violations: Vec<Violation> =
        found.filter(|violation| seen.insert(violation.clone())).take(MAX_VIOLATIONS + 1).collect();
    if violations.len() > MAX_VIOLATIONS {
        violations.truncate(MAX_VIOLATIONS);
        violations.push(Violation::new("", format!("has more violations; the first {MAX_VIOLATIONS} are named")));
    }
    violations
}

/// Describes a validation error. The description does not repeat the author's text, which may be long.
fn words(path: &FieldPath, error: &ValidationError<'_>) -> Vec<(FieldPath, String)> {
    let here = |message: String| vec![(path.clone(), message)];
    let children = |names: &[String], message: &str| {
        names.iter().map(|name| (path.child(name.as_str()), message.to_owned())).collect()
    };
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            vec![(path.child(property.as_str().unwrap_or_default()), "is required".to_owned())]
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            children(unexpected, "is not a field of the schema")
        }
        ValidationErrorKind::Type { kind } => {
            let names: Vec<&str> = match kind {
                TypeKind::Single(kind) => vec![type_name(&kind.to_string())],
                TypeKind::Multiple(kinds) => kinds.iter().map(|kind| type_name(&kind.to_string())).collect(),
            };
            here(format!("must be {}", names.join(" or ")))
        }
        ValidationErrorKind::Minimum { limit } => here(format!("must be at least {limit}")),
        ValidationErrorKind::Maximum { limit } => here(format!("must be at most {limit}")),
        ValidationErrorKind::ExclusiveMinimum { limit } => here(format!("must be more than {limit}")),
        ValidationErrorKind::ExclusiveMaximum { limit } => here(format!("must be less than {limit}")),
        ValidationErrorKind::MinLength { limit } => here(format!("must have at least {limit} characters")),
        ValidationErrorKind::MaxLength { limit } => here(format!("must have at most {limit} characters")),
        ValidationErrorKind::MinItems { limit } => here(format!("must have at least {limit} elements")),
        ValidationErrorKind::MaxItems { limit } => here(format!("must have at most {limit} elements")),
        ValidationErrorKind::UniqueItems => here("must not have the same element twice".to_owned()),
        ValidationErrorKind::Enum { options } => here(format!("must be one of {options}")),
        ValidationErrorKind::Constant { expected_value } => here(format!("must be {expected_value}")),
        ValidationErrorKind::Pattern { pattern } => here(format!("must match the pattern {pattern}")),
        ValidationErrorKind::Format { format } => here(format!("must be in the form of {}", format)),
        ValidationErrorKind::FalseSchema => here("is not allowed here".to_owned()),
        _ => here(error.masked().to_string()),
    }
}

fn type_name(kind: &str) -> &'static str {
    match kind {
        "string" => "a string",
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "true or false",
        "array" => "an array",
        "object" => "an object",
        _ => "null",
    }
}
