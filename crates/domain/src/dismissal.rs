//! Dismissals of findings. With a dismissal, an author says that a finding is not a real conflict. The finding is
//! hidden as long as the values in its evidence do not change.

use std::collections::BTreeSet;

use aws_lc_rs::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::content::Content;
use super::finding::{Evidence, Finding, Findings, pairs};
use super::hex;
use super::id::ObjectId;
use super::path::FieldPath;
use super::schema::Violation;
use super::size::MAX_LIST;
use super::time::Timestamp;

/// Maximum number of dismissals of one investigation.
pub const MAX: usize = 200;

/// Maximum length of a reason, in characters.
pub const MAX_REASON: usize = 500;

/// A finding that an author dismissed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Dismissal {
    /// Id of the dismissal.
    pub id: ObjectId,
    /// The finding at the time of the dismissal.
    pub finding: Finding,
    /// SHA-256 of the values at the paths of the evidence, in hexadecimal digits. If the finding has no evidence,
    /// SHA-256 of the values of the finding's fields.
    pub values: String,
    /// User who dismissed the finding; `None` if the user was not signed in.
    pub by: Option<ObjectId>,
    /// When the finding was dismissed.
    pub at: Timestamp,
    /// The author's reason, if given.
    pub reason: Option<String>,
    /// Whether a value in the evidence has changed since the dismissal. A dormant dismissal hides nothing until the
    /// value is changed back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dormant: bool,
}

impl Dismissal {
    /// Creates a dismissal of `finding`, which was found in `content`.
    pub fn new(
        id: ObjectId,
        finding: Finding,
        content: &Content,
        by: Option<ObjectId>,
        at: Timestamp,
        reason: Option<String>,
    ) -> Self {
        let values = digest_of_values(&finding, content);
        Self { id, finding, values, by, at, reason, dormant: false }
    }

    /// Returns whether this dismissal hides `finding`. A dormant dismissal hides nothing. All fields and all evidence
    /// of `finding` must also be in the dismissed finding, so that nothing is hidden that the author has not seen. For
    /// a finding of a rule, quotes are compared as well. For a finding of a language model, only paths are compared,
    /// because a model may quote differently each time.
    fn hides(&self, finding: &Finding) -> bool {
        let by_model = finding.is_by_model();
        let known = |place: &Evidence| {
            let same = |seen: &Evidence| if by_model { seen.field_path == place.field_path } else { seen == place };
            self.finding.evidence.iter().any(same)
        };
        !self.dormant
            && (by_model || finding.source == self.finding.source)
            && finding.pairs().all(|pair| self.finding.pairs().any(|seen| seen == pair))
            && finding.evidence.is_empty() == self.finding.evidence.is_empty()
            && finding.evidence.iter().all(known)
    }
}

/// Returns the dismissals with `dormant` updated for `content`. A dismissal is dormant if a value in its evidence has
/// changed since the dismissal.
#[must_use]
pub fn for_content(mut dismissals: Vec<Dismissal>, content: &Content) -> Vec<Dismissal> {
    for dismissal in &mut dismissals {
        dismissal.dormant = digest_of_values(&dismissal.finding, content) != dismissal.values;
    }
    dismissals
}

/// Returns whether one of the dismissals hides `finding`. Call [`for_content`] first, so that `dormant` is up to date.
pub fn is_dismissed(dismissals: &[Dismissal], finding: &Finding) -> bool {
    dismissals.iter().any(|dismissal| dismissal.hides(finding))
}

/// Returns the findings that no dismissal hides.
#[must_use]
pub fn shown(dismissals: &[Dismissal], mut findings: Findings) -> Findings {
    findings.contradictions.retain(|finding| !is_dismissed(dismissals, finding));
    findings.hints.retain(|finding| !is_dismissed(dismissals, finding));
    findings
}

/// Adds a dismissal. If there are already [`MAX`] dismissals, removes the oldest dormant one.
///
/// # Errors
/// A violation if there are already [`MAX`] dismissals and none is dormant.
pub fn added(dismissals: &[Dismissal], new: Dismissal) -> Result<Vec<Dismissal>, Vec<Violation>> {
    let mut all = dismissals.to_vec();
    if all.len() >= MAX {
        let Some(oldest) = all.iter().position(|dismissal| dismissal.dormant) else {
            let full = format!("are {MAX}, the most that an investigation keeps; take one back with DELETE");
            return Err(vec![Violation::new("dismissed", full)]);
        };
        all.remove(oldest);
    }
    all.push(new);
    Ok(all)
}

