//! A fake identity provider: keys that are created for one test, and a server that publishes the keys and answers
//! requests that contain an authorization code.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256, RsaKeyPair,
};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use fieldbook::tokens::{ProviderSettings, SignInSettings};
use serde_json::{Value, json};
use tokio::sync::watch;

/// Maximum time to wait for a request. After this, the test fails.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Path of the issuer on the server.
const TENANT: &str = "/tenant";

pub enum Key {
    Rsa(RsaKeyPair),
    Ec(EcdsaKeyPair),
    Ed(Ed25519KeyPair),
}

impl Key {
    pub fn rsa() -> Self {
        Self::Rsa(RsaKeyPair::generate(KeySize::Rsa2048).expect("a key"))
    }

    pub fn ec() -> Self {
        Self::Ec(EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).expect("a key"))
    }

    pub fn ed() -> Self {
        Self::Ed(Ed25519KeyPair::generate().expect("a key"))
    }

    pub fn algorithm(&self) -> &'static str {
        match self {
            Self::Rsa(_) => "RS256",
            Self::Ec(_) => "ES256",
            Self::Ed(_) => "EdDSA",
        }
    }

    /// Returns the public key, as DER or as the bytes of the curve point.
    pub fn public(&self) -> &[u8] {
        match self {
            Self::Rsa(pair) => pair.public_key().as_ref(),
            Self::Ec(pair) => pair.public_key().as_ref(),
            Self::Ed(pair) => pair.public_key().as_ref(),
        }
    }

    /// Returns the public key as a JSON Web Key with this `kid`.
    pub fn jwk(&self, name: &str) -> Value {
        let of = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
        let public = self.public();
        let mut jwk = match self {
            // The DER of a 2048-bit key always has its modulus at this position.
            Self::Rsa(_) => json!({"kty": "RSA", "n": of(&public[9..265]), "e": "AQAB"}),
            Self::Ec(_) => json!({"kty": "EC", "crv": "P-256", "x": of(&public[1..33]), "y": of(&public[33..])}),
            Self::Ed(_) => json!({"kty": "OKP", "crv": "Ed25519", "x": of(public)}),
        };
        jwk["kid"] = json!(name);
        jwk["use"] = json!("sig");
        jwk["alg"] = json!(self.algorithm());
        jwk
    }

    pub fn signed(&self, header: &Value, claims: &Value) -> String {
        self.signed_text(&header.to_string(), &claims.to_string())
    }

    pub fn signed_text(&self, header: &str, claims: &str) -> String {
        let message = unsigned(header, claims);
        let bytes = message.as_bytes();
        let random = SystemRandom::new();
        let signature = match self {
            Self::Rsa(pair) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &random, bytes, &mut signature).expect("signed");
                signature
            }
            Self::Ec(pair) => pair.sign(&random, bytes).expect("signed").as_ref().to_vec(),
            Self::Ed(pair) => pair.sign(bytes).as_ref().to_vec(),
        };
        format!("{message}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature))
    }

    pub fn token(&self, name: &str, claims: &Value) -> String {
        self.signed(&json!({"alg": self.algorithm(), "typ": "JWT", "kid": name}), claims)
    }
}

pub fn unsigned(header: &str, claims: &str) -> String {
    let of = |text: &str| BASE64_URL_SAFE_NO_PAD.encode(text);
    format!("{}.{}", of(header), of(claims))
}

