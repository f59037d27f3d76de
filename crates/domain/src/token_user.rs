//! The user and the role that a valid token names.

use std::collections::BTreeMap;

use aws_lc_rs::digest::{Context, SHA256};
use serde_json::{Map, Value};
use strum::EnumString;

use super::id::ObjectId;
use super::permission::Role;

/// The claim that always names the user, if a token has it.
const USER_CLAIM: &str = "userId";

/// How the value of a claim becomes the id of a user.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum UserIds {
    /// The value is the id. A value that is not an object id names no user.
    #[default]
    AsGiven,
    /// The id is derived from the issuer and the value, so any text names a user. But a `userId` is the id itself.
    Derived,
}

/// Which claims of a token name the user and the role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRules {
    /// The claim that names the user if the token has no `userId`.
    pub user_claim: String,
    /// How the value of that claim becomes an id.
    pub user_ids: UserIds,
    /// The claim with the names of roles: a list, or a text with names separated by spaces.
    pub roles_claim: String,
    /// The provider's names for the roles.
    pub role_names: RoleNames,
}

impl Default for ClaimRules {
    fn default() -> Self {
        Self {
            user_claim: "sub".to_owned(),
            user_ids: UserIds::default(),
            roles_claim: "roles".to_owned(),
            role_names: RoleNames::default(),
        }
    }
}

/// Maps the provider's role names to Fieldbook roles. Names are compared without regard to case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RoleNames(BTreeMap<String, Role>);

/// The user and the role in a valid token.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenUser {
    /// The id of the user; `None` if the token names no user.
    pub id: Option<ObjectId>,
    /// The claim that names the user, as JSON. It distinguishes users whose claim is not an id.
    pub name: Option<String>,
    /// The highest role that the token names; `None` if it names none.
    pub role: Option<Role>,
}

impl RoleNames {
    /// Creates a table of the provider's role names and their Fieldbook roles.
    pub fn new<'n>(names: impl IntoIterator<Item = (&'n str, Role)>) -> Self {
        Self(names.into_iter().map(|(name, role)| (name.to_lowercase(), role)).collect())
    }

    /// Returns the role with this name: the mapped role, or else the Fieldbook role of that name.
    pub fn role(&self, name: &str) -> Option<Role> {
        self.0.get(&name.to_lowercase()).copied().or_else(|| name.parse().ok())
    }

    /// Returns whether the table has a role below this one.
    pub fn has_below(&self, role: Role) -> bool {
        self.0.values().any(|known| *known < role)
    }
}

impl ClaimRules {
    /// Returns whether the claims contain the roles claim.
    pub fn has_roles(&self, claims: &Map<String, Value>) -> bool {
        claim(claims, &self.roles_claim).is_some_and(|value| value.is_string() || value.is_array())
    }

    /// Returns whether a roles claim or a role map is configured.
    pub fn are_about_roles(&self) -> bool {
        let usual = Self::default();
        (&self.roles_claim, &self.role_names) != (&usual.roles_claim, &usual.role_names)
    }

    /// Adds name, e-mail address and roles to `claims`, if `claims` does not have them. They come from `said`, other
    /// claims of the provider about the same person. The rest of `said` is ignored, because it could change who the
    /// person is.
    pub fn complete(&self, claims: &mut Map<String, Value>, said: Map<String, Value>) {
        let path = &self.roles_claim;
        let roles = [path.as_str(), path.split('.').next().unwrap_or(path)];
        let (has_roles, has_email) = (self.has_roles(claims), claims.contains_key("email"));
        for (name, value) in said {
            let is_missing = match name.as_str() {
                "name" => !claims.contains_key("name"),
                // `email_verified` is copied together with the address.
                "email" | "email_verified" => !has_email,
                USER_CLAIM | "iss" | "sub" => false,
                name => !has_roles && roles.contains(&name),
            };
            if is_missing {
                claims.insert(name, value);
            }
        }
    }

    /// Reads the claims of a token whose signature was verified.
    pub fn read(&self, claims: &Map<String, Value>) -> TokenUser {
        let given = claims.get(USER_CLAIM).filter(|value| !value.is_null());
        let named = given.or_else(|| claim(claims, &self.user_claim)).filter(|value| !value.is_null());
        let text = named.and_then(Value::as_str);
        let id = match self.user_ids {
            UserIds::Derived if given.is_none() => {
                let issuer = claims.get("iss").and_then(Value::as_str);
                issuer.zip(text.filter(|text| !text.is_empty())).map(|(issuer, text)| derived_id(issuer, text))
            }
            UserIds::AsGiven | UserIds::Derived => text.and_then(|text| text.parse().ok()),
        };
        let role = |name: &str| self.role_names.role(name);
        let role = match claim(claims, &self.roles_claim) {
            Some(Value::String(names)) => names.split_whitespace().filter_map(role).max(),
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).filter_map(role).max(),
            _ => None,
        };
        TokenUser { id, name: named.and_then(|claim| serde_json::to_string(claim).ok()), role }
    }
}

/// Returns the claim of exactly this name, or else the one at this dotted path, such as `realm_access.roles`.
fn claim<'c>(claims: &'c Map<String, Value>, path: &str) -> Option<&'c Value> {
    if let Some(value) = claims.get(path) {
        return Some(value);
    }
    let mut steps = path.split('.');
    let first = claims.get(steps.next()?)?;
    steps.try_fold(first, |value, step| value.get(step))
}

/// Derives the id of a person from the issuer of their token and from `name`, the text of the claim that names them.
/// Equal arguments give equal ids, so no table of ids is needed.
pub fn derived_id(issuer: &str, name: &str) -> ObjectId {
    let mut digest = Context::new(&SHA256);
    digest.update(issuer.as_bytes());
    // A zero byte separates issuer and name. An issuer is an address, so it contains no zero byte, and different
    // arguments give different bytes.
    digest.update(&[0]);
    digest.update(name.as_bytes());
    let mut id = [0; 12];
    id.iter_mut().zip(digest.finish().as_ref()).for_each(|(to, from)| *to = *from);
    ObjectId::from_bytes(id)
}
