//! The token of a caller, for the profile service.

use std::fmt;
use std::sync::Arc;

/// A caller's bearer token. It is forwarded unchanged, and never logged.
#[derive(Clone)]
pub struct Bearer(Arc<str>);

impl Bearer {
    /// Creates a bearer from `token`, which does not include the prefix `Bearer `.
    pub fn new(token: &str) -> Self {
        Self(token.into())
    }

    /// Returns the token, which is secret.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Bearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bearer(…)")
    }
}
