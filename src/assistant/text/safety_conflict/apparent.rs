//! What only looks like a breach: words that are no action, and rules that speak of another.

use super::super::Match;
use super::deeds::CONTAINERS;
use super::other_deeds::{is_another_deed, is_ordered};
use crate::assistant::facts::actions::Action;
use crate::assistant::facts::hands;
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::prohibitions::Ban;
use crate::assistant::facts::words::{self, Token};

/// What blows in place of a mouth.
const PUMPS: &str = "pump pumps inflator compressor bellows";

/// Whether what looks like an action is none, or not the one that the rule bans: "light from the candle", "the waste jar by
/// the sink", "talk about what you eat", "throw away".
pub(super) fn is_none(ban: &Ban, step: &Text, at: usize, done: Action) -> bool {
    let beside = || {
        step.sentence(at).any(|t| {
            lists!("sink drain", step.word(t))
                && (t.saturating_sub(3)..t).any(|b| lists!("by near beside at to", step.word(b)))
        })
    };
    let aims = |text: &Text, at: usize| text.sentence(at).any(|t| lists!("at towards toward", text.word(t)));
    hands::is_spoken(step, at)
        // "Heat it until it is almost boiling"
        || (at.saturating_sub(2)..at).any(|t| lists!("almost nearly", step.word(t)))
        || done == Action::Heat && phrases::is_form_of(ban.text.word(ban.at), "boil") && {
            let boils = |t: usize| phrases::is_form_of(step.word(t), "boil") || step.word(t) == "boil";
            !step.sentence(at).any(|t| boils(t) && !lists!("almost nearly not", step.word(t.wrapping_sub(1))))
        }
        // "Taste-free evaluation"
        || (step.word(at + 1) == "free" || step.has_at(at + 1, &["-", "free"]))
        // "Look at the plates under the lamp"
        || done == Action::Look
            && phrases::groups(step, at + 1..step.sentence(at).end).iter().any(|group| {
                lists!("under beneath", &group.preposition)
                    && phrases::content_words(ban.text, ban.text.sentence(ban.at)).contains(&group.head().to_owned())
            })
        // "Carry on in the same way"
        || lists!("carry carries", step.word(at)) && lists!("on out", step.word(at + 1))
        || step.word(at) == "light" && lists!("from of in that is travels bends goes spreads passes", step.word(at + 1))
        || is_ordered(ban.text, ban.at, step, at)
        || ban.pupils_only && is_another_deed(ban.text, ban.at, step, at)
        || done == Action::Point && aims_past_faces(step, at)
        // "Look through it towards the window, never at the Sun"
        || done == Action::Look
            && step.sentence(at).any(|t| {
                lists!("eclipse", step.word(t))
                    || lists!("never not", step.word(t)) && step.has_at(t + 1, &["at", "the", "sun"])
            })
        || done == Action::Drain && beside()
        // "Fill them with cold, cool and warm water"
        || done == Action::Heat && lists!("and or ,", step.word(at.wrapping_sub(1)))
            && lists!("cold cool cooler iced hot lukewarm", step.word(at.wrapping_sub(2)))
        // "Never throw them at people"
        || done == Action::Throw && (step.word(at + 1) == "away" || aims(ban.text, ban.at) && !aims(step, at))
}

/// Whether what is brought near the face is smelled there.
pub(super) fn is_sniffed(step: &Text, at: usize) -> bool {
    step.sentence(at).any(|t| {
        lists!("nose nostril nostrils", step.word(t))
            || phrases::verb(step.word(t), &["breathe", "sniff", "smell", "inhale"]).is_some()
    })
}

/// "Shine the torch at your partner's hand" meets no eye.
fn aims_past_faces(step: &Text, at: usize) -> bool {
    let face = |t: usize| lists!("eye eyes face faces head nose cheek", step.word(t));
    let past = |t: usize| {
        lists!(
            "hand hands palm palms arm arms wrist finger fingers thumb foot feet shoe shoes knee elbow back shirt sleeve jacket vest \
             shadow desk paper card cup book notebook mirror badge bag",
            step.word(t)
        ) && (step.word(t.wrapping_sub(1)).ends_with("'s") || lists!("their your s", step.word(t.wrapping_sub(1))))
    };
    let end = phrases::clause_end(step, at);
    (at + 1..end).any(past) && !(at + 1..end).any(face)
}

