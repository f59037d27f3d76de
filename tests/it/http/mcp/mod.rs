//! `POST /mcp`: assistants that use the operations as tools

mod changes;
mod hostile;
mod permissions;
mod reads;

use serde_json::{Value, json};

use crate::support::assistant::Assistant;
use crate::support::{Caller, TestApp};

/// A lesson of ten minutes whose steps take twenty minutes.
pub fn at_odds() -> Value {
    json!({"title": "Cress", "durationMinutes": 10, "steps": [{"text": "Sow", "minutes": 20}]})
}

/// Starts a service. Returns the service, a teacher, the id of an investigation that contradicts itself, and an
/// assistant.
pub async fn start() -> (TestApp, Caller, String, Assistant) {
    let (app, teacher, id) = TestApp::with_id(at_odds()).await;
    let assistant = Assistant::of(&teacher).await;
    (app, teacher, id, assistant)
}

/// Returns an investigation, its versions and its chat.
pub async fn stored(teacher: &Caller, id: &str) -> [String; 3] {
    let path = format!("/api/investigation/{id}");
    let [versions, chat] = [format!("{path}/versions"), format!("{path}/chat")];
    [teacher.get(&path).await.text, teacher.get(&versions).await.text, teacher.get(&chat).await.text]
}

/// A JSON-RPC message.
pub fn message(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

/// Returns the same caller with the `Accept` header of assistants.
pub fn speaks_mcp(caller: Caller) -> Caller {
    caller.with_header("accept", "application/json, text/event-stream")
}
