//! Permissions. Only [`decide`] knows who may do what.

use std::fmt;

use super::id::ObjectId;

/// Roles of a caller. Without a role, a caller may create investigations and change those that [`Editing`] allows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Roles {
    /// Whether the caller is an admin, who may do everything.
    pub admin: bool,
    /// Whether the caller is a reader, who may read everything but change nothing. The role admin overrides this role.
    pub reader: bool,
}

/// The caller: a user, or an unknown caller if no token is required.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Principal {
    /// The signed-in user; `None` if the caller did not sign in.
    pub user: Option<ObjectId>,
    /// The roles of the caller.
    pub roles: Roles,
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Editing {
    /// Any caller who is not a reader.
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
pub enum Denial {
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
    pub const SERVICE: Self = Self { user: None, roles: Roles { admin: true, reader: false }, key: None };
}

impl Roles {
    /// Converts names to roles. Unknown names are ignored, because a token may also list roles of other services.
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

/// Decides whether an operation is allowed. `ownership` is about the investigation to change. If `ownership` is `None`,
/// because the investigation is not loaded yet, only the roles of the caller are checked.
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
    match operation {
        _ if allowed => Ok(()),
        Operation::Own => Err(Denial::NotAuthor { author }),
        _ => Err(Denial::NotYours { author }),
    }
}
