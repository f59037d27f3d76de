//! Checks the data folder and the secret in it: the folder must exist, be private and writable, and have free space,
//! and the secret must be usable.

use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::{Access, access, statvfs};

use super::finding::Finding;
use crate::cli::sign_in::{USER_FILE, User};
use crate::settings::OWN_SECRETS;
use crate::tokens::{SECRET_FILE, secret_fault};

const FOLDER: &str = "data-folder";
const DISK: &str = "disk";
const SECRET: &str = "secret";
const USER: &str = "page-user";

const MIB: u64 = 1024 * 1024;
/// Free space, in bytes, below which the doctor reports a problem, because the service will soon fail.
const MIN_FREE: u64 = 100 * MIB;
/// Free space, in bytes, below which the doctor reports a warning.
const LOW_FREE: u64 = 1024 * MIB;

/// State of the data folder.
pub enum Folder {
    /// The folder does not exist. `can_be_made` is true if this user can create it.
    Missing { can_be_made: bool },
    /// The path is not a folder, or it cannot be read.
    Unusable(String),
    There {
        /// Permissions: the lowest nine bits of the file mode.
        mode: u32,
        writable: bool,
        /// Free space that this user may use, in bytes; `None` if unknown.
        room: Option<u64>,
    },
}

/// State of the file with the secret that the service generated to sign tokens.
pub enum Secret {
    Missing,
    Unreadable(String),
    There { fault: Option<&'static str>, mode: u32 },
}

pub fn diagnose(folder: &Path) -> (Folder, Secret, User) {
    let user = User::read(&folder.join(USER_FILE));
    (check_folder(folder), check_secret(&folder.join(SECRET_FILE)), user)
}

fn check_folder(folder: &Path) -> Folder {
    match folder.metadata() {
        Ok(found) if found.is_dir() => Folder::There {
            mode: found.permissions().mode() & 0o777,
            writable: is_writable(folder),
            room: statvfs(folder).ok().map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize)),
        },
        Ok(_) => Folder::Unusable("it is no folder".to_owned()),
        Err(e) if e.kind() == ErrorKind::NotFound => {
            let above =
                folder.ancestors().skip(1).map(|at| if at.as_os_str().is_empty() { Path::new(".") } else { at });
            Folder::Missing { can_be_made: above.into_iter().find(|at| at.exists()).is_some_and(is_writable) }
        }
        Err(e) => Folder::Unusable(e.to_string()),
    }
}

fn is_writable(folder: &Path) -> bool {
    access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

fn check_secret(file: &Path) -> Secret {
    let read = std::fs::read(file).and_then(|secret| Ok((secret_fault(secret.trim_ascii()), file.metadata()?)));
    match read {
        Ok((fault, metadata)) => Secret::There { fault, mode: metadata.permissions().mode() & 0o777 },
        Err(e) if e.kind() == ErrorKind::NotFound => Secret::Missing,
        Err(e) => Secret::Unreadable(e.to_string()),
    }
}

/// Checks the data folder at `path`, and the free space on its disk.
pub fn of_folder(path: &Path, folder: &Folder) -> Vec<Finding> {
    let name = path.display();
    let (mode, writable, room) = match folder {
        Folder::Missing { can_be_made: true } => {
            return vec![Finding::ok(FOLDER, format!("{name} does not exist yet; the first start creates it"))];
        }
        Folder::Missing { can_be_made: false } => {
            let remedy = "create it, make the service's user its owner, or choose another with --data";
            return vec![Finding::problem(FOLDER, format!("{name} does not exist and cannot be created"), remedy)];
        }
        Folder::Unusable(reason) => {
            let says = format!("{name} cannot be used: {reason}");
            return vec![Finding::problem(FOLDER, says, "choose another with --data")];
        }
        Folder::There { mode, writable, room } => (*mode, *writable, *room),
    };
    let folder = if !writable {
        let remedy = "make the service's user its owner, or run this command as that user";
        Finding::problem(FOLDER, format!("{name} is not writable for this user"), remedy)
    } else if mode & 0o077 != 0 {
        let says = format!("{name} can be read by other users (mode {mode:o})");
        Finding::warning(FOLDER, says, format!("run: chmod 700 {name}"))
    } else {
        Finding::ok(FOLDER, format!("{name} exists, and only its owner can read it"))
    };
    let remedy = "free some space, or move the data folder to another disk";
    let disk = match room {
        None => Finding::warning(DISK, "does not report its free space", "check with: df"),
        Some(room) if room < MIN_FREE => Finding::problem(DISK, format!("only {} MiB are free", room / MIB), remedy),
        Some(room) if room < LOW_FREE => Finding::warning(DISK, format!("only {} MiB are free", room / MIB), remedy),
        Some(_) => Finding::ok(DISK, "more than 1 GiB is free"),
    };
    vec![folder, disk]
}

/// Checks the secret that the service generated to sign tokens. `differs` tells whether each copy of the service has a
/// secret of its own.
pub fn of_secret(secret: &Secret, differs: bool) -> Finding {
    match secret {
        Secret::Missing | Secret::There { fault: None, .. } if differs && !is_open(secret) => {
            let (message, remedy) = OWN_SECRETS;
            Finding::warning(SECRET, message, remedy)
        }
        Secret::Missing => {
            Finding::ok(SECRET, "does not exist; the next start creates one, and older tokens stop working")
        }
        Secret::Unreadable(reason) => Finding::problem(
            SECRET,
            format!("the file {SECRET_FILE} cannot be read: {reason}"),
            "make the service's user its owner, or run this command as that user",
        ),
        Secret::There { fault: Some(fault), .. } => Finding::problem(
            SECRET,
            format!("the file {SECRET_FILE} cannot be used: {fault}"),
            "delete the file so that a new one is created, or set --auth-hs256-secret",
        ),
        Secret::There { mode, .. } if is_open(secret) => Finding::warning(
            SECRET,
            format!("the file {SECRET_FILE} can be read by other users (mode {mode:o})"),
            "the next start restricts it; if somebody may have read it, delete it, which ends all tokens",
        ),
        Secret::There { .. } => Finding::ok(SECRET, "exists, is long enough, and only its owner can read it"),
    }
}

/// Returns whether other users can read the secret.
fn is_open(secret: &Secret) -> bool {
    matches!(secret, Secret::There { mode, .. } if mode & 0o077 != 0)
}

/// Checks the file with the id of the sign-in link's user. Returns `None` if the file is missing or valid.
pub fn of_user(user: &User) -> Option<Finding> {
    match user {
        User::Missing | User::Known(_) => None,
        User::Blank => {
            Some(Finding::warning(USER, format!("the file {USER_FILE} is empty"), "the next start creates a new user"))
        }
        User::Other => Some(Finding::warning(
            USER,
            format!("the file {USER_FILE} contains no user id, so no sign-in link is printed"),
            "delete it so that a new one is created",
        )),
        User::Unreadable(reason) => Some(Finding::warning(
            USER,
            format!("the file {USER_FILE} cannot be read, so no sign-in link is printed: {reason}"),
            "give it to the user of the service, or delete it so that a new one is created",
        )),
    }
}

/// Returns the finding for a secret in the settings. Its length was checked when the settings were read.
pub fn secret_of_settings() -> Finding {
    Finding::ok(SECRET, "is set in the settings and long enough")
}

/// Returns the finding for a service whose tokens are signed by an identity provider.
pub fn no_secret() -> Finding {
    Finding::ok(SECRET, "not used: tokens come from the identity provider")
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/doctor/folder.rs"]
mod tests;
