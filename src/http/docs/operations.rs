//! Completes the operations of the OpenAPI document with what many of them have in common: patterns of parameters,
//! error responses, headers and examples.

use serde_json::{Map, Value, json};
use utoipa::openapi::schema::{Object, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{
    OpenApi, RefOr, Response, ResponseBuilder,
    content::ContentBuilder,
    path::{Operation, Parameter},
};

use crate::http::idempotency;

/// Example requests and responses, by operation and status. A test generates the file.
const EXAMPLES: &str = include_str!("../../../api/examples.json");

/// Adds parameter patterns and error responses to each operation.
pub fn describe(document: &mut OpenApi) {
    for item in document.paths.paths.values_mut() {
        let reading = [&mut item.get, &mut item.head].map(|operation| (operation, false));
        let changing = [&mut item.delete, &mut item.post, &mut item.patch].map(|operation| (operation, true));
        for (operation, changes) in reading.into_iter().chain(changing) {
            if let Some(operation) = operation {
                describe_parameters(operation);
                add_refusals(operation, changes);
            }
        }
    }
}

/// Adds what utoipa does not derive to each operation: summary, response headers, and marks as public or deprecated.
pub fn annotate(document: &mut Value) {
    for_each_operation(document, |path, operation| {
        split_description(operation);
        if operation.get("security").is_none() {
            operation["security"] = json!([]);
        }
        if path.ends_with("/links") {
            operation["deprecated"] = json!(true);
        }
        for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
            remove_null(&mut parameter["schema"]);
        }
        let parameters = operation["parameters"].clone();
        let takes = |name: &str| parameters.as_array().into_iter().flatten().any(|one| one["name"] == name);
        let is_get = operation["operationId"] == "getInvestigation";
        for (status, response) in operation["responses"].as_object_mut().into_iter().flatten() {
            let is_success = status.starts_with('2');
            let has_revision = is_success && takes("id") && answers_investigation(response);
            let sent = [
                ("X-Request-Id", true),
                ("ETag", has_revision || status == "201" && takes("Prefer")),
                ("Location", status == "201"),
                ("Idempotent-Replayed", status == "201" && takes(idempotency::NAME)),
                ("Preference-Applied", is_success && takes("Prefer")),
                ("WWW-Authenticate", status == "401"),
                ("Retry-After", status == "429" || status == "503"),
                ("RateLimit", status == "429"),
                ("RateLimit-Policy", status == "429"),
                ("Allow", is_get && is_success),
            ];
            let sent = sent.iter().filter(|(_, is_sent)| *is_sent);
            let reference = |(name, _): &(&str, bool)| {
                ((*name).to_owned(), json!({"$ref": format!("#/components/headers/{name}")}))
            };
            response["headers"] = sent.map(reference).collect();
        }
    });
}

fn for_each_operation(document: &mut Value, mut change: impl FnMut(&str, &mut Value)) {
    for (path, item) in document["paths"].as_object_mut().into_iter().flatten() {
        for (_, operation) in item.as_object_mut().into_iter().flatten().filter(|(_, one)| one.is_object()) {
            change(path, operation);
        }
    }
}

/// Removes null from the types of a parameter. A client cannot send null, but can omit the parameter.
fn remove_null(schema: &mut Value) {
    if let Some(kinds) = schema["type"].as_array() {
        schema["type"] = kinds.iter().find(|kind| *kind != "null").cloned().unwrap_or_default();
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        *schema = choices.iter().find(|choice| choice["type"] != "null").cloned().unwrap_or_default();
    }
}

/// Sets an operation's summary to its doc comment up to the first `.` or `:`, and the description to the whole comment.
fn split_description(operation: &mut Value) {
    let text = |key: &str| operation[key].as_str().unwrap_or_default().replace('\n', " ");
    let (first, rest) = (text("summary"), text("description"));
    let summary = first.split(['.', ':']).next().unwrap_or_default().to_owned();
    operation["summary"] = json!(summary);
    operation["description"] = json!(format!("{first} {rest}").trim());
}

/// Returns true if a response contains a single investigation. Such a response has an entity tag.
fn answers_investigation(response: &Value) -> bool {
    let place = response["content"]["application/json"]["schema"]["$ref"].as_str();
    let name = place.and_then(|place| place.rsplit('/').next()).unwrap_or_default();
    let holders = "InvestigationAnswer Updated UndeletedAnswer ResolvedAnswer RegeneratedAnswer ConverseResultAnswer";
    holders.split(' ').any(|holder| holder == name)
}

