//! Applies the fixes of rules, to resolve contradictions or to make other fields agree with one field.
//!
//! Every fix is tried on a copy. A fix is accepted only if its finding disappears and the fix causes neither a new
//! contradiction nor a new schema violation.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::detection::Assistant;
use super::rules::edit::{Edit, Fix, edited, slot};
use super::rules::{Checked, CheckedFinding};
use super::summary;
use crate::domain::comparison::Comparison;
use crate::domain::content::{self, Content};
use crate::domain::dismissal::{Dismissal, is_dismissed};
use crate::domain::finding::Finding;
use crate::domain::path::FieldPath;
use crate::domain::schema::Schema;

/// Maximum work of an operation, in bytes that rules read. Each finding adds [`FINDING`] bytes.
const MAX_WORK: usize = 2 * 1024 * 1024;
const FINDING: usize = 256;

/// Maximum number of attempts per request. Each attempt applies one or more fixes and runs all rules.
const MAX_CHECKS: usize = 50;

#[derive(Debug, Clone, Copy)]
pub struct Scope<'s> {
    pub content: &'s Content,
    pub field: &'s str,
    pub schema: &'s Schema,
    /// Dismissals of findings. A dismissed finding is not fixed.
    pub dismissals: &'s [Dismissal],
    /// The remaining work budget of the whole operation.
    pub meter: &'s Meter,
}

/// The remaining work budget of an operation, shared by rules, fixes and proposals.
#[derive(Debug)]
pub struct Meter(AtomicUsize);

impl Default for Meter {
    fn default() -> Self {
        Self(AtomicUsize::new(MAX_WORK))
    }
}

impl Meter {
    /// Subtracts from the budget the work of running all rules on `content`. `findings` is the approximate number of
    /// findings in it. Returns false, and subtracts nothing, if the remaining budget is too small.
    pub fn spend(&self, content: &Content, findings: usize) -> bool {
        let work = content::bytes(content).saturating_add(findings.saturating_mul(FINDING));
        let spend = |left: usize| left.checked_sub(work);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend).is_ok()
    }
}

impl Scope<'_> {
    pub fn includes(&self, finding: &Finding) -> bool {
        finding.touches(self.field) && !is_dismissed(self.dismissals, finding)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct FixedContent {
    /// New content, or the old content if no fix was accepted.
    pub content: Content,
    pub fixed: Vec<Finding>,
    /// Findings that remain, because no fix for them is known, tried or accepted.
    pub left: Vec<Finding>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// The field with this name has no contradiction, and no hint with a known fix.
    #[error("No contradiction was found for \"{0}\"")]
    NothingFound(String),
    #[error("No safe way to resolve the contradiction of {field} is known. {reasons} Edit one of: {others}.")]
    NoFix {
        field: String,
        reasons: String,
        /// Labels of the fields in the contradictions, separated by commas. At least one of these fields must change.
        others: String,
    },
}

impl Assistant {
    /// Fixes the contradictions of the field in `scope`. If there are none, fixes the hints of the field. Tries edits
    /// of the field itself before edits of other fields. Edits that only guess what the author means are tried last.
    pub fn resolve(&self, scope: &Scope<'_>) -> Result<FixedContent, ResolveError> {
        let sure = self.resolve_except(&[], scope);
        let (content, mut fixed) = match &sure {
            Ok(resolved) if !resolved.left.is_empty() => (&resolved.content, resolved.fixed.clone()),
            Err(ResolveError::NoFix { .. }) => (scope.content, Vec::new()),
            _ => return sure,
        };
        let Ok(guessed) = self.resolve_with(&[], &Scope { content, ..*scope }, true) else { return sure };
        fixed.extend(guessed.fixed);
        Ok(FixedContent { fixed, ..guessed })
    }

    /// Works like [`Self::resolve`], but tries no guesses, and no fixes of the `declined` findings.
    pub fn resolve_except(&self, declined: &[Finding], scope: &Scope<'_>) -> Result<FixedContent, ResolveError> {
        self.resolve_with(declined, scope, false)
    }

    fn resolve_with(
        &self,
        declined: &[Finding],
        scope: &Scope<'_>,
        guesses: bool,
    ) -> Result<FixedContent, ResolveError> {
        let checked = self.rules.check(scope.content);
        let has_some = |kind: &FindingKind| kind.of(&checked).any(|found| scope.includes(&found.finding));
        let Some(kind) = [FindingKind::Contradiction, FindingKind::Hint].into_iter().find(has_some) else {
            return Err(ResolveError::NothingFound(scope.field.to_owned()));
        };
        let search = Search { kind, declined, own_sides: &[true, false], guesses };
        let resolved = self.fix(scope, checked, &search);
        if resolved.fixed.is_empty() { Err(ResolveError::of(&resolved.left, scope)) } else { Ok(resolved) }
    }

    /// Fixes the contradictions of the field in `scope` by edits to other fields. The field itself does not change.
    pub fn regenerate(&self, scope: &Scope<'_>) -> FixedContent {
        let search = Search { kind: FindingKind::Contradiction, declined: &[], own_sides: &[false], guesses: true };
        self.fix(scope, self.rules.check(scope.content), &search)
    }

    /// Tries to fix all findings of one rule at once. If this is rejected, halves the number of findings, down to one.
    fn fix(&self, scope: &Scope<'_>, checked: Checked, search: &Search<'_>) -> FixedContent {
        let Search { kind, declined, own_sides, guesses } = *search;
        let is_declined = |finding: &Finding| declined.iter().any(|it| it.subject() == finding.subject());
        let (mut content, mut now, mut fixed) = (scope.content.clone(), checked, Vec::new());
        let mut in_vain: HashSet<(Finding, bool)> = HashSet::new();
        let mut most = usize::MAX;
        for _ in 0..MAX_CHECKS {
            let fix_of = |found: &'_ CheckedFinding| {
                own_sides.iter().find_map(|own| {
                    let on_this_side =
                        |fix: &&Fix| (fix.path.field() == Some(scope.field)) == *own && (guesses || !fix.guess);
                    let fixes: Vec<Fix> = found.fixes.iter().filter(on_this_side).cloned().collect();
                    (!fixes.is_empty() && !in_vain.contains(&(found.finding.clone(), *own))).then_some((*own, fixes))
                })
            };
            let open = kind.of(&now).filter(|found| scope.includes(&found.finding) && !is_declined(&found.finding));
            let mut batch: Vec<(&Finding, bool, Vec<Fix>)> = Vec::new();
            for found in open {
                if batch.first().is_none_or(|(first, ..)| first.source == found.finding.source)
                    && batch.len() < most
                    && let Some((own, fixes)) = fix_of(found)
                {
                    batch.push((&found.finding, own, fixes));
                }
            }
            let Some((first, own, _)) = batch.first() else { break };
            let mut tried = content.clone();
            let is_another = apply(&mut tried, batch.iter().flat_map(|(_, _, fixes)| fixes));
            if !scope.meter.spend(&tried, kind.of(&now).count()) {
                break;
            }
            let after = self.rules.check(&tried);
            let gone = removed_findings(&now, &after, kind)
                .filter(|_| is_another && scope.schema.violations_introduced(&content, &mut tried).is_empty());
            match gone {
                Some(gone) if batch.iter().all(|(finding, ..)| gone.contains(finding)) => {
                    let findings = kind.of(&now).map(|found| &found.finding);
                    fixed.extend(findings.filter(|it| gone.contains(it) && scope.includes(it)).cloned());
                    (content, now) = (tried, after);
                }
                _ if batch.len() > 1 => most = batch.len() / 2,
                _ => {
                    in_vain.insert(((*first).clone(), *own));
                    most = usize::MAX;
                }
            }
        }
        let left =
            kind.of(&now).map(|found| &found.finding).filter(|finding| scope.includes(finding)).cloned().collect();
        FixedContent { content, fixed, left }
    }
}

