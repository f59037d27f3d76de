//! Sign-in with a provider: OpenID Connect, authorization code flow with PKCE (RFC 7636).
//!
//! An ID token is accepted only if it matches the provider's keys, the configured issuer and the attempt. The
//! provider's error texts are never shown to users.

use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use form_urlencoded::{Serializer, byte_serialize};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::claims::{Claims, header};
use super::error::{MAX_TOKEN, TokenError};
use super::fetch::{Answered, Endpoints, FetchError, Source};
use super::provider::{Provider, SignIn};
use super::settings::SignInSettings;
use super::trust::{Tokens, Trust};
use crate::domain::hex;
use crate::domain::permission::Role;
use crate::domain::sign_in::ProviderClaims;
use crate::domain::time::Timestamp;
use crate::domain::token_user::ClaimRules;
use crate::ids::random_bytes;

/// Maximum length of a provider's error code in the log.
const MAX_ERROR: usize = 64;

/// The secrets of one sign-in attempt. The browser keeps them until the attempt ends.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// The nonce in the ID token, which binds the token to this attempt.
    pub nonce: String,
    /// The PKCE code verifier, which proves to the provider that the code belongs to this attempt.
    pub verifier: String,
}

/// The prompt for people who still have a session at the provider, because somebody else may be using the browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prompt {
    /// Asks which account to use. Not all providers can ask this.
    Account,
    /// Asks for name and password. All providers must be able to ask this (OpenID Connect Core 3.1.2.1).
    Password,
}

/// The parameters of the provider's redirect.
pub struct Returned<'r> {
    pub code: &'r str,
    /// The issuer that claims to have sent the response (`iss`, RFC 9207); many providers omit it.
    pub issuer: Option<&'r str>,
}

/// Why nobody is signed in. The log has the details.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInError {
    /// The provider refuses the code, for example because it was used before or belongs to another attempt.
    Refused,
    /// The provider does not answer.
    Unavailable,
    /// The provider's answer cannot be trusted or names nobody, or the settings of provider and service do not match.
    Untrusted,
}

/// A reason for the log.
struct LoggedError {
    error: SignInError,
    words: String,
}

impl LoggedError {
    fn new(error: SignInError, words: impl Into<String>) -> Self {
        Self { error, words: words.into() }
    }
}

impl Tokens {
    /// Returns the name of the provider with which people sign in; `None` if they cannot.
    pub fn sign_in_name(&self) -> Option<&str> {
        self.sign_in_provider().map(|(_, sign_in)| sign_in.settings.name.as_str())
    }

    fn sign_in_provider(&self) -> Option<(&Provider, &SignIn)> {
        match &self.trust {
            Trust::Provider(provider) => provider.sign_in.as_ref().map(|sign_in| (provider, sign_in)),
            Trust::Secret(_) => None,
        }
    }

    /// Returns the address to which a browser is redirected for a sign-in. The provider sends the browser back to
    /// `redirect`. With a `prompt`, the provider asks even people who still have a session there.
    ///
    /// # Errors
    /// [`SignInError`] if the addresses of the provider are unavailable, or if no sign-in is configured.
    pub async fn sign_in_address(
        &self,
        attempt: &Attempt,
        state: &str,
        redirect: &str,
        prompt: Option<Prompt>,
    ) -> Result<String, SignInError> {
        let (_, sign_in) = self.sign_in_provider().ok_or(SignInError::Unavailable)?;
        let settings = &sign_in.settings;
        let endpoints = logged(endpoints(sign_in).await)?;
        let prompt = prompt.map(|prompt| match prompt {
            Prompt::Account if endpoints.lets_choose => "select_account",
            Prompt::Account | Prompt::Password => "login",
        });
        let mut address = endpoints.authorization.clone();
        let challenge = BASE64_URL_SAFE_NO_PAD.encode(digest(&SHA256, attempt.verifier.as_bytes()));
        address
            .query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("response_mode", "query")
            .append_pair("client_id", &settings.client_id)
            .append_pair("redirect_uri", redirect)
            .append_pair("scope", &settings.scopes)
            .append_pair("state", state)
            .append_pair("nonce", &attempt.nonce)
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256")
            .extend_pairs(prompt.map(|prompt| ("prompt", prompt)));
        Ok(address.into())
    }

