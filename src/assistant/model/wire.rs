//! The wire format: the request for a chat completion, and its response.
//!
//! Endpoints differ; the [`Dialect`] says what this one supports.

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};

use super::failure::ModelFailure;

/// Maximum bytes of a response.
const MAX_ANSWER: usize = 1024 * 1024;

/// Request features that an endpoint supports. Each refusal removes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// How the answer's format is requested, besides the prompt.
    pub format: Format,
    /// Whether to send a temperature; some models refuse it.
    pub temperature: bool,
}

/// How the format of an answer is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// By a JSON Schema.
    JsonSchema,
    /// By asking for any JSON object.
    JsonObject,
    /// By the prompt alone.
    Plain,
}

impl Dialect {
    /// The first dialect to try.
    pub const FULL: Self = Self { format: Format::JsonSchema, temperature: true };

    /// The dialect to try after a refusal in `words`; `None` if nothing is left to omit.
    pub fn simpler(self, words: &str) -> Option<Self> {
        if self.temperature && words.contains("temperature") {
            return Some(Self { temperature: false, ..self });
        }
        let format = match self.format {
            Format::JsonSchema => Format::JsonObject,
            Format::JsonObject => Format::Plain,
            Format::Plain => return None,
        };
        Some(Self { format, ..self })
    }

    /// The features that both dialects support.
    pub fn and(self, other: Self) -> Self {
        Self { format: self.format.max(other.format), temperature: self.temperature && other.temperature }
    }
}

/// The form in which an answer is wanted.
pub struct Form {
    /// The name of the form.
    pub name: &'static str,
    /// The JSON Schema sent to the endpoint.
    pub schema: Value,
    /// Whether the schema satisfies strict endpoints: all properties required, and a type for everything.
    pub strict: bool,
}

/// The two texts of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    /// The system message.
    pub system: String,
    /// The user message.
    pub user: String,
}

/// The body of a request.
pub fn request(model: &str, texts: &Texts, form: &Form, dialect: Dialect) -> Value {
    let mut body = json!({
        "model": model,
        "messages": [{ "role": "system", "content": texts.system }, { "role": "user", "content": texts.user }],
        "stream": false,
    });
    if dialect.temperature {
        body["temperature"] = json!(0);
    }
    let Form { name, schema, strict } = form;
    match dialect.format {
        Format::JsonSchema => {
            let json_schema = json!({ "name": name, "strict": strict, "schema": schema });
            body["response_format"] = json!({ "type": "json_schema", "json_schema": json_schema });
        }
        Format::JsonObject => body["response_format"] = json!({ "type": "json_object" }),
        Format::Plain => {}
    }
    body
}

/// A response, with its cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The model's text, or why there is none.
    pub text: Result<String, ModelFailure>,
    /// Tokens of the request, if reported.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the answer, if reported.
    pub completion_tokens: Option<u64>,
}

/// Reads the body of an answer with a good status.
pub fn completion(body: &[u8]) -> Completion {
    let Ok(body) = serde_json::from_slice::<Value>(body) else {
        return Completion { text: Err(ModelFailure::Unreadable), prompt_tokens: None, completion_tokens: None };
    };
    let tokens = |kind: &str| body.get("usage")?.get(kind)?.as_u64();
    Completion {
        text: text_of(&body),
        prompt_tokens: tokens("prompt_tokens"),
        completion_tokens: tokens("completion_tokens"),
    }
}

fn text_of(body: &Value) -> Result<String, ModelFailure> {
    let choice = body.pointer("/choices/0").ok_or(ModelFailure::Unreadable)?;
    let message = choice.get("message").ok_or(ModelFailure::Unreadable)?;
    let refusal = message.get("refusal").and_then(Value::as_str).unwrap_or_default();
    match choice.get("finish_reason").and_then(Value::as_str) {
        // Half an answer may be valid JSON.
        Some("length") => Err(ModelFailure::CutOff),
        Some("content_filter") => Err(ModelFailure::Declined),
        _ if !refusal.is_empty() => Err(ModelFailure::Declined),
        _ => Ok(message.get("content").and_then(Value::as_str).unwrap_or_default().to_owned()),
    }
}

/// The names in a list of models; `None` if it is not such a list.
pub fn models(list: &Value) -> Option<Vec<String>> {
    let name = |model: &Value| model.get("id").and_then(Value::as_str).map(str::to_owned);
    match list.get("data")? {
        // Ollama without models returns this.
        Value::Null => Some(Vec::new()),
        models => Some(models.as_array()?.iter().filter_map(name).collect()),
    }
}

/// Why a body was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyFault {
    /// The connection broke.
    ConnectionBroken,
    /// The response exceeds the limit.
    TooLarge,
}

/// Reads a response body up to the limit.
pub async fn body_of(mut response: Response) -> Result<Vec<u8>, BodyFault> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| BodyFault::ConnectionBroken)? {
        if body.len() + chunk.len() > MAX_ANSWER {
            return Err(BodyFault::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Whether a refusal with this status and these words may be about the requested form.
pub fn may_concern_format(asked: Format, status: StatusCode, words: &str) -> bool {
    match status {
        StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND | StatusCode::UNPROCESSABLE_ENTITY => true,
        // Endpoints that cannot compile a grammar for the schema return this.
        StatusCode::INTERNAL_SERVER_ERROR => asked != Format::Plain && mentions_format(words),
        _ => false,
    }
}

fn mentions_format(words: &str) -> bool {
    let words = words.to_lowercase();
    let mut words = words.split(|character: char| !character.is_alphabetic());
    words.any(|word| ["schema", "grammar", "format"].iter().any(|form| word.starts_with(form)))
}
