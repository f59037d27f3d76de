//! Other ways to ban a thing: "we work without X", "X is not for this class", "leave X at home", "in place of X use Y",
//! "X: not allowed", "nothing made of X".

use std::ops::Range;

use super::Ban;
use super::rules::{after, authority, everywhere, kept, things};
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::phrases::{self, lists};

/// The things that a text bans in these ways.
pub(super) fn bans<'l, 'c>(text: &'l Text<'c>) -> Vec<Ban<'l, 'c>> {
    let mut found = Vec::new();
    if !matches!(
        text.role,
        Role::Safety(_) | Role::Objective(_) | Role::Curriculum | Role::Phenomenon | Role::MaterialNotes(_)
    ) {
        return found;
    }
    for sentence in text.sentences() {
        let open = sentence
            .clone()
            .any(|t| lists!("unless except apart until excepted otherwise permission if why optional", text.word(t)));
        if open || phrases::is_question(text, sentence.start) {
            continue;
        }
        for at in sentence.clone() {
            let Some(things) = said_of(text, &sentence, at) else { continue };
            found.extend(things.into_iter().map(|(at, words)| Ban { text, at, words, pupils_only: false }));
        }
    }
    found
}

fn said_of(text: &Text, sentence: &Range<usize>, at: usize) -> Option<Vec<(usize, Vec<String>)>> {
    let (start, end) = (phrases::clause_start(text, at), phrases::clause_end(text, at));
    let back = |most: usize| at.saturating_sub(most).max(start)..at;
    match text.word(at) {
        // "We work without mercury thermometers"
        "without" => {
            let works = phrases::verb(text.word(at.wrapping_sub(1)), &["work", "do", "manage", "go", "cope"]).is_some();
            let we = back(4).any(|t| lists!("we you everyone everybody class", text.word(t)));
            (works && we && !text.word(at + 1).ends_with("ing")).then(|| after(text, at + 1..end))?
        }
        // "Hot glue guns are not for this class"
        "for" if phrases::is_denial(text.word(at.wrapping_sub(1))) => {
            let is = at.checked_sub(2).filter(|is| lists!("is are isn't aren't", text.word(*is)))?;
            let us = lists!("us", text.word(at + 1))
                || lists!("this our", text.word(at + 1))
                    && lists!("class age group lesson room grade level school", text.word(at + 2))
                || lists!("primary classroom school", text.word(at + 1));
            (us && end <= at + 4).then(|| things(text, start..is))
        }
        // "Leave lasers at home"
        "leave" if at == start => {
            let home = (at + 2..end.min(at + 7)).find(|t| text.has_at(*t, &["at", "home"]))?;
            Some(things(text, at + 1..home))
        }
        // "In place of razor blades, use plastic knives"
        "of" if lists!("place instead", text.word(at.wrapping_sub(1))) => {
            // "Latex allergy? Use the glove instead of a balloon" speaks to some.
            let some = sentence.start.checked_sub(1).is_some_and(|before| phrases::is_question(text, before));
            if some || sentence.clone().any(|t| lists!("allergy allergic allergies anyone those", text.word(t))) {
                return None;
            }
            let used = sentence
                .clone()
                .find(|t| text.word(*t) == "use" && phrases::actor(text, *t) == Some(phrases::Actor::Reader))?;
            let may = sentence.clone().any(|t| lists!("can may could might or also", text.word(t)));
            let stop = if used > at { end.min(used) } else { end };
            (!may && stop > at + 1 && stop - at <= 5).then(|| things(text, at + 1..stop))
        }
        // "Please bring nothing made of glass"
        "nothing" if phrases::verb(text.word(at.wrapping_sub(1)), &["bring", "use", "wear", "carry"]).is_some() => {
            let made = (at + 1..end.min(at + 4)).find(|t| lists!("of with containing", text.word(*t)))?;
            after(text, made + 1..end)
        }
        // "School rules forbid balloons"
        "forbid" | "prohibit" | "ban" | "bans" | "outlaw"
            if back(4).any(|t| lists!("rules regulations guidelines policy laws", text.word(t)))
                && authority(text, start..at) =>
        {
            after(text, at + 1..end)
        }
        // "No nuts of any kind come into the room"
        "come" | "comes" | "enter" | "enters" | "cross" | "crosses" => {
            let denied = at.checked_sub(1).filter(|t| {
                lists!("not never", text.word(*t)) || text.word(*t).ends_with("n't") && !lists("can't", text.word(*t))
            });
            // "Nuts, whole or shelled, do not come through the lab door"
            let door = (at + 1..end.min(at + 6)).any(|t| lists!("door doors threshold doorway gate", text.word(t)))
                && lists!("through past the our this", text.word(at + 1));
            if let Some(not) = denied.filter(|_| door) {
                let aux = not
                    .checked_sub(1)
                    .filter(|t| *t >= sentence.start && lists!("do does may must will shall", text.word(*t)))?;
                let parts = start < aux;
                let before = sentence.start..aux;
                let first = before.clone().find(|t| text.word(*t) == ",").filter(|_| !parts || start > sentence.start);
                let from =
                    before.clone().rev().find(|t| lists!(": ; – —", text.word(*t))).map_or(before.start, |t| t + 1);
                let stop = first.filter(|comma| *comma > from).unwrap_or(aux);
                return (stop - from <= 4).then(|| kept(things(text, from..stop)));
            }
            if let Some(not) = denied {
                let aux =
                    not.checked_sub(1).filter(|t| lists!("do does may must will shall", text.word(*t))).unwrap_or(not);
                let placed = lists!("into in", text.word(at + 1)) && everywhere(text, at + 1..end);
                return (placed && aux > start && aux - start <= 4).then(|| kept(things(text, start..aux)));
            }
            let no = (start..at).rev().find(|t| text.word(*t) == "no")?;
            let placed = door || lists!("into the in this", text.word(at + 1)) && everywhere(text, at + 1..end);
            (placed && at - no <= 6).then(|| things(text, no + 1..at))
        }
        // "Balloons: not allowed", "Lasers - banned"
        "allowed" | "permitted" | "banned" | "forbidden" | "prohibited" => {
            let denied = phrases::is_denial(text.word(at.wrapping_sub(1)))
                || lists!("strictly absolutely", text.word(at.wrapping_sub(1)));
            let first = if denied { at.checked_sub(1)? } else { at };
            let bare =
                if lists!("allowed permitted", text.word(at)) { phrases::is_denial(text.word(first)) } else { true };
            let sign = first.checked_sub(1).filter(|t| lists!(": - – —", text.word(*t)))?;
            let short = sign > sentence.start && sign - sentence.start <= 5 && first == start.max(first);
            (bare && short && everywhere(text, at + 1..end)).then(|| things(text, sentence.start..sign))
        }
        // "Inflatable items, including balloons, are not permitted"
        "including" | "like" => {
            let listed = text.word(at) == "including" || text.word(at.wrapping_sub(1)) == ",";
            let verdict = (end..sentence.end)
                .find(|t| lists!("allowed permitted banned forbidden prohibited used", text.word(*t)))?;
            let denied = (end..verdict).any(|t| phrases::is_denial(text.word(t)))
                || lists!("banned forbidden prohibited", text.word(verdict))
                || text.word(sentence.start) == "no";
            let verdict_end = phrases::clause_end(text, verdict);
            (listed && denied && verdict - end <= 6 && everywhere(text, verdict + 1..verdict_end))
                .then(|| things(text, at + 1..end))
        }
        _ => None,
    }
    .map(kept)
}

