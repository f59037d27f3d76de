//! Settings of authentication: either a shared secret or an identity provider. Both together are rejected, so that it
//! is clear which tokens are valid.

use super::http::listed;
use super::{Layers, SettingError, text};
use crate::domain::token_user::{ClaimRules, RoleNames, UserIds};
use crate::store::Backend;
use crate::tokens::{FETCH_DEADLINE, ProviderSettings, SignInSettings, is_issuer, is_key_address, secret_fault};

#[derive(Clone)]
pub enum Auth {
    /// Tokens signed with the secret in the data folder, which the service generates.
    OwnSecret,
    /// Tokens signed with this secret, which the operator chose.
    Secret(String),
    /// Tokens issued by an identity provider.
    Provider(ProviderSettings),
}

pub struct Warning {
    pub message: &'static str,
    pub remedy: &'static str,
}

/// Applies if copies of the service each generate their own secret for tokens.
pub const OWN_SECRETS: Warning = Warning { message: "each copy makes its own secret", remedy: "set auth.hs256-secret" };

/// Applies if people sign in over a connection that others can read.
pub const PLAIN_SIGN_INS: Warning = Warning {
    message: "public-url begins with http://, so others in the network can read passwords, sign-in codes and cookies",
    remedy: "put a proxy with TLS in front of the service, and set public-url to its address, with https://",
};

impl Auth {
    /// Returns whether people sign in on the page with a provider.
    pub fn has_sign_in(&self) -> bool {
        self.sign_in().is_some()
    }

    /// Returns how people sign in on the page with a provider; `None` if they do not.
    pub fn sign_in(&self) -> Option<&SignInSettings> {
        match self {
            Self::Provider(ProviderSettings { sign_in, .. }) => sign_in.as_ref(),
            Self::OwnSecret | Self::Secret(_) => None,
        }
    }

    /// Returns whether each copy of the service on this store signs tokens with a different secret. If so, a copy
    /// refuses the tokens of the other copies.
    pub fn differs_between_copies(&self, backend: &Backend) -> bool {
        matches!((self, backend), (Self::OwnSecret, Backend::Postgres { .. }))
    }
}

/// Claims whose value may belong to another person later.
const CLAIMS_THAT_CHANGE_HANDS: [&str; 4] = ["email", "preferred_username", "unique_name", "upn"];

/// Returns whether the value of a claim may belong to another person later. The claim may be a dotted path.
fn changes_hands(claim: &str) -> bool {
    let last = claim.rsplit('.').next().unwrap_or(claim);
    CLAIMS_THAT_CHANGE_HANDS.iter().any(|name| last.eq_ignore_ascii_case(name))
}

