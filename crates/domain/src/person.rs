//! People in the directory: who they are, what their role is, and how an admin changes that.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::id::ObjectId;
use super::members::Members;
use super::permission::{PermissionError, Role};
use super::schema::Violation;
use super::search;
use super::time::Timestamp;

/// Maximum length of a name, in characters.
pub const MAX_NAME: usize = 100;
/// Maximum length of an e-mail address, in characters.
pub const MAX_EMAIL: usize = 254;
/// Minimum number of letters and digits of one word of a search for people.
const MIN_SEARCH: usize = 2;
/// Maximum number of words of a search for people.
const MAX_WORDS: usize = 4;
/// Maximum length of a search for people, in characters.
const MAX_SEARCH: usize = 100;

/// Message for a change that would remove the last admin.
pub const LAST_ADMIN: &str = "this is the last active admin in the directory (roles from a provider do not count); \
                              make somebody else an admin first";

/// A person in the directory, as admins see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Person {
    /// Id of the person, which investigations and links name.
    pub id: ObjectId,
    /// Name; `None` if it is not known or the person was erased.
    pub name: Option<String>,
    /// E-mail address; `None` if it is not known. It is unique, ignoring case.
    pub email: Option<String>,
    /// Role that was set in the directory. It takes precedence over a provider's role. `None` if none was set.
    pub role: Option<Role>,
    /// Role that the provider gave the person at their last sign-in with the provider; `None` if the provider gave
    /// none. It applies to all sessions of the person that began with the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_role: Option<Role>,
    /// Whether the person may use the service.
    pub status: PersonStatus,
    /// When the person was added to the directory.
    pub created_at: Timestamp,
    /// When the person last signed in; `None` if they never did.
    pub last_sign_in_at: Option<Timestamp>,
    /// Who added and named the person. The API does not show it.
    #[serde(skip)]
    pub origin: Origin,
}

/// Who added a person, and who named them.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Origin {
    /// An admin or operator added the person. They have never signed in with the provider.
    #[default]
    Here,
    /// The person has signed in with the provider, which also supplies their name.
    Provider,
    /// The person has signed in with the provider, and their name was set here.
    Renamed,
}

impl Origin {
    /// Returns whether the person has never signed in with the provider.
    pub fn is_here(&self) -> bool {
        *self == Self::Here
    }
}

/// Whether a person may use the service.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum PersonStatus {
    /// May use the service, and has never signed in.
    Invited,
    /// May use the service.
    Active,
    /// Refused with every credential.
    Disabled,
    /// Refused like a disabled person. Only the id is left.
    Erased,
}

impl PersonStatus {
    /// Returns whether a person with this status is refused.
    pub fn is_refused(self) -> bool {
        matches!(self, Self::Disabled | Self::Erased)
    }
}

/// The role that a credential grants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrantedRole {
    /// The credential does not contain a role.
    Unsaid,
    /// The provider grants this role, unless the directory has another one.
    Given(Role),
    /// The role that the provider granted at the last sign-in, which is stored in the directory.
    AtSignIn,
    /// The credential allows this role at most.
    AtMost(Role),
}

/// Returns the role of a caller. A credential that was created in Fieldbook grants at most the role of its person.
/// `person` is the user's entry in the directory, if there is one. `default` is the role of callers to whom neither
/// their credentials nor the directory give a role.
///
/// # Errors
/// [`PermissionError::Disabled`] if the person was disabled or erased.
pub fn role(granted: GrantedRole, person: Option<&Person>, default: Role) -> Result<Role, PermissionError> {
    if person.is_some_and(|person| person.status.is_refused()) {
        return Err(PermissionError::Disabled);
    }
    let set_here = person.and_then(|person| person.role);
    Ok(match granted {
        GrantedRole::Unsaid => set_here.unwrap_or(default),
        GrantedRole::Given(role) => set_here.unwrap_or(role),
        GrantedRole::AtSignIn => person.map_or(default, |person| person.role_or(default)),
        GrantedRole::AtMost(role) => person.map_or(role, |_| role.min(set_here.unwrap_or(default))),
    })
}

/// A change of a person. `None` leaves a member unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PersonChange {
    /// The new name.
    pub name: Option<String>,
    /// The new e-mail address; the inner `None` removes it.
    pub email: Option<Option<String>>,
    /// The new role; the inner `None` leaves the role to the provider and the settings.
    pub role: Option<Option<Role>>,
    /// The new status: active or disabled. Active means invited for those who have never signed in.
    pub status: Option<PersonStatus>,
}

/// Members of a person that an admin may change.
const CHANGEABLE: [&str; 4] = ["name", "email", "role", "status"];