    /// Exchanges the code that the provider sent for an ID token, and returns the person whom the token names. Requests
    /// the name and the roles from the provider if the ID token does not contain them. `default` is the role of people
    /// without a role at the provider.
    ///
    /// # Errors
    /// [`SignInError`], with the details in the log.
    pub async fn sign_in(
        &self,
        returned: Returned<'_>,
        attempt: &Attempt,
        redirect: &str,
        default: Role,
        now: Timestamp,
    ) -> Result<ProviderClaims, SignInError> {
        let (provider, sign_in) = self.sign_in_provider().ok_or(SignInError::Unavailable)?;
        let granted = granted(provider, sign_in, returned, attempt, redirect, now).await;
        let Granted { mut claims, access_token, withheld } = logged(granted)?;
        let mut unusable = None;
        if !claims.contains_key("name") || !self.rules.has_roles(&claims) {
            match logged(userinfo(provider, sign_in, &claims, access_token.as_deref()).await)? {
                Userinfo::Says(said) => self.rules.complete(&mut claims, said),
                Userinfo::Unusable(reason) => {
                    self.warn_of_userinfo(&reason);
                    unusable = Some(reason);
                }
                Userinfo::Missing(reason) => self.warn_of_userinfo(&reason),
            }
        }
        if !self.rules.has_roles(&claims) {
            logged(self.check_without_roles(default, withheld, unusable))?;
        }
        let user = self.rules.read(&claims);
        self.warn_of_missing(&claims, user.role);
        let nobody = || LoggedError::new(SignInError::Untrusted, "its ID token names no user; check auth.user-claim");
        let id = logged(user.id.ok_or_else(nobody))?;
        let text = |name: &str| claims.get(name).and_then(Value::as_str);
        let is_verified = claims.get("email_verified") == Some(&Value::Bool(true));
        Ok(ProviderClaims::new(id, text("name"), text("email").filter(|_| is_verified), user.role))
    }

    /// Refuses a sign-in without roles if the person may have caused this. The authorization URL is visible in the
    /// browser, and a person who edits it can request fewer scopes. `withheld` is a scope that the provider did not
    /// grant. `unusable` says why its userinfo endpoint gave no roles.
    ///
    /// If a scope was withheld, the sign-in is always refused, because roles with known names apply even if the
    /// settings do not mention roles. If the userinfo answer was unusable, the sign-in is refused only if the settings
    /// mention roles, because some providers have no roles.
    fn check_without_roles(
        &self,
        default: Role,
        withheld: Option<String>,
        unusable: Option<String>,
    ) -> Result<(), LoggedError> {
        let ClaimRules { roles_claim, role_names, .. } = &self.rules;
        let reason = if let Some(scope) = withheld {
            format!("does not grant the scope {scope}; check auth.scopes and what it allows")
        } else if let Some(reason) = unusable.filter(|_| self.rules.are_about_roles()) {
            format!("{reason}; check auth.scopes and auth.roles-claim")
        } else if role_names.has_below(default) {
            "auth.roles-map has a role below auth.default-role; check auth.roles-claim".to_owned()
        } else {
            return Ok(());
        };
        Err(LoggedError::new(SignInError::Untrusted, format!("it sends no claim {roles_claim}, and {reason}")))
    }

    /// Logs once why the userinfo endpoint is not used, so that all claims come from ID tokens.
    fn warn_of_userinfo(&self, reason: &str) {
        if self.missing.is_new("userinfo") {
            tracing::warn!(reason, "cannot use the provider's userinfo endpoint; only ID tokens are used");
        }
    }

    /// Logs that a person has no name or no role at the provider, with a remedy. Logs each of the two only once.
    fn warn_of_missing(&self, claims: &Claims, role: Option<Role>) {
        let ClaimRules { roles_claim, .. } = &self.rules;
        let there = || {
            let mut names: Vec<&str> = claims.keys().map(String::as_str).collect();
            names.sort_unstable();
            names.join(" ")
        };
        if !claims.contains_key("name") && self.missing.is_new("name") {
            tracing::warn!(
                claim = "name",
                claims = there(),
                "the provider sends no names, so people have no name here; check auth.scopes"
            );
        }
        if role.is_some() {
            return;
        }
        if !self.rules.has_roles(claims) && self.missing.is_new("roles") {
            tracing::warn!(
                claim = roles_claim,
                claims = there(),
                "a person signed in without a role, because the provider does not send this claim; check \
                 auth.roles-claim"
            );
        } else if self.rules.has_roles(claims) && self.missing.is_new("role names") {
            tracing::warn!(
                claim = roles_claim,
                "a person signed in without a role, because no value of this claim is in auth.roles-map"
            );
        }
    }
}

/// The answer of the provider to an authorization code.
struct Granted {
    /// The claims of the ID token.
    claims: Claims,
    access_token: Option<String>,
    /// A requested scope that the provider did not grant, according to its response.
    withheld: Option<String>,
}

