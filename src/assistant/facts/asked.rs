//! What of a lesson was asked for: lessons that are alike in it are the same to whoever asked for nothing else.
//!
//! [`Lesson`] notes it by itself, since nobody gets at a text or a value but through it.

use std::cell::Cell;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use serde_json::Value;

use super::lesson::{Lesson, Text};
use super::roles::Role;
use crate::domain::content::Content;

/// The fields whose values are asked for by themselves; of all others any may have been.
const FIELDS: [&str; 5] = ["grade", "groupSize", "durationMinutes", "materials", "variables"];

/// Parts of a lesson: the texts of some kinds, in their order, and values of the content.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Parts(u32);

impl Parts {
    /// The texts of all kinds.
    const TEXTS: Self = Self((1 << Role::KINDS.len()) - 1);
    /// The whole content.
    const ALL: Self = Self(1 << 31);

    /// The texts of this kind.
    fn kind(role: Role) -> Self {
        Self(1 << role.number())
    }

    /// The value of a top-level field.
    fn field(name: &str) -> Self {
        FIELDS.iter().position(|known| *known == name).map_or(Self::ALL, |at| Self(1 << (Role::KINDS.len() + at)))
    }

    /// All of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// What was asked for since the last time that somebody looked.
#[derive(Debug, Default)]
pub struct Asked(Cell<Parts>);

impl Asked {
    /// Notes that the texts of those kinds were asked for which `pick` takes.
    pub fn note_kinds(&self, pick: impl Fn(Role) -> bool) {
        self.note(
            Role::KINDS.into_iter().filter(|kind| pick(*kind)).map(Parts::kind).fold(Parts::default(), Parts::and),
        );
    }

    /// Notes that the texts of this kind were asked for.
    pub fn note_kind(&self, role: Role) {
        self.note(Parts::kind(role));
    }

    /// Notes that all texts were asked for.
    pub fn note_texts(&self) {
        self.note(Parts::TEXTS);
    }

    /// Notes that the value of a top-level field was asked for.
    pub fn note_field(&self, name: &str) {
        self.note(Parts::field(name));
    }

    /// Notes that the whole content was asked for.
    pub fn note_all(&self) {
        self.note(Parts::ALL);
    }

    /// What was noted since this was called for the last time.
    pub fn take(&self) -> Parts {
        self.0.take()
    }

    fn note(&self, parts: Parts) {
        self.0.set(self.0.get().and(parts));
    }
}

impl<'c> Lesson<'c> {
    /// What was asked for.
    pub fn asked(&self) -> &Asked {
        &self.asked
    }

    /// Whether there is something to read, and no more than any lesson has.
    pub fn is_read(&self) -> bool {
        !self.texts.is_empty()
    }

    /// Every text in reading order.
    pub fn texts(&self) -> &[Text<'c>] {
        self.asked.note_texts();
        &self.texts
    }

    /// The value of a top-level field.
    pub fn field(&self, name: &str) -> Option<&'c Value> {
        self.asked.note_field(name);
        self.content.get(name)
    }

    /// The whole content. What is found in it is not kept.
    pub fn content(&self) -> &'c Content {
        self.asked.note_all();
        self.content
    }
}

/// Tells lessons apart that differ. Nobody outside of this process can guess two that it takes for one.
pub type Digest = [u64; 2];

/// The digest of something.
pub fn digest(data: impl std::hash::Hash) -> Digest {
    static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    // The first half nobody can guess; the second is there for what happens to be alike, which a quick hasher tells apart.
    static QUICK: LazyLock<foldhash::quality::RandomState> = LazyLock::new(Default::default);
    [KEY.hash_one(&data), QUICK.hash_one(&data)]
}

/// Texts of one kind that stand one after the other.
#[derive(Debug)]
struct Run {
    kind: Parts,
    digest: Digest,
}

/// A lesson as far as parts of it can be told from those of others.
#[derive(Debug)]
pub struct Told<'l, 'c> {
    lesson: &'l Lesson<'c>,
    runs: Vec<Run>,
    fields: [Option<Digest>; FIELDS.len()],
}

