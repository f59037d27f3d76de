//! Settings of an identity provider.

use std::time::Duration;

#[derive(Clone)]
pub struct ProviderSettings {
    /// Address of the key set; `None` to read the address from the issuer's discovery document.
    pub jwks_url: Option<String>,
    /// Required `iss`; `None` to accept any. If `jwks_url` is `None`, this must be the address of an OIDC issuer.
    pub issuer: Option<String>,
    /// Required `aud`; `None` to accept any.
    pub audience: Option<String>,
    /// How people sign in on the page with the provider; `None` if they do not. Needs an issuer.
    pub sign_in: Option<SignInSettings>,
    /// Time limit for a request to the provider.
    pub deadline: Duration,
}

/// The registration of this service as a client of the provider. It contains a secret, so the type does not implement
/// `Debug`.
#[derive(Clone)]
pub struct SignInSettings {
    pub client_id: String,
    /// `None` for a client without a secret, which only PKCE protects.
    pub client_secret: Option<String>,
    /// The scopes, with spaces between them.
    pub scopes: String,
    /// Name of the provider, for people.
    pub name: String,
}
