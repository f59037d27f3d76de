//! Amounts on the list of materials: "10 mL for each bag" or "set to 35 °C" in a note, the strength of a solution in a name, against the
//! steps. A part of `quantity_mismatch`.

use super::quantity_mismatch::{NAME, Placed};
use super::{Match, amounts};
use crate::assistant::facts::lesson::Lesson;
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::mentions::{Mention, mentions};
use crate::assistant::facts::nouns;
use crate::assistant::facts::other_lessons;
use crate::assistant::facts::units::Dimension;

/// Everything found.
pub fn find(lesson: &Lesson, levels: &[Placed], steps: &[Placed]) -> Vec<Match> {
    let mut found = notes_against_steps(lesson, steps);
    found.extend(strengths(lesson, levels, steps));
    found.extend(settings_against_steps(lesson, levels, steps));
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

/// What is set once for a lesson.
const SET: &str = "bath incubator oven hotplate plate heater thermostat kettle supply pack psu fridge refrigerator freezer dryer iron";

/// "Set to 35 °C" in the notes of a water bath, against the step that stands things in the water bath at 50 °C.
fn settings_against_steps(lesson: &Lesson, levels: &[Placed], steps: &[Placed]) -> Vec<Match> {
    let dial = |mention: &Mention| matches!(mention.dimension, Some(Dimension::Temperature | Dimension::Voltage));
    let mut found = Vec::new();
    for material in lesson.materials() {
        let (Some(notes), Some(name)) = (material.notes, nouns::material(material.name)) else { continue };
        let set = |at: usize| lists!("set preset preheated heated warmed kept held running ready", notes.word(at));
        let told = mentions(notes);
        let [note] = &told.iter().filter(|note| dial(note)).collect::<Vec<_>>()[..] else { continue };
        let is_set = !note.partial
            && note.numeral.single().is_some()
            && lists!(SET, &name.head)
            && lists!("to at", notes.word(note.tokens.start.wrapping_sub(1)))
            && (note.clause.start..note.tokens.start).any(set);
        let varied = levels.iter().any(|(_, level)| level.comparable(note));
        let same: Vec<&Placed> = steps.iter().filter(|(_, step)| step.comparable(note)).collect();
        if !is_set || varied || same.iter().any(|(_, step)| step.agrees_with(note)) {
            continue;
        }
        // "In the water bath at 50 °C", "set the water bath to 50 °C"
        let of_it = |(text, step): &&&Placed| {
            let start = step.tokens.start;
            let named = |at: usize| text.lemma(at) == name.head;
            // "Raise the water bath to 60 °C" sets it anew.
            let anew = (step.clause.start..step.clause.end)
                .any(|at| lists!("raise lower turn increase reduce then after end stop finally later", text.word(at)));
            !step.partial
                && !anew
                && !step.about
                && lists!("at to", text.word(start.wrapping_sub(1)))
                && (start.saturating_sub(3).max(step.clause.start)..start).any(named)
        };
        if let Some((text, step)) = same.iter().find(of_it) {
            found.push(amounts::conflict(NAME, (notes, note), (text, step)));
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
        if let Some((text, step)) =
            same.iter().find(|(text, step)| !step.partial && !step.about && !other_lessons::is_imagined(text, step))
        {
            found.push(amounts::conflict(NAME, (name, mention), (text, step)));
        }
    }
    found
}
