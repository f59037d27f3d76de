//! Files and folders that only their owner may read, such as the store and the secret for tokens.
//!
//! If the process is root, new files and folders are given to the owner of the folder that contains them. Otherwise the
//! service, which runs as another user, could not use files that a command of root created in its folder.

use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, statat};
use rustix::io::Errno;
use rustix::process::geteuid;

/// Returns a sentence about a failed action on a file or folder, with the reason and a remedy. `doing` is a phrase such
/// as `read the backup`.
pub fn failed(doing: &str, path: &Path, error: &io::Error) -> String {
    format!("cannot {doing} {}: {}", path.display(), with_way_out(error))
}

/// Returns the text of an error, with a remedy if one is known.
fn with_way_out(error: &io::Error) -> String {
    use io::ErrorKind;
    let way_out = match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory => "check the path",
        ErrorKind::AlreadyExists => "name a new file",
        ErrorKind::PermissionDenied => "run this as a user who may do that, or change the owner of the file or folder",
        ErrorKind::ReadOnlyFilesystem => "make the file system writable, or choose a folder on another one",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "free some space on its disk",
        ErrorKind::FileTooLarge => "raise the limit of the size of files (ulimit -f)",
        ErrorKind::InvalidData => "save it as UTF-8 text",
        _ if Errno::from_io_error(error) == Some(Errno::IO) => "check the disk",
        _ => return error.to_string(),
    };
    format!("{error}; {way_out}")
}

/// Creates a folder and its missing parents, with permissions only for the owner. The new folders survive a power loss.
/// Returns them, innermost first. On failure, removes them again.
pub fn folder(path: &Path) -> io::Result<Vec<PathBuf>> {
    let missing = path.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    let missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    let made = missing.iter().rev().try_for_each(|folder| new_folder(folder));
    // Fails if the path is not a folder.
    let made = made.and_then(|()| DirBuilder::new().recursive(true).create(path));
    if made.is_err() {
        remove_unused(&missing);
    }
    made.map(|()| missing)
}

/// Removes folders that [`folder`] created for an operation that failed. Keeps folders that are not empty.
pub fn remove_unused(folders: &[PathBuf]) {
    for folder in folders {
        let _ = std::fs::remove_dir(folder);
    }
}

fn new_folder(path: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(path) {
        Err(e) if e.kind() != io::ErrorKind::AlreadyExists => Err(e),
        // Another process has just created the folder.
        Err(_) => Ok(()),
        Ok(()) => File::open(path).and_then(|made| give_away(path, &made)).and_then(|()| sync_name(path)),
    }
}

/// Syncs the parent folder of a file or folder to the disk, so that its name survives a power loss. Syncing the file
/// itself saves only its bytes.
pub fn sync_name(path: &Path) -> io::Result<()> {
    File::open(folder_of(path))?.sync_all()
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// If this process is root, gives the file or folder that it has created at `path` to the owner of the folder that
/// contains it. That owner may rename files or replace them with links at the same time, so ownership is changed only
/// for files that are really in this folder.
fn give_away(path: &Path, made: &File) -> io::Result<()> {
    if !geteuid().is_root() {
        return Ok(());
    }
    let around = File::open(folder_of(path))?;
    let (folder, about) = (around.metadata()?, made.metadata()?);
    let there = statat(&around, path.file_name().unwrap_or_default(), AtFlags::SYMLINK_NOFOLLOW)?;
    if (there.st_dev, there.st_ino) != (about.dev(), about.ino()) {
        return Err(io::Error::other("another process has moved it"));
    }
    fchown(made, Some(folder.uid()), Some(folder.gid()))
}

/// Opens a file for writing without changing its content. If the file is missing, creates a private file.
pub fn file(path: &Path) -> io::Result<File> {
    match new_file(path) {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => OpenOptions::new().write(true).open(path),
        made => made,
    }
}

/// Returns whether there is no file at this path. A symbolic link is regarded as a file, even if its target is missing.
pub fn is_missing(path: &Path) -> bool {
    path.symlink_metadata().is_err_and(|e| e.kind() == io::ErrorKind::NotFound)
}

/// Creates a private file. Fails if the file exists.
pub fn new_file(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    give_away(path, &file)?;
    Ok(file)
}

/// Finds a file that belongs to root in a folder that belongs to another user. Ignores files of the folder's group,
/// because the operator gave this group the right to read them.
pub fn left_by_root(folder: &Path) -> Option<PathBuf> {
    let around = folder.metadata().ok()?;
    let is_left =
        |file: &Metadata| file.is_file() && file.uid() == 0 && around.uid() != 0 && file.gid() != around.gid();
    let mut files = folder.read_dir().ok()?.flatten();
    files.find(|file| file.metadata().is_ok_and(|file| is_left(&file))).map(|file| file.path())
}

/// Removes all permissions of other users from a file. Returns whether other users had any. If this process is root,
/// also gives the file to the owner of the folder that contains it, because only root could read it otherwise.
///
/// # Errors
/// If this process is root, and the path is a symbolic link or the file has several names. Then nothing is changed: the
/// owner of the folder may have linked a file that belongs to somebody else.
pub fn make_private(path: &Path) -> io::Result<bool> {
    if is_private(path) {
        return Ok(false);
    }
    let file = File::open(path)?;
    let has_one_name = path.symlink_metadata()?.is_file() && file.metadata()?.nlink() == 1;
    if geteuid().is_root() && !has_one_name {
        return Err(io::Error::other("other users can read it, and it is a link or has another name"));
    }
    give_away(path, &file)?;
    file.set_permissions(Permissions::from_mode(0o600))?;
    Ok(true)
}

/// Returns whether only the owner has permissions for a file; false if its permissions cannot be read. Exception: the
/// group may read a file of root, because systemd, Kubernetes and operators give secrets to a service this way.
pub fn is_private(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| excludes_others(metadata.mode(), metadata.uid()))
}

fn excludes_others(mode: u32, owner: u32) -> bool {
    let allowed = if owner == 0 { 0o740 } else { 0o700 };
    mode & 0o777 & !allowed == 0
}

/// Reads a file that contains only a secret. Omits the line break at its end.
///
/// # Errors
/// A phrase about the file if it cannot be read, is not UTF-8 text, or is open to other users.
pub fn secret(path: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot be read: {}", with_way_out(&error)))?;
    if !is_private(path) {
        return Err(format!("{}; {}", openness(path), remedy(path)));
    }
    Ok(text.strip_suffix('\n').map(str::to_owned).unwrap_or(text))
}

/// Returns a phrase about which other users may access a file.
pub fn openness(path: &Path) -> String {
    let mode = path.metadata().map_or(0, |metadata| metadata.mode() & 0o777);
    format!("is open to other users (mode {mode:o})")
}

/// Returns the remedy for a file that other users may access. A service that reads the file as another user, or as a
/// member of its group, must be able to read it afterwards.
pub fn remedy(path: &Path) -> String {
    let shown = path.display();
    match path.metadata().map(|metadata| metadata.uid()) {
        Ok(owner) if owner == geteuid().as_raw() && owner != 0 => format!("run: chmod 600 {shown}"),
        Ok(0) => format!("make the service's group its group, and run: chmod 640 {shown}"),
        _ => format!("make the service's user its owner, and run: chmod 600 {shown}"),
    }
}

#[cfg(test)]
#[path = "../tests/unit/private_file.rs"]
mod tests;
