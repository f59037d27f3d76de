//! Matchers: contradictions that only show when texts are laid beside each other, each kind in a file of its own.
//!
//! A schema says which of them read its documents (`x-matchers`). Pure functions of the content; what is not sure
//! enough to count is a hint.

mod amounts;
mod arithmetic;
mod calculations;
pub mod controlled_changed;
mod count_mismatch;
mod curriculum_grade;
mod done_times;
mod duration_text;
mod grade_level;
mod group_size;
mod hypothesis_direction;
mod known;
mod listed_amounts;
mod material_missing;
mod material_quantity;
pub mod not_allowed;
mod numbered;
mod one_each;
mod opposites;
mod others;
mod portions;
mod quantity_mismatch;
pub mod safety_conflict;
mod safety_limits;
mod settings;
mod several;
mod sizes;
mod spread;
mod step_order;
mod temporal;
mod together;
pub mod variable_role;
mod ways;
mod worn;

use known::{Known, Ways};
use serde_json::Value;

use super::edit::Mend;
use super::facts::asked::Told;
use super::facts::lesson::Lesson;
use super::rules::RuleError;
use crate::domain::content::Content;
use crate::domain::finding::{Evidence, Finding};
use crate::domain::path::FieldPath;
use crate::domain::schema::Schema;

/// Of one matcher at most this many findings are kept for one content.
const MAX_FOUND: usize = 20;

/// What a matcher found.
#[derive(Debug, Clone)]
pub struct Match {
    /// What, and where.
    pub finding: Finding,
    /// What makes it go, for each side that can give way.
    pub mends: Vec<Mend>,
    /// Whether it counts as a contradiction; otherwise it is a hint.
    pub sure: bool,
}

/// A kind of contradiction: its name, and what finds it.
type Matcher = (&'static str, fn(&Lesson) -> Vec<Match>);

/// All matchers. Where two find the same, the earlier one tells it.
const MATCHERS: &[Matcher] = &[
    ("curriculum_grade", curriculum_grade::find),
    ("grade_level", grade_level::find),
    ("duration_text", duration_text::find),
    ("group_size", group_size::find),
    ("arithmetic", arithmetic::find),
    ("temporal", temporal::find),
    ("quantity_mismatch", quantity_mismatch::find),
    ("count_mismatch", count_mismatch::find),
    ("material_quantity", material_quantity::find),
    ("material_missing", material_missing::find),
    ("variable_role", variable_role::find),
    ("not_allowed", not_allowed::find),
    ("safety_conflict", safety_conflict::find),
    ("controlled_changed", controlled_changed::find),
    ("hypothesis_direction", hypothesis_direction::find),
    ("step_order", step_order::find),
    ("antonym_swap", opposites::antonyms),
    ("negation", opposites::negations),
];

/// The matchers that a schema asks for.
#[derive(Debug, Default)]
pub struct Matchers {
    all: Vec<(Matcher, Ways)>,
    known: Known,
}

impl Matchers {
    /// Reads `x-matchers`: an array of names, or `"all"`; without it there are none.
    ///
    /// # Errors
    /// [`RuleError`] for a name that no matcher has.
    pub fn of(schema: &Schema) -> Result<Self, RuleError> {
        let known = || MATCHERS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let names = match schema.document().get("x-matchers") {
            None => return Ok(Self::default()),
            Some(Value::String(all)) if all == "all" => return Ok(Self::all(MATCHERS.iter().copied())),
            Some(Value::Array(names)) => names,
            Some(_) => return Err(RuleError::at("/x-matchers", "must be \"all\" or an array of names")),
        };
        let find = |(index, name): (usize, &Value)| {
            let matcher = MATCHERS.iter().find(|(known, _)| name.as_str() == Some(*known));
            let unknown = || RuleError::at(format!("/x-matchers/{index}"), format!("is none of {}", known()));
            matcher.copied().ok_or_else(unknown)
        };
        Ok(Self::all(names.iter().enumerate().map(find).collect::<Result<Vec<_>, _>>()?))
    }

    fn all(matchers: impl IntoIterator<Item = Matcher>) -> Self {
        Self { all: matchers.into_iter().map(|matcher| (matcher, Ways::default())).collect(), known: Known::default() }
    }

    /// What they find in a content: of two findings about the same two places the first. In one that is longer than
    /// any lesson they find nothing: its texts are too many to lay each beside each.
    pub fn find(&self, content: &Content) -> Vec<Match> {
        let lesson = Lesson::of(content);
        if !lesson.is_read() {
            return Vec::new();
        }
        let mut told = Told::of(&lesson);
        let mut all: Vec<Match> = Vec::new();
        for (number, ((_, find), ways)) in self.all.iter().enumerate() {
            let find = || find(&lesson).into_iter().take(MAX_FOUND).collect();
            let found = self.known.get(number, ways, &lesson, &mut told, find);
            for new in found.iter().flat_map(|found| found.iter()) {
                if !all.iter().any(|known| known.finding.same_places(&new.finding)) {
                    all.push(new.clone());
                }
            }
        }
        all
    }
}

/// A contradiction between two places, without a mend.
pub fn conflict(matcher: &str, one: Evidence, other: Evidence, reason: impl Into<String>) -> Match {
    let field = |evidence: &Evidence| FieldPath::parse(&evidence.field_path).field().unwrap_or_default().to_owned();
    let finding = Finding {
        field_name: field(&one),
        conflicts_with: vec![field(&other)],
        reason: reason.into(),
        evidence: vec![one, other],
        suggestion: None,
        source: format!("text:{matcher}"),
    };
    Match { finding, mends: Vec::new(), sure: true }
}

impl Match {
    /// The same with words for what would mend it.
    #[must_use]
    pub fn suggesting(mut self, suggestion: impl Into<String>) -> Self {
        self.finding.suggestion = Some(suggestion.into());
        self
    }

    /// The same with one more mend.
    #[must_use]
    pub fn mended_by(mut self, mend: Mend) -> Self {
        self.mends.push(mend);
        self
    }

    /// The same as a finding if `sure`, else as a hint. A reading of which, on lessons that nobody had looked at while
    /// writing it, fewer than 95 of 100 findings were right is not sure, however plain its own examples are.
    #[must_use]
    pub fn sure_if(self, sure: bool) -> Self {
        if sure { self } else { self.as_hint() }
    }

    /// The same, not sure enough to count.
    #[must_use]
    pub fn as_hint(mut self) -> Self {
        self.sure = false;
        self
    }
}
