//! Files and folders that only their owner may read, such as the store and the secret for tokens.

use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::process::geteuid;

/// Creates a folder and its missing parents, with permissions only for the owner. The new folders survive a power loss.
pub fn folder(path: &Path) -> io::Result<()> {
    let missing = path.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    let missing: Vec<&Path> = missing.collect();
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    missing.into_iter().try_for_each(sync_name)
}

/// Syncs the parent folder of a file or folder to the disk, so that its name survives a power loss. Syncing the file
/// itself saves only its bytes.
pub fn sync_name(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

/// Opens a file for writing without changing its content. If the file is missing, creates a private file.
pub fn file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path)
}

/// Creates a private file. Fails if the file exists.
pub fn new_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Removes all permissions of other users from a file. Returns whether other users had any.
pub fn make_private(path: &Path) -> io::Result<bool> {
    let was_open = !is_private(path);
    if was_open {
        std::fs::set_permissions(path, Permissions::from_mode(0o600))?;
    }
    Ok(was_open)
}

/// Returns whether only the owner has permissions for a file; false if its permissions cannot be read. Exception: the
/// group may read a file of root if this process is not root, because systemd and Kubernetes provide secrets this way.
pub fn is_private(path: &Path) -> bool {
    let me = geteuid().as_raw();
    path.metadata().is_ok_and(|metadata| excludes_others(metadata.mode(), metadata.uid(), me))
}

fn excludes_others(mode: u32, owner: u32, me: u32) -> bool {
    let allowed = if owner == 0 && me != 0 { 0o740 } else { 0o700 };
    mode & 0o777 & !allowed == 0
}

#[cfg(test)]
#[path = "../tests/unit/private_file.rs"]
mod tests;