/// Whether a rule does not speak of what a step does: it is for those alone who bear something ill, for a room that the
/// step leaves, for what comes until something that the step has done, or for hands where the step has a tool.
pub(super) fn is_of_some(lesson: &Lesson, told: &Match) -> bool {
    let text = |at: usize| {
        let evidence = told.finding.evidence.get(at)?;
        let text = lesson.texts().iter().find(|text| text.path.to_string() == evidence.field_path)?;
        Some((text, words::tokens(&evidence.quote, 200)))
    };
    let (Some((rule, ruled)), Some((step, done))) = (text(0), text(1)) else { return false };
    let all = |text: &Text, words: &str| text.tokens.iter().any(|token| lists(words, &token.word));
    let has = |quote: &[Token], words: &str| quote.iter().any(|token| lists(words, &token.word));
    let ill =
        "allergy allergies allergic asthma asthmatic intolerance intolerant pregnant epilepsy sensitive wounds eczema";
    let left = "canteen cafeteria outside outdoors hall hallway corridor kitchen playground yard home lunchroom courtyard dining";
    let hands = "hand hands finger fingers fingertips fingertip thumb thumbs palm palms";
    let pages = "page pages curtain curtains notebook window windows door tap discussion";
    // "Keep fingers out of the way of the car" lets them set it on the ramp.
    let aside =
        ruled.windows(3).any(|said| matches!(said, [of, the, way] if of.is("of") && the.is("the") && way.is("way")));
    aside
        || has(&ruled, ill) && !has(&ruled, "anyone nobody nothing everyone everybody room")
        || all(rule, "lab laboratory classroom room labs") && (all(step, left) || all(rule, left))
        || is_of_other_lessons(&ruled)
        || is_of_what_has(&ruled, step)
        || is_over(&ruled, step)
        || has(&ruled, hands) && has(&ruled, "with by") && !has(&done, hands) && has(&done, "with using")
        || has(&ruled, "mouth mouths lips") && !has(&done, "mouth mouths lips") && has(&done, PUMPS)
        || has(&done, "before")
            && has(&done, "shut close seal tape closing sealing")
            && has(&ruled, "shut closed sealed open opened")
        || has(&done, "open") && has(&done, pages) && !has(&ruled, pages)
        || is_safe_tool(&ruled, &done)
        || is_of_a_strength(&ruled) && !is_of_a_strength(&done)
        || is_not_yet(lesson, &ruled, step)
        || is_of_another_bath(&ruled, &done)
        || is_weaker(&ruled, &done)
        || has_what_it_takes(lesson, &ruled, step, &done)
        || has(&ruled, "glove gloves") && puts_on(&done)
        || is_its_own_flame(&done)
}

/// "Pull on your gloves and turn the pellets over."
fn puts_on(done: &[Token]) -> bool {
    done.windows(2)
        .any(|pair| matches!(pair, [verb, on] if verb.is_one_of(&["pull", "put", "slip", "get"]) && on.is("on")))
        && done.iter().any(|token| token.is_one_of(&["glove", "gloves"]))
}

/// "Never taste anything in other science lessons."
fn is_of_other_lessons(rule: &[Token]) -> bool {
    rule.windows(3).any(|said| match said {
        [other, next, last] => {
            let lesson = |token: &Token| lists!("lesson lab class practical experiment", &token.lemma);
            other.is("other") && (lesson(next) || lesson(last))
        }
        _ => false,
    })
}