#[derive(Clone)]
pub enum Mode {
    /// The provider answers correctly.
    Healthy,
    /// The provider answers every request with this status.
    Refuses(u16),
    /// The configuration names another issuer.
    Misnames(&'static str),
    /// The configuration gives this address for the keys.
    Misleads(&'static str),
    /// The provider answers requests for keys with this text.
    Says(String),
    /// The provider redirects requests for keys to another path, which has the keys.
    Redirects,
    /// The configuration accepts the secret of a client only as a field of the form in the body, not in a header.
    TakesForms,
    /// The configuration lists these prompts.
    Prompts(&'static str),
    /// The configuration has no addresses for a sign-in.
    SignsNobodyIn,
    /// The provider never answers requests for its configuration.
    HidesConfiguration,
}

pub struct Provider {
    address: SocketAddr,
    stage: Arc<Stage>,
}

struct Stage {
    base: String,
    keys: Mutex<Vec<Value>>,
    mode: Mutex<Mode>,
    /// The answer to every code: a status and a text.
    grant: Mutex<(u16, String)>,
    /// Status and text of the userinfo endpoint; `None` if the configuration has no such endpoint.
    userinfo: Mutex<Option<(u16, String)>>,
    /// The requests with codes: the header with the secret, and the form.
    codes: Mutex<Vec<String>>,
    asked: watch::Sender<Vec<String>>,
    held: watch::Sender<bool>,
}

impl Provider {
    pub async fn start(keys: &[Value]) -> Self {
        Self::start_at(SocketAddr::from(([127, 0, 0, 1], 0)), keys).await
    }

    /// Starts a provider at this address, which must be free.
    pub async fn start_at(address: SocketAddr, keys: &[Value]) -> Self {
        let listener = tokio::net::TcpListener::bind(address).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let stage = Arc::new(Stage {
            base: format!("http://{address}"),
            keys: Mutex::new(keys.to_vec()),
            mode: Mutex::new(Mode::Healthy),
            grant: Mutex::new((400, json!({"error": "invalid_grant"}).to_string())),
            userinfo: Mutex::default(),
            codes: Mutex::default(),
            asked: watch::Sender::new(Vec::new()),
            held: watch::Sender::new(false),
        });
        let router = Router::new().fallback(answer).with_state(stage.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, stage }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the `iss` of the provider's tokens.
    pub fn issuer(&self) -> String {
        issuer_at(self.address)
    }

    /// Returns settings that find the keys through the issuer, with an audience.
    pub fn settings(&self) -> ProviderSettings {
        settings_at(self.address)
    }

    /// Returns settings that also let people sign in.
    pub fn sign_in_settings(&self) -> ProviderSettings {
        let sign_in = SignInSettings {
            client_id: "fieldbook".to_owned(),
            client_secret: Some("hush: a secret/ü".to_owned()),
            scopes: "openid profile email".to_owned(),
            name: "your school account".to_owned(),
        };
        ProviderSettings { sign_in: Some(sign_in), ..self.settings() }
    }

    /// Answers every code with this status and text.
    pub fn grants(&self, status: u16, text: &str) {
        *self.stage.grant.lock().expect("unharmed") = (status, text.to_owned());
    }

    /// Adds a userinfo endpoint to the configuration, which gives this status and text.
    pub fn says_of_people(&self, status: u16, text: &str) {
        *self.stage.userinfo.lock().expect("unharmed") = Some((status, text.to_owned()));
    }

    /// Returns the requests with codes: the header with the secret, and the form.
    pub fn codes(&self) -> Vec<String> {
        self.stage.codes.lock().expect("unharmed").clone()
    }

    pub fn settings_of_keys(&self) -> ProviderSettings {
        let jwks_url = Some(format!("http://{}/keys", self.address));
        ProviderSettings { jwks_url, issuer: None, audience: None, sign_in: None, deadline: PATIENCE }
    }

    /// Returns claims as in the provider's tokens: for this user and the audience `fieldbook`, valid until `expiry`
    /// (seconds since 1970).
    pub fn claims(&self, user: &str, expiry: i64) -> Value {
        json!({"iss": self.issuer(), "sub": user, "aud": ["fieldbook", "others"], "exp": expiry})
    }

    pub fn has(&self, keys: &[Value]) {
        *self.stage.keys.lock().expect("unharmed") = keys.to_vec();
    }

    pub fn set_mode(&self, mode: Mode) {
        *self.stage.mode.lock().expect("unharmed") = mode;
    }

    /// Holds back all responses.
    pub fn hold(&self) {
        self.stage.held.send_replace(true);
    }

    /// Sends the responses that were held back.
    pub fn let_go(&self) {
        self.stage.held.send_replace(false);
    }

    pub fn count(&self, path: &str) -> usize {
        count(&self.stage.asked.borrow(), path)
    }

    /// Waits until this many requests for this path have arrived.
    pub async fn asked(&self, path: &str, times: usize) {
        let mut asked = self.stage.asked.subscribe();
        let came = tokio::time::timeout(PATIENCE, asked.wait_for(|asked| count(asked, path) >= times)).await;
        came.expect("the question comes").expect("the provider runs");
    }
}

pub fn issuer_at(address: SocketAddr) -> String {
    format!("http://{address}{TENANT}")
}

pub fn settings_at(address: SocketAddr) -> ProviderSettings {
    let (issuer, audience) = (Some(issuer_at(address)), Some("fieldbook".to_owned()));
    ProviderSettings { jwks_url: None, issuer, audience, sign_in: None, deadline: PATIENCE }
}

fn count(asked: &[String], path: &str) -> usize {
    asked.iter().filter(|asked| *asked == path).count()
}

async fn answer(State(stage): State<Arc<Stage>>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    stage.asked.send_modify(|asked| asked.push(path.clone()));
    let _ = stage.held.subscribe().wait_for(|held| !held).await;
    let mode = stage.mode.lock().expect("unharmed").clone();
    let keys = || json!({ "keys": *stage.keys.lock().expect("unharmed") }).to_string();
    let base = &stage.base;
    match (path.as_str(), mode) {
        (_, Mode::Refuses(status)) => StatusCode::from_u16(status).expect("a status").into_response(),
        ("/keys", Mode::Says(text)) => text.into_response(),
        ("/keys", Mode::Redirects) => (StatusCode::FOUND, [(header::LOCATION, "/moved")]).into_response(),
        ("/keys" | "/moved", _) => keys().into_response(),
        ("/tenant/.well-known/openid-configuration", Mode::HidesConfiguration) => std::future::pending().await,
        ("/tenant/.well-known/openid-configuration", mode) => {
            let (mut issuer, mut keys) = (format!("{base}{TENANT}"), format!("{base}/keys"));
            match &mode {
                Mode::Misnames(name) => issuer = (*name).to_owned(),
                Mode::Misleads(address) => keys = (*address).to_owned(),
                _ => {}
            }
            let methods = match &mode {
                Mode::TakesForms => json!(["client_secret_post"]),
                _ => json!(["client_secret_basic", "client_secret_post"]),
            };
            let mut said =
                json!({"issuer": issuer, "jwks_uri": keys, "token_endpoint_auth_methods_supported": methods});
            if !matches!(mode, Mode::SignsNobodyIn) {
                said["authorization_endpoint"] = json!(format!("{base}/authorize?tenant=1"));
                said["token_endpoint"] = json!(format!("{base}/token"));
            }
            if stage.userinfo.lock().expect("unharmed").is_some() {
                said["userinfo_endpoint"] = json!(format!("{base}/userinfo"));
            }
            if let Mode::Prompts(prompts) = mode {
                said["prompt_values_supported"] = prompts.split(' ').collect();
            }
            said.to_string().into_response()
        }
        ("/userinfo", _) => {
            let is_known = request.headers().get(header::AUTHORIZATION).is_some_and(|token| token == "Bearer unused");
            let answer = stage.userinfo.lock().expect("unharmed").clone().filter(|_| is_known);
            let (status, text) = answer.unwrap_or((401, String::new()));
            (StatusCode::from_u16(status).expect("a status"), text).into_response()
        }
        ("/token", _) => {
            let secret = request.headers().get(header::AUTHORIZATION);
            let secret = secret.map_or("", |secret| secret.to_str().expect("a text")).to_owned();
            let form = axum::body::to_bytes(request.into_body(), 64 * 1024).await.expect("a form");
            let came = format!("{secret}\n{}", String::from_utf8_lossy(&form));
            stage.codes.lock().expect("unharmed").push(came);
            let (status, text) = stage.grant.lock().expect("unharmed").clone();
            (StatusCode::from_u16(status).expect("a status"), text).into_response()
        }
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}