/// The result of asking a provider for claims about a person that are not in the ID token.
enum Userinfo {
    Says(Claims),
    /// The endpoint responded, but not with usable claims about this person. Contains the reason.
    Unusable(String),
    /// There is no endpoint to ask. Contains the reason. Many providers put all claims into the ID token.
    Missing(String),
}

/// Asks the provider for claims about a person that are not in the ID token.
async fn userinfo(
    provider: &Provider,
    sign_in: &SignIn,
    claims: &Claims,
    access_token: Option<&str>,
) -> Result<Userinfo, LoggedError> {
    let Some(address) = endpoints(sign_in).await?.userinfo.clone() else {
        return Ok(Userinfo::Missing("it has no userinfo_endpoint".to_owned()));
    };
    let Some(access_token) = access_token else {
        return Ok(Userinfo::Missing("it gave no access_token".to_owned()));
    };
    let unavailable = |words: String| LoggedError::new(SignInError::Unavailable, words);
    let unusable = |words: String| Ok(Userinfo::Unusable(words));
    let Answered { status, body } = provider.source().get_with(address, access_token).await.map_err(unavailable)?;
    match (status.as_u16(), body) {
        // A temporary failure ends the sign-in. Otherwise somebody would lose their role because the provider is busy.
        (status @ (300..400 | 408 | 429 | 500..), _) => {
            Err(unavailable(format!("its userinfo_endpoint answered with status {status}")))
        }
        // The answer must have the `sub` of the ID token. Otherwise it may be about somebody else (OpenID Connect Core
        // 5.3.2).
        (200, Value::Object(said)) if said.contains_key("sub") && said.get("sub") == claims.get("sub") => {
            Ok(Userinfo::Says(said))
        }
        (200, Value::Null) => unusable("its userinfo_endpoint does not answer in JSON".to_owned()),
        (200, _) => unusable("its userinfo_endpoint answers about another person (sub)".to_owned()),
        (status, _) => unusable(format!("its userinfo_endpoint answered with status {status}")),
    }
}

fn logged<T>(result: Result<T, LoggedError>) -> Result<T, SignInError> {
    result.map_err(|LoggedError { error, words }| {
        tracing::warn!(reason = words, "a sign-in with the provider failed");
        error
    })
}

async fn endpoints(sign_in: &SignIn) -> Result<Arc<Endpoints>, LoggedError> {
    let unavailable = |_| LoggedError::new(SignInError::Unavailable, "its addresses cannot be fetched");
    sign_in.endpoints.get().await.map_err(unavailable)
}

/// Exchanges a code, and checks the ID token.
async fn granted(
    provider: &Provider,
    sign_in: &SignIn,
    returned: Returned<'_>,
    attempt: &Attempt,
    redirect: &str,
    now: Timestamp,
) -> Result<Granted, LoggedError> {
    let untrusted = |words: String| LoggedError::new(SignInError::Untrusted, words);
    if returned.issuer.is_some_and(|issuer| Some(issuer) != provider.issuer()) {
        return Err(untrusted("the response came from another issuer (iss)".to_owned()));
    }
    let endpoints = endpoints(sign_in).await?;
    if endpoints.names_itself && returned.issuer.is_none() {
        return Err(untrusted("the response does not name its issuer (iss)".to_owned()));
    }
    let client_id = &sign_in.settings.client_id;
    let answered = exchange(provider.source(), &sign_in.settings, &endpoints, returned.code, attempt, redirect).await;
    let answered = answered.map_err(|error| LoggedError::new(SignInError::Unavailable, error))?;
    let token = id_token(&answered)?;
    let header = header(token).map_err(|error| untrusted(error.to_string()))?;
    let claims = provider.check_for(client_id, token, &header, now).await.map_err(|error| match error {
        TokenError::Invalid(error) => untrusted(format!("its ID token is refused: {error}")),
        TokenError::NoKeys(_) => LoggedError::new(SignInError::Unavailable, "its keys cannot be fetched"),
    })?;
    if !is_for(client_id, &claims) {
        return Err(untrusted("its ID token was issued to another client (azp)".to_owned()));
    }
    if claims.get("nonce").and_then(Value::as_str) != Some(&attempt.nonce) {
        return Err(untrusted("its ID token belongs to another attempt (nonce)".to_owned()));
    }
    let access_token = answered.body.get("access_token").and_then(Value::as_str).map(str::to_owned);
    let granted = answered.body.get("scope").and_then(Value::as_str);
    let withheld = granted.and_then(|granted| withheld(&sign_in.settings.scopes, granted)).map(str::to_owned);
    Ok(Granted { claims, access_token, withheld })
}

