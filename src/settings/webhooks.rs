//! Settings of webhooks: the addresses, and the secrets that sign the requests. Every webhook needs a secret.

use super::http::listed;
use super::{Layers, SettingError};
use crate::webhooks::{Secrets, WebhookSettings, is_endpoint};

const MAX_ENDPOINTS: usize = 16;

impl Layers<'_> {
    pub(super) fn webhooks(&self) -> Result<Option<WebhookSettings>, SettingError> {
        let urls = self.optional(
            "webhook-urls",
            "give up to 16 addresses that begin with http:// or https://, separated by commas, each once",
            |v| {
                let urls: Vec<String> = listed(v).map(str::to_owned).collect();
                let once =
                    urls.iter().enumerate().all(|(place, url)| !urls.iter().take(place).any(|other| other == url));
                (once && urls.len() <= MAX_ENDPOINTS && urls.iter().all(|url| is_endpoint(url))).then_some(urls)
            },
        )?;
        let secrets = self.optional(
            "webhook-secret",
            "give whsec_ and the Base64 of 24 to 64 random bytes, such as the output of: echo whsec_$(openssl rand -base64 32)",
            Secrets::read,
        )?;
        match (urls.unwrap_or_default(), secrets) {
            (urls, _) if urls.is_empty() => Ok(None),
            (urls, Some(secrets)) => Ok(Some(WebhookSettings { urls, secrets })),
            (_, None) => Err(SettingError(
                "the setting webhook-urls needs a secret to sign with; set webhook-secret to the output of: \
                 echo whsec_$(openssl rand -base64 32)"
                    .to_owned(),
            )),
        }
    }
}
