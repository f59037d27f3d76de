//! The MCP tools. Each calls an operation of the HTTP API. The OpenAPI document determines the arguments of a tool.

use std::sync::LazyLock;

use axum::http::Method;
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use crate::http::docs;

/// A tool, and the operation behind it.
pub struct Operation {
    pub tool: Tool,
    pub method: Method,
    /// Path of the operation, with parameters such as `{id}`.
    pub path: String,
    /// Whether the operation changes something, unless it is a dry run.
    pub is_change: bool,
    /// Part of the operation's response that the tool returns.
    pub view: View,
    arguments: Vec<(String, RequestPart)>,
}

/// Part of an operation's request that an argument of a tool sets.
#[derive(Debug, Clone, Copy)]
pub enum RequestPart {
    Path,
    Query,
    Member,
    Body,
    /// No part of the request: the argument `apply` decides whether the change is stored.
    Apply,
    IfMatch,
}

#[derive(Debug, Clone, Copy)]
pub enum View {
    Full,
    Summaries,
    Findings,
}

/// Name, title and view of each tool. The name is an operation id, except that `getContradictions` calls
/// `getInvestigation`.
const TOOLS: [(&str, &str, View); 13] = [
    ("getInvestigations", "Find investigations", View::Summaries),
    ("getInvestigation", "Read an investigation", View::Full),
    ("getInvestigationFormat", "Read the content schema", View::Full),
    ("getContradictions", "Read the contradictions", View::Findings),
    ("getInvestigationVersions", "Read the history", View::Full),
    ("getInvestigationVersion", "Read an earlier version", View::Full),
    ("getFieldHistory", "Read the history of a field", View::Full),
    ("splitText", "Read a text into fields", View::Full),
    ("updateInvestigation", "Change fields", View::Full),
    ("resolveContradiction", "Resolve contradictions", View::Full),
    ("regenerateOtherFields", "Fit the other fields to one field", View::Full),
    ("undoInvestigation", "Undo", View::Full),
    ("redoInvestigation", "Redo", View::Full),
];

const SUMMARIES: &str = "Returns a summary of each; getInvestigation returns one with its content.";
const FINDINGS: &str = "Returns the contradictions of an investigation, the hints, which are less certain, and the \
                        findings that an author dismissed.";
const CHANGES: &str = "Unless apply is true, nothing is stored, and the answer shows the investigation as it would be, \
                       the changes, and the ifMatch to apply them with.";

static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(|| {
    let document = docs::openapi();
    TOOLS.iter().filter_map(|(name, title, view)| Operation::from_document(&document, name, title, *view)).collect()
});

pub fn find(name: &str) -> Option<&'static Operation> {
    all().find(|operation| operation.tool.name == name)
}

pub fn all() -> impl Iterator<Item = &'static Operation> {
    OPERATIONS.iter()
}

impl Operation {
    /// Returns the part of the request that an argument sets; `None` if the tool does not have this argument.
    pub fn request_part(&self, argument: &str) -> Option<RequestPart> {
        self.arguments.iter().find(|(name, _)| name == argument).map(|(_, part)| *part)
    }

