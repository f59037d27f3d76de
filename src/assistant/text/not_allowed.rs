//! What a lesson bans and yet lists or uses: "no glass is permitted", and a glass jar among the materials.
//!
//! Only a ban without a condition counts; one that names a place or a time is held against nothing else.

use super::{Match, conflict};
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::phrases;
use crate::assistant::facts::words::lemma;

/// Names of groups of things, with what belongs to them.
const FAMILIES: [(&str, &str); 13] = [
    ("phone smartphone cellphone mobile", "phone smartphone cellphone mobile"),
    ("screen device electronics electronic", "phone smartphone tablet laptop ipad chromebook computer"),
    ("computer", "computer laptop chromebook"),
    ("nut peanut", "peanut almond walnut cashew pecan hazelnut pistachio"),
    ("flame fire", "candle bunsen match matchstick matchbox lighter tealight burner campfire"),
    ("candle", "candle tealight"),
    ("glass glassware", "glass glassware"),
    ("blade knife", "knife scalpel razor blade"),
    ("soil dirt", "soil dirt compost loam"),
    ("bleach", "bleach"),
    ("perfume fragrance", "perfume cologne"),
    ("milk dairy", "milk cheese yogurt cream butter"),
    ("egg", "egg"),
];

/// Groups that are of one stuff: a list of only the one has none of the others.
const STUFFS: [&str; 4] = ["plastic", "glass", "metal", "wooden"];

/// Words that are no things, after which "no" bans nothing that could be listed.
const NO_THINGS: &str = "running run food drink time student pupil child person group way need more hand finger bare step talking \
    shouting pushing tasting eating peeking water part side talk horseplay change follow class lesson school \
    repeat team use answer question work help touch extra loose long jewellery jewelry sandal hair colour \
    preservative air light heat stirring electricity mains sound";

/// Words after which a ban is no longer general.
const SCOPES: &str = "near if when while until unless except before after to as for than but without alone unsupervised other \
    between over inside directly during that which apart";

/// Words that belong to a general place or time.
const EVERYWHERE: &str = "in on at of the this our any room classroom lab laboratory building school lesson class today here \
    campus kind outside anywhere all ground";

/// A thing that is not to be used, and where that is said.
struct Ban<'l, 'c> {
    text: &'l Text<'c>,
    at: usize,
    words: Vec<String>,
    /// Whether only those who learn must not.
    pupils_only: bool,
}

/// What the lesson bans and has.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let mut found: Vec<Match> = Vec::new();
    for ban in lesson.texts.iter().flat_map(bans) {
        let Some((text, at)) = broken_by(lesson, &ban) else { continue };
        let known = |known: &Match| {
            known.finding.evidence.last().is_some_and(|place| place.field_path == text.path.to_string())
        };
        if found.iter().any(known) {
            continue;
        }
        let thing = ban.words.join(" ");
        let reason = format!(
            "\"{}\" rules out {thing}, but \"{}\" has it.",
            ban.text.words(&ban.text.sentence(ban.at)),
            text.words(&text.sentence(at))
        );
        let quote = if matches!(text.role, Role::Step(_)) { text.quote_sentence(at) } else { text.quote_all() };
        found.push(
            conflict("not_allowed", ban.text.quote_sentence(ban.at), quote, reason)
                .suggesting(format!("Use something that is allowed in place of the {thing}, or lift the ban.")),
        );
    }
    found
}

