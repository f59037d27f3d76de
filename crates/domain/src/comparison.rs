//! Compares the findings before and after an edit, to find out which are gone and which are new.
//!
//! Paths shift when a list element is removed, and a model may cite different paths each time. So findings are paired
//! one to one in three passes: by [`Subject`], by fields and a common path, and, for findings of a model, by fields.

use std::collections::HashMap;

use super::finding::{Finding, Subject};

/// The findings that exist only before or only after an edit.
#[derive(Debug)]
pub struct Comparison<'f> {
    /// Findings that the edit removed.
    pub gone: Vec<&'f Finding>,
    /// Findings that the edit added.
    pub new: Vec<&'f Finding>,
}

impl<'f> Comparison<'f> {
    /// Compares the findings `before` an edit with the findings `after` the edit.
    pub fn of(
        before: impl IntoIterator<Item = &'f Finding>,
        after: impl IntoIterator<Item = &'f Finding>,
    ) -> Comparison<'f> {
        let mut known: HashMap<Subject<'f>, usize> = HashMap::new();
        let before: Vec<&Finding> = before.into_iter().collect();
        for finding in &before {
            *known.entry(finding.subject()).or_default() += 1;
        }
        let mut stayed: HashMap<Subject<'f>, usize> = HashMap::new();
        let mut new: Vec<&Finding> = Vec::new();
        for finding in after {
            match known.get_mut(&finding.subject()).filter(|left| **left > 0) {
                Some(left) => {
                    *left -= 1;
                    *stayed.entry(finding.subject()).or_default() += 1;
                }
                None => new.push(finding),
            }
        }
        let mut gone = before;
        gone.retain(|finding| match stayed.get_mut(&finding.subject()).filter(|left| **left > 0) {
            Some(left) => {
                *left -= 1;
                false
            }
            None => true,
        });
        let mut comparison = Self { gone, new };
        comparison.pair_off(|one, other| one.is_between_the_fields_of(other) && share_a_path(one, other));
        comparison.pair_off(|one, other| one.source.starts_with("model:") && one.is_between_the_fields_of(other));
        comparison
    }

    fn pair_off(&mut self, same: impl Fn(&Finding, &Finding) -> bool) {
        let Self { gone, new } = self;
        new.retain(|found| {
            let counterpart = gone.iter().position(|known| same(known, found));
            counterpart.map(|position| gone.remove(position)).is_none()
        });
    }
}

/// Returns whether `one` and `other` have evidence at a common path.
pub fn share_a_path(one: &Finding, other: &Finding) -> bool {
    one.evidence.iter().any(|place| other.evidence.iter().any(|its| its.field_path == place.field_path))
}
