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
        let before: Vec<&Finding> = before.into_iter().collect();
        let mut unpaired: HashMap<Subject<'f>, usize> = HashMap::new();
        for finding in &before {
            *unpaired.entry(finding.subject()).or_default() += 1;
        }
        let mut take = |finding: &'f Finding| match unpaired.get_mut(&finding.subject()) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        };
        let new = after.into_iter().filter(|&finding| !take(finding)).collect();
        // If several findings have the same subject, the first ones are paired, and the last ones are reported as gone.
        let mut gone: Vec<&Finding> = before.into_iter().rev().filter(|&finding| take(finding)).collect();
        gone.reverse();
        let mut comparison = Self { gone, new };
        comparison.pair_off(|one, other| one.is_between_the_fields_of(other) && share_a_path(one, other));
        comparison.pair_off(|one, other| one.is_by_model() && one.is_between_the_fields_of(other));
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
