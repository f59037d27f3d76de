//! Sign-in with the account of a provider.

use std::time::Duration;

use super::id::ObjectId;
use super::permission::Role;
use super::person::{Origin, Person, PersonStatus, email_fault, name_fault};
use super::time::Timestamp;

/// First path segments to which a sign-in never redirects, because they are not views of the page.
const NO_VIEWS: [&str; 3] = ["api", "sign-in", "l"];

/// Maximum length of the path to which a sign-in redirects, in bytes. The cookie of an attempt contains the path. A
/// browser may send the cookies of four attempts at once, and proxies accept 8 KiB of cookies.
const MAX_PATH: usize = 400;

/// Time for which an attempt to sign in can be finished.
pub const ATTEMPT_VALIDITY: Duration = Duration::from_secs(10 * 60);

/// Where a sign-in redirects if it names no view of the page.
const START: &str = "/";

/// The verified claims of a provider about a person who signs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderClaims {
    /// The id of the person.
    pub id: ObjectId,
    /// Their name; `None` if the provider gives none, or one that Fieldbook does not allow.
    pub name: Option<String>,
    /// Their e-mail address; `None` if the provider has not verified it.
    pub email: Option<String>,
    /// Their role; `None` if the provider names none.
    pub role: Option<Role>,
}

impl ProviderClaims {
    /// Creates the claims of a provider. Drops values that Fieldbook does not allow.
    pub fn new(id: ObjectId, name: Option<&str>, email: Option<&str>, role: Option<Role>) -> Self {
        let name = name.map(str::trim).filter(|name| name_fault(name).is_none());
        let email = email.filter(|email| email_fault(email).is_none());
        Self { id, name: name.map(str::to_owned), email: email.map(str::to_owned), role }
    }

    /// Returns the person after the sign-in. `before` is the person's entry in the directory, if there is one. A name
    /// that was set in Fieldbook is kept. `is_email_free` says whether nobody else has the e-mail address.
    pub fn person(&self, before: Option<Person>, is_email_free: bool, now: Timestamp) -> Person {
        let person = before.unwrap_or(Person {
            id: self.id,
            name: None,
            email: None,
            role: None,
            provider_role: None,
            status: PersonStatus::Active,
            created_at: now,
            last_sign_in_at: None,
            origin: Origin::Provider,
        });
        let (name, origin) = match (person.name, person.origin) {
            (Some(set_here), Origin::Here | Origin::Renamed) => (Some(set_here), Origin::Renamed),
            (known, _) => (self.name.clone().or(known), Origin::Provider),
        };
        let email = self.email.clone().filter(|_| is_email_free).or(person.email);
        Person { name, email, provider_role: self.role, origin, ..person }
    }
}

/// Returns the path to which a sign-in redirects: `to` if it is a view of the page, otherwise the start page.
pub fn destination(to: &str) -> &str {
    let is_path = to.starts_with('/') && !to.starts_with("//") && !to.chars().any(|c| c == '\\' || c.is_control());
    let path = to.find(['?', '#']).map_or(to, |end| &to[..end]);
    // Browsers remove dot segments, so the path would begin with a different segment than it seems to.
    let is_dots = |part: &str| [".", ".."].contains(&part.to_ascii_lowercase().replace("%2e", ".").as_str());
    let first = path.split('/').nth(1).unwrap_or_default();
    let is_view = !path.split('/').any(is_dots) && !NO_VIEWS.contains(&first);
    if is_path && is_view && to.len() <= MAX_PATH { to } else { START }
}
