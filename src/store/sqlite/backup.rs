//! Backs up the embedded store to one file while the store is in use, and restores a backup. Both write a temporary
//! file first, then verify it completely, and only then give it its final name.
//!
//! A backup is a SQLite file followed by one line, the SHA-256 of all bytes before the line. SQLite ignores the line.
//! SQLite itself detects damaged pages, but not wrong bytes within a text.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use aws_lc_rs::digest::{Context, SHA256};
use rusqlite::{Connection, OpenFlags};

use super::connection::configure;
use super::error::remedy;
use super::files::{FILE, with_suffix};
use super::{log, migrate, schema};
use crate::domain::hex;
use crate::private_file;
use crate::store::dialect::Dialect;
use crate::store::sessions::END_ALL;
use crate::store::{OpenError, sweep};

/// Text at the beginning of the line with the checksum.
const MARK: &[u8] = b"\nfieldbook-backup sha256:";

/// Length of the line with the checksum: the mark, 64 digits, and the end of the line.
const LINE: u64 = MARK.len() as u64 + 64 + 1;

/// Size of a page in bytes. A store with tables has more than one.
const PAGE: u64 = 4096;

/// Number of bytes that are copied at a time.
const BUFFER: usize = 64 * 1024;

/// File name endings of logs, which contain changes that the store file itself does not contain yet.
const LOGS: [&str; 2] = ["-wal", "-journal"];

/// File name endings of all files that SQLite creates next to a store.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// File name ending of a file that is not complete yet.
const PART: &str = ".part";

/// What a restore is allowed to do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Whether it may replace an existing store.
    pub replace: bool,
    /// Whether the file needs no checksum, because it is a copy of a store that no service used, for example.
    pub without_checksum: bool,
}

/// Numbers of rows in a verified store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contents {
    /// Number of investigations.
    pub investigations: u64,
    /// Number of version records.
    pub records: u64,
    /// Number of links.
    pub links: u64,
}

