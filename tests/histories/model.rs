//! What one investigation is to its callers, as simply as it can be said: one field, a tree of versions, and a place in it.

/// What is asked of an investigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// What it is now.
    Read,
    /// What it was at a version.
    ReadVersion(u64),
    /// This value for its field.
    Update(u64),
    /// Back to the version that the current one was made on.
    Undo,
    /// Forward to the newest one that was made on the current one.
    Redo,
    /// The content of a version, as a new one.
    Restore(u64),
    /// That it goes.
    Delete,
}

/// One request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    pub asked: Asked,
    /// The one revision that the caller is content to change, where there is one.
    pub only_on: Option<u64>,
}

/// What came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventView {
    /// It was done; how it stood then was not said.
    Done,
    /// So it stands now.
    Stands {
        revision: u64,
        version: u64,
        value: u64,
    },
    /// So it was at that version.
    Was {
        value: u64,
    },
    /// It was at another revision, namely this.
    Changed {
        revision: u64,
    },
    NothingToUndo,
    NothingToRedo,
    NoSuchVersion,
    Deleted,
    /// There is no such investigation.
    Unknown,
}

impl EventView {
    /// Whether this is what the answer says, as far as it says something.
    pub fn is_said_by(self, answer: EventView) -> bool {
        self == answer || (answer == EventView::Done && matches!(self, EventView::Stands { .. }))
    }
}

/// How an investigation stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    revision: u64,
    /// The version that it stands at.
    at: u64,
    /// Of each version, the one that it was made on, and its value.
    versions: Vec<(u64, u64)>,
    gone: bool,
    /// Whether a language model reads it after each change: what it finds raises the revision, and nothing else.
    is_read_later: bool,
}

impl State {
    /// After its creation with this value.
    pub fn new(value: u64) -> Self {
        Self { revision: 1, at: 0, versions: vec![(0, value)], gone: false, is_read_later: false }
    }

    /// The same where a language model reads it.
    pub fn read_later(self) -> Self {
        Self { is_read_later: true, ..self }
    }

    /// What this call is told where `told` is what came back: before and after it, what a model found may have raised
    /// the revision to the one that was seen. It never falls.
    pub fn answer(&mut self, call: Call, told: Option<EventView>) -> EventView {
        let seen_before = match told {
            Some(EventView::Changed { revision }) => Some(revision),
            _ => call.only_on,
        };
        self.raise(seen_before);
        let answer = self.ask(call);
        if let (EventView::Stands { version, value, .. }, Some(EventView::Stands { revision: seen, .. })) =
            (answer, told)
        {
            self.raise(Some(seen));
            return EventView::Stands { revision: self.revision, version, value };
        }
        answer
    }

    fn raise(&mut self, seen: Option<u64>) {
        if self.is_read_later {
            self.revision = self.revision.max(seen.unwrap_or_default());
        }
    }

    /// What this call is told, and how it stands then.
    pub fn ask(&mut self, call: Call) -> EventView {
        if self.gone {
            return EventView::Unknown;
        }
        if call.only_on.is_some_and(|revision| revision != self.revision) {
            return EventView::Changed { revision: self.revision };
        }
        match call.asked {
            Asked::Read => {}
            Asked::ReadVersion(version) => {
                return self.value(version).map_or(EventView::NoSuchVersion, |value| EventView::Was { value });
            }
            Asked::Update(value) => self.record(value),
            Asked::Undo if self.at == 0 => return EventView::NothingToUndo,
            Asked::Undo => self.go_to(self.parent(self.at)),
            Asked::Redo => match (self.at + 1..self.next()).rev().find(|version| self.parent(*version) == self.at) {
                None => return EventView::NothingToRedo,
                Some(child) => self.go_to(child),
            },
            Asked::Restore(version) => match self.value(version) {
                None => return EventView::NoSuchVersion,
                Some(value) => self.record(value),
            },
            Asked::Delete => {
                self.gone = true;
                return EventView::Deleted;
            }
        }
        EventView::Stands { revision: self.revision, version: self.at, value: self.value(self.at).unwrap_or_default() }
    }

    /// A change that changes nothing is none.
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
        let place = usize::try_from(version).ok()?;
        self.versions.get(place).map(|(_, value)| *value)
    }

    fn parent(&self, version: u64) -> u64 {
        let place = usize::try_from(version).unwrap_or_default();
        self.versions.get(place).map_or(0, |(parent, _)| *parent)
    }
}