    /// Creates a tool from an operation of the OpenAPI document; `None` if the document does not have this operation.
    fn from_document(document: &Value, name: &'static str, title: &str, view: View) -> Option<Self> {
        let id = if matches!(view, View::Findings) { "getInvestigation" } else { name };
        let mut items = document["paths"].as_object()?.iter();
        let (path, (method, operation)) = items.find_map(|(path, item)| {
            let found = item.as_object()?.iter().find(|(_, operation)| operation["operationId"] == id)?;
            Some((path, found))
        })?;
        let method: Method = method.to_uppercase().parse().ok()?;
        let mut input = Input::default();
        let mut is_change = false;
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let parameter = with_references_inlined(document, parameter);
            is_change |= parameter["name"] == "dryRun";
            let part = match parameter["in"].as_str()? {
                "path" => RequestPart::Path,
                // Omits two parameters: `dryRun`, because the tool has `apply` instead, and `fields`, because the
                // summaries that the tool returns always have the same fields.
                "query" if parameter["name"] != "dryRun" && parameter["name"] != "fields" => RequestPart::Query,
                _ => continue,
            };
            let schema = with_description(&parameter["schema"], &parameter["description"]);
            input.add(parameter["name"].as_str()?, part, schema, parameter["required"] == true);
        }
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        let body = schema["$ref"].as_str().and_then(|reference| document.pointer(reference.trim_start_matches('#')));
        match body.map(|body| (body, body["properties"].as_object())) {
            None => {}
            Some((body, Some(members))) => {
                let required =
                    |name: &String| body["required"].as_array().is_some_and(|all| all.contains(&json!(name)));
                for (name, member) in members {
                    let schema = with_references_inlined(document, member);
                    input.add(name, RequestPart::Member, schema, required(name));
                }
            }
            // The members of the body depend on the content schema, which getInvestigationFormat returns.
            Some((body, None)) => {
                let schema = with_description(&json!({"type": "object"}), &body["description"]);
                input.add("changes", RequestPart::Body, schema, true);
            }
        }
        let summary = operation["description"].as_str()?.replace('\n', " ");
        let mut description = match view {
            View::Full => summary,
            View::Summaries => format!("{summary} {SUMMARIES}"),
            View::Findings => FINDINGS.to_owned(),
        };
        let mut annotations = ToolAnnotations::new().open_world(false);
        if !is_change {
            annotations = annotations.read_only(true);
        } else {
            description = format!("{description} {CHANGES}");
            let apply = "Whether to store the change. If false, the answer only previews the result.";
            input.add(
                "apply",
                RequestPart::Apply,
                json!({"type": "boolean", "default": false, "description": apply}),
                false,
            );
            let revision = "The revision that you read; required with apply. The change is refused if the \
                            investigation has another revision by then.";
            input.add("ifMatch", RequestPart::IfMatch, json!({"type": "integer", "description": revision}), false);
            // A repeated call is refused if the first call has increased the revision. But a regeneration that changes
            // nothing keeps the revision, and each call adds an entry to the chat. So regeneration is not idempotent.
            let is_idempotent = id != "regenerateOtherFields";
            annotations = annotations.read_only(false).destructive(true).idempotent(is_idempotent);
        }
        let Input { arguments, schema } = input;
        let tool = Tool::new(name, description, schema).with_title(title).with_annotations(annotations);
        Some(Self { tool, method, path: path.clone(), is_change, view, arguments })
    }
}

struct Input {
    arguments: Vec<(String, RequestPart)>,
    schema: Map<String, Value>,
}

impl Default for Input {
    fn default() -> Self {
        let schema = json!({"type": "object", "properties": {}, "required": [], "additionalProperties": false});
        Self { arguments: Vec::new(), schema: schema.as_object().cloned().unwrap_or_default() }
    }
}

impl Input {
    fn add(&mut self, name: &str, part: RequestPart, schema: Value, is_required: bool) {
        self.arguments.push((name.to_owned(), part));
        self.schema["properties"][name] = schema;
        if is_required && let Some(Value::Array(required)) = self.schema.get_mut("required") {
            required.push(name.into());
        }
    }
}

/// Returns a schema in which each `$ref` is replaced by its target. Schemas of arguments are not recursive.
fn with_references_inlined(document: &Value, schema: &Value) -> Value {
    let inline = |schema| with_references_inlined(document, schema);
    match schema {
        Value::Object(object) => match object.get("$ref").and_then(Value::as_str) {
            Some(reference) => document.pointer(reference.trim_start_matches('#')).map_or(Value::Null, inline),
            None => object.iter().map(|(name, member)| (name.clone(), inline(member))).collect(),
        },
        Value::Array(items) => items.iter().map(inline).collect(),
        scalar => scalar.clone(),
    }
}

fn with_description(schema: &Value, description: &Value) -> Value {
    let mut schema = schema.clone();
    schema["description"] = description.clone();
    schema
}
