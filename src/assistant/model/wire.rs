//! Wire format: the request for a chat completion, and its response.
//!
//! Endpoints support different features. A [`Dialect`] contains the features that an endpoint supports.

use std::fmt;

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::error::ModelError;

/// Maximum length of the part of an endpoint's message that the operator sees, in characters.
const MAX_SHOWN: usize = 200;

/// Maximum size of a response, in bytes.
pub const MAX_ANSWER: usize = 1024 * 1024;

/// Optional features of a request that an endpoint supports. Each refusal by the endpoint removes one feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    pub format: AnswerFormat,
    /// True if a temperature is sent. Some models refuse requests with a temperature.
    pub temperature: bool,
    /// True if the answer is streamed. Some models refuse requests for an answer in one piece.
    pub stream: bool,
}

/// Method of requesting the format of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnswerFormat {
    /// With a JSON Schema in the request.
    JsonSchema,
    /// With a setting in the request that asks for a JSON object, without a schema.
    JsonObject,
    /// Only in the prompt.
    Plain,
}

impl Dialect {
    pub const FULL: Self = Self { format: AnswerFormat::JsonSchema, temperature: true, stream: false };

    /// Returns the dialect to try after a refusal with the text `words`, or `None` if there is no feature left to
    /// remove.
    pub fn simpler(self, words: &str) -> Option<Self> {
        if self.temperature && mentions(words, &["temperature"]) {
            return Some(Self { temperature: false, ..self });
        }
        let is_about_stream = mentions(words, &["stream"]);
        if is_about_stream && !self.stream {
            return Some(Self { stream: true, ..self });
        }
        let format = match self.format {
            AnswerFormat::JsonSchema => AnswerFormat::JsonObject,
            AnswerFormat::JsonObject => AnswerFormat::Plain,
            AnswerFormat::Plain => return None,
        };
        // If the request already asked for a stream and the refusal still mentions streams, the endpoint does not
        // support streams, or it only quotes the request. In both cases, the next request asks for a simpler format and
        // for no stream.
        Some(Self { format, stream: self.stream && !is_about_stream, ..self })
    }

    /// Returns the dialect for later requests after the endpoint has accepted `works`. Features that other requests
    /// have already removed stay removed.
    pub fn and(self, works: Self) -> Self {
        Self {
            format: self.format.max(works.format),
            temperature: self.temperature && works.temperature,
            stream: works.stream,
        }
    }
}

pub struct AnswerSchema {
    pub name: &'static str,
    pub schema: Value,
    /// True if the schema satisfies strict endpoints: all properties are required, and every value has a type.
    pub strict: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    pub system: String,
    pub user: String,
}

pub fn request(model: &str, texts: &Texts, answer: &AnswerSchema, dialect: Dialect) -> Value {
    let mut body = json!({
        "model": model,
        "messages": [{ "role": "system", "content": texts.system }, { "role": "user", "content": texts.user }],
        "stream": dialect.stream,
    });
    if dialect.temperature {
        body["temperature"] = json!(0);
    }
    let AnswerSchema { name, schema, strict } = answer;
    match dialect.format {
        AnswerFormat::JsonSchema => {
            let json_schema = json!({ "name": name, "strict": strict, "schema": schema });
            body["response_format"] = json!({ "type": "json_schema", "json_schema": json_schema });
        }
        AnswerFormat::JsonObject => body["response_format"] = json!({ "type": "json_object" }),
        AnswerFormat::Plain => {}
    }
    body
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// Text of the model, or the reason why there is none.
    pub text: Result<String, ModelError>,
    pub prompt_tokens: Option<u64>,
    pub completion_tokens: Option<u64>,
}

/// Reads the body of a response with a success status.
pub fn completion(body: &Value) -> Completion {
    let tokens = |kind: &str| body.get("usage")?.get(kind)?.as_u64();
    Completion {
        text: text_of(body),
        prompt_tokens: tokens("prompt_tokens"),
        completion_tokens: tokens("completion_tokens"),
    }
}

fn text_of(body: &Value) -> Result<String, ModelError> {
    if stated_error(body).is_some() {
        return Err(ModelError::Unreadable);
    }
    let choice = body.pointer("/choices/0").ok_or(ModelError::Unreadable)?;
    let message = choice.get("message").ok_or(ModelError::Unreadable)?;
    let refusal = message.get("refusal").and_then(Value::as_str).unwrap_or_default();
    match choice.get("finish_reason").and_then(Value::as_str) {
        // A truncated answer is an error, even if its JSON is valid.
        Some("length" | "model_length") => Err(ModelError::CutOff),
        Some("content_filter") => Err(ModelError::Declined),
        _ if !refusal.is_empty() => Err(ModelError::Declined),
        _ => Ok(message.get("content").map(content_text).unwrap_or_default()),
    }
}

