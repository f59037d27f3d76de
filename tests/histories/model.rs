//! A simple model of an investigation: one field, a tree of versions, and the current version.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Reads the current content.
    Read,
    ReadVersion(u64),
    Update(u64),
    /// Goes to the version that the current version is based on.
    Undo,
    /// Goes to the newest version that is based on the current version.
    Redo,
    /// Writes the content of a version, as a new version.
    Restore(u64),
    Delete,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    pub asked: Asked,
    /// The only revision that the request may change (`If-Match`), if any.
    pub only_on: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The operation succeeded, and this is the new state.
    Stands {
        revision: u64,
        version: u64,
        value: u64,
    },
    /// The value at the version that was read.
    Was {
        value: u64,
    },
    /// The investigation had this revision instead of the one in `only_on`.
    Changed {
        revision: u64,
    },
    NothingToUndo,
    NothingToRedo,
    NoSuchVersion,
    Deleted,
    /// The investigation does not exist.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    revision: u64,
    /// The current version.
    at: u64,
    /// Parent and value of each version.
    versions: Vec<(u64, u64)>,
    gone: bool,
}

impl State {
    /// Returns the state after a creation with this value.
    pub fn new(value: u64) -> Self {
        Self { revision: 1, at: 0, versions: vec![(0, value)], gone: false }
    }

    /// Executes a call and returns the answer of the model.
    pub fn ask(&mut self, call: Call) -> Answer {
        if self.gone {
            return Answer::Unknown;
        }
        if call.only_on.is_some_and(|revision| revision != self.revision) {
            return Answer::Changed { revision: self.revision };
        }
        match call.asked {
            Asked::Read => {}
            Asked::ReadVersion(version) => {
                return self.value(version).map_or(Answer::NoSuchVersion, |value| Answer::Was { value });
            }
            Asked::Update(value) => self.record(value),
            Asked::Undo if self.at == 0 => return Answer::NothingToUndo,
            Asked::Undo => self.go_to(self.parent(self.at)),
            Asked::Redo => match (self.at + 1..self.next()).rev().find(|version| self.parent(*version) == self.at) {
                None => return Answer::NothingToRedo,
                Some(child) => self.go_to(child),
            },
            Asked::Restore(version) => match self.value(version) {
                None => return Answer::NoSuchVersion,
                Some(value) => self.record(value),
            },
            Asked::Delete => {
                self.gone = true;
                return Answer::Deleted;
            }
        }
        Answer::Stands { revision: self.revision, version: self.at, value: self.value(self.at).unwrap_or_default() }
    }

    /// Stores a version, unless the value is already the current one.
    fn record(&mut self, value: u64) {
        if self.value(self.at) != Some(value) {
            let version = self.next();
            self.versions.push((self.at, value));
            self.go_to(version);
        }
    }

    fn go_to(&mut self, version: u64) {
        self.at = version;
        self.revision += 1;
    }

    fn next(&self) -> u64 {
        self.versions.len() as u64
    }

    fn value(&self, version: u64) -> Option<u64> {
        let index = usize::try_from(version).ok()?;
        self.versions.get(index).map(|(_, value)| *value)
    }

    fn parent(&self, version: u64) -> u64 {
        let index = usize::try_from(version).unwrap_or_default();
        self.versions.get(index).map_or(0, |(parent, _)| *parent)
    }
}