/// "Dishes with real cultures must never be opened", "blades of metal may not be fitted": whether the step tells of none such.
fn is_of_what_has(rule: &[Token], step: &Text) -> bool {
    // "Bottles of acid" and "pieces of glass" are named for what they are.
    let part = |token: &Token| {
        lists!(CONTAINERS, &token.lemma)
            || lists!(
                "piece bit drop part chip sheet crystal sample grain lump powder none any all some both neither one most",
                &token.lemma
            )
    };
    let of = |pair: &[Token]| matches!(pair, [thing, of] if of.is("of") && !part(thing));
    let with = rule.iter().position(|token| token.is("with"));
    let Some(with) = with.or_else(|| rule.windows(2).position(of).map(|at| at + 1)) else { return false };
    let modal = |token: &Token| token.is_one_of(&["must", "may", "should", "is", "are", "stay", "stays", "cannot"]);
    let Some(end) = rule.iter().skip(with).position(modal).filter(|end| (2..6).contains(end)) else { return false };
    let before = rule.iter().take(with).all(|token| token.is_word() && !modal(token)) && (1..4).contains(&with);
    let named = |token: &Token| token.word.len() > 3 && step.tokens.iter().any(|other| other.lemma == token.lemma);
    before && !rule.iter().skip(with + 1).take(end - 1).any(named)
}

/// A methanol burner burns methanol.
fn is_its_own_flame(done: &[Token]) -> bool {
    done.windows(2).any(|pair| match pair {
        [fuel, burner] => {
            burner.is_one_of(&["burner", "burners", "lamp", "lamps"])
                && fuel.is_one_of(&["alcohol", "methanol", "ethanol", "spirit", "oil"])
        }
        _ => false,
    })
}

/// "A plate is never opened once it has been incubated": whether no step up to this one has done that.
fn is_not_yet(lesson: &Lesson, rule: &[Token], step: &Text) -> bool {
    let Some(once) = rule.iter().position(|token| token.is_one_of(&["once", "after"])) else { return false };
    let mut done = rule.iter().skip(once).skip_while(|token| !token.is("been")).skip(1);
    let Some(done) = done.next().map(|token| stem(&token.word)) else { return false };
    let told = |text: &Text| text.tokens.iter().any(|token| stem(&token.word) == done);
    let until = lesson.steps().position(|(_, text)| text.path == step.path).unwrap_or_default();
    !lesson.steps().take(until + 1).any(|(_, text)| told(text))
}

/// The bath of 80 °C is not that of 5 °C, where the rule sets no bound.
fn is_of_another_bath(rule: &[Token], step: &[Token]) -> bool {
    let degrees = |said: &[Token]| {
        let numbers = said.windows(2).filter(|pair| matches!(pair, [_, unit] if unit.is_one_of(&["°", "°c"])));
        numbers.filter_map(|pair| pair.first().map(|number| number.word.clone())).collect::<Vec<_>>()
    };
    let bounds = rule.iter().any(|token| {
        token.is_one_of(&["above", "over", "exceed", "exceeds", "than", "below", "under", "most", "maximum", "limit"])
    });
    let (ruled, done) = (degrees(rule), degrees(step));
    !bounds && !ruled.is_empty() && !done.is_empty() && !ruled.iter().any(|number| done.contains(number))
}

/// "Peroxide above 3 % is not for student use" says nothing of peroxide whose strength is not told.
fn is_of_a_strength(said: &[Token]) -> bool {
    let bound = |pair: &[Token]| match pair {
        [over, number] => over.is_one_of(&["above", "over", "exceeding", "than"]) && !number.is_word(),
        _ => false,
    };
    let share = |token: &Token| token.is_one_of(&["%", "per_cent", "percent", "m", "molar"]);
    said.windows(2).any(bound) && said.iter().any(share)
}

/// "6 % peroxide is handled by the teacher only" says nothing of that of 3 %: whether all that a step has is weaker.
fn is_weaker(rule: &[Token], step: &[Token]) -> bool {
    let strengths = |said: &[Token]| -> Vec<f64> {
        let unit = |token: &Token| token.is_one_of(&["%", "percent", "mol", "m", "molar"]);
        let pairs = said.windows(2).filter(|pair| matches!(pair, [_, of] if unit(of)));
        pairs.filter_map(|pair| pair.first()?.word.replace(',', ".").parse().ok()).collect()
    };
    let (ruled, done) = (strengths(rule), strengths(step));
    !done.is_empty() && !ruled.is_empty() && done.iter().all(|done| ruled.iter().all(|ruled| done < ruled))
}

