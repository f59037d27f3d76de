//! Verdicts on a thing, in whatever words: "candles have no business here", "keep nuts out of the room", "nobody brings
//! glitter". What is judged stands before the verdict, or after it.

use std::ops::Range;

use super::Ban;
use super::rules::{after, authority, everywhere, kept, named, things};
use crate::assistant::facts::lesson::{Role, Text};
use crate::assistant::facts::phrases::{self, lists};

/// Verdicts on what stands before them.
const AFTER: [&[&str]; 22] = [
    &["are", "a", "no"],
    &["is", "a", "no"],
    &["is", "a", "no", "-", "no"],
    &["are", "a", "no", "-", "no"],
    &["has", "no", "business"],
    &["have", "no", "business"],
    &["stay", "at", "home"],
    &["stays", "at", "home"],
    &["remain", "at", "home"],
    &["remains", "at", "home"],
    &["stay", "out", "of"],
    &["stays", "out", "of"],
    &["is", "off", "the", "list"],
    &["are", "off", "the", "list"],
    &["is", "off", "the", "menu"],
    &["are", "off", "the", "menu"],
    &["are", "cheating"],
    &["is", "cheating"],
    &["is", "not", "approved"],
    &["are", "not", "approved"],
    &["is", "not", "something", "we"],
    &["are", "not", "something", "we"],
];

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
        let open = sentence.clone().any(|t| {
            lists!(
                "unless except apart until excepted otherwise permission if why optional when while before after near \
                 without allergic allergy",
                text.word(t),
            )
        });
        let open = open && !sentence.clone().any(|t| text.has_at(t, &["do", "without"]));
        if open || phrases::is_question(text, sentence.start) {
            continue;
        }
        for at in sentence.clone() {
            let start = phrases::clause_start(text, at);
            let end = phrases::clause_end(text, at);
            let Some(judged) = before(text, start..end, at).or_else(|| behind(text, start..end, at)) else { continue };
            found.extend(kept(judged).into_iter().map(|(at, words)| Ban { text, at, words, pupils_only: false }));
        }
    }
    found
}

/// A thing, and where it is named.
type Named = (usize, Vec<String>);

/// What stands before the verdict that begins at a token.
fn before(text: &Text, clause: Range<usize>, at: usize) -> Option<Vec<Named>> {
    let verdict = AFTER.iter().find(|words| text.has_at(at, words)).map(|words| at + words.len());
    // "Superglue isn't to be used by anybody"
    let to_be = || {
        let not = if lists!("isn't aren't", text.word(at)) { at + 1 } else { at + 2 };
        let denied = not == at + 1 || lists!("is are", text.word(at)) && text.word(at + 1) == "not";
        let done = lists!("used handled brought bought kept employed", text.word(not + 2));
        (denied && done && text.has_at(not, &["to", "be"])).then_some(not + 3)
    };
    // "Latex is out", but not "the sun is out"
    let out = || {
        let bare = !lists("the your all any this that it they a an", text.word(clause.start));
        let ends = at + 2 == clause.end;
        (bare && ends && at < clause.start + 4 && lists!("is are", text.word(at)) && text.word(at + 1) == "out")
            .then_some(at + 2)
    };
    // "Glass never leaves the prep room"
    let leaves = || {
        let stays = lists!("leave leaves", text.word(at + 1))
            && (at + 2..clause.end).any(|t| lists!("cupboard store storeroom prep locker cabinet", text.word(t)));
        (text.word(at) == "never" && stays).then_some(clause.end)
    };
    let end = verdict.or_else(to_be).or_else(out).or_else(leaves)?;
    if at <= clause.start || (clause.start..at).any(|t| phrases::is_denial(text.word(t))) {
        return None;
    }
    let placed = text.word(end.wrapping_sub(1)) == "of" || text.word(end.wrapping_sub(1)) == "we";
    let here = everywhere(text, end..clause.end)
        || placed && (end..clause.end).all(|t| lists!("may can use have buy bring the our this", text.word(t)))
        || (end..clause.end).all(|t| lists!("by anybody anyone of permitted allowed chemicals chemical", text.word(t)));
    here.then(|| named(text, clause.start..at))
}

