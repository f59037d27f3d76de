//! Calls of MCP tools: builds a request to an operation from the arguments, and a result from its response.

use axum::Router;
use axum::body::{self, Body, Bytes};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, header};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};
use tower::ServiceExt;
use tracing::{Instrument, Span};

use super::tools::{Operation, RequestPart, View};
use crate::admission::{Actor, Admitted};
use crate::app::App;
use crate::domain::change;
use crate::domain::content::{self, is_system_field};
use crate::domain::schema::Violation;
use crate::http::client_address::{self, Peer};
use crate::http::error::ApiError;
use crate::http::preconditions::entity_tag;
use crate::telemetry::Work;

/// Maximum size of the response to a tool that only reads, in bytes. It is twice the largest content.
const MAX_RESULT: usize = 2 * 1024 * 1024;

/// Placeholder for a missing path parameter in the URL, so that the operation itself reports the missing parameter.
const BLANK: &str = "%20";

/// Members of an investigation in a list of summaries.
const SUMMARY: [&str; 9] =
    ["_id", "title", "grade", "curriculum", "status", "author", "version", "revision", "updatedAt"];

/// Members of an investigation that the tool `getContradictions` returns.
const FINDINGS: [&str; 9] = [
    "_id",
    "title",
    "status",
    "revision",
    "contradictions",
    "hints",
    "dismissed",
    "contradictionsIncomplete",
    "contradictionsPending",
];

/// MCP server for one HTTP request. Calls the tools on behalf of the request's sender.
#[derive(Clone)]
pub struct ToolServer {
    pub app: App,
    pub operations: Router,
    pub actor: Actor,
    /// The admission of the HTTP request, whose permit the operations use.
    pub admitted: Option<Admitted>,
    /// Headers of the HTTP request, and extensions such as the peer's address.
    pub head: Parts,
    /// Span of the HTTP request in the log.
    pub span: Span,
    /// Span of the HTTP request in the trace.
    pub work: Work,
}

/// The body of an operation's successful response, or of its error response.
type Outcome = Result<Map<String, Value>, Value>;

/// A request to an operation, built from the arguments of a tool.
#[derive(Default)]
struct Call {
    path: String,
    query: Vec<String>,
    body: Option<Map<String, Value>>,
    /// Id of the investigation, percent-encoded.
    id: String,
    is_applied: bool,
    if_match: Option<u64>,
}

impl ToolServer {
    /// Calls a tool. A tool that changes something stores the change only if the argument `apply` is true.
    pub async fn call(&self, operation: &Operation, arguments: Map<String, Value>) -> Outcome {
        let call = Call::from_arguments(operation, arguments).map_err(|error| envelope(&error))?;
        if !operation.is_change {
            let mut answer = self.send(operation.method.clone(), &call, MAX_RESULT).await?;
            apply_view(&mut answer, operation.view);
            return Ok(answer);
        }
        // The size of the response is not limited, because the change may be stored already.
        let send = async |call: &Call| self.send(operation.method.clone(), call, usize::MAX).await;
        if call.is_applied {
            let mut answer = send(&call).await?;
            answer.insert("applied".to_owned(), true.into());
            return Ok(answer);
        }
        let read = Call { path: format!("/api/investigation/{}", call.id), ..Call::default() };
        // The response is not parsed yet, because text takes less memory and the change may have to wait for a permit
        // of another class.
        let before = self.ask(Method::GET, &read, usize::MAX).await?;
        let revision = match call.if_match {
            Some(revision) => Some(revision),
            None => investigation(&self.read(&before).await?)["revision"].as_u64(),
        };
        let query = vec!["dryRun=true".to_owned()];
        let mut answer = send(&Call { query, if_match: revision, ..call }).await?;
        let before = self.read(&before).await?;
        let (before, after) = (investigation(&before), investigation(&answer));
        let bytes = content::bytes_of(before) + content::bytes_of(after);
        let changes = self.app.admission.core(self.actor, bytes).await.run(|| changes(before, after));
        let shown = [("applied", false.into()), ("ifMatch", revision.into()), ("changes", changes)];
        answer.extend(shown.map(|(name, value)| (name.to_owned(), value)));
        Ok(answer)
    }

