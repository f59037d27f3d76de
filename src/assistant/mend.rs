//! Mending by the rules: resolving the contradictions of a field, and regenerating the others from it.
//!
//! A mend is tried on a copy and taken only if what it was for is gone and nothing new came.

use serde_json::Value;

use super::Assistant;
use super::rules::{Found, Mend};
use crate::domain::change::{self, Change};
use crate::domain::content::Content;
use crate::domain::path::FieldPath;
use crate::domain::schema::Schema;

/// Mends may uncover what they hid, one at a time: this many rounds, then it is given up.
const MAX_ROUNDS: usize = 100;

/// Changed leaves are told one by one up to this many bytes; beyond it only the field is named.
const MAX_LEAVES: usize = 600;

/// Content that was mended, and what was done, for the author.
#[derive(Debug, Clone, PartialEq)]
pub struct Mended {
    /// The new content.
    pub content: Content,
    /// What changed and why, a sentence each.
    pub message: String,
}

/// Why a contradiction was not resolved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unresolved {
    /// There is nothing to resolve.
    #[error("No contradiction was found for \"{0}\"")]
    NothingFound(String),
    /// No rule knows a mend that helps.
    #[error("No safe way to resolve the contradiction of \"{field}\" is known. {reason} Edit one of: {others}.")]
    NoMend {
        /// The field that was named.
        field: String,
        /// The reason of the contradiction that stays.
        reason: String,
        /// The fields of which one has to give way.
        others: String,
    },
}

impl Assistant {
    /// Mends `content` so that no contradiction touches `field`: on its own side where that can be, else on the other.
    ///
    /// # Errors
    /// [`Unresolved`] where there is nothing to resolve, or no mend that helps and harms nothing.
    pub fn resolve(&self, content: &Content, field: &str, schema: &Schema) -> Result<Mended, Unresolved> {
        let all_before = self.rules.check(content, true);
        let before: Vec<&Found> = all_before.iter().filter(|found| found.finding.touches(field)).collect();
        if before.is_empty() {
            return Err(Unresolved::NothingFound(field.to_owned()));
        }
        let mut mended = Draft::of(content);
        for _ in 0..MAX_ROUNDS {
            let left = self.touching(&mended.content, field);
            if left.is_empty() {
                break;
            }
            let preferred = |found: &Found| -> Option<Mend> {
                let own = found.mends.iter().find(|mend| mend.path.field() == Some(field));
                own.or(found.mends.first()).cloned()
            };
            if !mended.apply(left.iter().filter_map(|found| Some((preferred(found)?, found)))) {
                break;
            }
        }
        let after = self.rules.check(&mended.content, false);
        let stays = after.iter().find(|found| found.finding.touches(field));
        let came = after
            .iter()
            .find(|found| !all_before.iter().any(|known| known.finding.is_about_the_same_as(&found.finding)));
        let harmed = !schema.violations_brought(content, &mended.content).is_empty();
        match stays.or(came).or(if harmed { before.first().copied() } else { None }) {
            None => Ok(mended.finish()),
            Some(found) => Err(Unresolved::NoMend {
                field: field.to_owned(),
                reason: found.finding.reason.clone(),
                others: sides(found).join(", "),
            }),
        }
    }

    /// Mends every field that contradicts `field` on its own side; `field` stays as it is, to the byte.
    /// `None` where nothing has to change or nothing can.
    pub fn regenerate(&self, content: &Content, field: &str, schema: &Schema) -> Option<Mended> {
        let mut mended = Draft::of(content);
        for _ in 0..MAX_ROUNDS {
            let left = self.touching(&mended.content, field);
            let other_side = |found: &Found| found.mends.iter().find(|mend| mend.path.field() != Some(field)).cloned();
            if !mended.apply(left.iter().filter_map(|found| Some((other_side(found)?, found)))) {
                break;
            }
        }
        let changed = !mended.sentences.is_empty() && schema.violations_brought(content, &mended.content).is_empty();
        changed.then(|| mended.finish())
    }

    fn touching(&self, content: &Content, field: &str) -> Vec<Found> {
        self.rules.check(content, true).into_iter().filter(|found| found.finding.touches(field)).collect()
    }
}

fn sides(found: &Found) -> Vec<String> {
    let mut sides = vec![found.finding.field_name.clone()];
    sides.extend(found.finding.conflicts_with.iter().filter(|side| **side != found.finding.field_name).cloned());
    sides
}

struct Draft {
    content: Content,
    sentences: Vec<String>,
}

impl Draft {
    fn of(content: &Content) -> Self {
        Self { content: content.clone(), sentences: Vec::new() }
    }

    /// Applies the mends, of several for one place the first. Whether anything changed.
    fn apply<'f>(&mut self, mends: impl Iterator<Item = (Mend, &'f Found)>) -> bool {
        let mut places: Vec<FieldPath> = Vec::new();
        for (mend, found) in mends {
            if places.iter().any(|place| place.is_prefix_of(&mend.path) || mend.path.is_prefix_of(place)) {
                continue;
            }
            let Some(before) = replace(&mut self.content, &mend) else { continue };
            if before != mend.value {
                self.sentences.push(sentence(&mend, &before, &found.finding.reason));
                places.push(mend.path);
            }
        }
        !places.is_empty()
    }

    fn finish(self) -> Mended {
        Mended { content: self.content, message: self.sentences.join(" ") }
    }
}

/// Puts the mend in its place and gives what stood there; `None` where there is no such place.
fn replace(content: &mut Content, mend: &Mend) -> Option<Value> {
    let (field, rest) = mend.path.segments().split_first()?;
    let mut slot = content.get_mut(field)?;
    for segment in rest {
        slot = match slot {
            Value::Object(members) => members.get_mut(segment)?,
            Value::Array(elements) => elements.get_mut(crate::domain::path::index(segment)?)?,
            _ => return None,
        };
    }
    Some(std::mem::replace(slot, mend.value.clone()))
}

/// Says what was changed, leaf by leaf where that is short, and why.
fn sentence(mend: &Mend, before: &Value, reason: &str) -> String {
    let changes = change::diff(before, &mend.value);
    let leaf = |change: &Change| {
        let place = change.path.segments().iter().fold(mend.path.clone(), |path, segment| path.child(segment));
        let side = |value: &Option<Value>| value.as_ref().map_or("nothing".to_owned(), Value::to_string);
        format!("{place} from {} to {}", side(&change.before), side(&change.after))
    };
    let leaves: Vec<String> = changes.iter().map(leaf).collect();
    if leaves.iter().map(String::len).sum::<usize>() <= MAX_LEAVES {
        format!("Changed {}. {reason}", leaves.join(", "))
    } else {
        format!("Changed {}. {reason}", mend.path)
    }
}
