//! Contents of a disk after a power failure: everything that was synced, and a random part of the rest.
//!
//! Syncing a file makes its bytes and its size safe. Only syncing its folder makes its name safe. Bytes that were not
//! synced are kept or lost by sector or page, each as it was at some moment after the last sync. Names that were not
//! synced are kept or lost one by one.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::recording::{Act, Recording};
use crate::dice::Dice;

const SECTOR: u64 = 512;
const PAGE: u64 = 4096;

/// Syncs that the disk ignores, to show that the checks notice missing syncs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lie {
    None,
    /// Syncs of write-ahead logs. The result is what `synchronous=NORMAL` guarantees.
    Logs,
    Files,
    Folders,
}

/// Result of a power failure for changes that were not synced.
pub enum Fate<'d> {
    Kept,
    Lost,
    /// Random changes are kept.
    Chance(&'d mut Dice),
}

/// Files and folders, each with its changes and the number of safe changes.
pub struct Disk<'r> {
    folders: BTreeMap<PathBuf, Steps<Name>>,
    files: Vec<Steps<Change<'r>>>,
    /// Indexes in `files`, by inode and by path. They reflect all changes, synced or not.
    by_inode: HashMap<u64, usize>,
    names: HashMap<PathBuf, usize>,
    lie: Lie,
}

struct Steps<S> {
    steps: Vec<S>,
    /// Number of changes at the start of `steps` that were synced.
    safe: usize,
}

enum Name {
    File(PathBuf, usize),
    Folder(PathBuf),
    Gone(PathBuf),
    Moved { from: PathBuf, to: PathBuf, file: usize },
}

#[derive(Clone, Copy)]
enum Change<'r> {
    Write { at: u64, bytes: &'r [u8] },
    Size(u64),
}

impl<S> Default for Steps<S> {
    fn default() -> Self {
        Self { steps: Vec::new(), safe: 0 }
    }
}

/// A sync in progress: the file or folder, and the number of its steps that will be safe.
enum Sync {
    File(usize, usize),
    Folder(PathBuf, usize),
}

impl<'r> Disk<'r> {
    /// Returns the disk after the first `acts` operations, such as writes and syncs, that were recorded. The folder
    /// `root` was empty at the start.
    pub fn after(recording: &'r Recording, acts: usize, root: &Path, lie: Lie) -> Result<Self, String> {
        let folders = BTreeMap::from([(root.to_owned(), Steps::default())]);
        let mut disk = Self { folders, files: Vec::new(), by_inode: HashMap::new(), names: HashMap::new(), lie };
        let mut syncs = HashMap::new();
        for act in recording.acts.iter().take(acts) {
            disk.take(recording, act, &mut syncs)?;
        }
        Ok(disk)
    }

    fn take(&mut self, recording: &'r Recording, act: &'r Act, syncs: &mut HashMap<u64, Sync>) -> Result<(), String> {
        match act {
            Act::Create { inode, path } => {
                let file = self.files.len();
                self.files.push(Steps::default());
                self.by_inode.insert(*inode, file);
                self.names.insert(path.clone(), file);
                self.name(path, Name::File(path.clone(), file))?;
            }
            Act::Folder { path } => {
                self.folders.insert(path.clone(), Steps::default());
                self.name(path, Name::Folder(path.clone()))?;
            }
            Act::Write { inode, at, bytes } => {
                self.change(*inode, Change::Write { at: *at, bytes: recording.bytes(bytes) });
            }
            Act::Size { inode, size } => self.change(*inode, Change::Size(*size)),
            Act::Rename { from, to } => {
                if from.parent() != to.parent() {
                    return Err(format!("{from:?} was moved to another folder"));
                }
                let file = self.names.remove(from).ok_or_else(|| format!("{from:?} is not known"))?;
                self.names.insert(to.clone(), file);
                self.name(to, Name::Moved { from: from.clone(), to: to.clone(), file })?;
            }
            Act::Link { from, to } => {
                let file = *self.names.get(from).ok_or_else(|| format!("{from:?} is not known"))?;
                self.names.insert(to.clone(), file);
                self.name(to, Name::File(to.clone(), file))?;
            }
            Act::Remove { path } => {
                self.names.remove(path);
                self.name(path, Name::Gone(path.clone()))?;
            }
            Act::SyncBegins { thread, inode, folder } => {
                syncs.remove(thread);
                syncs.extend(self.sync(*inode, folder.as_ref()).map(|sync| (*thread, sync)));
            }
            Act::SyncEnds { thread } => match syncs.remove(thread) {
                Some(Sync::File(file, until)) => {
                    self.files.get_mut(file).into_iter().for_each(|file| file.safe = file.safe.max(until));
                }
                Some(Sync::Folder(path, until)) => {
                    self.folders.get_mut(&path).into_iter().for_each(|folder| folder.safe = folder.safe.max(until));
                }
                None => {}
            },
            Act::Sent { .. } => {}
        }
        Ok(())
    }

    fn name(&mut self, path: &Path, step: Name) -> Result<(), String> {
        let folder = path.parent().and_then(|folder| self.folders.get_mut(folder));
        folder.ok_or_else(|| format!("the folder of {path:?} is not known"))?.steps.push(step);
        Ok(())
    }

    /// Records a change. Ignores changes of files that were opened before the recording, such as a log of the program.
    fn change(&mut self, inode: u64, change: Change<'r>) {
        let file = self.by_inode.get(&inode).and_then(|file| self.files.get_mut(*file));
        file.into_iter().for_each(|file| file.steps.push(change));
    }

