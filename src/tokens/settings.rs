//! Settings of an identity provider.

use std::time::Duration;

#[derive(Debug, Clone)]
pub struct ProviderSettings {
    /// Address of the key set; `None` to read the address from the issuer's discovery document.
    pub jwks_url: Option<String>,
    /// Required `iss`; `None` to accept any. If `jwks_url` is `None`, this must be the address of an OIDC issuer.
    pub issuer: Option<String>,
    /// Required `aud`; `None` to accept any.
    pub audience: Option<String>,
    /// Time limit for a fetch of the keys.
    pub deadline: Duration,
}
