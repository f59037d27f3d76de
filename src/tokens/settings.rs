//! Settings of a provider of tokens.

use std::time::Duration;

/// The provider, and what its tokens must contain.
#[derive(Debug, Clone)]
pub struct ProviderSettings {
    /// Address of the key set; without it, the issuer names it.
    pub jwks_url: Option<String>,
    /// Required `iss`; without `jwks_url` it must be an OIDC issuer.
    pub issuer: Option<String>,
    /// Required `aud`.
    pub audience: Option<String>,
    /// Time limit of a fetch.
    pub deadline: Duration,
}