/// The things that a text bans without a condition.
fn bans<'l, 'c>(text: &'l Text<'c>) -> Vec<Ban<'l, 'c>> {
    let general = matches!(
        text.role,
        Role::Safety(_)
            | Role::Objective(_)
            | Role::Title
            | Role::DrivingQuestion
            | Role::Curriculum
            | Role::MaterialNotes(_)
    );
    let in_step = matches!(text.role, Role::Step(_));
    let mut found = Vec::new();
    for sentence in text.sentences() {
        if !(general || in_step) || phrases::is_question(text, sentence.start) {
            continue;
        }
        let mut add = |at: usize, words: Vec<String>| {
            let banned = words.last().is_some_and(|head| head.len() > 2 && !phrases::lists(NO_THINGS, head));
            if banned && words.len() <= 3 && !words.iter().any(|word| phrases::lists(NO_THINGS, word)) {
                let pupils_only = sentence
                    .clone()
                    .any(|at| matches!(text.word(at), "students" | "pupils" | "children" | "learners" | "student"));
                found.push(Ban { text, at, words, pupils_only });
            }
        };
        for at in sentence.clone() {
            let opens = at == phrases::clause_start(text, at);
            let end = phrases::clause_end(text, at);
            match text.word(at) {
                // "No glass is permitted outside", "no mirrors or lenses are allowed", "No phones."
                "no" if general => {
                    let verb = (at + 1..end)
                        .find(|t| phrases::lists("is are may can will should allowed permitted", text.word(*t)));
                    let allowed = verb.is_some_and(|verb| (verb..end).any(|t| is_allowing(text.word(t))));
                    let stops = verb.unwrap_or(end);
                    let closes = allowed && everywhere(text, verb.unwrap_or(end), end);
                    let bare = verb.is_none()
                        && opens
                        && matches!(text.role, Role::Safety(_))
                        && everywhere_after_noun(text, at + 1, end);
                    if closes || bare {
                        for group in
                            phrases::groups(text, at + 1..stops).into_iter().filter(|g| g.preposition.is_empty())
                        {
                            let tokens = group.tokens.clone();
                            add(tokens.start, open_flame(group.words));
                        }
                    }
                }
                // "Mercury thermometers may not be used", "Phones are not allowed / banned"
                "may" | "must" | "can" | "should" | "are" | "is" | "cannot"
                    if opens_after_noun(text, at, sentence.start) =>
                {
                    let said = text.word(at) == "cannot" || matches!(text.word(at + 1), "not" | "never");
                    let banned = (at + 1..end).find(|t| matches!(text.word(*t), "banned" | "prohibited" | "forbidden"));
                    let used = (at + 1..end.min(at + 5)).find(|t| is_allowing(text.word(*t)));
                    let verb = if said { used } else { banned.filter(|t| *t <= at + 2) };
                    if let Some(verb) = verb
                        && !(banned.is_some() && said)
                        && everywhere(text, verb + 1, end)
                    {
                        let start = phrases::clause_start(text, at);
                        for group in phrases::groups(text, start..at).into_iter().filter(|g| g.preposition.is_empty()) {
                            let tokens = group.tokens.clone();
                            add(tokens.start, before_participle(group.words));
                        }
                        for group in
                            phrases::groups(text, start..at).into_iter().filter(|g| g.preposition == "with").take(1)
                        {
                            let tokens = group.tokens.clone();
                            add(tokens.start, group.words);
                        }
                    }
                }
                // "Do not use phones", "never use glass"
                "use" | "bring"
                    if matches!(text.word(at.wrapping_sub(1)), "not" | "never" | "don't" | "cannot" | "can't")
                        && !in_step
                        && !phrases::is_supposed(text, at)
                        && everywhere_after_noun(text, at + 1, end) =>
                {
                    for group in phrases::groups(text, at + 1..end).into_iter().filter(|g| g.preposition.is_empty()) {
                        let tokens = group.tokens.clone();
                        add(tokens.start, open_flame(group.words));
                    }
                }
                // "Power packs stay in the cupboard"
                "stay" | "stays" | "remain" | "remains"
                    if general && text.has_at(at + 1, &["in"]) || text.has_at(at + 1, &["switched", "off", "in"]) =>
                {
                    let away = (at + 1..end).any(|t| {
                        phrases::lists("cupboard bags bag lockers locker drawer backpacks backpack", text.word(t))
                    });
                    let late =
                        (at..end).any(|t| matches!(text.word(t), "until" | "when" | "unless" | "while" | "overnight"));
                    let start = phrases::clause_start(text, at);
                    if let Some(group) = phrases::groups(text, start..at).into_iter().next().filter(|_| away && !late) {
                        let tokens = group.tokens.clone();
                        add(tokens.start, group.words);
                    }
                }
                // "This is a latex-free school", "nut-free classroom"
                "free"
                    if text.word(at.wrapping_sub(1)) == "-"
                        && at >= 2
                        && !matches!(text.role, Role::MaterialNotes(_)) =>
                {
                    let place = (at + 1..end.min(at + 4)).any(|t| {
                        phrases::lists(
                            "room classroom school building lab zone site lesson campus kitchen table class",
                            text.word(t),
                        )
                    });
                    if place && !phrases::is_denied(text, at) {
                        add(at - 2, vec![lemma(text.word(at - 2))]);
                    }
                }
                // "Plastic beakers only", "plasticware only", "only plastic containers"
                "only" if matches!(text.role, Role::Safety(_)) => {
                    let start = phrases::clause_start(text, at);
                    let stuff = |t: usize| {
                        let word = text.word(t);
                        STUFFS.into_iter().find(|stuff| *stuff == word || word.strip_suffix("ware") == Some(stuff))
                    };
                    let closes = at + 1 == end && at - start <= 3;
                    let named = if closes {
                        (start..at).find_map(stuff)
                    } else if opens || matches!(text.word(at.wrapping_sub(1)), "use") {
                        stuff(at + 1)
                    } else {
                        None
                    };
                    let short = !closes || at - start <= 2 || text.word(at - 1).ends_with('s');
                    let vessel = closes
                        || (at + 2..end).all(|t| {
                            phrases::lists("containers beakers cups bottles jars vessels in the lab room outside outdoors may be used are allowed", text.word(t))
                        });
                    if named == Some("plastic") && short && vessel {
                        add(at, vec!["glass".to_owned()]);
                    }
                }
                _ => {}
            }
        }
    }
    found
}