    /// Sends a request to an operation. Fails if the response has more than `max_bytes` bytes.
    async fn send(&self, method: Method, call: &Call, max_bytes: usize) -> Outcome {
        let bytes = self.ask(method, call, max_bytes).await?;
        self.read(&bytes).await
    }

    /// Sends a request to an operation. Returns the body of a successful response.
    async fn ask(&self, method: Method, call: &Call, max_bytes: usize) -> Result<Bytes, Value> {
        let request = self.request(method, call).map_err(|error| envelope(&error))?;
        let handled = self.work.trace(self.operations.clone().oneshot(request)).instrument(self.span.clone());
        let (parts, body) = handled.await.unwrap_or_else(|never| match never {}).into_parts();
        let too_large = |_| {
            let reason =
                format!("The result has more than {max_bytes} bytes; ask for less at once, with a smaller limit");
            envelope(&ApiError::too_large(reason))
        };
        let bytes = body::to_bytes(body, max_bytes).await.map_err(too_large)?;
        if parts.status.is_success() {
            return Ok(bytes);
        }
        Err(self.read(&bytes).await?.into())
    }

    async fn read(&self, answer: &[u8]) -> Outcome {
        let read = self.app.admission.core(self.actor, answer.len()).await.run(|| serde_json::from_slice(answer));
        read.map_err(|_| envelope(&ApiError::internal()))
    }

    fn request(&self, method: Method, call: &Call) -> Result<Request, ApiError> {
        let separator = if call.query.is_empty() { "" } else { "?" };
        let uri = [&call.path, separator, &call.query.join("&")].concat();
        let mut request = Request::new(Body::empty());
        *request.method_mut() = method;
        *request.uri_mut() = uri.parse().map_err(|_| ApiError::invalid_at("", "the arguments are too long"))?;
        for name in [header::AUTHORIZATION, client_address::FORWARDED_FOR] {
            let values = self.head.headers.get_all(&name).into_iter().cloned();
            request.headers_mut().extend(values.map(|value| (Some(name.clone()), value)));
        }
        if let Some(body) = &call.body {
            *request.body_mut() = serde_json::to_vec(body).unwrap_or_default().into();
            request.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        let tag = call.if_match.and_then(entity_tag);
        request.headers_mut().extend(tag.map(|tag| (header::IF_MATCH, tag)));
        if let Some(peer) = self.head.extensions.get::<Peer>() {
            request.extensions_mut().insert(*peer);
        }
        Ok(request)
    }
}

impl Call {
    /// Builds a request from the arguments of a tool. Checks their names and types; the operation checks the values.
    fn from_arguments(operation: &Operation, arguments: Map<String, Value>) -> Result<Self, ApiError> {
        let mut call = Self { path: operation.path.clone(), id: BLANK.to_owned(), ..Self::default() };
        let mut faults = Vec::new();
        for (name, value) in arguments {
            let fault = match (operation.request_part(&name), value) {
                (None, _) => Some("is not an argument of this tool"),
                (Some(_), Value::Null) => None,
                (Some(part @ (RequestPart::Path | RequestPart::Query)), value) => {
                    call.add_parameter(part, &name, &value)
                }
                (Some(RequestPart::Member), value) => {
                    call.body.get_or_insert_default().insert(name.clone(), value);
                    None
                }
                (Some(RequestPart::Body), Value::Object(body)) => {
                    call.body = Some(body);
                    None
                }
                (Some(RequestPart::Body), _) => Some("must be an object"),
                (Some(RequestPart::Apply), Value::Bool(is_applied)) => {
                    call.is_applied = is_applied;
                    None
                }
                (Some(RequestPart::Apply), _) => Some("must be true or false"),
                (Some(RequestPart::IfMatch), value) => {
                    call.if_match = value.as_u64();
                    call.if_match.is_none().then_some("must be a whole number")
                }
            };
            faults.extend(fault.map(|fault| Violation::new(name, fault)));
        }
        if operation.request_part("changes").is_some() && call.body.is_none() && faults.is_empty() {
            faults.push(Violation::new("changes", "is required"));
        }
        if call.is_applied && call.if_match.is_none() && faults.is_empty() {
            faults.push(Violation::new("ifMatch", "is required if apply is true: the revision that you have read"));
        }
        while let Some((start, (_, end))) = call.path.split_once('{').and_then(|(a, b)| Some((a, b.split_once('}')?))) {
            call.path = [start, BLANK, end].concat();
        }
        if faults.is_empty() { Ok(call) } else { Err(ApiError::invalid(faults)) }
    }

