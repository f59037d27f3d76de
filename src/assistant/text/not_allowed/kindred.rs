//! One kind of a thing that alone is allowed, and another kind of it: "only LED lamps may be used", and a lamp with a
//! halogen bulb.

use crate::assistant::facts::hands;
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, lists};

/// Kinds that exclude each other.
static KINDS: [&[List]; 10] = [
    &[list!("led leds"), list!("incandescent filament"), list!("halogen"), list!("fluorescent neon")],
    &[list!("rounded blunt round blunt-ended"), list!("pointed sharp pointy")],
    &[
        list!("plastic"),
        list!("glass"),
        list!("metal steel iron aluminium aluminum copper brass"),
        list!("wooden wood bamboo"),
        list!("paper cardboard card"),
    ],
    &[list!("washable water-based"), list!("permanent waterproof indelible solvent-based oil-based")],
    &[
        list!("distilled deionised deionized demineralised"),
        list!("tap"),
        list!("rain"),
        list!("pond stream"),
        list!("sea salt"),
    ],
    &[list!("battery battery-powered battery-operated"), list!("mains mains-powered plug-in")],
    &[list!("alcohol spirit"), list!("mercury")],
    &[list!("disposable throwaway single-use"), list!("reusable washable")],
    &[list!("bar"), list!("horseshoe"), list!("button"), list!("neodymium")],
    &[list!("cold"), list!("hot boiling")],
];

/// A rule with the token of its "only", and a text with the token of the other kind.
type Broken<'l, 'c> = (&'l Text<'c>, usize, &'l Text<'c>, usize);

/// Where another kind of a thing is there or is used than the one allowed.
pub(super) fn other_kind<'l, 'c>(lesson: &'l Lesson<'c>) -> Option<Broken<'l, 'c>> {
    lesson.texts_of(|role| matches!(role, Role::Safety(_) | Role::Objective(_) | Role::Controlled(_))).find_map(
        |rule| {
            let (at, kinds, own, thing) = alone(rule)?;
            let other = |text: &Text, range: std::ops::Range<usize>| {
                let has = |words: List| range.clone().any(|t| words.has(text.word(t)));
                let named = range.clone().any(|t| text.lemma(t) == thing);
                let free = !own.iter().any(|own| has(**own)) && !has(list!("or not without no free instead imitation"));
                let found =
                    range.clone().find(|t| kinds.iter().any(|kind| kind.has(text.word(*t))) && text.word(t + 1) != "-");
                found.filter(|_| named && free)
            };
            let listed = || {
                lesson.materials().into_iter().filter(|material| material.notes.is_none()).find_map(|material| {
                    let name = material.name;
                    Some((rule, at, name, other(name, 0..name.tokens.len())?))
                })
            };
            let used = || {
                lesson.steps().find_map(|(_, step)| {
                    let found = (0..step.tokens.len()).find(|t| {
                        step.lemma(t + 1) == thing
                            && other(step, *t..t + 2).is_some()
                            && hands::is_handled(step, &(*t..t + 2))
                            && !phrases::is_denied(step, *t)
                            && !phrases::is_supposed(step, *t)
                            && !step
                                .sentence(*t)
                                .any(|t| lists!("rinse wash clean bath bowl not teacher compare", step.word(t)))
                    })?;
                    Some((rule, at, step, found))
                })
            };
            listed().or_else(used)
        },
    )
}

/// Where a text allows one kind alone, with the other kinds, the own one, and the thing.
fn alone<'t>(text: &'t Text) -> Option<(usize, Vec<List>, Vec<&'static List>, &'t str)> {
    (0..text.tokens.len()).find_map(|only| {
        let sentence = text.sentence(only);
        let open = sentence.clone().any(|t| {
            lists!("unless except until if first not when near without after before while can for", text.word(t))
        });
        let (start, end) = (phrases::clause_start(text, only), phrases::clause_end(text, only));
        let allowed = (start..end).any(|t| lists!("allowed permitted may used use take", text.word(t)));
        let short = end - start <= 4;
        if text.word(only) != "only" || open || !(allowed || short) {
            return None;
        }
        let near = only.saturating_sub(3).max(start)..end.min(only + 6);
        let (at, row) = near
            .into_iter()
            .find_map(|t| Some((t, KINDS.iter().find(|row| row.iter().any(|kind| kind.has(text.word(t))))?)))?;
        // "Scissors with rounded ends"
        let with = (at.saturating_sub(2)..at).rev().find(|t| text.word(*t) == "with");
        let thing = with.map_or(at + 1, |with| with.wrapping_sub(1));
        let noun = text
            .tokens
            .get(thing)
            .filter(|noun| noun.is_word() && noun.word.len() > 2 && (start..end).contains(&thing))?;
        let adjacent = only + 1 == at || only == thing + 1 || with.is_some_and(|with| only + 2 == with);
        let said = |kind: &&List| sentence.clone().any(|t| kind.has(text.word(t)));
        let own: Vec<&'static List> = row.iter().filter(said).collect();
        let others = row.iter().filter(|kind| !said(kind)).copied().collect();
        let general = lists!("may is are in on at of and or thing", &noun.word);
        (adjacent && !general).then_some((only, others, own, noun.lemma.as_str()))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::count;

    #[test]
    fn another_kind_than_the_one_allowed_is_found() {
        for (safety, material, step) in [
            ("Only LED lamps may be used in the hut.", "Desk lamp with halogen bulb", ""),
            ("Only scissors with rounded ends are allowed.", "Pointed scissors", ""),
            ("Use distilled water only.", "Jar", "Fill the jar with tap water."),
            ("Washable markers only.", "Permanent marker", ""),
        ] {
            assert_eq!(count(safety, material, step), 1, "{safety}");
        }
    }

    #[test]
    fn the_same_kind_and_other_things_are_passed_over() {
        for (safety, material, step) in [
            ("Only LED lamps may be used in the hut.", "Desk lamp", ""),
            ("Only LED lamps may be used in the hut.", "LED lamp in place of a halogen lamp", ""),
            ("Only scissors with rounded ends are allowed.", "Pointed stick", ""),
            ("Use distilled water only.", "Jar", "Rinse the jar with tap water."),
            ("Use distilled water only when the cell is open.", "Tap water", ""),
        ] {
            assert_eq!(count(safety, material, step), 0, "{safety}");
        }
    }
}
