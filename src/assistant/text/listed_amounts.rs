//! Amounts on the list of materials: "10 mL for each bag" in a note, the strength of a solution in a name, against the
//! steps. A part of `quantity_mismatch`.

use super::quantity_mismatch::{NAME, Placed};
use super::{Match, amounts};
use crate::assistant::facts::lesson::Lesson;
use crate::assistant::facts::mentions::{Mention, mentions};
use crate::assistant::facts::nouns;
use crate::assistant::facts::units::Dimension;

/// Everything found.
pub fn find(lesson: &Lesson, levels: &[Placed], steps: &[Placed]) -> Vec<Match> {
    let mut found = notes_against_steps(lesson, steps);
    found.extend(strengths(lesson, levels, steps));
    found
}

/// "10 mL for each bag" in the notes of a material, against the step that pours it into each.
fn notes_against_steps(lesson: &Lesson, steps: &[Placed]) -> Vec<Match> {
    let mut found = Vec::new();
    for material in lesson.materials() {
        let (Some(notes), Some(name)) = (material.notes, nouns::material(material.name)) else { continue };
        for note in
            mentions(notes).into_iter().filter(|note| note.per.is_some() && note.dimension.is_some() && !note.partial)
        {
            if note.noun.as_ref().is_some_and(|noun| !noun.fits(&name) && Some(&noun.head) != note.per.as_ref()) {
                continue;
            }
            let of_it = |(_, step): &&Placed| {
                step.comparable(&note)
                    && step.noun.as_ref().is_some_and(|noun| noun.fits(&name) || noun.head == name.head)
            };
            let same: Vec<&Placed> = steps.iter().filter(of_it).collect();
            if same.iter().any(|(_, step)| step.agrees_with(&note)) {
                continue;
            }
            let each = |(_, step): &&&Placed| !step.partial && step.per.is_some() && !step.per_differs(&note);
            if let Some((text, step)) = same.iter().find(each) {
                found.push(amounts::conflict(NAME, (notes, &note), (text, step)));
            }
        }
    }
    found
}

/// A solution of one strength on the list, and of another in the steps.
fn strengths(lesson: &Lesson, levels: &[Placed], steps: &[Placed]) -> Vec<Match> {
    let strength = |mention: &Mention| matches!(mention.dimension, Some(Dimension::Concentration | Dimension::Share));
    let listed: Vec<_> = lesson
        .materials()
        .into_iter()
        .filter_map(|material| {
            let phrase = nouns::material(material.name)?;
            let mut all = mentions(material.name).into_iter().filter(strength);
            let one = all.next().filter(|mention| mention.numeral.single().is_some())?;
            all.next().is_none().then_some((material.name, phrase, one))
        })
        .collect();
    let mut found = Vec::new();
    for (name, phrase, mention) in &listed {
        let alike = listed.iter().filter(|(_, other, _)| other.head == phrase.head).count();
        let of_it =
            |(_, step): &&Placed| step.comparable(mention) && step.noun.as_ref().is_some_and(|noun| noun.fits(phrase));
        let same: Vec<&Placed> = steps.iter().filter(of_it).collect();
        if alike > 1 || !levels.is_empty() && levels.iter().any(|(_, level)| level.comparable(mention)) {
            continue;
        }
        if same.iter().any(|(_, step)| step.agrees_with(mention)) {
            continue;
        }
        if let Some((text, step)) = same.iter().find(|(_, step)| !step.partial && !step.about) {
            found.push(amounts::conflict(NAME, (name, mention), (text, step)));
        }
    }
    found
}