/// Words of which a thing of one name can have only one.
const EXCLUSIVE: [&str; 7] = [
    "plastic glass metal steel wooden ceramic",
    "water permanent oil solvent",
    "blunt rounded safety sharp pointed",
    "led halogen filament incandescent",
    "latex nitrile vinyl",
    "digital mercury",
    "bar horseshoe ring disc button",
];

/// Where one kind of a thing alone is allowed, with a material of that name and another kind: "only water-based markers".
pub(super) fn other_kind<'l, 'c>(lesson: &'l Lesson<'c>) -> Option<(&'l Text<'c>, usize, &'l Text<'c>)> {
    let materials = lesson.materials();
    lesson.safety().find_map(|rule| {
        let at = *rule.kept(|rule| rule.find(&["only"]).into_iter().collect()).first()?;
        let sentence = rule.sentence(at);
        let open = sentence.clone().any(|t| lists!("unless except if when for near until while in on", rule.word(t)));
        let (start, end) = (phrases::clause_start(rule, at), phrases::clause_end(rule, at));
        let closes = at + 1 == end && at > start && at - start <= 4;
        let leads = at == start || phrases::verb(rule.word(at.wrapping_sub(1)), &["use", "bring"]).is_some();
        let range = if closes { start..at } else { at + 1..end };
        let group = phrases::groups(rule, range).into_iter().find(|group| group.preposition.is_empty())?;
        if open || !(closes || leads) || phrases::is_denied(rule, at) {
            return None;
        }
        let mut words = group.words;
        let stop = words.iter().position(|word| lists!("may allowed permitted can used", word)).unwrap_or(words.len());
        words.truncate(stop);
        words.retain(|word| !lists("based use bring", word));
        let (head, kinds) = words.split_last()?;
        let row = kinds.iter().find_map(|kind| Some((kind, EXCLUSIVE.iter().find(|row| lists(row, kind))?)));
        let (kind, row) = row?;
        let other = materials.iter().find(|material| {
            let name = material.name;
            let last = name.material().map(|noun| noun.head.as_str()) == Some(head.as_str());
            let has = |words: &dyn Fn(&str) -> bool| (0..name.tokens.len()).any(|t| words(name.lemma(t)));
            last && !has(&|word| word == kind) && has(&|word| lists(row, word)) && material.notes.is_none()
        })?;
        Some((rule, at, other.name))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::count;

    #[test]
    fn a_ban_is_read_in_many_ways() {
        for (safety, material) in [
            ("We work without mercury thermometers.", "mercury thermometer"),
            ("Hot glue guns are not for this class.", "hot glue gun"),
            ("Leave lasers at home.", "laser pointer"),
            ("In place of razor blades, use plastic knives.", "single-edge razor blade"),
            ("Please bring nothing made of glass.", "glass bottle"),
            ("School rules forbid balloons.", "balloons"),
            ("Because of allergies, no nuts of any kind come into the room.", "bag of peanuts"),
            ("Borax does not come into this house, not even a pinch.", "Borax solution"),
            ("Balloons: not allowed.", "balloons"),
            ("Inflatable items of any kind, including balloons, are not permitted.", "Balloons"),
            ("Lead weights have been withdrawn.", "lead fishing weights"),
            ("Glass is banned at the pond.", "glass jar"),
            ("Only water-based markers may be used.", "permanent markers"),
            ("Plastic scissors only; metal ones stay in the cupboard.", "steel scissors"),
            ("Foil is the one and only reflector you may use.", "Shaving mirror"),
            ("Pencil is the only thing you may write or draw with.", "Black fineliner"),
            ("Nuts, whole or shelled, do not come through the lab door.", "Walnut"),
            ("No nuts come through the door.", "Walnut"),
            ("The deck is a no-glass zone, whatever the shape.", "Glass bottle"),
            ("The board allows no instrument with mercury in it on the premises.", "Mercury thermometer"),
            ("The table is kept free of honey and everything made by bees.", "Honey"),
        ] {
            assert_eq!(count(safety, material, "Begin."), 1, "{safety} / {material}");
        }
    }

    #[test]
    fn what_only_sounds_like_a_ban_is_passed_over() {
        for (safety, material) in [
            ("We work without rushing.", "rush mat"),
            ("Leave the glue at the front desk.", "glue"),
            ("Instead of a beaker you may use a jar.", "beaker"),
            ("Metal scissors are not allowed.", "plastic scissors"),
            ("Only water-based markers may be used.", "water-based markers"),
            ("Only plastic beakers may be used.", "beaker"),
            ("Balloons are not allowed outside.", "balloons"),
            ("No open flames.", "battery tea lights"),
            ("No open shoes.", "shoe box"),
            ("Knives are not for cutting paper.", "knife"),
            ("Animals do not come into contact with the acid.", "animal cards"),
            ("Students bring nothing to the bench but a pencil.", "pencil"),
            ("Latex allergy? Use the glove instead of a balloon.", "balloon"),
            ("The deck is a no-go zone for bottles.", "bottle"),
            ("The light does not come through the door.", "light"),
        ] {
            assert_eq!(count(safety, material, "Begin."), 0, "{safety} / {material}");
        }
    }
}