/// Copies the store in this folder to a new file and verifies the copy.
///
/// # Errors
/// [`OpenError`] with a sentence for the operator. No file is created in that case.
pub fn back_up(folder: &Path, target: &Path) -> Result<Contents, OpenError> {
    // An old log next to the target is refused as well, because SQLite would apply it to the new file.
    let names = [target.to_owned()].into_iter().chain(LOGS.map(|ending| with_suffix(target, ending)));
    if let Some(existing) = names.into_iter().find(|name| name.exists()) {
        return Err(OpenError(format!("{} already exists; name a new file", existing.display())));
    }
    let store = folder.join(FILE);
    let _in_use = lock_shared(folder)?;
    let unreadable =
        |e: rusqlite::Error| OpenError(format!("cannot read the store {}: {e}{}", store.display(), remedy(&e)));
    let source = Connection::open_with_flags(&store, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(unreadable)?;
    configure(&source).map_err(unreadable)?;
    migrate::check_owner(&source, &store)?;
    let unchecked = |e: io::Error| OpenError::of("read the log of the store", &store, &e);
    if let Some(damage) = log::damage(&store).map_err(unchecked)? {
        return Err(OpenError(format!(
            "the write-ahead log of the store {} is damaged: {damage}; start the service once, which keeps a copy of the log",
            store.display()
        )));
    }
    let beside = TemporaryFile::new(target)?;
    source.execute("VACUUM INTO ?1", [beside.text()?]).map_err(|e| {
        let (store, target) = (store.display(), target.display());
        OpenError(format!("cannot copy the store {store} to {target}: {e}{}", remedy(&e)))
    })?;
    end_sessions(&beside.0, target)?;
    let contents = check(&beside.0, &store)?;
    append_checksum(&beside.0).map_err(|e| OpenError::of("write the backup", target, &e))?;
    beside.rename_to(target)?;
    Ok(contents)
}

/// Restores a backup as the store in `folder`. No process may be using an existing store.
///
/// # Errors
/// [`OpenError`] with a sentence for the operator. An existing store is unchanged in that case, and a missing folder is
/// not created.
pub fn restore(source: &Path, folder: &Path, allowed: Allowed) -> Result<Contents, OpenError> {
    let created = data_folder(folder)?;
    let restored = restore_into(source, folder, allowed);
    if restored.is_err() {
        private_file::remove_unused(&created);
    }
    restored
}

/// Creates the data folder with its missing parents. Returns what was created.
pub fn data_folder(folder: &Path) -> Result<Vec<PathBuf>, OpenError> {
    private_file::folder(folder).map_err(|e| {
        OpenError(format!("cannot create the data folder {}: {e}; choose another with --data", folder.display()))
    })
}

fn restore_into(source: &Path, folder: &Path, allowed: Allowed) -> Result<Contents, OpenError> {
    let store = folder.join(FILE);
    let _alone = lock_exclusive(folder)?;
    if store.exists() && !allowed.replace {
        return Err(OpenError(format!(
            "a store already exists in the folder {}; back it up, then use --replace to replace it",
            folder.display()
        )));
    }
    let unreadable = |e: io::Error| OpenError::of("read the backup", source, &e);
    // SQLite keeps the log next to the file itself, not next to a symbolic link to it.
    let file = source.canonicalize().map_err(unreadable)?;
    refuse_log(&file)?;
    let input = File::open(&file).map_err(unreadable)?;
    let beside = TemporaryFile::new(&store)?;
    let checksum = copy(input, &beside.0, unreadable)?;
    if let Some(fault) = checksum.fault(allowed.without_checksum) {
        return Err(OpenError(format!("{} {fault}", source.display())));
    }
    let contents = check(&beside.0, source)?;
    end_sessions(&beside.0, &store)?;
    remove_old_log(&store)?;
    beside.rename_to(&store)?;
    Ok(contents)
}

/// Ends the sessions in a copy of a store. Otherwise a session that somebody ends before the copy is used would become
/// valid again. In error messages, the copy has the name `named`.
fn end_sessions(copy: &Path, named: &Path) -> Result<(), OpenError> {
    let ended = Connection::open_with_flags(copy, OpenFlags::SQLITE_OPEN_READ_WRITE).and_then(|connection| {
        connection.pragma_update(None, "secure_delete", true)?;
        END_ALL.iter().try_for_each(|end| connection.execute(end, []).map(drop))
    });
    ended.map_err(|e| OpenError(format!("cannot end the sessions in {}: {e}{}", named.display(), remedy(&e))))
}

/// Refuses a file with a log next to it, because the log contains changes that are missing in the file.
fn refuse_log(file: &Path) -> Result<(), OpenError> {
    let has_changes = |ending: &&str| with_suffix(file, ending).metadata().is_ok_and(|log| log.len() > 0);
    let Some(ending) = LOGS.into_iter().find(has_changes) else { return Ok(()) };
    Err(OpenError(format!(
        "{} next to the file has changes that the file lacks; put both into an empty folder under the names {FILE} and {FILE}{ending}, \
         run fieldbook migrate and fieldbook backup with --data of this folder, and restore that backup",
        with_suffix(file, ending).display()
    )))
}

/// Result of comparing a file with its checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Checksum {
    Right,
    Wrong,
    Missing,
}

impl Checksum {
    fn fault(self, may_be_missing: bool) -> Option<&'static str> {
        match self {
            Self::Right => None,
            Self::Wrong => Some("is damaged: its checksum does not match; restore another backup"),
            Self::Missing if may_be_missing => None,
            Self::Missing => Some(
                "has no checksum, so it is no backup, or its end is missing and it is damaged; restore another backup; only if it \
                 is a copy of a store that was stopped, use --without-checksum, which does not notice all damage",
            ),
        }
    }
}