impl Layers<'_> {
    pub(super) fn claims(&self, auth: &Auth) -> Result<ClaimRules, SettingError> {
        let user_ids = self.optional("auth.user-ids", "give as-given or derived", |v| v.parse().ok())?;
        // A person who signs in needs an id of 24 hexadecimal digits. A provider's identifiers rarely have this form,
        // so by default ids are derived from them.
        let usual = if auth.has_sign_in() { UserIds::Derived } else { UserIds::AsGiven };
        let user_ids = user_ids.unwrap_or(usual);
        let is_known = matches!(auth, Auth::Provider(ProviderSettings { issuer: Some(_), audience: Some(_), .. }));
        if user_ids == UserIds::Derived && !is_known {
            return Err(SettingError(
                "the setting auth.user-ids cannot be \"derived\" without a provider of tokens; set auth.issuer and auth.audience, too"
                    .to_owned(),
            ));
        }
        Ok(ClaimRules {
            user_claim: self.required(
                "auth.user-claim",
                "give a claim that always means the same person, such as sub or oid",
                |v| text(v).filter(|v| !changes_hands(v)),
            )?,
            user_ids,
            roles_claim: self.required("auth.roles-claim", "give the name of a claim", text)?,
            role_names: self
                .optional(
                    "auth.roles-map",
                    "give pairs of a provider's role and admin, author, reader or none, such as teachers=author,it=admin",
                    role_names,
                )?
                .unwrap_or_default(),
        })
    }

    pub(super) fn auth(&self) -> Result<Auth, SettingError> {
        let secret = self.optional(
            "auth.hs256-secret",
            "give at least 32 bytes, none of them NUL, such as the output of: openssl rand -hex 32",
            |v| secret_fault(v.as_bytes()).is_none().then(|| v.to_owned()),
        )?;
        let issuer = self.optional(
            "auth.issuer",
            "expected an address that begins with https://, or http:// on this machine, exactly as in the iss claim of the tokens",
            |v| is_issuer(v).then(|| v.to_owned()),
        )?;
        let jwks_url = self.optional(
            "auth.jwks-url",
            "expected an address that begins with https://, or http:// on this machine",
            |v| is_key_address(v).then(|| v.to_owned()),
        )?;
        let audience = self.optional("auth.audience", "give the name of this service at the provider", text)?;
        let sign_in = self.sign_in()?;
        if sign_in.is_some() && issuer.is_none() {
            return Err(SettingError(
                "the setting auth.client-id needs auth.issuer: the provider whose accounts people sign in with"
                    .to_owned(),
            ));
        }
        // The default is the client id, because providers use it as the audience of the tokens for this client.
        let audience = audience.or_else(|| sign_in.as_ref().map(|sign_in| sign_in.client_id.clone()));
        let provider = match (&jwks_url, &issuer) {
            (Some(_), _) => Some("auth.jwks-url"),
            (None, Some(_)) => Some("auth.issuer"),
            (None, None) => None,
        };
        match (secret, provider) {
            (Some(_), Some(provider)) => Err(SettingError(format!(
                "the setting auth.hs256-secret cannot be combined with {provider}; tokens come from a secret or from a provider: omit one"
            ))),
            (_, None) if audience.is_some() => Err(SettingError(
                "the setting auth.audience needs a provider of tokens; set auth.issuer or auth.jwks-url, or omit it"
                    .to_owned(),
            )),
            (Some(secret), None) => Ok(Auth::Secret(secret)),
            (None, None) => Ok(Auth::OwnSecret),
            (None, Some(_)) => {
                let deadline = FETCH_DEADLINE;
                Ok(Auth::Provider(ProviderSettings { jwks_url, issuer, audience, sign_in, deadline }))
            }
        }
    }
}

impl Layers<'_> {
    fn sign_in(&self) -> Result<Option<SignInSettings>, SettingError> {
        let client_id = self.optional("auth.client-id", "give the id of this service at the provider", text)?;
        let client_secret = self.optional("auth.client-secret", "give the secret of this service", text)?;
        let name = self.required("auth.sign-in-name", "give the name of the provider as people know it", text)?;
        let scopes = self.required("auth.scopes", "give scopes with spaces between them, openid among them", |v| {
            v.split_whitespace().any(|scope| scope == "openid").then(|| v.to_owned())
        })?;
        let Some(client_id) = client_id else {
            return match client_secret {
                Some(_) => Err(SettingError("the setting auth.client-secret needs auth.client-id".to_owned())),
                None => Ok(None),
            };
        };
        Ok(Some(SignInSettings { client_id, client_secret, scopes, name }))
    }
}

fn role_names(value: &str) -> Option<RoleNames> {
    let pair = |pair: &'_ str| {
        let (name, role) = pair.rsplit_once('=')?;
        (!name.trim().is_empty()).then_some(())?;
        Some((name.trim().to_owned(), role.trim().parse().ok()?))
    };
    let pairs: Vec<_> = listed(value).map(pair).collect::<Option<_>>()?;
    Some(RoleNames::new(pairs.iter().map(|(name, role)| (name.as_str(), *role))))
}