fn sentences<'t>(text: &'t Text) -> impl Iterator<Item = &'t [Token]> {
    text.sentences().into_iter().filter_map(|range| text.tokens.get(range))
}

/// "Never seal the flask without the syringe": whether the last sentence that speaks of it, up to that which seals it, has one.
fn has_what_it_takes(lesson: &Lesson, rule: &[Token], step: &Text, done: &[Token]) -> bool {
    let Some(without) = rule.iter().position(|token| token.is("without")) else { return false };
    let named = rule
        .iter()
        .skip(without + 1)
        .take_while(|token| token.is_word() && !lists!("on in to at of and or", &token.word));
    let named: Vec<&Token> = named.filter(|token| !phrases::is_empty(&token.word)).collect();
    let doing = named.first().is_none_or(|first| first.word.ends_with("ing"));
    let Some(name) = named.iter().rev().find(|token| !token.word.ends_with("ed")).filter(|_| !doing) else {
        return false;
    };
    let names = |said: &[Token]| said.iter().any(|token| token.lemma == name.lemma);
    let lacks =
        |said: &[Token]| said.iter().any(|token| lists!("without no not off remove removed disconnect", &token.word));
    if names(done) {
        // "Seal the flask and attach the syringe" does it too late.
        let first = done.iter().position(|token| lists!("and then ,", &token.word)).unwrap_or(done.len());
        let late = done.iter().skip(first).any(|token| lists!("attach connect fit join add insert", &token.lemma));
        return !lacks(done) && !late;
    }
    let doing = |said: &&[Token]| said.iter().zip(done).all(|(one, other)| one.word == other.word);
    let earlier = lesson.steps().take_while(|(_, text)| text.path != step.path).flat_map(|(_, text)| sentences(text));
    let here = sentences(step).take_while(|said| !doing(said));
    earlier.chain(here).filter(|said| names(said)).last().is_some_and(|said| !lacks(said))
}

/// Whether what ends a rule is done by the step: "until the acid is rinsed away", "rinse everything, then goggles off".
fn is_over(rule: &[Token], step: &Text) -> bool {
    let Some(until) = rule.iter().position(|token| token.is_one_of(&["until", "till"])) else { return false };
    let ends = rule.iter().skip(until + 1).filter(|token| token.word.len() > 3 && token.word.ends_with("ed"));
    let stems: Vec<String> = ends.map(|token| stem(&token.word)).collect();
    step.tokens.iter().any(|token| stems.contains(&stem(&token.word)))
}

/// "Only the teacher uses the knife", and "use the plastic knife".
fn is_safe_tool(rule: &[Token], step: &[Token]) -> bool {
    const SAFE: [&str; 7] = ["plastic", "butter", "toy", "blunt", "safety", "wooden", "pretend"];
    let tool = |token: &Token| lists!("knife scissor blade hammer saw needle gun drill", &token.lemma);
    step.windows(2).any(|pair| match pair {
        [kind, thing] => {
            tool(thing)
                && kind.is_one_of(&SAFE)
                && rule.iter().any(|token| token.lemma == thing.lemma)
                && !rule.iter().any(|token| token.word == kind.word)
        }
        _ => false,
    })
}

