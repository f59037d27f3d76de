//! Presets: known servers and providers of language models.
//!
//! Only this part of the program contains names of servers and providers.

use super::wire::{AnswerFormat, Dialect};

#[derive(Debug)]
pub struct Preset {
    /// Value of the setting `assistant`.
    pub name: &'static str,
    pub title: &'static str,
    pub hosting: Hosting,
    /// Optional features of the first request. Each refusal by the endpoint removes a feature.
    pub(super) dialect: Dialect,
}

#[derive(Debug)]
pub enum Hosting {
    /// A server on this machine, which lists its models.
    Local {
        port: u16,
        /// Command that starts the server.
        start: &'static str,
        /// Command that installs a model.
        load: &'static str,
    },
    /// A provider that needs a key, with its base URL.
    Hosted(&'static str),
    /// The address in the settings.
    Anywhere,
}

pub const OPENAI_COMPATIBLE: Preset =
    Preset { name: "openai-compatible", title: "The endpoint", hosting: Hosting::Anywhere, dialect: Dialect::FULL };

/// All presets. The default ports of local servers differ from each other.
pub static PRESETS: [Preset; 7] = [
    Preset {
        name: "ollama",
        title: "Ollama",
        hosting: Hosting::Local { port: 11434, start: "ollama serve", load: "ollama pull qwen3:14b" },
        ..OPENAI_COMPATIBLE
    },
    Preset {
        name: "lmstudio",
        title: "LM Studio",
        hosting: Hosting::Local { port: 1234, start: "lms server start", load: "lms get qwen3-14b" },
        ..OPENAI_COMPATIBLE
    },
    Preset {
        name: "llamacpp",
        title: "llama.cpp",
        hosting: Hosting::Local { port: 8080, start: "llama-server -m FILE.gguf", load: "llama-server -m FILE.gguf" },
        ..OPENAI_COMPATIBLE
    },
    Preset {
        name: "openai",
        title: "OpenAI",
        hosting: Hosting::Hosted("https://api.openai.com/v1"),
        // Reasoning models refuse any temperature other than their default.
        dialect: Dialect { temperature: false, ..Dialect::FULL },
    },
    Preset {
        name: "anthropic",
        title: "Anthropic",
        hosting: Hosting::Hosted("https://api.anthropic.com/v1"),
        // Anthropic ignores `response_format`, and its newer models refuse a temperature.
        dialect: Dialect { format: AnswerFormat::Plain, temperature: false, ..Dialect::FULL },
    },
    Preset {
        name: "mistral",
        title: "Mistral",
        hosting: Hosting::Hosted("https://api.mistral.ai/v1"),
        ..OPENAI_COMPATIBLE
    },
    OPENAI_COMPATIBLE,
];

impl Preset {
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// Returns the preset of the local server that listens on this port by default.
    pub fn at_port(port: u16) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| matches!(preset.hosting, Hosting::Local { port: default, .. } if default == port))
    }

    /// Returns the default base URL, without `/chat/completions`. Returns `None` if there is no default.
    pub fn base_url(&self) -> Option<String> {
        match self.hosting {
            Hosting::Local { port, .. } => Some(format!("http://127.0.0.1:{port}/v1")),
            Hosting::Hosted(base_url) => Some(base_url.to_owned()),
            Hosting::Anywhere => None,
        }
    }
}
