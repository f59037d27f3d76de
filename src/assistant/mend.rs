//! Mending by the rules: resolving the contradictions of a field, and regenerating the others from it.
//!
//! A mend is tried on a copy and taken only if what it was for is gone and nothing new came.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use super::Assistant;
use super::edit::{Edit, Mend, edited, slot};
use super::rules::{Check, Checked, Found};
use crate::domain::change;
use crate::domain::content::Content;
use crate::domain::path::FieldPath;
use crate::domain::schema::Schema;

/// Mends may uncover what they hid: this many rounds, then it is given up.
const MAX_ROUNDS: usize = 25;

/// Changed leaves are told one by one up to this many bytes; beyond it only their fields are named.
const MAX_LEAVES: usize = 600;

/// So many reasons are told.
const MAX_REASONS: usize = 5;

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
    /// Mends `content` so that no contradiction touches `field`: on its own side where that harms nothing, else on the other.
    /// Where none does, the hints that touch it and know a mend are mended alike.
    ///
    /// # Errors
    /// [`Unresolved`] where there is nothing to resolve, or no mend that helps and harms nothing.
    pub fn resolve(&self, content: &Content, field: &str, schema: &Schema) -> Result<Mended, Unresolved> {
        let before = self.check(content, Check::Mended);
        let touched = [Sort::Contradiction, Sort::Hint]
            .into_iter()
            .find_map(|sort| Some((sort, sort.of(&before).find(|found| found.finding.touches(field))?)));
        let Some((sort, first)) = touched else {
            return Err(Unresolved::NothingFound(field.to_owned()));
        };
        let mut stays = first;
        for own_side in [true, false] {
            let on_this_side = |mend: &&Mend| (mend.path.field() == Some(field)) == own_side;
            let draft = self.mend(content, field, sort, |found| {
                let mends: Vec<Mend> = found.mends.iter().filter(on_this_side).cloned().collect();
                if mends.is_empty() { found.mends.clone() } else { mends }
            });
            let after = self.check(&draft.content, Check::Mended);
            let left: Vec<_> = sort.of(&after).filter(|found| found.finding.touches(field)).collect();
            if left.is_empty() && !harms(content, &before, &draft.content, &after, schema) {
                return Ok(draft.finish(content));
            }
            // What is told is true of the content as it is.
            let still_there = |found: &&Found| left.iter().any(|l| l.finding.subject() == found.finding.subject());
            if own_side {
                stays = sort.of(&before).find(still_there).unwrap_or(first);
            }
        }
        Err(Unresolved::NoMend {
            field: field.to_owned(),
            reason: stays.finding.reason.clone(),
            others: sides(stays).join(", "),
        })
    }

    /// Mends every field that contradicts `field` on its own side; `field` stays as it is, to the byte.
    /// `None` where nothing has to change, or nothing can without harm.
    pub fn regenerate(&self, content: &Content, field: &str, schema: &Schema) -> Option<Mended> {
        let other_sides = |found: &Found| -> Vec<Mend> {
            found.mends.iter().filter(|mend| mend.path.field() != Some(field)).cloned().collect()
        };
        let draft = self.mend(content, field, Sort::Contradiction, other_sides);
        if draft.content == *content {
            return None;
        }
        let before = self.check(content, Check::Mended);
        let after = self.check(&draft.content, Check::Mended);
        (!harms(content, &before, &draft.content, &after, schema)).then(|| draft.finish(content))
    }

    /// Applies to a copy the mends that `pick` takes for each finding of a sort that touches `field`, until none is left.
    /// The mends of one rule are tried together, and kept only if what they are for is gone afterwards.
    fn mend(&self, content: &Content, field: &str, sort: Sort, pick: impl Fn(&Found) -> Vec<Mend>) -> Draft {
        let mut draft = Draft { content: content.clone(), reasons: Vec::new() };
        let mut in_vain: HashSet<String> = HashSet::new();
        for _ in 0..MAX_ROUNDS {
            let checked = self.check(&draft.content, Check::Mended);
            let left = || sort.of(&checked);
            let next = left().find_map(|found| {
                let source = &found.finding.source;
                (found.finding.touches(field) && !in_vain.contains(source) && !pick(found).is_empty()).then_some(source)
            });
            let Some(source) = next else { break };
            let group: Vec<&Found> =
                left().filter(|f| f.finding.source == *source && f.finding.touches(field)).collect();
            let mut tried = draft.clone();
            let changed = tried.apply(group.iter().map(|found| (pick(found), *found)));
            let mended: HashSet<_> =
                group.iter().filter(|found| !pick(found).is_empty()).map(|found| found.finding.subject()).collect();
            let after = self.check(&tried.content, Check::Mended);
            let stays = sort.of(&after).filter(|found| mended.contains(&found.finding.subject())).count();
            if changed && stays < mended.len() {
                draft = tried;
            } else {
                in_vain.insert(source.clone());
            }
        }
        draft
    }
}

