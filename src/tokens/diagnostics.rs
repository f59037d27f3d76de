//! Checks a provider by fetching its keys and its discovery document.

use super::fetch::{Endpoints, Source};
use super::jwks::Keys;
use super::settings::ProviderSettings;
use super::sign_in;

/// The result of checking a provider.
pub struct Diagnosis {
    pub keys: Keys,
    /// The addresses for a sign-in, or why there are none; `None` if no sign-in is configured.
    pub endpoints: Option<Result<Endpoints, String>>,
    /// Why the provider does not accept this service, if a sign-in is configured.
    pub client: Result<(), String>,
}

/// Checks a provider: fetches its keys and endpoints once, and tests whether it accepts the client's secret. `redirect`
/// is the address to which the provider sends browsers back.
///
/// # Errors
/// The reason why there are no keys, such as "it did not answer in time". "It" is the provider.
pub async fn diagnose(settings: &ProviderSettings, redirect: &str) -> Result<Diagnosis, String> {
    let source = Source::new(settings)?;
    let keys = source.keys().await?;
    let Some(client) = &settings.sign_in else { return Ok(Diagnosis { keys, endpoints: None, client: Ok(()) }) };
    let endpoints = source.endpoints().await;
    let client = match &endpoints {
        Ok(endpoints) => sign_in::check_client(&source, client, endpoints, redirect).await,
        Err(_) => Ok(()),
    };
    Ok(Diagnosis { keys, endpoints: Some(endpoints), client })
}