impl<'l, 'c> Told<'l, 'c> {
    /// Nothing where a text is not known by a number of its own.
    pub fn of(lesson: &'l Lesson<'c>) -> Option<Self> {
        let mut runs = Vec::new();
        let mut run: Option<(Role, Vec<u64>)> = None;
        let end = |(role, words): (Role, Vec<u64>)| Run { kind: Parts::kind(role), digest: digest(words) };
        for text in &lesson.texts {
            let kind = text.role.kind();
            if run.as_ref().is_none_or(|(known, _)| *known != kind) {
                runs.extend(run.replace((kind, Vec::new())).map(end));
            }
            let (_, words) = run.as_mut()?;
            words.extend([text.id()?, text.role.index() as u64]);
            // Of all others the place follows from the role.
            if kind == Role::Other {
                words.extend(digest(text.path.segments()));
            }
        }
        runs.extend(run.map(end));
        Some(Self { lesson, runs, fields: [None; FIELDS.len()] })
    }

    /// What tells apart lessons that differ in these parts, or in who asks. Nothing where that may be anything.
    pub fn digest(&mut self, asking: usize, parts: Parts) -> Option<Digest> {
        if parts.has(Parts::ALL) {
            return None;
        }
        let content = self.lesson.content;
        let mut words = vec![asking as u64, u64::from(parts.0), self.lesson.step_count as u64];
        for run in self.runs.iter().filter(|run| parts.has(run.kind)) {
            words.extend([u64::from(run.kind.0), run.digest[0], run.digest[1]]);
        }
        for (name, known) in FIELDS.iter().zip(&mut self.fields) {
            if parts.has(Parts::field(name)) {
                let read = || Some(digest(serde_json::to_vec(&content.get(*name)).ok()?));
                *known = known.or_else(read);
                words.extend((*known)?);
            }
        }
        Some(digest(words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn kinds_are_numbered() {
        assert!(Role::KINDS.iter().enumerate().all(|(at, kind)| kind.number() == at && kind.kind() == *kind));
    }

    /// Whether what these look at is the same in both.
    fn alike(one: &Value, other: &Value, look: impl Fn(&Lesson)) -> bool {
        let tell = |content: &Value| {
            let content = content.as_object().expect("an object");
            let lesson = Lesson::of(content);
            look(&lesson);
            let parts = lesson.asked().take();
            Told::of(&lesson).and_then(|mut told| told.digest(0, parts))
        };
        let (one, other) = (tell(one), tell(other));
        one.is_some() && one == other
    }

    #[test]
    fn lessons_are_alike_in_what_was_asked_for_or_not() {
        let one =
            json!({"title": "Cress", "grade": 4, "steps": [{"text": "Sow."}, {"text": "Wait."}], "x": {"y": "z"}});
        let with = |at: &str, value: Value| {
            let mut other = one.clone();
            *other.pointer_mut(at).expect("a place") = value;
            other
        };
        let steps = |lesson: &Lesson| assert_ne!(lesson.steps().count(), 0);
        let title = |lesson: &Lesson| assert!(lesson.text(Role::Title).is_some());
        let grade = |lesson: &Lesson| assert!(lesson.field("grade").is_some());
        let others = |lesson: &Lesson| assert_ne!(lesson.texts_of(|role| role == Role::Other).count(), 0);
        for (other, looks) in [
            (with("/title", json!("Peas")), [true, false, true, true]),
            (with("/grade", json!(5)), [true, true, false, true]),
            (with("/steps/1/text", json!("Look.")), [false, true, true, true]),
            (with("/steps", json!([{"text": "Wait."}, {"text": "Sow."}])), [false, true, true, true]),
            (with("/steps/0", json!({"text": "Sow.", "minutes": 3})), [true; 4]),
            (with("/x", json!({"y": "y"})), [true, true, true, false]),
            (with("/x", json!({"x": "z"})), [true, true, true, false]),
        ] {
            let found = [
                alike(&one, &other, steps),
                alike(&one, &other, title),
                alike(&one, &other, grade),
                alike(&one, &other, others),
            ];
            assert_eq!(found, looks, "{other}");
        }
        assert!(!alike(&one, &one, |lesson| assert!(!lesson.content().is_empty())));
    }
}