/// Returns a scope in `wanted` that is not in `granted`; `None` if there is none. Google writes `…/userinfo.email` for
/// `email`. A provider that returns an ID token has granted `openid`, even if it does not say so.
fn withheld<'s>(wanted: &'s str, granted: &str) -> Option<&'s str> {
    let last = |scope: &'_ str| scope.rsplit(['.', '/']).next().map(str::to_owned);
    wanted.split_whitespace().filter(|wanted| *wanted != "openid").find(|wanted| {
        let mut granted = granted.split_whitespace();
        !granted.any(|granted| granted == *wanted || last(granted).as_deref() == Some(*wanted))
    })
}

/// Sends a code to the provider.
async fn exchange(
    source: &Source,
    settings: &SignInSettings,
    endpoints: &Endpoints,
    code: &str,
    attempt: &Attempt,
    redirect: &str,
) -> Result<Answered, FetchError> {
    let SignInSettings { client_id, client_secret, .. } = settings;
    let (in_header, in_form) = match client_secret {
        Some(secret) if !endpoints.secret_in_form => (Some(basic(client_id, secret)), None),
        secret => (None, Some((client_id, secret))),
    };
    let form = Serializer::new(String::new())
        .append_pair("grant_type", "authorization_code")
        .append_pair("code", code)
        .append_pair("redirect_uri", redirect)
        .append_pair("code_verifier", &attempt.verifier)
        .extend_pairs(in_form.map(|(id, _)| ("client_id", id)))
        .extend_pairs(in_form.and_then(|(_, secret)| Some(("client_secret", secret.as_ref()?))))
        .finish();
    source.post(endpoints.token.clone(), form, in_header).await
}

/// Checks that the provider knows the client and its secret: sends an invalid code, which the provider must refuse
/// because of the code and not because of the client.
///
/// # Errors
/// Why nobody can sign in, as a phrase about "it", the provider.
pub async fn check_client(
    source: &Source,
    settings: &SignInSettings,
    endpoints: &Endpoints,
    redirect: &str,
) -> Result<(), FetchError> {
    let text = || hex::digits(&random_bytes::<32>());
    let attempt = Attempt { nonce: text(), verifier: text() };
    let Answered { status, body } = exchange(source, settings, endpoints, &text(), &attempt, redirect).await?;
    let error = body.get("error").and_then(Value::as_str).map_or_else(String::new, printable);
    match (status.as_u16(), error.as_str()) {
        (401, _) | (_, "invalid_client" | "unauthorized_client") => {
            Err(format!("it refuses the client with status {} {error}", status.as_u16()))
        }
        (404 | 405 | 500.., _) => Err(format!("its token_endpoint answers with status {}", status.as_u16())),
        _ => Ok(()),
    }
}

fn printable(error: &str) -> String {
    error.chars().filter(char::is_ascii_graphic).take(MAX_ERROR).collect()
}

/// Returns the header for HTTP Basic client authentication (RFC 6749, 2.3.1).
fn basic(client_id: &str, secret: &str) -> String {
    let coded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    format!("Basic {}", BASE64_STANDARD.encode(format!("{}:{}", coded(client_id), coded(secret))))
}

fn id_token(answered: &Answered) -> Result<&str, LoggedError> {
    let Answered { status, body } = answered;
    let text = |name: &str| body.get(name).and_then(Value::as_str);
    let status = status.as_u16();
    if status == 200 {
        let untrusted = |words: String| LoggedError::new(SignInError::Untrusted, words);
        let missing = || untrusted("its answer has no id_token; auth.scopes must have openid".to_owned());
        let token = text("id_token").ok_or_else(missing)?;
        let bytes = token.len();
        return (bytes <= MAX_TOKEN).then_some(token).ok_or_else(|| {
            untrusted(format!(
                "its ID token has {bytes} bytes, more than {MAX_TOKEN}; configure the provider to include fewer roles or groups"
            ))
        });
    }
    let error = printable(text("error").unwrap_or_default());
    let kind = match (status, error.as_str()) {
        (400, "invalid_grant") => SignInError::Refused,
        (429 | 500.., _) => SignInError::Unavailable,
        _ => SignInError::Untrusted,
    };
    let remedy = if error == "invalid_client" { "; check auth.client-id and auth.client-secret" } else { "" };
    Err(LoggedError::new(kind, format!("it answered a code with status {status} {error}{remedy}")))
}

/// Returns whether the ID token was issued to this client. A token with several audiences must name the client in
/// `azp`.
fn is_for(client_id: &str, claims: &Claims) -> bool {
    let has_several = claims.get("aud").and_then(Value::as_array).is_some_and(|audiences| audiences.len() > 1);
    match claims.get("azp") {
        Some(party) => party == client_id,
        None => !has_several,
    }
}
