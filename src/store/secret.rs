//! A secret that all copies of the service share, because they share the store. The service uses it to sign the tokens
//! and cookies that it gives to browsers.

use super::sql::{Rows, Statement};
use super::{Store, StoreError};

impl Store {
    /// Returns the secret. If there is none, stores the result of `new`, which must be impossible to guess.
    pub async fn secret(&self, new: impl FnOnce() -> String) -> Result<String, StoreError> {
        let stored = Statement::new("SELECT s.secret FROM secret s");
        if let Some(found) = self.get(stored.clone()).await?.first() {
            return Ok(found.text("secret")?.to_owned());
        }
        let new = new();
        let insert = Statement::new("INSERT INTO secret (n, secret) VALUES (1, $secret)").with("secret", &new);
        self.write("make_secret", vec![stored], move |rows: &[Rows]| match rows[0].first() {
            Some(found) => Ok((Vec::new(), found.text("secret")?.to_owned())),
            None => Ok((vec![insert.clone()], new.clone())),
        })
        .await
    }
}
