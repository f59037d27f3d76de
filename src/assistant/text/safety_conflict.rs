//! Safety rules that a step breaks: "nothing is tasted", and a step in which everybody nibbles.
//!
//! A rule speaks of a class of actions, of things, of people and perhaps of a time; a step breaks it only where all agree.

mod acts;
mod apparent;
mod dangers;
mod deeds;
mod demands;
mod doings;
mod hazards;
mod kept_apart;
mod names;
mod obeyed;
mod other_deeds;
mod places;
mod rivals;
mod scopes;

use self::hazards::Hazard;
use self::names::{CHEMICALS, FORMULAE, ONGOING, is_a};
use super::{Match, conflict};
use crate::assistant::facts::actions::{Action, gathers, handles, in_flame, is_bright, is_guarded, works};
use crate::assistant::facts::hands;
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, Actor, Group, lists};
use crate::assistant::facts::prohibitions::{Ban, bans};

/// The steps that break a safety rule.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    if lesson.safety().next().is_none() {
        return Vec::new();
    }
    let read = lesson.texts_of(|role| matches!(role, Role::Safety(_) | Role::Step(_)));
    let mut found = Lesson::kept(read.map(Text::in_place).collect(), lesson.step_count, conflicts).to_vec();
    found.retain(|told| !other_deeds::drinks_what_is_there(lesson, told));
    found
}

/// Everything found in safety rules and steps, and nothing else.
fn conflicts(lesson: &Lesson) -> Vec<Match> {
    let mut found: Vec<Match> = Vec::new();
    let bans: Vec<Ban> = lesson.safety().flat_map(bans).collect();
    for ban in &bans {
        let Some((index, step, at)) = lesson.steps().find_map(|(index, step)| {
            let at = (0..step.tokens.len()).find(|at| {
                breaks(lesson, ban, index, step, *at) && scopes::reaches(lesson, (ban.text, ban.at), (step, *at))
            })?;
            Some((index, step, at))
        }) else {
            continue;
        };
        let known = |known: &Match| {
            known.finding.evidence.last().is_some_and(|place| place.field_path == step.path.to_string())
        };
        if found.iter().any(known) {
            continue;
        }
        let mut broken = told(ban.text, ban.at, (index, step, at));
        broken.mends.extend(obeyed::obeyed(ban, step, at));
        // These verbs are said of much besides what a rule means.
        let wide = matches!(ban.action, Action::Heat | Action::Mix | Action::Throw | Action::Touch);
        found.push(broken.sure_if(!wide));
    }
    let hazards = hazards::find(lesson).into_iter().map(|(rule, index, step, at)| {
        // Who may do it, and what stays shut until when, a step seldom repeats.
        let sure = !matches!(rule.hazard, Hazard::Reserved | Hazard::Closed);
        ((rule.text, rule.at, index, step, at), sure)
    });
    let plain = acts::find(lesson).into_iter().chain(places::find(lesson)).chain(dangers::find(lesson));
    let hazards = hazards
        .chain(plain.map(|broken| (broken, true)))
        .filter(|((rule, at, _, step, done), _)| scopes::reaches(lesson, (rule, *at), (step, *done)))
        .map(|((rule, at, index, step, done), sure)| told(rule, at, (index, step, done)).sure_if(sure));
    for more in hazards.chain(super::safety_limits::find(lesson)) {
        let same = |known: &Match| {
            known.finding.evidence.last().map(|at| &at.field_path)
                == more.finding.evidence.last().map(|at| &at.field_path)
        };
        if more.sure {
            found.retain(|known| known.sure || !same(known));
        }
        if !found.iter().any(same) {
            found.push(more);
        }
    }
    found.retain(|told| !apparent::is_of_some(lesson, told));
    found.extend(rivals::find(lesson));
    found
}

/// A finding about the rule at this token of a text and what the step with this index says at a token of its own.
fn told(rule: &Text, rule_at: usize, (index, step, at): (usize, &Text, usize)) -> Match {
    let reason = format!(
        "The safety rule says \"{}\", but step {} says \"{}\".",
        rule.words(&rule.sentence(rule_at)),
        index + 1,
        step.words(&step.sentence(at))
    );
    conflict("safety_conflict", rule.quote_sentence(rule_at), step.quote_sentence(at), reason)
        .suggesting(format!("Change step {} so that the safety rule holds.", index + 1))
}