impl PersonChange {
    /// Reads the body of a request. An admin may change everything, anybody else only their own name.
    ///
    /// # Errors
    /// What is wrong with each member.
    pub fn read(body: &Map<String, Value>, by_admin: bool) -> Result<Self, Vec<Violation>> {
        let mut members = Members::of(body);
        let status = |value: &Value| match value.as_str()?.parse().ok()? {
            PersonStatus::Invited | PersonStatus::Erased => None,
            status => Some(status),
        };
        let mut change = Self { name: members.text("name", name_fault), ..Self::default() };
        if by_admin {
            change.email = members.nullable_text("email", email_fault);
            change.role = read_role(&mut members);
            change.status = members.value("status", "must be \"active\" or \"disabled\"", status);
        }
        members.refuse_others("a person that you may change");
        if members.violations.is_empty() { Ok(change) } else { Err(members.violations) }
    }

    /// Returns the person after the change, and the names of the changed members. Returns `None` if the person was
    /// erased, except for a change to the status `active`: it lets the person return.
    pub fn apply(&self, before: &Person) -> Option<(Person, Vec<&'static str>)> {
        if before.status == PersonStatus::Erased && self.status != Some(PersonStatus::Active) {
            return None;
        }
        let mut after = before.clone();
        if let Some(name) = &self.name {
            after.name = Some(name.clone());
            if !before.origin.is_here() {
                after.origin = Origin::Renamed;
            }
        }
        if let Some(email) = &self.email {
            after.email.clone_from(email);
        }
        after.role = self.role.unwrap_or(before.role);
        after.status = match self.status {
            None => before.status,
            Some(status) if status == before.status => status,
            // A person who has never signed in becomes invited instead of active. Such a person may be unable to sign
            // in, and so must not count as an active admin.
            Some(PersonStatus::Active) if before.last_sign_in_at.is_none() => PersonStatus::Invited,
            Some(status) => status,
        };
        // The array has one entry for each name in `CHANGEABLE`, so that the compiler reports a missing entry.
        let differs: [bool; CHANGEABLE.len()] = [
            // Sending the current name also counts as setting it: from then on, the provider does not change it.
            (&before.name, before.origin) != (&after.name, after.origin),
            before.email != after.email,
            before.role != after.role,
            before.status != after.status,
        ];
        let changed = CHANGEABLE.into_iter().zip(differs).filter(|(_, differs)| *differs).map(|(name, _)| name);
        Some((after, changed.collect()))
    }
}

/// A person whom an admin invites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// The name.
    pub name: String,
    /// The e-mail address, if it is known.
    pub email: Option<String>,
    /// The role; `None` leaves it to the provider and the settings.
    pub role: Option<Role>,
}

impl Invitation {
    /// Reads the body of a request.
    ///
    /// # Errors
    /// What is wrong with each member.
    pub fn read(body: &Map<String, Value>) -> Result<Self, Vec<Violation>> {
        let mut members = Members::of(body);
        let name = members.text("name", name_fault);
        let email = members.nullable_text("email", email_fault).flatten();
        let role = read_role(&mut members).flatten();
        members.require("name", name.is_some());
        members.refuse_others("an invitation");
        match name {
            Some(name) if members.violations.is_empty() => Ok(Self { name, email, role }),
            _ => Err(members.violations),
        }
    }

    /// Returns the person with this id who is invited now.
    pub fn person(self, id: ObjectId, now: Timestamp) -> Person {
        let Self { name, email, role } = self;
        let status = PersonStatus::Invited;
        Person {
            id,
            name: Some(name),
            email,
            role,
            provider_role: None,
            status,
            created_at: now,
            last_sign_in_at: None,
            origin: Origin::Here,
        }
    }
}

/// Reads the id of the person to reassign to, from the body of a request.
///
/// # Errors
/// What is wrong with each member.
pub fn read_new_author(body: &Map<String, Value>) -> Result<ObjectId, Vec<Violation>> {
    let mut members = Members::of(body);
    let new_author = members.value("to", "must be the id of a person", |value| value.as_str()?.parse().ok());
    members.require("to", body.contains_key("to"));
    members.refuse_others("this request");
    new_author.filter(|_| members.violations.is_empty()).ok_or(members.violations)
}

fn read_role(members: &mut Members<'_>) -> Option<Option<Role>> {
    let role = |value: &Value| value.as_str()?.parse().ok();
    members.nullable("role", "must be \"admin\", \"author\", \"reader\" or \"none\", or null", role)
}

