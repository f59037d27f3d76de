//! Checks the rights of the data folder and of the secret in it, and the free disk space.

use std::fs::Metadata;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{Access, access, statvfs};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::finding::Finding;
use crate::private_file;
use crate::settings::{Auth, OWN_SECRETS, Settings};
use crate::store::Backend;
use crate::tokens::{SECRET_FILE, secret_fault};

const FOLDER: &str = "data-folder";
const DISK: &str = "disk";
const SECRET: &str = "secret";

const OWNER: &str = "make the service's user its owner, or run this command as that user";
const READ_ONLY: &str = "make the file system writable, or choose another folder with --data";

const MIB: u64 = 1024 * 1024;
/// Free space, in bytes, below which there is a problem or a warning.
const MIN_FREE: u64 = 100 * MIB;
const LOW_FREE: u64 = 1024 * MIB;

pub fn check(settings: &Settings) -> Vec<Finding> {
    let Settings { data, auth, store, .. } = settings;
    let mut findings = match (auth, &store.backend) {
        (Auth::OwnSecret, _) | (_, Backend::Embedded(_)) => of_folder(data),
        (_, Backend::Postgres { .. }) => vec![Finding::ok(FOLDER, "not used")],
    };
    findings.push(match auth {
        Auth::Provider(_) => Finding::ok(SECRET, "not used: tokens come from the identity provider"),
        Auth::Secret(_) => Finding::ok(SECRET, "is set in the settings and long enough"),
        Auth::OwnSecret => of_secret(&data.join(SECRET_FILE), auth.differs_between_copies(&store.backend)),
    });
    findings
}

fn of_folder(folder: &Path) -> Vec<Finding> {
    let name = folder.display();
    let unusable = |reason: &str| {
        vec![Finding::problem(FOLDER, format!("{name} cannot be used: {reason}"), "choose another with --data")]
    };
    let metadata = match folder.metadata() {
        Ok(metadata) if metadata.is_dir() => metadata,
        Ok(_) => return unusable("it is not a folder"),
        Err(e) if e.kind() == ErrorKind::NotFound => {
            return match creatable(folder) {
                Ok(()) => {
                    vec![Finding::ok(FOLDER, format!("{name} does not exist yet; the first start creates it"))]
                }
                Err(e) => unusable(&format!("it does not exist and cannot be created: {}", io::Error::from(e))),
            };
        }
        Err(e) => return unusable(&e.to_string()),
    };
    let rights = if let Err(e) = writable(folder) {
        match e {
            Errno::ROFS => Finding::problem(FOLDER, format!("{name} is on a read-only file system"), READ_ONLY),
            _ => Finding::problem(FOLDER, format!("{name} is not writable for this user"), OWNER),
        }
    } else if let Some(file) = private_file::left_by_root(folder) {
        let says = format!("{} belongs to root, so the service cannot write it", file.display());
        Finding::problem(FOLDER, says, format!("run: chown --reference={name} {}", file.display()))
    } else if let Some(mode) = open_mode(&metadata) {
        let says = format!("{name} can be read by other users (mode {mode:o})");
        let owner = if metadata.uid() == geteuid().as_raw() { "" } else { "make the service's user its owner, and " };
        Finding::warning(FOLDER, says, format!("{owner}run: chmod 700 {name}"))
    } else {
        Finding::ok(FOLDER, format!("{name} exists, and only its owner can read it"))
    };
    let disk = statvfs(folder).map(|disk| of_disk(disk.f_bavail.saturating_mul(disk.f_frsize)));
    [rights].into_iter().chain(disk).collect()
}

fn of_disk(free: u64) -> Finding {
    let remedy = "free some space, or move the data folder to another disk";
    match free {
        ..MIN_FREE => Finding::problem(DISK, format!("only {} MiB are free", free / MIB), remedy),
        MIN_FREE..LOW_FREE => Finding::warning(DISK, format!("only {} MiB are free", free / MIB), remedy),
        LOW_FREE.. => Finding::ok(DISK, "more than 1 GiB is free"),
    }
}

/// Checks the secret that the service generated to sign tokens. `differs` is true if each copy of the service has a
/// different secret.
fn of_secret(file: &Path, differs: bool) -> Finding {
    let read = std::fs::read(file).and_then(|secret| Ok((secret_fault(secret.trim_ascii()), file.metadata()?)));
    let (fault, mode) = match read {
        Ok((fault, metadata)) => (fault, open_mode(&metadata).filter(|_| !private_file::is_private(file))),
        Err(e) if e.kind() == ErrorKind::NotFound && !differs => {
            return Finding::ok(SECRET, "does not exist; the next start creates one, and older tokens stop working");
        }
        Err(e) if e.kind() == ErrorKind::NotFound => (None, None),
        Err(e) => return Finding::problem(SECRET, format!("the file {SECRET_FILE} cannot be read: {e}"), OWNER),
    };
    if let Some(fault) = fault {
        let says = format!("the file {SECRET_FILE} cannot be used: {fault}");
        let remedy = "delete the file so that a new one is created, or set --auth-hs256-secret";
        return Finding::problem(SECRET, says, remedy);
    }
    if let Some(mode) = mode {
        let says = format!("the file {SECRET_FILE} can be read by other users (mode {mode:o})");
        let remedy = "the next start restricts its permissions; if somebody may have read it, delete it, which invalidates all tokens";
        return Finding::warning(SECRET, says, remedy);
    }
    if differs {
        Finding::warning(SECRET, OWN_SECRETS.message, OWN_SECRETS.remedy)
    } else {
        Finding::ok(SECRET, "exists, is long enough, and only its owner can read it")
    }
}

/// Returns the permissions (the lowest nine bits of the mode), if users other than the owner have any permission.
fn open_mode(metadata: &Metadata) -> Option<u32> {
    let mode = metadata.permissions().mode() & 0o777;
    (mode & 0o077 != 0).then_some(mode)
}

fn writable(folder: &Path) -> Result<(), Errno> {
    access(folder, Access::WRITE_OK | Access::EXEC_OK)
}

/// Checks whether this user may create a missing folder, with the folders above it.
fn creatable(folder: &Path) -> Result<(), Errno> {
    let mut above = folder.ancestors().skip(1).map(|at| if at.as_os_str().is_empty() { Path::new(".") } else { at });
    above.find(|at| at.exists()).map_or(Err(Errno::NOENT), writable)
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/doctor/files.rs"]
mod tests;
