//! Presets: known servers and providers of language models.
//!
//! This table is the only place that names them.

use super::wire::{Dialect, Format};

/// A server or provider of language models.
#[derive(Debug)]
pub struct Preset {
    /// The value of the setting `assistant`.
    pub name: &'static str,
    /// Display name.
    pub title: &'static str,
    /// Default location.
    pub place: Place,
    /// The dialect to start with; a refusal makes it plainer.
    pub(super) dialect: Dialect,
    /// Version of Anthropic's own interface, if that lists the models: it accepts the key only in `x-api-key`.
    pub(super) anthropic_version: Option<&'static str>,
}

/// Location of a language model.
#[derive(Debug)]
pub enum Place {
    /// On this machine. The server says which models it has.
    Local {
        /// The port it listens on by default.
        port: u16,
        /// The command that starts it.
        start: &'static str,
        /// The command that gives it a model.
        load: &'static str,
    },
    /// At a provider that needs a key.
    Hosted(&'static str),
    /// At the address in the settings.
    Anywhere,
}

/// Any endpoint that is compatible with OpenAI's API.
pub const OPENAI_COMPATIBLE: Preset = Preset {
    name: "openai-compatible",
    title: "The endpoint",
    place: Place::Anywhere,
    dialect: Dialect::FULL,
    anthropic_version: None,
};

/// All that are known. Of local servers, the default ports differ.
pub static PRESETS: [Preset; 7] = [
    Preset {
        name: "ollama",
        title: "Ollama",
        place: Place::Local { port: 11434, start: "ollama serve", load: "ollama pull qwen3:14b" },
        ..OPENAI_COMPATIBLE
    },
    Preset {
        name: "lmstudio",
        title: "LM Studio",
        place: Place::Local { port: 1234, start: "lms server start", load: "lms get qwen3-14b" },
        ..OPENAI_COMPATIBLE
    },
    Preset {
        name: "llamacpp",
        title: "llama.cpp",
        place: Place::Local { port: 8080, start: "llama-server -m FILE.gguf", load: "llama-server -m FILE.gguf" },
        ..OPENAI_COMPATIBLE
    },
    Preset {
        name: "openai",
        title: "OpenAI",
        place: Place::Hosted("https://api.openai.com/v1"),
        // Reasoning models refuse any temperature but their own.
        dialect: Dialect { format: Format::JsonSchema, temperature: false },
        ..OPENAI_COMPATIBLE
    },
    Preset {
        name: "anthropic",
        title: "Anthropic",
        place: Place::Hosted("https://api.anthropic.com/v1"),
        // It ignores `response_format`, and newer models refuse a temperature.
        dialect: Dialect { format: Format::Plain, temperature: false },
        anthropic_version: Some("2023-06-01"),
    },
    Preset {
        name: "mistral",
        title: "Mistral",
        place: Place::Hosted("https://api.mistral.ai/v1"),
        ..OPENAI_COMPATIBLE
    },
    OPENAI_COMPATIBLE,
];

impl Preset {
    /// The preset with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// The local server that listens on this port by default.
    pub fn at_port(port: u16) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| matches!(preset.place, Place::Local { port: default, .. } if default == port))
    }

    /// Default base URL, without `/chat/completions`.
    pub fn base_url(&self) -> Option<String> {
        match self.place {
            Place::Local { port, .. } => Some(format!("http://127.0.0.1:{port}/v1")),
            Place::Hosted(base_url) => Some(base_url.to_owned()),
            Place::Anywhere => None,
        }
    }
}
