//! Settings of the language model: a preset, and values that replace those of the preset.

use std::net::SocketAddr;
use std::time::Duration;

use super::http::url;
use super::{Layers, SettingError, Settings, number, text, variable};
use crate::assistant::model::ModelSettings;
use crate::assistant::model::preset::{OPENAI_COMPATIBLE, PRESETS, Preset};

impl Layers<'_> {
    pub(super) fn model(&self) -> Result<Option<ModelSettings>, SettingError> {
        let names = PRESETS.each_ref().map(|preset| preset.name).join(", ");
        let preset = self.required("assistant", &format!("give rules, {names}"), |v| match v {
            "rules" => Some(None),
            name => Preset::named(name).map(Some),
        })?;
        let where_it_is = "give the endpoint of the language model, such as http://127.0.0.1:11434/v1,";
        let which = "give the model's name at the endpoint";
        // Invalid values are reported even if no model is configured, because the operator expects them to have an
        // effect.
        let base_url = self.optional("assistant-base-url", where_it_is, url)?;
        self.optional("assistant-model", which, text)?;
        let api_key = self.optional("assistant-api-key", "give the key, or omit the setting", text)?;
        let seconds = self.required("assistant-deadline-seconds", "give 1 to 3600", number(1, 3600))?;
        let concurrent_calls = self.required("assistant-concurrent-calls", "give 1 to 1000", number(1, 1000))?;
        let Some(preset) = preset else { return Ok(None) };
        // With another base URL, `openai` means any server that is compatible with OpenAI.
        let elsewhere = preset.name == "openai" && base_url.is_some();
        let preset = if elsewhere { &OPENAI_COMPATIBLE } else { preset };
        let needs_key = base_url.is_none() && preset.needs_key;
        let base_url = match base_url.or_else(|| preset.base_url.map(str::to_owned)) {
            Some(base_url) => base_url,
            None => self.required("assistant-base-url", where_it_is, url)?,
        };
        let model = self.required("assistant-model", which, text)?;
        if needs_key && api_key.is_none() {
            return Err(SettingError(format!(
                "the setting assistant-api-key is missing; give the key that {} asks for in the variable {}",
                preset.title,
                variable("assistant-api-key")
            )));
        }
        let deadline = Duration::from_secs(seconds);
        Ok(Some(ModelSettings { preset, base_url, model, api_key, deadline, concurrent_calls }))
    }
}

impl Settings {
    /// Checks that the model's address differs from the service's own address.
    ///
    /// # Errors
    /// [`SettingError`] if the addresses are equal, because the service would call itself.
    pub fn model_is_elsewhere(&self) -> Result<(), SettingError> {
        match &self.model {
            Some(model) if model.is_at(self.listen) => Err(SettingError(format!(
                "the language model's address is {}, where this service listens itself; give the service another address, such as --listen {}",
                model.base_url,
                SocketAddr::new(self.listen.ip(), self.listen.port().wrapping_add(1)),
            ))),
            _ => Ok(()),
        }
    }
}
