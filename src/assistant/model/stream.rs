//! Reads the body of a response. The parts of a streamed answer are joined into the body that an endpoint sends without
//! streaming, so that no other code needs to handle streams.

use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

use super::wire::{self, MAX_ANSWER};
use crate::http_client::{self, BodyError};

/// Last event of a stream. Some endpoints keep the connection open after it.
const DONE: &str = "[DONE]";

/// The parts of a streamed answer that arrived.
#[derive(Default)]
struct Parts {
    text: String,
    refusal: String,
    finish_reason: Value,
    usage: Value,
    error: Value,
}

/// Reads the body of a response.
///
/// # Errors
/// [`BodyError::TooLarge`] if the body, or the text in a streamed answer, is larger than [`MAX_ANSWER`].
pub async fn body(response: Response) -> Result<Vec<u8>, BodyError> {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.starts_with("text/event-stream") {
        streamed(response).await
    } else {
        http_client::body(response, MAX_ANSWER).await
    }
}

/// Reads a stream event by event. Keeps only the text, because the events of a long answer take much more memory.
async fn streamed(mut response: Response) -> Result<Vec<u8>, BodyError> {
    let mut parts = Parts::default();
    let mut line = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(BodyError::ConnectionBroken)? {
        for &byte in &chunk {
            if byte != b'\n' {
                line.push(byte);
                continue;
            }
            let text = String::from_utf8_lossy(&line);
            if let Some(event) = text.strip_prefix("data:").map(str::trim) {
                if event == DONE {
                    return Ok(parts.body());
                }
                parts.add(serde_json::from_str(event).unwrap_or_default());
            }
            line.clear();
        }
        if line.len().max(parts.text.len() + parts.refusal.len()) > MAX_ANSWER {
            return Err(BodyError::TooLarge);
        }
    }
    Ok(parts.body())
}

impl Parts {
    fn add(&mut self, mut event: Value) {
        let delta = event.pointer("/choices/0/delta").unwrap_or(&Value::Null);
        self.text.push_str(&delta.get("content").map(wire::content_text).unwrap_or_default());
        self.refusal.push_str(delta.get("refusal").and_then(Value::as_str).unwrap_or_default());
        for (part, path) in [
            (&mut self.finish_reason, "/choices/0/finish_reason"),
            (&mut self.usage, "/usage"),
            (&mut self.error, "/error"),
        ] {
            if let Some(value) = event.pointer_mut(path).map(Value::take).filter(wire::is_given) {
                *part = value;
            }
        }
    }

    fn body(self) -> Vec<u8> {
        let Self { text, refusal, finish_reason, usage, error } = self;
        // A stream without a finish reason was interrupted, so the answer is treated as truncated.
        let finish_reason = if finish_reason.is_null() { json!("length") } else { finish_reason };
        let choice = json!({ "message": { "content": text, "refusal": refusal }, "finish_reason": finish_reason });
        json!({ "choices": [choice], "usage": usage, "error": error }).to_string().into_bytes()
    }
}