impl Person {
    /// Returns the role of the person after a sign-in with the provider, if they have one. `default` is the role of
    /// people to whom neither the directory nor the provider gives a role.
    pub fn role_or(&self, default: Role) -> Role {
        self.role.or(self.provider_role).unwrap_or(default)
    }

    /// Returns whether content can be reassigned to the person: they are active, and may use the service.
    pub fn can_become_author(&self, default: Role) -> bool {
        self.status == PersonStatus::Active && self.role_or(default) > Role::None
    }

    /// Returns whether the person is active and was made an admin in the directory. Such people can make others admins.
    pub fn is_active_admin(&self) -> bool {
        self.role == Some(Role::Admin) && self.status == PersonStatus::Active
    }

    /// Returns whether a change takes away the last active admin. `after` is one of these people after the change.
    pub fn are_without_admin(people: &[Self], after: &Self) -> bool {
        let was_admin = people.iter().any(|person| person.id == after.id && person.is_active_admin());
        let has_other = people.iter().any(|person| person.id != after.id && person.is_active_admin());
        was_admin && !after.is_active_admin() && !has_other
    }

    /// Returns the record of the person after their personal data is erased.
    #[must_use]
    pub fn erased(&self) -> Self {
        let (name, email, role, provider_role, last_sign_in_at) = (None, None, None, None, None);
        let origin = if self.origin.is_here() { Origin::Here } else { Origin::Provider };
        Self { name, email, role, provider_role, status: PersonStatus::Erased, last_sign_in_at, origin, ..self.clone() }
    }

    /// Returns what is wrong with the person, as a phrase that follows the id; `None` if the person is valid.
    pub fn fault(&self) -> Option<String> {
        let name = self.name.as_deref().and_then(name_fault).map(|fault| format!("has a name that {fault}"));
        let email = self.email.as_deref().and_then(email_fault).map(|fault| format!("has an e-mail that {fault}"));
        name.or(email)
    }
}

/// Returns what is wrong with a name; `None` if it is valid.
pub fn name_fault(name: &str) -> Option<String> {
    let is_allowed = |c: char| !c.is_control() && !is_spoofing(c);
    let is_seen = |c: char| !c.is_whitespace() && !search::is_invisible(c);
    let is_valid = name.chars().any(is_seen) && name.chars().all(is_allowed) && name.chars().count() <= MAX_NAME;
    (!is_valid).then(|| format!("must have 1 to {MAX_NAME} characters and no control or invisible characters"))
}

/// Returns whether a character could make a name look like another one. Joiners and direction marks are allowed,
/// because some languages need them.
fn is_spoofing(c: char) -> bool {
    let is_spelling =
        matches!(c, '\u{200c}'..='\u{200f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{fe00}'..='\u{fe0f}');
    search::is_invisible(c) && !is_spelling
}

/// Returns what is wrong with an e-mail address; `None` if it is valid.
pub fn email_fault(email: &str) -> Option<String> {
    let is_address =
        email.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'));
    let is_plain = !email.chars().any(|c| c.is_whitespace() || c.is_control());
    (!is_address || !is_plain || email.chars().count() > MAX_EMAIL)
        .then(|| format!("must be an e-mail address of at most {MAX_EMAIL} characters"))
}

/// Returns the normalized form of an e-mail address, by which addresses are unique.
pub fn email_key(email: &str) -> String {
    email.to_lowercase()
}

/// Returns the folded words of a name, each preceded by a space, so that a search can match prefixes.
pub fn name_words(name: &str) -> String {
    words(name).map(|word| format!(" {word}")).collect()
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let folded = search::fold(text);
    let words: Vec<String> = folded.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect();
    words.into_iter().filter(|word| !word.is_empty())
}

/// A search for people by prefixes of the words in their names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonSearch {
    /// The prefixes, in the form of [`name_words`].
    pub beginnings: Vec<String>,
    /// The part of an e-mail address that admins search for.
    pub of_email: String,
}

impl PersonSearch {
    /// Reads the text of a search.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn read(text: &str) -> Result<Self, String> {
        let beginnings: Vec<String> = words(text).map(|word| format!(" {word}")).collect();
        let longest = beginnings.iter().map(|word| word.chars().count() - 1).max().unwrap_or(0);
        if longest < MIN_SEARCH || beginnings.len() > MAX_WORDS || text.chars().count() > MAX_SEARCH {
            return Err(format!(
                "must have a word of {MIN_SEARCH} letters or more, and at most {MAX_WORDS} words and {MAX_SEARCH} characters"
            ));
        }
        Ok(Self { beginnings, of_email: email_key(text.trim()) })
    }
}