/// Whether what the verb at this token of a step says breaks a ban.
fn breaks(lesson: &Lesson, ban: &Ban, index: usize, step: &Text, at: usize) -> bool {
    let reserved = ban.pupils_only && ban.action == Action::Touch && !ban.things.is_empty();
    let worked = reserved && !handles(step, at) && works(step, at);
    let handled = worked || reserved && handles(step, at);
    let any = ban.things.is_empty() || ban.text.word(ban.at) == "no";
    let burnt = ban.action == Action::Ignite && any && in_flame(step, at);
    let known = step.action(at);
    let done = match known {
        Some(done) if done == ban.action => done,
        _ if handled || burnt => ban.action,
        Some(done) => done,
        None => return false,
    };
    let alike = done == ban.action
        || matches!((ban.action, done), (Action::Near, Action::Smell) | (Action::Smell, Action::Near))
            && (ban.action == Action::Near || apparent::is_sniffed(step, at))
        || ban.things.first().is_some_and(|thing| {
            let direct = |group: &Group| group.preposition.is_empty() || lists!("up off out", &group.preposition);
            let object = phrases::groups(step, at + 1..deed_end(step, at)).into_iter().next();
            gathers(ban.action, done, thing.head())
                && object.is_some_and(|object| direct(&object) && object.head() == thing.head())
        })
        || ban.action == Action::Touch
            && matches!(done, Action::Other("cut" | "rub" | "squeeze" | "handle" | "drop"))
            && ban.pupils_only
            && !ban.things.is_empty();
    if !alike
        || acts::is_asked(step, at)
        || apparent::is_none(ban, step, at, done)
        || phrases::is_denied(step, at)
        || phrases::is_question(step, at)
        || phrases::is_supposed(step, at)
    {
        return false;
    }
    let sentence = step.sentence(at);
    let has = |words: List| sentence.clone().any(|t| words.has(step.word(t)));
    let by_teacher = sentence.clone().any(|t| phrases::is_teacher(step, t));
    let explicit = match phrases::actor(step, at).or_else(|| passive(step, at)) {
        None | Some(Actor::Other) => return false,
        Some(Actor::Teacher) => return false,
        Some(Actor::Pupils) => true,
        Some(Actor::Reader) => sentence.clone().any(|t| {
            step.word(t) == "your" && lists!("group partner team table neighbour neighbor pair", step.word(t + 1))
        }),
    };
    if by_teacher && (ban.pupils_only || done == Action::Taste || !explicit) {
        return false;
    }
    if ban.pupils_only && !explicit && (speaks_to_teacher(lesson) || step.word(0) == "teacher") {
        return false;
    }
    // "Taste is one of the senses" orders nothing.
    if lists!("is are was", step.word(at + 1)) || apparent::is_bounded(ban) {
        return false;
    }
    let end = deed_end(step, at);
    let guarded = is_guarded(step, sentence.clone());
    let bare = has(list!("bare"));
    match done {
        Action::Taste
            if has(list!("snack lunch break bottle fountain home outside canteen kitchen cafeteria"))
                && ban.things.is_empty()
                || has(list!("butterfly butterflies bird birds animal animals")) =>
        {
            return false;
        }
        Action::Touch if guarded && !bare => return false,
        Action::Smell | Action::Near if has(list!("waft wafting wave fan")) => return false,
        Action::Drain
            if ban.things.is_empty()
                && (phrases::verb(step.word(at), &["rinse", "wash"]).is_some() && !has(list!(CHEMICALS))
                    || has(list!("water")) && has(list!("tap clean plain pure fresh"))) =>
        {
            return false;
        }
        Action::Look if has(list!("image viewer filter filters goggles projection screen away shadow")) => {
            return false;
        }
        Action::Unprotect => {
            let last = lesson.step_count <= index + 1;
            let over = has(list!("end finished done clean cleaned wash after finally away last"));
            // "Take off your goggles, then clean your loops in the acid"
            let still = (at..sentence.end).any(|t| lists!(ONGOING, step.word(t)));
            if last || over && !still {
                return false;
            }
        }
        Action::Ignite if has(list!("led battery")) => return false,
        Action::Open if has(list!("second another new other spare fresh")) => return false,
        Action::Heat if ban.things.is_empty() && ban.pupils_only && !has(list!("hand hands room")) => {}
        Action::Other(_) | Action::Mix | Action::Heat | Action::Open | Action::Touch
            if ban.things.is_empty() && !(ban.places.iter().any(|place| place.head() == "mouth")) =>
        {
            return false;
        }
        Action::Throw if ban.things.is_empty() && has(list!("away trash bin rubbish dice coin coins")) => return false,
        _ => {}
    }
    if let Some(verb) = &ban.after {
        let made =
            lesson.steps().find(|(_, step)| step.tokens.iter().any(|token| phrases::is_form_of(&token.word, verb)));
        if made.is_none_or(|(made, _)| made >= index) {
            return false;
        }
    }
    if has(list!("drawing picture photo diagram page video")) {
        return false;
    }
    let adds = phrases::is_form_of(ban.text.word(ban.at), "add");
    let words: Vec<String> = if handled {
        // "Stir sugar into the hot water" does not handle the water.
        let held = |group: &Group| {
            lists!("with", &group.preposition)
                || phrases::verb(step.word(at), &["switch", "turn"]).is_some()
                || !worked && (lists!("from out of around", &group.preposition) || group.preposition.is_empty())
        };
        phrases::groups(step, at + 1..end).into_iter().filter(held).flat_map(|group| group.words).collect()
    } else if matches!(done, Action::Other(_) | Action::Open | Action::Heat) || adds {
        // "Carry your notebook to the aquarium" carries no aquarium.
        let direct =
            |group: &Group| !lists("to into onto toward towards near for by at over above behind", &group.preposition);
        phrases::groups(step, at + 1..end).into_iter().filter(direct).flat_map(|group| group.words).collect()
    } else {
        let words = phrases::content_words(step, at + 1..end);
        // "Bring it up to your nose and inhale"
        if words.is_empty() { phrases::content_words(step, sentence.clone()) } else { words }
    };
    let mut whole = phrases::content_words(step, 0..step.tokens.len());
    for (formula, name) in FORMULAE {
        if whole.iter().any(|word| word == formula) {
            whole.extend(name.split(' ').map(str::to_owned));
        }
    }
    // "The fifth one" is of what the steps before named.
    let sniffs = matches!(done, Action::Smell | Action::Taste | Action::Near);
    if sniffs && (at + 1..end).any(|t| lists!("one ones", step.word(t))) {
        let before = |known: &&Text| matches!(known.role, Role::Step(known) if known < index && known + 3 > index);
        whole.extend(
            lesson.texts().iter().filter(before).flat_map(|text| phrases::content_words(text, 0..text.tokens.len())),
        );
    }
    let pronoun = !worked
        && (at + 1..end).any(|t| lists!("it them they", step.word(t)) || sniffs && lists!("one ones", step.word(t)));
    // "Touch the cold plate" touches no hot one that the next sentence names.
    let near = if pronoun || ban.action != Action::Touch || ban.pupils_only {
        whole.clone()
    } else {
        phrases::content_words(step, sentence.clone())
    };
    let covers = |group: &Group| {
        let head = group.head();
        let heads = words.iter().any(|word| word == head || is_a(word, head))
            || pronoun && whole.iter().any(|word| word == head || is_a(word, head));
        let modified =
            group.words.iter().all(|word| near.contains(word) || word == head || lists!("alkali live real open", word));
        heads && modified
    };
    let things = ban.things.is_empty() || ban.things.iter().any(covers);
    let generic = matches!(
        ban.action,
        Action::Point | Action::Look | Action::Climb | Action::Drain | Action::Unattend | Action::Plug
    );
    let bright = |group: &Group| group.words.iter().any(|word| is_bright(word));
    let any_bright = ban.action == Action::Look && ban.places.iter().any(bright);
    let held = |group: &Group| {
        if ban.action == Action::Climb && lists!("chair table desk stool bench furniture counter", group.head()) {
            return has(list!("chair table desk stool bench counter chairs tables desks stools benches"));
        }
        if any_bright && !bright(group) {
            return false;
        }
        let is_known = |word: &String| whole.contains(word) || whole.iter().any(|said| is_a(said, word));
        group.words.iter().all(is_known)
            || generic && !any_bright && group.words.iter().any(is_known)
            || any_bright && group.words.iter().any(|word| is_bright(word) && is_known(word))
            || generic
                && matches!(ban.action, Action::Point)
                && group.words.iter().any(|word| lists!("face eye anyone person classmate people other", word))
    };
    let places =
        if generic { ban.places.is_empty() || ban.places.iter().any(held) } else { ban.places.iter().all(held) };
    things && places
}

