//! The available ways to sign in. The page asks for them while nobody is signed in.

use serde::Serialize;

use crate::app::App;

/// The ways to sign in, in addition to sign-in links.
#[derive(Debug, Clone, Serialize)]
pub struct SignInWays {
    /// Name of the provider, for a button; `None` if people cannot sign in with a provider.
    provider: Option<String>,
    /// Whether people can sign in with a password.
    password: bool,
}

impl SignInWays {
    pub fn of(app: &App) -> Self {
        Self { provider: app.tokens.sign_in_name().map(str::to_owned), password: app.http.passwords }
    }
}