/// Copies a backup to the file `to` without the line with its checksum. Copies a file without such a line as it is.
fn copy(mut input: File, to: &Path, unreadable: impl Fn(io::Error) -> OpenError) -> Result<Checksum, OpenError> {
    let unwritable = |e: io::Error| OpenError::of("write", to, &e);
    let mut output = private_file::file(to).map_err(unwritable)?;
    let length = input.metadata().map_err(&unreadable)?.len().saturating_sub(PAGE + LINE);
    let mut digest = Context::new(&SHA256);
    for_each_part(&mut (&mut input).take(length), &unreadable, |part| {
        digest.update(part);
        output.write_all(part).map_err(unwritable)
    })?;
    let mut rest = Vec::new();
    input.read_to_end(&mut rest).map_err(&unreadable)?;
    let (end, last) = rest.split_at(rest.len().saturating_sub(LINE as usize));
    digest.update(end);
    let checksum = if last == line(digest) {
        Checksum::Right
    } else if rest.windows(MARK.len()).any(|part| part == MARK) {
        // The line is at another position, so bytes are missing, or were added at the end.
        Checksum::Wrong
    } else {
        Checksum::Missing
    };
    output.write_all(if checksum == Checksum::Missing { &rest } else { end }).map_err(unwritable)?;
    Ok(checksum)
}

fn append_checksum(path: &Path) -> Result<(), io::Error> {
    let mut digest = Context::new(&SHA256);
    for_each_part(
        &mut File::open(path)?,
        |e| e,
        |part| {
            digest.update(part);
            Ok(())
        },
    )?;
    OpenOptions::new().append(true).open(path)?.write_all(&line(digest))
}

/// Reads `input` to its end, in parts.
fn for_each_part<E>(
    input: &mut impl Read,
    unreadable: impl Fn(io::Error) -> E,
    mut work: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let mut buffer = vec![0; BUFFER];
    loop {
        match input.read(&mut buffer).map_err(&unreadable)? {
            0 => return Ok(()),
            length => work(&buffer[..length])?,
        }
    }
}

/// Returns the line with the checksum.
fn line(digest: Context) -> Vec<u8> {
    [MARK, hex::digits(digest.finish().as_ref()).as_bytes(), b"\n"].concat()
}

/// Takes a shared lock on `folder`. The lock lasts until the returned file is closed. Returns `None`, and takes no
/// lock, if the file system does not support locks or the folder cannot be opened.
///
/// # Errors
/// [`OpenError`] while a backup is being restored in this folder.
pub fn lock_shared(folder: &Path) -> Result<Option<File>, OpenError> {
    let Ok(handle) = File::open(folder) else { return Ok(None) };
    match handle.try_lock_shared() {
        Ok(()) => Ok(Some(handle)),
        Err(TryLockError::Error(_)) => Ok(None),
        Err(TryLockError::WouldBlock) => Err(OpenError(format!(
            "a backup is being restored in the folder {}; try again when that is done",
            folder.display()
        ))),
    }
}

/// Removes the files that a killed restore left in `folder`. They can be as large as the store. The folder must be
/// locked, so that no restore is running.
pub fn sweep(folder: &Path) {
    let part = with_suffix(&folder.join(FILE), PART);
    if let Err(error) = remove(&part).map_err(|e| OpenError(e.to_string())).and_then(|()| remove_beside(&part)) {
        tracing::warn!(file = %part.display(), %error, "a file that an interrupted restore left cannot be removed");
    }
}

/// Removes the file without tables that a failed creation of a store left in `folder`, unless another process uses the
/// folder.
pub fn remove_unfinished(folder: &Path) {
    let Ok(_alone) = lock_exclusive(folder) else { return };
    let store = folder.join(FILE);
    let log = with_suffix(&store, "-wal");
    let has_at_most = |bytes, path: &Path| path.symlink_metadata().is_ok_and(|f| f.is_file() && f.len() <= bytes);
    if has_at_most(PAGE, &store) && (private_file::is_missing(&log) || has_at_most(0, &log)) {
        let _ = remove_beside(&store);
        let _ = remove(&store);
    }
}

/// Takes an exclusive lock on `folder`. The lock lasts until the returned file is closed.
fn lock_exclusive(folder: &Path) -> Result<File, OpenError> {
    let unlocked = |e: io::Error| OpenError::of("lock the data folder", folder, &e);
    let handle = File::open(folder).map_err(unlocked)?;
    match handle.try_lock() {
        Ok(()) => Ok(handle),
        Err(TryLockError::Error(e)) => Err(unlocked(e)),
        Err(TryLockError::WouldBlock) => Err(OpenError(format!(
            "the store in the folder {} is in use; stop the service and other commands first",
            folder.display()
        ))),
    }
}