/// Where what the verb at a token says ends: "pour the water down the drain and wipe the oil out" pours no oil.
fn deed_end(step: &Text, at: usize) -> usize {
    let end = phrases::clause_end(step, at);
    let next = |t: &usize| {
        lists!("and then", step.word(*t))
            && !phrases::is_empty(step.word(t + 1))
            && (lists!("the a an your it them each all its their out up off", step.word(t + 2))
                || *t > at + 2 && hands::is_deed(step, t + 1))
    };
    (at + 1..end).find(next).unwrap_or(end)
}

/// Who does what is told in the passive, "the dye is emptied into the sink": whoever reads it, in no clause of time.
fn passive(step: &Text, at: usize) -> Option<Actor> {
    let word = step.word(at);
    let start = step.sentence(at).start;
    let participle =
        word.ends_with("ed") || word.ends_with("en") || lists!("lit burnt put struck thrown held drunk", word);
    let clause = phrases::clause_start(step, at)..at;
    let scoped = clause.clone().any(|t| phrases::begins_condition(step.word(t)) || lists!("that as", step.word(t)))
        || (start..at).any(|t| lists!("if unless", step.word(t)));
    let is = lists!("is are", step.word(at.wrapping_sub(1)))
        || step.word(at.wrapping_sub(2)) == "and" && clause.clone().any(|t| lists!("is are", step.word(t)));
    (participle && is && !scoped).then_some(Actor::Reader)
}

/// Whether the steps speak to the teacher, so that an order is none to pupils.
fn speaks_to_teacher(lesson: &Lesson) -> bool {
    lesson.steps().any(|(_, step)| {
        (0..step.tokens.len()).any(|at| {
            lists!("children students pupils learners kids", step.word(at))
                && lists!("the have let ask tell help invite your remind", step.word(at.wrapping_sub(1)))
        })
    })
}

#[cfg(test)]
mod tests;
