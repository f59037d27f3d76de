//! Permissions. Only [`decide`] decides who may do what.

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::id::ObjectId;

/// The role of a caller. Each role may do everything that a lower one may.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
pub enum Role {
    /// May do nothing. This is the default, so that nobody gets permissions by accident.
    #[default]
    None,
    /// May read everything, but change nothing.
    Reader,
    /// May create investigations, and change those that [`Editing`] allows.
    Author,
    /// May do everything.
    Admin,
}

/// The caller: a user, or an unknown caller if no token is required.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Principal {
    /// The signed-in user; `None` if the caller did not sign in.
    pub user: Option<ObjectId>,
    /// The role of the caller.
    pub role: Role,
    /// The API key of the request, if any.
    pub key: Option<ObjectId>,
}

/// Kinds of operations, by the permission that they require.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Reads investigations, links or events.
    Read,
    /// Creates an investigation, from scratch or as a clone.
    Create,
    /// Changes or deletes an investigation, its links or its dismissals.
    Change,
    /// Sets the editors of an investigation, restores it from the trash, or deletes it without moving it to the trash.
    /// Only its author and admins may do this.
    Own,
    /// Reads data about all users, such as the audit log.
    Administer,
}

/// Who may change investigations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum Editing {
    /// Any author.
    #[default]
    Anyone,
    /// Only the author, the editors named by the author, and admins.
    Author,
}

/// Author and editors of an investigation.
#[derive(Debug, Clone, Copy)]
pub struct Ownership<'i> {
    /// The author; `None` if the investigation has none.
    pub author: Option<ObjectId>,
    /// Other users who may change the investigation.
    pub editors: &'i [ObjectId],
}

/// Why an operation is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PermissionError {
    /// The person was disabled or erased.
    Disabled,
    /// The caller has the role `none`, which allows nothing.
    NoRole,
    /// The credentials name no user, so the caller cannot own anything.
    NoUser,
    /// The caller is a reader, who may not change anything.
    ReadOnly,
    /// The investigation has another author or no author, and the caller is not one of its editors.
    NotYours {
        /// The author; `None` if the investigation has none.
        author: Option<ObjectId>,
    },
    /// Only the author of the investigation and admins may perform the operation.
    NotAuthor {
        /// The author; `None` if the investigation has none.
        author: Option<ObjectId>,
    },
    /// Only admins may perform the operation.
    AdminsOnly,
}

impl fmt::Display for PermissionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disabled => write!(f, "Your account was disabled; ask an admin"),
            Self::NoRole => write!(f, "You have no role; ask an admin for one"),
            Self::NoUser => write!(
                f,
                "Your request names no user, so you own nothing here; sign in, or ask the operator about auth.user-ids"
            ),
            Self::ReadOnly => write!(f, "Your role, reader, may not change anything; ask an admin for another role"),
            Self::NotYours { author: Some(author) } => {
                write!(
                    f,
                    "Only its author ({author}), its editors and admins may change it; clone it to change the copy"
                )
            }
            Self::NotYours { author: None } => {
                write!(f, "It has no author, so only admins may change it; clone it to change the copy")
            }
            Self::NotAuthor { author: Some(author) } => {
                write!(f, "Only its author ({author}) and admins may decide this")
            }
            Self::NotAuthor { author: None } => write!(f, "It has no author, so only admins may decide this"),
            Self::AdminsOnly => write!(f, "This needs the role admin"),
        }
    }
}

impl Principal {
    /// The service itself, when it completes an operation that a caller started.
    pub const SERVICE: Self = Self { user: None, role: Role::Admin, key: None };

    /// Returns whether the caller is an admin.
    pub fn is_admin(&self) -> bool {
        self.role == Role::Admin
    }
}

/// Decides whether an operation is allowed. `ownership` is about the investigation to change. If `ownership` is `None`,
/// because the investigation is not loaded yet, only the role of the caller is checked.
pub fn decide(
    caller: Principal,
    operation: Operation,
    ownership: Option<Ownership<'_>>,
    editing: Editing,
) -> Result<(), PermissionError> {
    let Principal { user, role, key: _ } = caller;
    match (role, operation) {
        (Role::Admin, _) => return Ok(()),
        (Role::None, _) => return Err(PermissionError::NoRole),
        (_, Operation::Read) => return Ok(()),
        (_, Operation::Administer) => return Err(PermissionError::AdminsOnly),
        (Role::Reader, _) => return Err(PermissionError::ReadOnly),
        (Role::Author, _) => {}
    }
    let Some(Ownership { author, editors }) = ownership else { return Ok(()) };
    let is_author = user.is_some() && user == author;
    let is_editor = user.is_some_and(|user| editors.contains(&user));
    let allowed = match (operation, editing) {
        (Operation::Change, Editing::Anyone) => true,
        (Operation::Change, Editing::Author) => is_author || is_editor,
        (Operation::Own, _) => is_author,
        (Operation::Read | Operation::Create | Operation::Administer, _) => true,
    };
    match operation {
        _ if allowed => Ok(()),
        _ if user.is_none() => Err(PermissionError::NoUser),
        Operation::Own => Err(PermissionError::NotAuthor { author }),
        _ => Err(PermissionError::NotYours { author }),
    }
}