/// A file named like the target plus `.part`, such as `copy.sqlite3.part`. Dropping this value deletes the files that
/// SQLite created next to the file, and the file itself unless it was renamed.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    /// Creates an empty file that only its owner may read. Replaces a file left over from an interrupted run.
    fn new(wanted: &Path) -> Result<Self, OpenError> {
        let path = with_suffix(wanted, PART);
        let cannot = |e: io::Error| OpenError::of("create the file", &path, &e);
        remove(&path).map_err(cannot)?;
        remove_beside(&path)?;
        private_file::new_file(&path).map_err(cannot)?;
        Ok(Self(path))
    }

    fn text(&self) -> Result<&str, OpenError> {
        self.0.to_str().ok_or_else(|| OpenError(format!("the path {} is not UTF-8", self.0.display())))
    }

    /// Syncs the file to disk and renames it to its final name.
    fn rename_to(self, target: &Path) -> Result<(), OpenError> {
        let cannot = |e: io::Error| OpenError::of("create the file", target, &e);
        File::open(&self.0).and_then(|file| file.sync_all()).map_err(cannot)?;
        std::fs::rename(&self.0, target).and_then(|()| private_file::sync_name(target)).map_err(cannot)
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        // Fails if the file was renamed, because the temporary file then no longer exists.
        let _ = std::fs::remove_file(&self.0);
        let _ = remove_beside(&self.0);
    }
}

/// Removes the files that SQLite created next to a store.
fn remove_beside(store: &Path) -> Result<(), OpenError> {
    for file in BESIDE.map(|ending| with_suffix(store, ending)) {
        remove(&file).map_err(|e| OpenError::of("remove", &file, &e))?;
    }
    Ok(())
}

fn remove(file: &Path) -> Result<(), io::Error> {
    match file.symlink_metadata().and_then(|_| std::fs::remove_file(file)) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}

/// Verifies the store in the file `path`, and counts its rows. Error messages name `named` instead of `path`.
fn check(path: &Path, named: &Path) -> Result<Contents, OpenError> {
    let damaged = |e: rusqlite::Error| OpenError(format!("{} is not a sound store: {e}", named.display()));
    // Opens the store for writing, but writes nothing: a connection that cannot write would leave files next to a store
    // in WAL mode.
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(damaged)?;
    migrate::check_form(&connection, named)?;
    let sound: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(damaged)?;
    if sound != "ok" {
        return Err(OpenError(format!("{} is not a sound store: {sound}", named.display())));
    }
    let finds = |sql: &str| connection.prepare(sql).and_then(|mut check| check.exists([])).map_err(damaged);
    if finds("PRAGMA foreign_key_check")? || finds(&sweep::orphans(Dialect::Sqlite))? {
        return Err(OpenError(format!(
            "{} is not a sound store: some rows refer to rows that are missing",
            named.display()
        )));
    }
    if let Some(difference) = schema::difference(&connection).map_err(damaged)? {
        return Err(OpenError(format!(
            "{} is not a sound store: {difference}; undo that change and try again",
            named.display()
        )));
    }
    let count = |table: &str| {
        connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).map_err(damaged)
    };
    Ok(Contents { investigations: count("investigation")?, records: count("version_record")?, links: count("link")? })
}

/// Removes the write-ahead log of the old store. SQLite would otherwise apply this log to the new store.
fn remove_old_log(store: &Path) -> Result<(), OpenError> {
    if let Ok(connection) = Connection::open_with_flags(store, OpenFlags::SQLITE_OPEN_READ_WRITE) {
        // Moves the log's commits into the old store, so that it stays complete if the restore fails later. Fails only
        // if the old store is damaged, and then its log is useless as well.
        let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    }
    remove_beside(store)?;
    // The removal must be on disk before the new store gets its name. Otherwise a power loss could leave the old log
    // next to the new store.
    let unsynced = |e: io::Error| OpenError::of("sync the folder of", store, &e);
    private_file::sync_name(store).map_err(unsynced)
}
