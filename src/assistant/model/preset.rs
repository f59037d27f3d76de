//! Presets: known servers and providers of language models.
//!
//! Only this part of the program contains names of servers and providers.

use super::wire::{AnswerFormat, Dialect};

#[derive(Debug)]
pub struct Preset {
    /// Value of the setting `assistant`.
    pub name: &'static str,
    pub title: &'static str,
    /// Default base URL, without `/chat/completions`; `None` if there is no default.
    pub base_url: Option<&'static str>,
    /// Whether the default endpoint needs a key.
    pub needs_key: bool,
    /// Optional features of the first request. Each refusal by the endpoint removes a feature.
    pub(super) dialect: Dialect,
}

pub const OPENAI_COMPATIBLE: Preset = Preset {
    name: "openai-compatible",
    title: "The endpoint",
    base_url: None,
    needs_key: false,
    dialect: Dialect::FULL,
};

pub static PRESETS: [Preset; 7] = [
    Preset { name: "ollama", title: "Ollama", base_url: Some("http://127.0.0.1:11434/v1"), ..OPENAI_COMPATIBLE },
    Preset { name: "lmstudio", title: "LM Studio", base_url: Some("http://127.0.0.1:1234/v1"), ..OPENAI_COMPATIBLE },
    Preset { name: "llamacpp", title: "llama.cpp", base_url: Some("http://127.0.0.1:8080/v1"), ..OPENAI_COMPATIBLE },
    Preset {
        name: "openai",
        title: "OpenAI",
        base_url: Some("https://api.openai.com/v1"),
        needs_key: true,
        // No temperature is sent, because reasoning models refuse every value except their default.
        dialect: Dialect { temperature: false, ..Dialect::FULL },
    },
    Preset {
        name: "anthropic",
        title: "Anthropic",
        base_url: Some("https://api.anthropic.com/v1"),
        needs_key: true,
        // Anthropic ignores `response_format`, and its newer models refuse a temperature.
        dialect: Dialect { format: AnswerFormat::Plain, temperature: false, ..Dialect::FULL },
    },
    Preset {
        name: "mistral",
        title: "Mistral",
        base_url: Some("https://api.mistral.ai/v1"),
        needs_key: true,
        ..OPENAI_COMPATIBLE
    },
    OPENAI_COMPATIBLE,
];

impl Preset {
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }
}
