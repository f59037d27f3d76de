//! Permissions: who may do what. [`decide`] is the only place that knows.

use std::fmt;

use super::id::ObjectId;

/// Roles of a caller. A caller without a role is an author.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Roles {
    /// May do everything.
    pub admin: bool,
    /// Reads everything and changes nothing, unless also an admin.
    pub reader: bool,
}

/// Who calls: a user, or nobody where no token is required.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Principal {
    /// The signed-in user.
    pub user: Option<ObjectId>,
    /// Their roles.
    pub roles: Roles,
    /// The API key with which a program of theirs calls.
    pub key: Option<ObjectId>,
}

/// Kinds of operations, by what they require.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Reads investigations, links or events.
    Read,
    /// Creates an investigation, from nothing or as a clone.
    Create,
    /// Changes or deletes an investigation, its links or its dismissals.
    Change,
    /// Decides over an investigation: who may edit it, and whether it comes back after it was deleted.
    Own,
    /// Reads what concerns all users, such as the audit log.
    Administer,
}

/// Who may change investigations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Editing {
    /// Any user.
    #[default]
    Anyone,
    /// The author, the editors whom the author names, and admins.
    Author,
}

/// Whose an investigation is.
#[derive(Debug, Clone, Copy)]
pub struct Ownership<'i> {
    /// The author.
    pub author: Option<ObjectId>,
    /// Other users who may change it.
    pub editors: &'i [ObjectId],
}

/// Why an operation is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denial {
    /// The caller's role changes nothing.
    ReadOnly,
    /// The investigation belongs to somebody else, or to nobody.
    NotYours {
        /// The author.
        author: Option<ObjectId>,
    },
    /// The operation is for admins.
    AdminsOnly,
}

impl Denial {
    /// Returns the stable code of the refusal.
    pub fn code(self) -> &'static str {
        match self {
            Self::ReadOnly => "read_only",
            Self::NotYours { .. } => "not_your_investigation",
            Self::AdminsOnly => "admins_only",
        }
    }
}

impl fmt::Display for Denial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReadOnly => write!(f, "Your role, reader, changes nothing; ask an admin for another"),
            Self::NotYours { author: Some(author) } => {
                write!(
                    f,
                    "Only its author ({author}), its editors and admins may change it; clone it to change the copy"
                )
            }
            Self::NotYours { author: None } => {
                write!(f, "It has no author, so only admins may change it; clone it to change the copy")
            }
            Self::AdminsOnly => write!(f, "This needs the role admin"),
        }
    }
}

impl Principal {
    /// The service itself, which completes what callers began.
    pub const SERVICE: Self = Self { user: None, roles: Roles { admin: true, reader: false }, key: None };
}

impl Roles {
    /// Reads the names of roles. Unknown names are ignored, because a provider's token may list roles of other services.
    pub fn from_names<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        names.into_iter().fold(Self::default(), |roles, name| match name {
            "admin" => Self { admin: true, ..roles },
            "reader" => Self { reader: true, ..roles },
            _ => roles,
        })
    }

    /// Returns the names of the roles.
    pub fn names(self) -> Vec<&'static str> {
        [(self.admin, "admin"), (self.reader, "reader")]
            .into_iter()
            .filter(|(has, _)| *has)
            .map(|(_, name)| name)
            .collect()
    }
}

/// Decides whether an operation is allowed. `ownership` is that of the investigation to change; `None` while only the
/// roles are known, which refuses what no investigation could allow.
///
/// # Errors
/// [`Denial`]
pub fn decide(
    caller: Principal,
    operation: Operation,
    ownership: Option<Ownership<'_>>,
    editing: Editing,
) -> Result<(), Denial> {
    let Principal { user, roles, key: _ } = caller;
    if roles.admin || operation == Operation::Read {
        return Ok(());
    }
    if operation == Operation::Administer {
        return Err(Denial::AdminsOnly);
    }
    if roles.reader {
        return Err(Denial::ReadOnly);
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
    if allowed { Ok(()) } else { Err(Denial::NotYours { author }) }
}