/// Returns the text in a member `content`, which is a text or a list of parts. Only parts of type `text` belong to the
/// answer; others contain reasoning.
pub fn content_text(content: &Value) -> String {
    let text = |part: &Value| part.get("text").and_then(Value::as_str).map(str::to_owned);
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter(|part| part.get("type").is_some_and(|kind| kind == "text")).filter_map(text).collect()
        }
        _ => String::new(),
    }
}

/// Returns the status of a response with this body. Some endpoints send status 200 before the model fails. Then the
/// body is an error whose code is the real status, or an answer that ends with the reason `error`.
pub fn status_of(sent: StatusCode, body: &Value) -> StatusCode {
    if !sent.is_success() {
        return sent;
    }
    let code = stated_error(body).and_then(code_of).and_then(|code| StatusCode::from_bytes(code.as_bytes()).ok());
    let model_failed = body.pointer("/choices/0/finish_reason").is_some_and(|reason| reason == "error");
    match code {
        Some(code) if code.is_client_error() || code.is_server_error() => code,
        _ if model_failed => StatusCode::BAD_GATEWAY,
        _ => sent,
    }
}

/// An endpoint's message about its failure. It is shown to the operator, and not to callers of the API.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EndpointError {
    pub code: Option<String>,
    pub message: Option<String>,
}

/// Reads the error in a response: the error object in the body, or else the whole body. `without_key` removes the API
/// key from a text.
pub fn error_of(body: &Value, without_key: impl Fn(&str) -> String) -> Option<EndpointError> {
    let error = stated_error(body).unwrap_or(body);
    let shown = |text: String| shown(&without_key(&text));
    let (code, message) = (code_of(error).map(shown), message_of(error).map(str::to_owned).map(shown));
    (code.is_some() || message.is_some()).then_some(EndpointError { code, message })
}

/// Returns the error object of a response, which belongs to the whole response or to its first choice.
fn stated_error(body: &Value) -> Option<&Value> {
    // Some endpoints put the body of an error into a list.
    let body = body.get(0).unwrap_or(body);
    let errors = [body.get("error"), body.pointer("/choices/0/error")];
    errors.into_iter().flatten().find(|error| is_given(error))
}

/// Returns false for values that endpoints send in place of a missing value.
pub fn is_given(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Bool(true) | Value::Number(_) => true,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
    }
}

fn code_of(error: &Value) -> Option<String> {
    match error.get("code")? {
        Value::Number(code) => Some(code.to_string()),
        Value::String(code) => Some(code.clone()),
        _ => None,
    }
}

/// Returns the message of an error. Endpoints nest it in different ways.
fn message_of(error: &Value) -> Option<&str> {
    match error {
        Value::String(message) => Some(message),
        Value::Array(errors) => message_of(errors.first()?),
        Value::Object(members) => {
            ["message", "detail", "msg", "errors"].iter().find_map(|name| message_of(members.get(*name)?))
        }
        _ => None,
    }
}

fn shown(text: &str) -> String {
    let one_line = text.chars().map(|character| if character.is_control() { ' ' } else { character });
    one_line.take(MAX_SHOWN).collect()
}

impl fmt::Display for EndpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<&str> = [&self.code, &self.message].into_iter().flatten().map(String::as_str).collect();
        f.write_str(&parts.join(", "))
    }
}

/// Returns true if the endpoint may have refused a request because of the requested answer format.
pub fn may_concern_format(asked: AnswerFormat, status: StatusCode, words: &str) -> bool {
    match status {
        StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND | StatusCode::UNPROCESSABLE_ENTITY => true,
        // Endpoints return this status if they cannot compile a grammar for the schema.
        StatusCode::INTERNAL_SERVER_ERROR => {
            asked != AnswerFormat::Plain && mentions(words, &["schema", "grammar", "format"])
        }
        _ => false,
    }
}

/// Returns true if a word in the text begins with one of these words.
fn mentions(text: &str, words: &[&str]) -> bool {
    let text = text.to_lowercase();
    let mut found = text.split(|character: char| !character.is_alphabetic());
    found.any(|found| words.iter().any(|word| found.starts_with(word)))
}
