//! Roles: what the texts of a document of the built-in form are for.

use crate::domain::path::{self, FieldPath};

/// What a text is for. Indexes count from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// `title`
    Title,
    /// `grade`, where it is a text
    Grade,
    /// `curriculum`
    Curriculum,
    /// `phenomenon`
    Phenomenon,
    /// `drivingQuestion`
    DrivingQuestion,
    /// `hypothesis`
    Hypothesis,
    /// `assessment`
    Assessment,
    /// An element of `objectives`
    Objective(usize),
    /// `variables.independent`
    Independent,
    /// `variables.dependent`
    Dependent,
    /// An element of `variables.controlled`
    Controlled(usize),
    /// `name` of an element of `materials`
    MaterialName(usize),
    /// `quantity` of an element of `materials`, where it is a text
    MaterialQuantity(usize),
    /// `unit` of an element of `materials`
    MaterialUnit(usize),
    /// `notes` of an element of `materials`
    MaterialNotes(usize),
    /// `text` of an element of `steps`
    Step(usize),
    /// An element of `safety`
    Safety(usize),
    /// `term` of an element of `vocabulary`
    Term(usize),
    /// `definition` of an element of `vocabulary`
    Definition(usize),
    /// Any other text
    Other,
}

impl Role {
    /// One of each kind, in the order of their numbers.
    pub const KINDS: [Self; 20] = {
        use Role::*;
        [
            Title,
            Grade,
            Curriculum,
            Phenomenon,
            DrivingQuestion,
            Hypothesis,
            Assessment,
            Objective(0),
            Independent,
            Dependent,
            Controlled(0),
            MaterialName(0),
            MaterialQuantity(0),
            MaterialUnit(0),
            MaterialNotes(0),
            Step(0),
            Safety(0),
            Term(0),
            Definition(0),
            Other,
        ]
    };

    /// The number of its kind.
    pub fn number(self) -> usize {
        let kind = self.kind();
        Self::KINDS.iter().position(|known| *known == kind).unwrap_or_default()
    }

    /// Its place among those of its kind.
    pub fn index(self) -> usize {
        use Role::*;
        match self {
            Objective(index)
            | Controlled(index)
            | MaterialName(index)
            | MaterialQuantity(index)
            | MaterialUnit(index)
            | MaterialNotes(index)
            | Step(index)
            | Safety(index)
            | Term(index)
            | Definition(index) => index,
            Title | Grade | Curriculum | Phenomenon | DrivingQuestion | Hypothesis | Assessment | Independent
            | Dependent | Other => 0,
        }
    }

    /// The same without the place: of elements that of the first.
    #[must_use]
    pub fn kind(self) -> Self {
        use Role::*;
        match self {
            Objective(_) => Objective(0),
            Controlled(_) => Controlled(0),
            MaterialName(_) => MaterialName(0),
            MaterialQuantity(_) => MaterialQuantity(0),
            MaterialUnit(_) => MaterialUnit(0),
            MaterialNotes(_) => MaterialNotes(0),
            Step(_) => Step(0),
            Safety(_) => Safety(0),
            Term(_) => Term(0),
            Definition(_) => Definition(0),
            Title | Grade | Curriculum | Phenomenon | DrivingQuestion | Hypothesis | Assessment | Independent
            | Dependent | Other => self,
        }
    }

    /// What the text at a path is for.
    pub fn at(path: &FieldPath) -> Self {
        let segments: Vec<&str> = path.segments().iter().map(AsRef::as_ref).collect();
        let at = |index: &str, role: fn(usize) -> Role| path::index(index).map_or(Role::Other, role);
        match segments[..] {
            ["title"] => Role::Title,
            ["grade"] => Role::Grade,
            ["curriculum"] => Role::Curriculum,
            ["phenomenon"] => Role::Phenomenon,
            ["drivingQuestion"] => Role::DrivingQuestion,
            ["hypothesis"] => Role::Hypothesis,
            ["assessment"] => Role::Assessment,
            ["objectives", i] => at(i, Role::Objective),
            ["variables", "independent"] => Role::Independent,
            ["variables", "dependent"] => Role::Dependent,
            ["variables", "controlled", i] => at(i, Role::Controlled),
            ["materials", i, "name"] => at(i, Role::MaterialName),
            ["materials", i, "quantity"] => at(i, Role::MaterialQuantity),
            ["materials", i, "unit"] => at(i, Role::MaterialUnit),
            ["materials", i, "notes"] => at(i, Role::MaterialNotes),
            ["steps", i, "text"] => at(i, Role::Step),
            ["safety", i] => at(i, Role::Safety),
            ["vocabulary", i, "term"] => at(i, Role::Term),
            ["vocabulary", i, "definition"] => at(i, Role::Definition),
            _ => Role::Other,
        }
    }
}
