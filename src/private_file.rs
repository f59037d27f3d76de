//! Files and folders that only their owner may read: the store and the token secret.

use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Creates the folder and its parents if they are missing. New folders survive a power loss.
///
/// # Errors
/// I/O errors.
pub fn folder(path: &Path) -> io::Result<()> {
    let missing = path.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    let missing: Vec<&Path> = missing.collect();
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    missing.into_iter().try_for_each(sync_name)
}

/// Syncs the name of a file or folder. Syncing a file keeps its bytes; its name belongs to the parent folder.
///
/// # Errors
/// I/O errors.
pub fn sync_name(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

/// Opens a file for writing and creates it if it is missing. Its content stays.
///
/// # Errors
/// I/O errors.
pub fn file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path)
}

/// Creates a file that must not exist yet.
///
/// # Errors
/// I/O errors.
pub fn new_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Takes all rights from others; returns whether they had any.
///
/// # Errors
/// I/O errors.
pub fn close(path: &Path) -> io::Result<bool> {
    let was_open = !is_private(path);
    if was_open {
        std::fs::set_permissions(path, Permissions::from_mode(0o600))?;
    }
    Ok(was_open)
}

/// Returns whether only the owner may read or write the file.
pub fn is_private(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o077 == 0)
}
