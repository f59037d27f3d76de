//! Files and folders that only their owner may read: the store and the token secret.

use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Makes the folder, and what leads to it, where they are missing. What was made survives a power loss.
///
/// # Errors
/// Those of the file system.
pub fn folder(path: &Path) -> io::Result<()> {
    let missing = path.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    let missing: Vec<&Path> = missing.collect();
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    missing.into_iter().try_for_each(sync_name)
}

/// Puts the name of a file or folder on disk. Syncing the file itself keeps its bytes, but its name belongs to the folder.
///
/// # Errors
/// Those of the file system.
pub fn sync_name(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

/// Opens the file for writing, and makes it where it is missing. What it holds stays.
///
/// # Errors
/// Those of the file system.
pub fn file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path)
}

/// Makes a file that must not be there yet.
///
/// # Errors
/// Those of the file system.
pub fn new_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Leaves the file to its owner alone. Says whether others had rights to it.
///
/// # Errors
/// Those of the file system.
pub fn close(path: &Path) -> io::Result<bool> {
    let was_open = !is_private(path);
    if was_open {
        std::fs::set_permissions(path, Permissions::from_mode(0o600))?;
    }
    Ok(was_open)
}

/// Whether nobody but the owner may read or write the file.
pub fn is_private(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o077 == 0)
}