    /// Adds a value to the path or the query. Joins a list with commas. Returns the fault if the value cannot be used.
    fn add_parameter(&mut self, part: RequestPart, name: &str, value: &Value) -> Option<&'static str> {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Array(items) if matches!(part, RequestPart::Query) && items.iter().all(Value::is_string) => {
                items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(",")
            }
            Value::Array(_) | Value::Object(_) => return Some("must be a single value"),
            scalar => scalar.to_string(),
        };
        let mut text = utf8_percent_encode(&text, NON_ALPHANUMERIC).to_string();
        match part {
            RequestPart::Path => {
                if text.is_empty() {
                    BLANK.clone_into(&mut text);
                }
                self.path = self.path.replace(&format!("{{{name}}}"), &text);
                if name == "id" {
                    self.id = text;
                }
            }
            _ => self.query.push(format!("{name}={text}")),
        }
        None
    }
}

/// Returns the JSON body of an error response of the HTTP API.
fn envelope(error: &ApiError) -> Value {
    serde_json::to_value(error.body()).unwrap_or_default()
}

fn investigation(answer: &Map<String, Value>) -> &Value {
    let data = answer.get("updatedInvestigation").or(answer.get("data")).unwrap_or(&Value::Null);
    if data["_id"].is_null() { &data["investigation"] } else { data }
}

/// Removes the members that `view` does not show from the investigations in a response. Adds `contradictionCount` to
/// each summary.
fn apply_view(answer: &mut Map<String, Value>, view: View) {
    let keep = |investigation: &mut Value, members: &[&str]| {
        if let Some(investigation) = investigation.as_object_mut() {
            investigation.retain(|name, _| members.contains(&name.as_str()));
        }
    };
    let Some(data) = answer.get_mut("data") else { return };
    match view {
        View::Full => {}
        View::Findings => keep(data, &FINDINGS),
        View::Summaries => {
            for investigation in data["items"].as_array_mut().into_iter().flatten() {
                let count = investigation["contradictions"].as_array().map_or(0, Vec::len);
                keep(investigation, &SUMMARY);
                investigation["contradictionCount"] = count.into();
            }
        }
    }
}

/// Returns the changes between two states of an investigation, leaf by leaf. Includes content, `status` and `editors`.
fn changes(before: &Value, after: &Value) -> Value {
    let fields = |investigation: &Value| {
        let mut fields = investigation.as_object().cloned().unwrap_or_default();
        fields.retain(|name, _| !is_system_field(name) || ["status", "editors"].contains(&name.as_str()));
        fields
    };
    let changes = change::diff_objects(&fields(before), &fields(after)).into_iter().map(|change| {
        let sides = [("before", change.before), ("after", change.after)];
        let mut shown = json!({"fieldPath": change.path.to_string()});
        for (name, value) in sides.into_iter().filter_map(|(name, value)| Some((name, value?))) {
            shown[name] = value;
        }
        shown
    });
    changes.collect()
}