impl FixedContent {
    pub fn message(&self, scope: &Scope<'_>) -> String {
        summary::message(scope.schema, scope.content, &self.content, &self.fixed, &self.left)
    }
}

impl ResolveError {
    fn of(left: &[Finding], scope: &Scope<'_>) -> Self {
        let mut others: Vec<String> = Vec::new();
        for field in left.iter().flat_map(Finding::sides) {
            let name = summary::named(scope.schema, field);
            if !others.contains(&name) {
                others.push(name);
            }
        }
        let reasons = summary::reasons(left).unwrap_or_default();
        Self::NoFix { field: summary::named(scope.schema, scope.field), reasons, others: others.join(", ") }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FindingKind {
    /// Contradictions, with or without a known fix.
    Contradiction,
    /// Hints with a known fix. Hints are uncertain, so a hint without a fix may remain.
    Hint,
}

impl FindingKind {
    fn of(self, checked: &Checked) -> impl Iterator<Item = &CheckedFinding> {
        let list = if self == FindingKind::Hint { &checked.hints } else { &checked.contradictions };
        list.iter().filter(move |found| self == FindingKind::Contradiction || !found.fixes.is_empty())
    }
}

struct Search<'s> {
    kind: FindingKind,
    declined: &'s [Finding],
    /// The kinds of edits to try, in this order: true stands for edits of the field in the [`Scope`], and false for
    /// edits of any other field.
    own_sides: &'s [bool],
    guesses: bool,
}

/// Returns the findings that a fix removed. Returns `None` if the fix caused a contradiction or made a rule fail. A
/// failed rule reports no findings, and its earlier findings must not be mistaken for fixed ones.
fn removed_findings<'c>(before: &'c Checked, after: &'c Checked, kind: FindingKind) -> Option<HashSet<&'c Finding>> {
    fn all(list: &[CheckedFinding]) -> impl Iterator<Item = &Finding> {
        list.iter().map(|found| &found.finding)
    }
    let contradictions = Comparison::of(all(&before.contradictions), all(&after.contradictions));
    let harms = !contradictions.new.is_empty() || after.failed.iter().any(|rule| !before.failed.contains(rule));
    let gone = match kind {
        FindingKind::Contradiction => contradictions.gone,
        FindingKind::Hint => Comparison::of(all(&before.hints), all(&after.hints)).gone,
    };
    (!harms).then(|| gone.into_iter().collect())
}

/// Applies fixes: at each path the first [`Edit::Replace`], or else every [`Edit::Splice`]. Skips paths inside a value
/// that was fixed. Returns true if anything changed.
fn apply<'m>(content: &mut Content, fixes: impl Iterator<Item = &'m Fix>) -> bool {
    let mut places: BTreeMap<&FieldPath, Vec<Edit>> = BTreeMap::new();
    for Fix { path, edit, .. } in fixes {
        places.entry(path).or_default().push(edit.clone());
    }
    // Skips paths inside a fixed value. Paths are sorted, so these paths come right after the path of that value.
    let mut last: Option<&FieldPath> = None;
    let mut changed = false;
    for (path, edits) in places {
        if last.is_some_and(|last| last.is_prefix_of(path)) {
            continue;
        }
        if let Some(slot) = slot(content, path)
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