/// Returns what is wrong with imported dismissals, as a phrase that follows the word "its"; `None` if they are valid.
pub fn fault(dismissals: &[Dismissal], content: &Content) -> Option<String> {
    if dismissals.len() > MAX {
        return Some(format!("dismissals are {}, and at most {MAX} are kept", dismissals.len()));
    }
    let mut ids = BTreeSet::new();
    dismissals.iter().find_map(|dismissal| {
        let Dismissal { id, finding, values, reason, dormant, .. } = dismissal;
        let fault = if !ids.insert(*id) {
            "appears twice".to_owned()
        } else if !hex::is_sha256(values) {
            "has values that are not SHA-256 in lower-case hexadecimal digits".to_owned()
        } else if *dormant == (digest_of_values(finding, content) == *values) {
            format!(
                "is marked {}, which contradicts its values",
                if *dormant { "dormant" } else { "as one that applies" }
            )
        } else {
            format!("is malformed: reason {}", reason.as_deref().and_then(reason_fault)?)
        };
        Some(format!("dismissal {id} {fault}"))
    })
}

/// A request to dismiss the finding with these fields and, optionally, these paths of evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DismissalRequest {
    field_name: String,
    conflicts_with: Vec<String>,
    evidence: Option<Vec<String>>,
    /// The author's reason, if given.
    pub reason: Option<String>,
}

impl DismissalRequest {
    /// Reads the body of a request to dismiss a finding.
    pub fn read(body: &Map<String, Value>) -> Result<Self, Vec<Violation>> {
        let mut violations = Vec::new();
        let mut refuse = |field: &str, fault: &str| violations.push(Violation::new(field, fault));
        let field_name = body.get("fieldName").and_then(Value::as_str).map(str::to_owned);
        if field_name.is_none() {
            refuse("fieldName", "must be given, as a string");
        }
        let conflicts_with = body.get("conflictsWith").and_then(texts).filter(|fields| !fields.is_empty());
        if conflicts_with.is_none() {
            refuse("conflictsWith", &format!("must be given, as an array of 1 to {MAX_LIST} strings"));
        }
        let evidence = body.get("evidence").filter(|value| !value.is_null()).map(texts);
        if evidence == Some(None) {
            let paths =
                format!("must be an array of at most {MAX_LIST} strings, the paths in the evidence of the finding");
            refuse("evidence", &paths);
        }
        let reason = body.get("reason").filter(|value| !value.is_null()).map(Value::as_str);
        match reason {
            Some(None) => refuse("reason", "must be a string"),
            Some(Some(reason)) => reason_fault(reason).iter().for_each(|fault| refuse("reason", fault)),
            None => {}
        }
        let known = ["fieldName", "conflictsWith", "evidence", "reason"];
        for field in body.keys().filter(|field| !known.contains(&field.as_str())) {
            refuse(field, "is not a field of a dismissal");
        }
        match (field_name, conflicts_with) {
            (Some(field_name), Some(conflicts_with)) if violations.is_empty() => {
                let reason = reason.flatten().map(str::to_owned);
                Ok(Self { field_name, conflicts_with, evidence: evidence.flatten(), reason })
            }
            _ => Err(violations),
        }
    }

    /// Returns the approximate size of the request, in bytes.
    pub fn bytes(&self) -> usize {
        let texts = self.conflicts_with.iter().chain(self.evidence.iter().flatten());
        texts.map(String::len).sum::<usize>() + self.field_name.len()
    }

    /// Returns the first contradiction that matches the request; if no contradiction matches, the first matching hint.
    pub fn find<'f>(&self, findings: &'f Findings) -> Option<&'f Finding> {
        let sides: BTreeSet<_> = pairs(&self.field_name, &self.conflicts_with).collect();
        let paths = self.evidence.as_ref().map(|paths| paths.iter().map(String::as_str).collect::<BTreeSet<_>>());
        let is_named = |finding: &&Finding| {
            let places = || finding.evidence.iter().map(|place| place.field_path.as_str()).collect::<BTreeSet<_>>();
            sides == finding.pairs().collect::<BTreeSet<_>>() && paths.as_ref().is_none_or(|paths| *paths == places())
        };
        findings.contradictions.iter().chain(&findings.hints).find(is_named)
    }
}

/// Returns the texts in a list of at most [`MAX_LIST`] texts.
fn texts(value: &Value) -> Option<Vec<String>> {
    let list = value.as_array().filter(|list| list.len() <= MAX_LIST)?;
    list.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}

fn reason_fault(reason: &str) -> Option<String> {
    (reason.chars().count() > MAX_REASON).then(|| format!("must have at most {MAX_REASON} characters"))
}

/// Returns a digest of the values in `content` at the paths of the evidence. A value may be a leaf or a list. If the
/// finding has no evidence, returns a digest of the values of all top-level fields that the finding names.
fn digest_of_values(finding: &Finding, content: &Content) -> String {
    let paths: Vec<FieldPath> = if finding.evidence.is_empty() {
        finding.sides().map(|field| FieldPath::root().child(field)).collect()
    } else {
        finding.evidence.iter().map(|place| FieldPath::parse(&place.field_path)).collect()
    };
    let values: Vec<Option<&Value>> = paths.iter().map(|path| path.get_in(content)).collect();
    // Cannot fail, because JSON values can always be serialized.
    hex::digits(digest(&SHA256, &serde_json::to_vec(&values).unwrap_or_default()).as_ref())
}