    fn sync(&self, inode: u64, folder: Option<&PathBuf>) -> Option<Sync> {
        if let Some(path) = folder {
            return (self.lie != Lie::Folders)
                .then(|| Some(Sync::Folder(path.clone(), self.folders.get(path)?.steps.len())))?;
        }
        let file = *self.by_inode.get(&inode)?;
        let is_log = || self.names.iter().any(|(path, of)| *of == file && path.display().to_string().ends_with("-wal"));
        let forgotten = self.lie == Lie::Files || self.lie == Lie::Logs && is_log();
        (!forgotten).then(|| Some(Sync::File(file, self.files.get(file)?.steps.len())))?
    }

    /// Writes the disk's contents below `root` to the folder `target`.
    pub fn build(&self, root: &Path, target: &Path, mut fate: Fate<'_>) -> Result<(), String> {
        let mut contents = BTreeMap::new();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            let place = target.join(folder.strip_prefix(root).map_err(|e| e.to_string())?);
            std::fs::create_dir_all(&place).map_err(|e| format!("{place:?}: {e}"))?;
            let Some(steps) = self.folders.get(&folder) else { continue };
            let (files, inside) = entries(steps, &mut fate);
            folders.extend(inside);
            for (path, file) in files {
                let Some(changes) = self.files.get(file) else { continue };
                let bytes = contents.entry(file).or_insert_with(|| bytes_of(changes, &mut fate));
                let place = target.join(path.strip_prefix(root).map_err(|e| e.to_string())?);
                std::fs::write(&place, bytes).map_err(|e| format!("{place:?}: {e}"))?;
            }
        }
        Ok(())
    }
}

/// Returns the files and the folders that a folder contains after the power failure.
fn entries(steps: &Steps<Name>, fate: &mut Fate<'_>) -> (BTreeMap<PathBuf, usize>, BTreeSet<PathBuf>) {
    let (mut files, mut folders) = (BTreeMap::new(), BTreeSet::new());
    let kept = kept(steps, fate);
    for (step, _) in steps.steps.iter().zip(kept).filter(|(_, kept)| *kept) {
        match step {
            Name::File(path, file) => drop(files.insert(path.clone(), *file)),
            Name::Folder(path) => drop(folders.insert(path.clone())),
            Name::Gone(path) => drop(files.remove(path)),
            Name::Moved { from, to, file } => {
                files.remove(from);
                files.insert(to.clone(), *file);
            }
        }
    }
    (files, folders)
}

/// Returns for each change of a name whether the change is kept. Safe changes are always kept. With `Fate::Chance`, one
/// of four rules is chosen at random for the other changes: keep none, all, those up to some moment, or random ones.
fn kept(steps: &Steps<Name>, fate: &mut Fate<'_>) -> Vec<bool> {
    let (all, safe) = (steps.steps.len(), steps.safe);
    let until = match fate {
        Fate::Kept => all,
        Fate::Lost => safe,
        Fate::Chance(dice) => match dice.throw(4) {
            0 => safe,
            1 => all,
            2 => safe + below(dice, all - safe),
            _ => return (0..all).map(|n| n < safe || dice.throw(2) == 0).collect(),
        },
    };
    (0..all).map(|n| n < until).collect()
}

/// Returns the contents of a file. Each part of the file has the contents after all safe changes and some number of
/// the later ones. A truncation is kept or lost as a whole, as in real file systems. After a lost truncation, all
/// later writes are lost too.
fn bytes_of(changes: &Steps<Change<'_>>, fate: &mut Fate<'_>) -> Vec<u8> {
    let (all, safe) = (changes.steps.len(), changes.safe);
    let part = match fate {
        Fate::Chance(dice) => [SECTOR, PAGE, u64::MAX].get(below(dice, 2)).copied().unwrap_or(PAGE),
        _ => u64::MAX,
    };
    let mut moment = || match fate {
        Fate::Kept => all,
        Fate::Lost => safe,
        Fate::Chance(dice) => match dice.throw(3) {
            0 => safe,
            1 => all,
            _ => safe + below(dice, all - safe),
        },
    };
    let until_size = moment();
    let is_size = |change: &Change<'_>| matches!(change, Change::Size(_));
    let uncut = changes.steps.iter().skip(until_size).position(is_size).map_or(all, |place| until_size + place);
    let mut moments: HashMap<u64, usize> = HashMap::new();
    let (mut bytes, mut size) = (Vec::new(), 0);
    for (number, change) in changes.steps.iter().enumerate() {
        let (from, to, with) = match *change {
            Change::Write { at, bytes } => (at, at + bytes.len() as u64, Some(bytes)),
            Change::Size(size) => (size, bytes.len() as u64, None),
        };
        if number < until_size {
            size = if with.is_some() { to.max(size) } else { from };
        }
        let mut at = from;
        while at < to {
            let end = to.min((at / part + 1).saturating_mul(part));
            let is_there = match with {
                Some(_) => number < safe || number < uncut.min(*moments.entry(at / part).or_insert_with(&mut moment)),
                None => number < until_size,
            };
            if is_there {
                put(&mut bytes, at, end, with.map(|bytes| &bytes[(at - from) as usize..(end - from) as usize]));
            }
            at = end;
        }
    }
    bytes.resize(size as usize, 0);
    bytes
}

/// Writes bytes, or zeros if there are none, to this range.
fn put(bytes: &mut Vec<u8>, from: u64, to: u64, with: Option<&[u8]>) {
    let (from, to) = (from as usize, to as usize);
    if bytes.len() < to {
        bytes.resize(to, 0);
    }
    match (bytes.get_mut(from..to), with) {
        (Some(place), Some(with)) => place.copy_from_slice(with),
        (Some(place), None) => place.fill(0),
        (None, _) => {}
    }
}

/// Returns a random number from 0 to `most`.
fn below(dice: &mut Dice, most: usize) -> usize {
    dice.throw(most as u64 + 1) as usize
}
