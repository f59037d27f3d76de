//! Completes the operations of the OpenAPI document with what many of them have in common: error responses,
//! headers and examples.

use serde_json::{Map, Value, json};

use crate::http::idempotency;

/// Example requests and responses, by operation and status. A test generates the file.
const EXAMPLES: &str = include_str!("../../../api/examples.json");

/// Adds what utoipa does not derive to each operation: summary, error responses, response
/// headers, and marks as public or deprecated.
pub fn annotate(document: &mut Value) {
    for_each_operation(document, |path, method, operation| {
        split_description(operation);
        add_refusals(method, operation);
        if operation.get("security").is_none() {
            operation["security"] = json!([]);
        }
        if path.ends_with("/links") {
            operation["deprecated"] = json!(true);
        }
        let parameters = operation["parameters"].clone();
        let takes = |name: &str| takes(&parameters, name);
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

fn for_each_operation(document: &mut Value, mut change: impl FnMut(&str, &str, &mut Value)) {
    for (path, item) in document["paths"].as_object_mut().into_iter().flatten() {
        for (method, operation) in item.as_object_mut().into_iter().flatten().filter(|(_, one)| one.is_object()) {
            change(path, method, operation);
        }
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

pub fn add_examples(document: &mut Value) {
    let examples: Map<String, Value> = serde_json::from_str(EXAMPLES).unwrap_or_default();
    for_each_operation(document, |_, _, operation| {
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

fn takes(parameters: &Value, name: &str) -> bool {
    parameters.as_array().into_iter().flatten().any(|parameter| parameter["name"] == name)
}

/// Adds the error responses that operations have in common.
fn add_refusals(method: &str, operation: &mut Value) {
    if operation["tags"] == json!(["health"]) {
        return;
    }
    let changes = !["get", "head"].contains(&method);
    let is_signed = operation.get("security").is_some();
    let has_body = operation.get("requestBody").is_some();
    let takes = |name: &str| takes(&operation["parameters"], name);
    let refusals = [
        ("400", true, "The form of the request was broken"),
        ("401", is_signed, "No valid token"),
        ("403", is_signed && changes, "The caller's role changes nothing, or the investigation is somebody else's"),
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
    let refusals = refusals.map(|(status, applies, description)| applies.then_some((status, description)));
    let Some(responses) = operation["responses"].as_object_mut() else { return };
    for (status, description) in refusals.into_iter().flatten() {
        let content = json!({"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}});
        let refusal = json!({"description": description, "content": content});
        responses.entry(status).or_insert(refusal);
    }
    responses.sort_keys();
}