/// Whether a rule holds for a part of the lesson only, or of some things: "nothing is eaten during the building", "nothing that has
/// fallen on the floor is eaten".
pub(super) fn is_bounded(ban: &Ban) -> bool {
    let some = |t: usize| lists!("fallen dropped spilled spilt leftover", ban.text.word(t));
    ban.text.sentence(ban.at).any(|t| {
        some(t) || ban.text.word(t) == "during" && !(t + 1..t + 4).any(|t| {
            lists!(
                "lesson experiment practical activity investigation class session lab period whole reaction work visit",
                ban.text.word(t),
            )
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::super::tests::count;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    #[test]
    fn what_only_looks_like_a_breach_is_none() {
        for (safety, step, expected) in [
            ("Do not drink the water.", "Talk about where you drink water during the day.", 0),
            ("Do not drink the water.", "Drink some of the water.", 1),
            ("Nothing that has fallen on the floor is eaten.", "Compare, rate the firmness and then eat.", 0),
            ("Nothing that has been on the bench is eaten.", "Compare, rate the firmness and then eat it.", 1),
            ("Only the teacher lights the candle.", "Light from the candle passes through the hole.", 0),
            ("Only the teacher lights the candle.", "Light the candle and watch.", 1),
            ("Do not pour anything down the sink.", "Pour the mixture into the waste jar by the sink.", 0),
            ("Do not pour anything down the sink.", "Pour the mixture into the sink.", 1),
            ("Don't throw sand.", "Throw away the used sand.", 0),
            ("Do not throw the planes at people.", "Throw the plane along the empty hall.", 0),
            ("Do not heat a closed tube.", "Heat the open tube gently.", 0),
            ("Never look at the Sun through the tube.", "Look through it at the window, never at the Sun.", 0),
            ("Never look at the Sun through the tube.", "Look through the tube at the Sun.", 1),
            ("Do not use more than 2 g of powder in the closed bottle.", "Add 2 g of powder and close the bottle.", 0),
            ("Do not stand on chairs.", "Stand the plant on the chair.", 0),
            ("Do not stand on chairs.", "Stand on the chair and drop the ball.", 1),
            ("No food in the laboratory.", "Eat one cracker in two bites. We do this in the canteen.", 0),
            ("No food in the laboratory.", "Eat one cracker in two bites.", 1),
            ("Goggles stay on until the acid is rinsed away.", "Rinse everything. Then goggles off.", 0),
            ("Do not mix the powders with your hands.", "Mix the powders with the stick.", 0),
            ("Only the teacher uses the knife.", "Use the plastic knife from your tray.", 0),
            ("Keep your gloves on while you handle the pellets.", "Pull on your gloves and turn the pellets over.", 0),
            ("A plate is never opened once it has been incubated.", "Open the plate and lay the disc on it.", 0),
            ("The teacher alone lifts tubes out of the 80 °C bath.", "Lift one tube out of the 5 °C bath.", 0),
            ("Dishes with real cultures must never be opened.", "Open your dish again to show the models.", 0),
            ("Never taste anything in other science lessons.", "Taste the slices with a nose clip.", 0),
            ("Never eat in the lab; this lesson is in the kitchen.", "Open the bag and eat the ice cream.", 0),
            ("No alcohol is opened while a burner is lit.", "Clamp the can above the methanol burner and light it.", 0),
            ("Keep the bags sealed.", "Seal the bags. Open the results page.", 0),
            ("Keep the jar shut.", "Before you shut the jar, open it and look for leaks.", 0),
            ("Do not pick mushrooms.", "Pick a spot and count mushrooms.", 0),
            (
                "We have a child with an allergy: nothing is tasted, by anyone.",
                "Everybody picks a leaf and nibbles it.",
                1,
            ),
            ("Latex allergy: the learner does not handle balloons.", "Hold the balloon by its neck.", 0),
        ] {
            let content = json!({"steps": [{"text": step}, {"text": "Tidy up."}], "safety": [safety]});
            assert_eq!(find(&Lesson::of(content.as_object().expect("an object"))).len(), expected, "{step}");
        }
    }

    #[test]
    fn what_only_looks_like_a_breach_is_passed_over() {
        for (rule, step) in [
            ("Never look straight at the Sun.", "Put on eclipse glasses and look straight at the Sun."),
            ("Nothing may be tasted or put in the mouth.", "Put the mask over your mouth and nose."),
            ("Nothing is tasted.", "Put a mask on over your mouth."),
            ("Never shine a torch at people's eyes.", "Shine the torch at your partner's hand."),
            (
                "Do not point the torch into anybody's eyes.",
                "Point the torch at your neighbour's palm and look for the red glow.",
            ),
            ("No open flames at any time during this investigation.", "Light travels from the lamp to the card."),
            (
                "6 % peroxide is handled by the teacher only.",
                "In groups, put 10 mL of the 3 % peroxide into each tube.",
            ),
            (
                "Only the teacher uses the 2 mol/L sodium hydroxide.",
                "Pour 10 mL of the 0.1 mol/L sodium hydroxide into it.",
            ),
            ("Only the teacher may pour the 95 % ethanol.", "Each group pours 5 mL of the 30 % ethanol in."),
            ("Never seal the flask without the gas syringe.", "Add the acid, close the flask and read the syringe."),
            (
                "Never seal the flask without the syringe attached.",
                "Fit the syringe. Pour in the acid and seal the flask.",
            ),
            ("Do not refill a burning burner.", "Fill in 50 mL of water and light the burner."),
        ] {
            assert_eq!(count(rule, &[step]), 0, "{rule} {step}");
        }
    }

    #[test]
    fn a_rule_about_one_kind_or_one_manner_leaves_the_others() {
        for (rule, step, expected) in [
            ("No gas burners today.", "Light the candle from the splint.", 0),
            ("No Bunsen burners are to be used.", "Hold the strip in the flame of the tealight.", 0),
            ("No Bunsen burners are to be used.", "Hold the strip in the Bunsen flame.", 1),
            ("No burners or other flames.", "Light the candle from the splint.", 1),
            ("No methanol burners.", "Weigh the ethanol burner and light it.", 0),
            ("No candles: we use the torch.", "Hang up the sheet and light it from behind with the torch.", 0),
            ("No flames of any kind.", "Put the prism in the box and light it from the side with the lamp.", 0),
            ("No flames of any kind.", "Fill the can and bring it to a gentle boil over the Bunsen burner.", 1),
            ("No flames of any kind.", "Bring the unlit candle over to the bench.", 0),
            ("No flames of any kind.", "Put the paper in the dish and light it with the gas torch.", 1),
            ("Balloons are not inflated by mouth.", "Blow up the balloon with the pump.", 0),
            ("Balloons are not inflated by mouth.", "Blow up the balloon with one long breath.", 1),
            ("Rubber bands must not be placed in boiling water.", "Fill the cups with cold, cool and warm water.", 0),
            ("Rubber bands must not be placed in boiling water.", "Put the rubber band in the boiling water.", 1),
            ("Blades of metal or glass may not be fitted.", "Fit two blades to the hub.", 0),
            ("Blades of metal or glass may not be fitted.", "Fit two metal blades to the hub.", 1),
            ("Bottles of acid must not be shaken.", "Shake the bottle.", 1),
        ] {
            assert_eq!(count(rule, &[step]), expected, "{rule} {step}");
        }
    }

    #[test]
    fn what_is_a_breach_is_found() {
        for (rule, step) in [
            ("Never look straight at the Sun.", "Go outside and look straight at the Sun."),
            ("Nothing may be tasted or put in the mouth.", "Put a crystal in your mouth."),
            ("Do not point the torch into anybody's eyes.", "Point the torch at your neighbour's eyes."),
            ("No open flames at any time during this investigation.", "Light the splint and lower it into the bottle."),
            (
                "6 % peroxide is handled by the teacher only.",
                "In groups, pour 10 mL of the 6 % peroxide into each tube.",
            ),
            (
                "3 % peroxide is handled by the teacher only.",
                "In groups, pour 10 mL of the 6 % peroxide into each tube.",
            ),
            ("Never seal the flask without the gas syringe.", "Pour in the acid and seal the flask at once."),
            ("Never seal the flask without the gas syringe.", "Seal the flask, then attach the syringe."),
            ("Never seal the flask without the gas syringe.", "Take off the syringe. Now seal the flask."),
            ("Do not refill a burning burner.", "Refill the burning burner with ethanol."),
            (
                "Bags stay sealed from the moment they are taped until the teacher throws them away.",
                "On the fifth day open each bag and measure the patches of mould.",
            ),
            (
                "Everyone stays standing and behind the rope; nobody leans out over the pond.",
                "Hold on to the rail and reach over the water with the net.",
            ),
        ] {
            assert_eq!(count(rule, &[step]), 1, "{rule} {step}");
        }
    }
}