/// What is mended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// Contradictions, with a mend or without.
    Contradiction,
    /// Hints that know a mend. They are not sure, so that one without is nothing that has to go.
    Hint,
}

impl Sort {
    fn of(self, checked: &Checked) -> impl Iterator<Item = &Found> {
        let list = if self == Sort::Hint { &checked.hints } else { &checked.found };
        list.iter().filter(move |found| self == Sort::Contradiction || !found.mends.is_empty())
    }
}

/// Whether a mend brings what was not there: a finding, a rule that cannot be run any more (that it finds nothing says
/// nothing), or a violation of the schema.
fn harms(content: &Content, before: &Checked, mended: &Content, after: &Checked, schema: &Schema) -> bool {
    let known: HashSet<_> = before.found.iter().map(|found| found.finding.subject()).collect();
    after.found.iter().any(|found| !known.contains(&found.finding.subject()))
        || after.passed_over.iter().any(|rule| !before.passed_over.contains(rule))
        || !schema.violations_brought(content, mended).is_empty()
}

fn sides(found: &Found) -> Vec<String> {
    let mut sides = vec![found.finding.field_name.clone()];
    sides.extend(found.finding.conflicts_with.iter().filter(|side| **side != found.finding.field_name).cloned());
    sides
}

/// Content on its way to be mended.
#[derive(Clone)]
struct Draft {
    content: Content,
    reasons: Vec<String>,
}

impl Draft {
    /// Applies the mends of one round: of replacements in one place the first, splices of one text together.
    /// Whether anything changed.
    fn apply<'f>(&mut self, round: impl Iterator<Item = (Vec<Mend>, &'f Found)>) -> bool {
        let mut places: BTreeMap<FieldPath, Vec<Edit>> = BTreeMap::new();
        for (mends, found) in round {
            if !mends.is_empty() && !self.reasons.contains(&found.finding.reason) {
                self.reasons.push(found.finding.reason.clone());
            }
            for Mend { path, edit } in mends {
                places.entry(path).or_default().push(edit);
            }
        }
        // Paths come in order, so what lies within a place that was mended comes right after it, and waits its turn.
        let mut last: Option<FieldPath> = None;
        let mut changed = false;
        for (path, edits) in places {
            if last.as_ref().is_some_and(|last| last.is_prefix_of(&path)) {
                continue;
            }
            if let Some(slot) = slot(&mut self.content, &path)
                && let Some(value) = edited(slot, edits)
                && *slot != value
            {
                *slot = value;
                changed = true;
            }
            last = Some(path);
        }
        changed
    }

    fn finish(self, before: &Content) -> Mended {
        Mended { message: told(before, &self.content, &self.reasons), content: self.content }
    }
}

/// Says what changed from `before` to `after`, leaf by leaf where that is short, and why.
pub fn told(before: &Content, after: &Content, reasons: &[String]) -> String {
    let changes = change::diff(&Value::Object(before.clone()), &Value::Object(after.clone()));
    let side = |value: &Option<Value>| value.as_ref().map_or("nothing".to_owned(), Value::to_string);
    let leaves = changes.iter().map(|c| format!("{} from {} to {}", c.path, side(&c.before), side(&c.after)));
    let leaves = leaves.collect::<Vec<_>>().join(", ");
    let told = if leaves.len() <= MAX_LEAVES {
        leaves
    } else {
        let mut fields: Vec<&str> = changes.iter().filter_map(|change| change.path.field()).collect();
        fields.dedup();
        fields.join(", ")
    };
    let more = match reasons.len().saturating_sub(MAX_REASONS) {
        0 => String::new(),
        more => format!(" And {more} more like this."),
    };
    let reasons = reasons.iter().take(MAX_REASONS).map(String::as_str).collect::<Vec<_>>().join(" ");
    format!("Changed {told}. {reasons}{more}")
}