fn is_allowing(word: &str) -> bool {
    matches!(word, "allowed" | "permitted" | "used" | "use" | "permissible" | "welcome" | "brought" | "acceptable")
}

/// "open flames" and "naked lights" are flames.
fn open_flame(mut words: Vec<String>) -> Vec<String> {
    let head = words.pop();
    words.retain(|word| !phrases::lists("open naked exposed lit live personal cell allowed mobile smart", word));
    words.extend(head);
    words
}

/// "glass thermometers containing mercury": what they contain is what is banned.
fn before_participle(words: Vec<String>) -> Vec<String> {
    match words.iter().position(|word| matches!(word.as_str(), "containing" | "contain" | "made")) {
        Some(at) => {
            let (thing, stuff) = words.split_at(at);
            stuff.iter().skip(1).chain(thing.last()).cloned().collect()
        }
        None => open_flame(words),
    }
}

/// Whether the words from here on only say that it holds in the whole lesson.
fn everywhere(text: &Text, start: usize, end: usize) -> bool {
    let scoped = (start..end).any(|at| phrases::lists(SCOPES, text.word(at)));
    let excepted = text.tokens.get(end).is_some()
        && text.sentence(end).end > end
        && (end..text.sentence(end).end)
            .any(|at| matches!(text.word(at), "unless" | "except" | "apart" | "until" | "but"));
    let (verbs, words) = (
        (start..end)
            .filter(|at| {
                is_allowing(text.word(*at))
                    || matches!(text.word(*at), "is" | "are" | "be" | "may" | "can" | "will" | "should")
            })
            .count(),
        (start..end).len(),
    );
    let known = (start..end).filter(|at| phrases::lists(EVERYWHERE, text.word(*at))).count();
    !scoped && !excepted && words <= verbs + known + 1
}

/// The same, after a group of nouns.
fn everywhere_after_noun(text: &Text, start: usize, end: usize) -> bool {
    let noun = (start..end)
        .take_while(|at| !matches!(text.word(*at), "in" | "on" | "at" | "of" | "today" | "here" | "anywhere"))
        .count();
    let scoped = (start..end).any(|at| phrases::lists(SCOPES, text.word(at)));
    noun <= 6 && !scoped && everywhere(text, start + noun, end)
}

/// Whether a short group of nouns stands between the beginning of the clause and the verb.
fn opens_after_noun(text: &Text, at: usize, start: usize) -> bool {
    let from = phrases::clause_start(text, at).max(start);
    (1..=6).contains(&(at - from))
        && !(from..at).any(|t| {
            phrases::lists(SCOPES, text.word(t))
                || phrases::is_denial(text.word(t))
                || matches!(text.word(t), "there" | "it" | "they" | "you")
        })
}

/// Where the lesson lists or uses what is banned.
fn broken_by<'l, 'c>(lesson: &'l Lesson<'c>, ban: &Ban) -> Option<(&'l Text<'c>, usize)> {
    let listed = lesson.materials().into_iter().find_map(|material| {
        let at = names(material.name, ban, 0..material.name.tokens.len())?;
        let notes = material.notes.filter(|notes| ban.text.path != notes.path);
        let spared = notes.is_some_and(|notes| {
            let word = |at| notes.word(at);
            (0..notes.tokens.len()).any(|at| {
                phrases::is_denial(word(at))
                    || ban.pupils_only && phrases::is_teacher(notes, at)
                    || phrases::lists(
                        "free plastic optional battery fake alternative dummy led unlit display",
                        word(at),
                    )
            })
        });
        let own = ban.text.role == Role::MaterialNotes(material.index);
        (!spared && !own).then_some((material.name, at))
    });
    listed.or_else(|| lesson.steps().find_map(|(_, step)| Some((step, used(step, ban)?))))
}