/// What stands behind the verdict that begins at a token.
fn behind(text: &Text, clause: Range<usize>, at: usize) -> Option<Vec<Named>> {
    let word = text.word(at);
    let first = at == clause.start || lists!("please and so always", text.word(at.wrapping_sub(1)));
    match word {
        // "Avoid latex altogether"
        "avoid" if first => {
            let all = (at + 1..clause.end)
                .find(|t| lists!("altogether entirely completely", text.word(*t)) || text.has_at(*t, &["at", "all"]))?;
            Some(things(text, at + 1..all))
        }
        // "Keep nuts out of the room"
        "keep" if first => {
            let out = (at + 2..clause.end.min(at + 8)).find(|t| text.has_at(*t, &["out", "of"]))?;
            let room = (out + 2..clause.end)
                .any(|t| lists!("room classroom lab laboratory building school kitchen house gym hall", text.word(t)));
            (room && everywhere(text, out + 2..clause.end)).then(|| things(text, at + 1..out))
        }
        // "Our insurance rules out knives"
        "rules" | "rule" if text.word(at + 1) == "out" && authority(text, clause.start..at) => {
            after(text, at + 2..clause.end)
        }
        // "Say no to glitter"
        "say" if first && text.has_at(at + 1, &["no", "to"]) => after(text, at + 3..clause.end),
        // "You will have to do without a calculator"
        "do" if text.word(at + 1) == "without" => {
            let we = (clause.start..at).any(|t| lists!("we you everyone everybody", text.word(t)));
            (we && !text.word(at + 2).ends_with("ing")).then(|| after(text, at + 2..clause.end))?
        }
        // "No one is to bring nuts", "nobody brings glitter"
        "bring" | "brings" | "use" | "uses" | "keep" | "have" => {
            let nobody = (clause.start..at).any(|t| {
                lists!("nobody noone", text.word(t))
                    || text.has_at(t, &["no", "one"])
                    || text.has_at(t, &["may", "not"])
            });
            let we = (clause.start..at).any(|t| lists!("we nobody one noone everyone you", text.word(t)));
            let verb = !lists("keep have", word) || text.word(at.wrapping_sub(1)) == "not";
            (nobody && we && verb && at - clause.start <= 5).then(|| after(text, at + 1..clause.end))?
        }
        // "The museum does not let us bring in soil"
        "let" | "allow" if phrases::is_denial(text.word(at.wrapping_sub(1))) && authority(text, clause.start..at) => {
            let verb = (at + 1..clause.end.min(at + 6)).find(|t| lists!("bring use have take", text.word(*t)))?;
            let first = verb + 1 + usize::from(lists!("in along", text.word(verb + 1)));
            after(text, first..clause.end)
        }
        // "Please, no peanuts or anything made from them"
        "no" if at == clause.start && lists!("please", text.word(at.wrapping_sub(2))) => {
            let stop = (at + 1..clause.end).find(|t| lists!("or and", text.word(*t))).unwrap_or(clause.end);
            (everywhere(text, stop..stop) && stop <= at + 4).then(|| things(text, at + 1..stop))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::count;

    #[test]
    fn a_verdict_on_what_is_listed_is_found() {
        for (safety, material) in [
            ("Balloons are a no here: two of us react to latex.", "Balloon"),
            ("Latex is out: a child reacts to it.", "Latex gloves"),
            ("Candles have no business in this room.", "Tealight candle"),
            ("Glass never leaves the prep room.", "Glass beaker"),
            ("Superglue isn't to be used by anybody.", "Superglue"),
            ("Under our risk assessment, iodine crystals are not to be handled in school.", "Iodine crystals"),
            ("The use of hot glue is not approved.", "Hot glue gun"),
            ("Avoid latex altogether.", "Latex gloves"),
            ("Keep nuts out of the room.", "Walnuts"),
            ("Our insurance rules out knives.", "Kitchen knife"),
            ("Say no to glitter.", "Glitter"),
            ("You will have to do without a calculator.", "Calculator"),
            ("No one is to bring nuts.", "Walnuts"),
            ("The museum does not let us bring in soil.", "Potting soil"),
            ("Knives stay at home.", "Kitchen knife"),
        ] {
            assert_eq!(count(safety, material, "Begin."), 1, "{safety} / {material}");
        }
    }

    #[test]
    fn what_is_no_verdict_or_has_a_scope_is_passed_over() {
        for (safety, material) in [
            ("The candle is out.", "Candle"),
            ("Make sure that all flames are out.", "Candle"),
            ("Keep the salt out of the water.", "Salt"),
            ("Keep the cups out of the sun.", "Cup"),
            ("Avoid the glass.", "Glass jar"),
            ("Avoid getting glue on your skin.", "Glue"),
            ("Knives are not to be used near the edge.", "Knife"),
            ("The knife is not to be used without a board.", "Knife"),
            ("Balloons are a nice way to show it.", "Balloon"),
            ("Nobody keeps scissors open.", "Scissors"),
            ("Nobody uses a knife without a board.", "Knife"),
            ("The scissors never leave the table.", "Scissors"),
            ("Anyone with an allergy will do without the glove.", "Glove"),
        ] {
            assert_eq!(count(safety, material, "Begin."), 0, "{safety} / {material}");
        }
    }
}
