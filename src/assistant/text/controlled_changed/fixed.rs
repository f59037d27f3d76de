//! What a lesson keeps the same, as each of the ways to see that it changes takes it: read once for all steps.

use super::acted::Keeps;
use super::counted::Count;
use super::kept::Kept;
use super::named::Named;
use super::qualities::Quality;
use super::{anew, contrast};
use crate::assistant::facts::kept::Found;
use crate::assistant::facts::lesson::{Lesson, Role, Text};

/// One thing that is kept the same.
pub(super) struct Fixed {
    /// The thing, and the property of it; nothing where that is changed on purpose.
    pub named: Option<Named>,
    /// The property, as comparatives and verbs go with it.
    pub kept: Option<Kept>,
    /// The thing as one of several.
    pub one: Option<anew::Named>,
    /// How many there are of it.
    pub count: Option<Count>,
    /// The qualities in which cases may not differ.
    pub qualities: Vec<&'static Quality>,
    /// What acts would change.
    pub keeps: Keeps,
}

impl Fixed {
    /// What is kept by the one controlled variable of a lesson.
    pub fn of(lesson: &Lesson) -> Found<Self> {
        let texts = lesson.texts_of(|role| matches!(role, Role::Independent | Role::Controlled(_)));
        Lesson::kept(texts.map(Text::alone).collect(), 0, |lesson| Self::read(lesson).into_iter().collect())
    }

    fn read(lesson: &Lesson) -> Option<Self> {
        let controlled = lesson.controlled().next()?;
        let independent = lesson.text(Role::Independent);
        Some(Self {
            named: Named::read(lesson, controlled),
            kept: Kept::read(lesson, controlled),
            one: anew::Named::read(controlled, independent),
            count: Count::read(controlled, independent),
            qualities: contrast::qualities(controlled, independent),
            keeps: Keeps::read(lesson, controlled),
        })
    }
}