/// Where the banned thing is named.
fn names(text: &Text, ban: &Ban, range: std::ops::Range<usize>) -> Option<usize> {
    let (head, modifiers) = ban.words.split_last()?;
    let family = FAMILIES.iter().find(|(names, _)| phrases::lists(names, head)).map(|(_, members)| *members);
    let spared = |at: usize| {
        let around = [at.wrapping_sub(1), at.wrapping_sub(2), at + 1, at + 2];
        around.iter().any(|at| {
            phrases::lists("free fake led battery plastic toy paper picture photo non without no not wing hex bolt bolts magnifying fiber safety for", text.word(*at))
        })
    };
    range.clone().find(|at| {
        let word = lemma(text.word(*at));
        let is_head = word == *head || family.is_some_and(|members| phrases::lists(members, &word));
        is_head
            && !spared(*at)
            && modifiers.iter().all(|modifier| range.clone().any(|t| lemma(text.word(t)) == *modifier))
    })
}

/// Where a step uses the banned thing.
fn used(step: &Text, ban: &Ban) -> Option<usize> {
    const USES: [&str; 16] = [
        "use", "take", "grab", "get", "bring", "fetch", "light", "connect", "switch", "turn", "strike", "borrow",
        "collect", "open", "add", "hold",
    ];
    step.sentences()
        .into_iter()
        .filter(|sentence| step.path != ban.text.path && !phrases::is_question(step, sentence.start))
        .find_map(|sentence| {
            let at = names(step, ban, sentence)?;
            let start = phrases::clause_start(step, at);
            let near = start.max(at.saturating_sub(6));
            let by = (near..at)
                .find(|t| phrases::verb(step.word(*t), &USES).is_some() || matches!(step.word(*t), "with" | "on"))?;
            let with = !matches!(step.word(by), "on") || step.word(by + 1) == "your";
            let away = (start..phrases::clause_end(step, at)).any(|t| {
                matches!(step.word(t), "away" | "off" | "instead" | "teacher" | "imagine" | "pretend")
                    || phrases::is_denial(step.word(t))
            });
            (with && !away && at - by <= 4 && !phrases::is_supposed(step, at)).then_some(at)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn count(safety: &str, material: &str, step: &str) -> usize {
        let content = json!({"materials": [{"name": material}], "steps": [{"text": step}], "safety": [safety]});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn what_is_banned_and_listed_or_used_is_found() {
        for (safety, material, step) in [
            ("No latex of any kind is allowed in this building.", "Latex balloon, 12-inch", ""),
            (
                "Glass thermometers containing mercury may not be used anywhere in school.",
                "Mercury-in-glass thermometer",
                "",
            ),
            ("We work outdoors: plasticware only, no glass is permitted outside.", "Glass jam jar with lid", ""),
            ("Plastic containers only.", "Glass beaker, 250 mL", ""),
            (
                "Only cells: power packs stay in the cupboard this lesson.",
                "Wire",
                "Connect the power pack through the switch.",
            ),
            ("Phones are not allowed.", "Ruler", "Use your phone to film the fall."),
            ("Mobile phones are banned.", "Smartphone", ""),
            ("This is a nut-free classroom.", "Peanut butter", ""),
            ("No open flames in the room.", "Tealight candle", ""),
            ("Calculators are not permitted.", "Calculator", ""),
            ("Do not use calculators.", "Ruler", "Work out the mean with a calculator."),
            ("Never use glass in this lesson.", "Glass rod", ""),
        ] {
            assert_eq!(count(safety, material, step).min(1), 1, "{safety}");
        }
    }

    #[test]
    fn bans_with_a_scope_and_things_that_only_sound_alike_are_passed_over() {
        for (safety, material, step) in [
            ("No glass on the floor.", "Plastic jar", "Put your phones away."),
            ("No phones near the water.", "Phone", "Use your phone."),
            ("Phones are not allowed until the experiment is over.", "Phone", ""),
            ("This is a nut-free classroom.", "Hex nut and bolt", ""),
            ("Latex balloons may not be used by anyone with an allergy.", "Latex balloon", ""),
            ("No glass is allowed outside.", "Magnifying glass", ""),
            ("No open flames in the room.", "LED candle", "Put your phones in the box"),
            ("Do not use the scissors to open the bag.", "Scissors", "Cut with the scissors."),
            ("No running.", "Running shoes", "Run the test with the shoes."),
            ("No extra mass on the cart unless the teacher has clamped the sensor.", "Mass", ""),
            ("Students may not use the scalpel.", "Ruler", "The teacher cuts it with the scalpel."),
            ("Telefone sind verboten.", "Telefon", ""),
            ("Keine Handys.", "Handy", ""),
        ] {
            assert_eq!(count(safety, material, step), 0, "{safety}");
        }
    }
}
