//! A third-party identity provider: `oidc-provider` from npm, in a separate process.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use fieldbook::tokens::{ProviderSettings, SignInSettings};

use super::provider::PATIENCE;

const SCRIPT: &str = include_str!("../../oidc-provider/provider.mjs");

/// The secret of the service at the provider. Its characters must be escaped in a header.
pub const SECRET: &str = "a secret: with/signs";

/// A running provider, with keys that it created at its start. It ends when its input ends, and is killed on drop.
pub struct OidcProvider {
    process: Child,
    manner: &'static str,
    pub issuer: String,
}

impl OidcProvider {
    pub fn start() -> Self {
        Self::start_at("0", "helpful")
    }

    /// Starts a provider with the defaults of `oidc-provider`: it cannot ask people which account they want to use, and
    /// gives their names only at its userinfo endpoint.
    pub fn start_as_it_comes() -> Self {
        Self::start_at("0", "as it comes")
    }

    /// Stops this provider, and starts another one at the same address, with other keys.
    pub fn restart(self) -> Self {
        let port = self.issuer.rsplit_once(':').expect("a port").1.to_owned();
        let manner = self.manner;
        drop(self);
        Self::start_at(&port, manner)
    }

    fn start_at(port: &str, manner: &'static str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/npm");
        assert!(
            folder.join("node_modules/oidc-provider").exists(),
            "{} has no oidc-provider: scripts/npm fetches it",
            folder.display()
        );
        let mut program = Command::new("node");
        program
            .args(["--input-type=module", "--eval", SCRIPT, "--", &super::START.0.to_string(), port, manner])
            .current_dir(folder);
        program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = program.spawn().expect("node");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let issuer = line.trim().strip_prefix("listening on ").expect("the announcement").to_owned();
        Self { process, manner, issuer }
    }

    /// Returns settings with which people sign in with this provider.
    pub fn settings(&self) -> ProviderSettings {
        ProviderSettings {
            jwks_url: None,
            issuer: Some(self.issuer.clone()),
            audience: Some("fieldbook".to_owned()),
            sign_in: Some(SignInSettings {
                client_id: "fieldbook".to_owned(),
                client_secret: Some(SECRET.to_owned()),
                scopes: "openid profile email".to_owned(),
                name: "your school account".to_owned(),
            }),
            // On a busy machine, the provider may need longer than the service waits.
            deadline: PATIENCE,
        }
    }
}

impl Drop for OidcProvider {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
