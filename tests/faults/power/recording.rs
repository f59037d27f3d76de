//! A recording of what a program did to a folder and sent to others, in order. Written by `recorder.c`, and read here.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::service::{machine, text};

/// Size of the header before each entry, in bytes: the kind and three lengths (4 each), and two numbers (8 each).
const HEAD: usize = 32;

/// A recorded act. Files are identified by their inodes. An inode can be used again by a later `Create`.
pub enum Act {
    Create {
        inode: u64,
        path: PathBuf,
    },
    Folder {
        path: PathBuf,
    },
    Write {
        inode: u64,
        at: u64,
        bytes: Range<usize>,
    },
    Size {
        inode: u64,
        size: u64,
    },
    Rename {
        from: PathBuf,
        to: PathBuf,
    },
    Link {
        from: PathBuf,
        to: PathBuf,
    },
    Remove {
        path: PathBuf,
    },
    /// Start of a sync. `folder` is the path if a folder is synced.
    SyncBegins {
        thread: u64,
        inode: u64,
        folder: Option<PathBuf>,
    },
    SyncEnds {
        thread: u64,
    },
    Sent {
        words: Range<usize>,
    },
}

pub struct Recording {
    bytes: Vec<u8>,
    pub acts: Vec<Act>,
    /// Position in the file at which each act ends.
    ends: Vec<usize>,
}

/// Compiles the recorder to a library in this folder, for `LD_PRELOAD`.
pub fn recorder(folder: &Path) -> Result<PathBuf, String> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/faults/power/recorder.c");
    let library = folder.join("recorder.so");
    let flags = ["-std=gnu11", "-O1", "-shared", "-fPIC", "-pthread", "-o", text(&library), source];
    machine("cc", &flags)?;
    Ok(library)
}

impl Recording {
    /// Reads a recording.
    pub fn read(path: &Path) -> Result<Self, String> {
        let bytes = std::fs::read(path).map_err(|e| format!("{path:?}: {e}"))?;
        let (mut acts, mut ends, mut at) = (Vec::new(), Vec::new(), 0);
        while at < bytes.len() {
            let act = act(&bytes, &mut at).ok_or_else(|| format!("{path:?} is not a record from byte {at}"))?;
            acts.push(act);
            ends.push(at);
        }
        Ok(Self { bytes, acts, ends })
    }

    pub fn bytes(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }

    /// Returns the number of acts in the first `length` bytes of the file.
    pub fn acts_until(&self, length: u64) -> usize {
        self.ends.partition_point(|end| *end as u64 <= length)
    }

    /// Returns all values of this HTTP header that the program sent, each with the index of the first act that sent it.
    pub fn sent(&self, header: &str) -> HashMap<String, usize> {
        let mut found = HashMap::new();
        for (number, act) in self.acts.iter().enumerate() {
            let Act::Sent { words } = act else { continue };
            let words = String::from_utf8_lossy(self.bytes(words));
            let value = words.lines().find_map(|line| line.strip_prefix(header)?.strip_prefix(": "));
            if let Some(value) = value {
                found.entry(value.trim().to_owned()).or_insert(number);
            }
        }
        found
    }
}

fn act(bytes: &[u8], at: &mut usize) -> Option<Act> {
    let head = bytes.get(*at..*at + HEAD)?;
    let four = |n: usize| Some(u32::from_le_bytes(head.get(n..n + 4)?.try_into().ok()?) as usize);
    let eight = |n: usize| Some(u64::from_le_bytes(head.get(n..n + 8)?.try_into().ok()?));
    let (kind, lengths) = (u8::try_from(four(0)?).ok()?, [four(4)?, four(8)?, four(12)?]);
    let (inode, number) = (eight(16)?, eight(24)?);
    *at += HEAD;
    let [path, other, data] = lengths.map(|length| {
        let piece = *at..*at + length;
        *at += length;
        piece
    });
    let named = |piece: Range<usize>| Some(PathBuf::from(std::str::from_utf8(bytes.get(piece)?).ok()?));
    bytes.get(data.clone())?;
    Some(match kind {
        b'C' => Act::Create { inode, path: named(path)? },
        b'D' => Act::Folder { path: named(path)? },
        b'W' => Act::Write { inode, at: number, bytes: data },
        b'T' => Act::Size { inode, size: number },
        b'R' => Act::Rename { from: named(path)?, to: named(other)? },
        b'L' => Act::Link { from: named(path)?, to: named(other)? },
        b'U' => Act::Remove { path: named(path)? },
        b'S' => Act::SyncBegins { thread: number, inode, folder: named(path).filter(|path| *path != PathBuf::new()) },
        b'E' => Act::SyncEnds { thread: number },
        b'A' => Act::Sent { words: data },
        _ => return None,
    })
}