/// Adds examples of requests and responses.
pub fn add_examples(document: &mut Value) {
    let examples: Map<String, Value> = serde_json::from_str(EXAMPLES).unwrap_or_default();
    for_each_operation(document, |_, operation| {
        let Some(example) = operation["operationId"].as_str().and_then(|name| examples.get(name)) else { return };
        for (part, value) in example.as_object().into_iter().flatten() {
            let body =
                if part == "request" { &mut operation["requestBody"] } else { &mut operation["responses"][part] };
            for (_, content) in body["content"].as_object_mut().into_iter().flatten() {
                content["example"] = value.clone();
            }
        }
    });
}

/// Sets the schema of each parameter that [`schema_of`] knows by name, such as `id`.
fn describe_parameters(operation: &mut Operation) {
    for parameter in operation.parameters.iter_mut().flatten() {
        if let RefOr::T(parameter) = parameter
            && let Some(schema) = schema_of(&parameter.name)
        {
            parameter.schema = Some(RefOr::T(schema.into()));
        }
    }
}

fn schema_of(name: &str) -> Option<Object> {
    let text = || ObjectBuilder::new().schema_type(SchemaType::Type(Type::String));
    let choice = |names: Vec<&str>| text().enum_values(Some(names));
    Some(
        match name {
            "id" | "dismissalId" | "investigation" => text().pattern(Some("^[0-9A-Fa-f]{24}$")),
            "author" => text().pattern(Some("^([0-9A-Fa-f]{24}|\\s*)$")),
            "after" | "Last-Event-ID" => text().pattern(Some("^(0|evt_[0-9a-f]{1,15}_[0-9a-f]{1,15}_[0-9a-f]{1,15})$")),
            "key" | "subLink" => text().pattern(Some("^[A-Za-z0-9_-]{1,64}$")),
            idempotency::NAME => text().pattern(Some("^[!-~]{1,255}$")),
            "If-Match" => text().pattern(Some("^(\\*|\"[0-9]+\")$")),
            "sortBy" => choice(vec!["createdAt", "updatedAt", "title", "grade", "curriculum", "status"]),
            "sortOrder" => choice(vec!["asc", "desc"]),
            "groupBy" => choice(vec!["curriculum", "none"]),
            _ => return None,
        }
        .build(),
    )
}

/// Adds the error responses that operations have in common. `changes` is true if the operation changes something.
fn add_refusals(operation: &mut Operation, changes: bool) {
    if operation.tags.iter().flatten().any(|tag| tag == "health") {
        return;
    }
    let takes = |name: &str| {
        let is_it = |parameter: &RefOr<Parameter>| matches!(parameter, RefOr::T(p) if p.name == name);
        operation.parameters.iter().flatten().any(is_it)
    };
    let has_body = operation.request_body.is_some();
    let refusals = [
        ("400", true, "The form of the request was broken"),
        ("401", operation.security.is_some(), "No valid token"),
        (
            "403",
            operation.security.is_some() && changes,
            "The caller's role changes nothing, or the investigation is somebody else's",
        ),
        ("404", takes("id"), "Not found; a 500 if `error-statuses` selects the statuses of the contract"),
        ("408", has_body, "The body took too long to arrive"),
        ("409", takes(idempotency::NAME), "The Idempotency-Key belongs to another request"),
        (
            "409",
            takes("If-Match"),
            "Cannot be done now; with the statuses of the contract (`error-statuses`) this is a 500",
        ),
        ("412", takes("If-Match"), "The investigation has another revision"),
        ("413", has_body, "Too large"),
        ("415", has_body, "Not JSON"),
        ("429", true, "The caller has too much under way; Retry-After says when to come back"),
        ("500", true, "The operation failed"),
        ("503", true, "The service is busy, or its store away; `error` says whether something may have been changed"),
    ];
    for (status, _, description) in refusals.into_iter().filter(|(_, applies, _)| *applies) {
        let responses = &mut operation.responses.responses;
        responses.entry(status.to_owned()).or_insert_with(|| RefOr::T(refusal(description)));
    }
}

fn refusal(description: &str) -> Response {
    let schema = utoipa::openapi::Ref::from_schema_name("ErrorBody");
    let content = ContentBuilder::new().schema(Some(schema)).build();
    ResponseBuilder::new().description(description).content("application/json", content).build()
}
