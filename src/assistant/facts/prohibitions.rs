//! Prohibitions: what a safety rule forbids, to whom, of which things and from when on.
//!
//! A rule with an exception or a condition that cannot be checked gives nothing.

mod drains;
mod kept_away;

use std::ops::Range;

use drains::{drained, flames, put_out};
use kept_away::{kept_dry, kept_off};

use super::actions::{Action, handles, is_guarded, is_lid, is_protection};
use super::lesson::Text;
use super::nouns;
use super::phrases::{self, Group, lists};

/// What must not be done.
#[derive(Debug)]
pub struct Ban<'l, 'c> {
    /// The rule.
    pub text: &'l Text<'c>,
    /// The token of the verb.
    pub at: usize,
    /// What is not to be done.
    pub action: Action,
    /// Any of these things; of anything where there is none.
    pub things: Vec<Group>,
    /// All of these places and means.
    pub places: Vec<Group>,
    /// Whether grown-ups may.
    pub pupils_only: bool,
    /// The verb after which it holds: "never open after taping".
    pub after: Option<String>,
}

/// Words so general that a rule with them speaks of anything.
const GENERAL: &str = "eaten drunk tasted licked swallowed sniffed touched eating drinking tasting smelling touching eat drink taste lick smell touch sniff open handle what whatever content anything nothing anyone lab laboratory class classroom room science lesson experiment activity investigation time \
    day period session today chemical substance material sample food equipment day circumstance point school student pupil child everyone \
    everybody somebody nobody person learner kid bit product item object thing hand finger skin bare mouth direct closed snack indoors outdoors inside around group way whole matter how tempting team people themselves themself themselve yourself yourselves yourselve";

/// What a safety rule forbids.
pub fn bans<'l, 'c>(text: &'l Text<'c>) -> Vec<Ban<'l, 'c>> {
    let mut found = Vec::new();
    for sentence in text.sentences() {
        let excepted = sentence.clone().any(|at| {
            // "Even if it looks clear" is no exception.
            let even = text.word(at) == "if" && text.word(at.wrapping_sub(1)) == "even";
            lists!("unless except apart excepted otherwise until optional if", text.word(at)) && !even
        });
        let until = sentence.clone().any(|at| text.word(at) == "until");
        for at in sentence.clone() {
            found.extend(protection(text, &sentence, at));
            found.extend(put_out(text, &sentence, at));
            if excepted && !until {
                continue;
            }
            found.extend(
                closed(text, &sentence, at)
                    .or_else(|| flames(text, &sentence, at))
                    .or_else(|| drained(text, &sentence, at))
                    .or_else(|| kept_off(text, &sentence, at))
                    .or_else(|| kept_dry(text, &sentence, at))
                    .or_else(|| for_eating(text, &sentence, at)),
            );
            if until {
                continue;
            }
            found.extend(denied(text, &sentence, at).or_else(|| tools_only(text, &sentence, at)));
            found.extend(reserved(text, &sentence, at));
        }
    }
    found
}

/// "Do not taste", "nobody looks", "no climbing", "running is not allowed".
fn denied<'l, 'c>(text: &'l Text<'c>, sentence: &Range<usize>, at: usize) -> Option<Ban<'l, 'c>> {
    // "Pupils with asthma do not handle …" speaks of those alone.
    let some = |t: usize| phrases::is_pupil(text.word(t)) && lists!("with who under whose allergic", text.word(t + 1));
    if (phrases::clause_start(text, at)..at).any(some) {
        return None;
    }
    let by_pupils = || (sentence.start..at).any(|t| phrases::is_pupil(text.word(t)));
    let action = text.action(at).or_else(|| (handles(text, at) && by_pupils()).then_some(Action::Touch))?;
    let end = phrases::clause_end(text, at);
    let word = text.word(at);
    if is_attribute(text, at) {
        return None;
    }
    let denial = phrases::denial(text, at);
    let strong = denial.filter(|denial| {
        let is = text.word(*denial);
        let gap = at - denial;
        match is {
            "no" => {
                gap == 1 && word.ends_with("ing")
                    || gap == 2
                        && word.ends_with("ing")
                        && lists!("direct further more such mouth", text.word(denial + 1))
                    || is_passive(text, *denial, at)
                    || lists!(
                        "one student pupil child learner students pupils time circumstances account event point",
                        text.word(denial + 1),
                    ) && gap <= 9
            }
            "without" | "instead" | "rather" | "less" | "nor" | "neither" | "hardly" | "none" => false,
            "forbidden" => text.word(denial + 1) == "to" && gap <= 3,
            // "Nothing that has been used in this investigation may be tasted"
            "nothing" if gap <= 16 && is_said_of_all(text, *denial, at) => true,
            // "Never put your face over the bag or sniff what is in it"
            _ => gap <= 7 || lists!("or nor", text.word(at.wrapping_sub(1))) && gap <= 12,
        }
    });
    let weak =
        denial.is_some_and(|denial| text.word(denial) == "not" && lists!("only just necessary", text.word(denial + 1)));
    let gerund = word.ends_with("ing")
        && denial.is_none()
        && (at..end).any(|t| {
            lists!("forbidden prohibited banned", text.word(t))
                || text.has_at(t, &["out", "of", "the", "question"])
                || text.has_at(t, &["must", "not", "happen"])
                || text.has_at(t, &["not", "done"])
                || text.word(t) == "not" && lists!("allowed permitted", text.word(t + 1))
        });
    let not_verb = strong.is_some_and(|denial| {
        (denial + 1..at).any(|t| {
            lists!("only always instead but to", text.word(t))
                && !(text.word(t) == "to" && matches!(action, Action::Smell | Action::Taste) && led_to(text, denial, t))
                && !(text.word(t) == "to"
                    && lists!("allowed permitted forbidden not is are safe ok okay wise", text.word(t - 1)))
        })
    });
    let of_things = denial.is_some_and(|denial| lists!("touch touches", word) && is_of_things(text, denial));
    if strong.is_none() && !gerund || weak || not_verb || of_things {
        return None;
    }
    let known = text.action(at).is_some();
    let (condition, stop) = condition(text, at, end);
    let verdict = (at..stop).find(|t| gerund && lists!("is are", text.word(*t)));
    let stop = verdict.unwrap_or(stop);
    // "Never put your face over it or sniff it": what is not to be sniffed is another matter.
    let stop = (at + 2..stop).find(|t| lists!("or nor", text.word(*t)) && text.action(t + 1).is_some()).unwrap_or(stop);
    let after = match condition {
        None => None,
        Some(start) if lists!("after once", text.word(start)) => Some(verb_of_scope(text, start + 1..end)?),
        Some(start) if lists!("as because since which who", text.word(start)) => None,
        Some(_) => return None,
    };
    // "Once a bag is taped, do not open it".
    let led =
        (sentence.start..at).find(|t| lists!("when while if before until once after whenever without", text.word(*t)));
    let after = match led {
        None => after,
        Some(start) if lists!("after once", text.word(start)) => Some(verb_of_scope(text, start + 1..at)?),
        Some(_) => return None,
    };
    if (at..end).any(|t| {
        lists!("yet first alone unsupervised more directly quickly suddenly", text.word(t))
            && action != Action::Look
            && action != Action::Smell
    }) {
        return None;
    }
    if (at..stop).any(|t| text.tokens.get(t).is_some_and(|token| !token.is_word()) && !lists(", -", text.word(t))) {
        return None; // An amount: "never heat above 90 °C".
    }
    let pupils_only = (sentence.start..at)
        .any(|t| lists!("student students pupil pupils child children learner learners kids you", text.word(t)))
        || sentence.clone().any(|t| phrases::is_teacher(text, t));
    let ban = ban(text, at, action, stop, pupils_only, after, sentence);
    (known || !ban.things.is_empty()).then_some(ban)
}

/// "A lit burner", "the heated tube", "in boiling water": the word tells which is meant and forbids nothing.
fn is_attribute(text: &Text, at: usize) -> bool {
    let (word, before) = (text.word(at), text.word(at.wrapping_sub(1)));
    let done = word.ends_with("ed") || lists!("lit burning burnt open broken shaken spilt", word);
    let doing = word.ends_with("ing") && lists!("in into onto near over under", before);
    (doing || done && lists!("a an the any your every each that this", before))
        && text.tokens.get(at + 1).is_some_and(|next| next.is_word() && !nouns::ends_a_phrase(next))
}

/// "No lichen may be removed", "no plant is to be picked".
fn is_passive(text: &Text, no: usize, verb: usize) -> bool {
    let modal = (no + 2..verb).find(|t| lists!("may must can should shall will is are", text.word(*t)));
    let be = |modal: usize| (modal..verb).any(|t| lists!("be is are", text.word(t)));
    modal.is_some_and(|modal| {
        modal <= no + 4
            && be(modal)
            && (modal..verb).all(|t| lists!("may must can should shall will is are to be ever", text.word(t)))
    })
}

/// "Nothing that stood on the bench is to be eaten": a clause tells what is meant, and that it is not to be done follows.
fn is_said_of_all(text: &Text, nothing: usize, verb: usize) -> bool {
    let modal = (nothing + 2..verb).rev().find(|t| lists!("may must can should shall will is are", text.word(*t)));
    modal.is_some_and(|modal| {
        (modal..verb).any(|t| lists!("be is are", text.word(t)))
            && (modal + 1..verb).all(|t| lists!("to be ever allowed", text.word(t)))
    })
}

/// "The lamp must not touch the litter": a thing is not to lie at another, whoever handles it.
fn is_of_things(text: &Text, denial: usize) -> bool {
    let before = phrases::content_words(text, phrases::clause_start(text, denial)..denial);
    let people = |word: &String| {
        phrases::is_pupil(word)
            || lists!("hand finger skin face tongue person people team group member teacher class", word)
    };
    let mut named = before.iter().filter(|word| !lists!("do must may should can could shall please", word)).peekable();
    named.peek().is_some() && !named.any(people)
}

/// "Nobody leans over the beaker to smell it": the purpose is what is forbidden.
fn led_to(text: &Text, denial: usize, to: usize) -> bool {
    (denial + 1..to).any(|t| phrases::verb(text.word(t), &["lean", "bend", "hold", "put", "bring", "pick"]).is_some())
}

/// "Pellets are touched only with tweezers", "handle the acid only with gloves".
fn tools_only<'l, 'c>(text: &'l Text<'c>, sentence: &Range<usize>, at: usize) -> Option<Ban<'l, 'c>> {
    if text.action(at)? != Action::Touch || phrases::is_denied(text, at) {
        return None;
    }
    let only = (at + 1..sentence.end.min(at + 6)).find(|t| {
        text.has_at(*t, &["only", "with"])
            || text.has_at(*t, &["with"]) && is_guarded(text, t + 1..t + 3) && text.word(t + 2) == "only"
    })?;
    is_guarded(text, only..phrases::clause_end(text, only))
        .then(|| ban(text, at, Action::Touch, only, false, None, sentence))
}

/// "Only the teacher lights the burner", "the burner is lit by the teacher only", "metals are for the teacher alone to cut".
fn reserved<'l, 'c>(text: &'l Text<'c>, sentence: &Range<usize>, at: usize) -> Option<Ban<'l, 'c>> {
    let action = text.action(at).or_else(|| handles(text, at).then_some(Action::Touch))?;
    if phrases::is_denied(text, at) {
        return None;
    }
    let start = phrases::clause_start(text, at);
    let end = phrases::clause_end(text, at);
    let teacher = |range: Range<usize>| range.into_iter().find(|t| phrases::is_teacher(text, *t));
    let before = teacher(start..at).filter(|t| {
        let only = (start..*t).any(|o| text.word(o) == "only" && *t - o <= 3);
        let alone = lists!("alone only", text.word(t + 1));
        // "Grown-ups pour the warm water" leaves it to them.
        let bare = *t <= start + 1 && (*t + 1 == at || text.word(*t) == "grown" && *t + 3 == at);
        (only || alone || bare) && at - t <= 8
    });
    let after = teacher(at + 1..end).filter(|&t| {
        let by = (at + 1..t).any(|b| text.word(b) == "by");
        let passive = (start..at).any(|t| lists!("is are be", text.word(t)))
            || (at + 1..t.saturating_sub(1))
                .any(|t| lists!("is are be", text.word(t)) && lists!("done performed carried", text.word(t + 1)));
        let checked = (at + 1..end).any(|t| lists!("or first checked before", text.word(t)));
        by && !checked
            && (passive || lists!("only alone", text.word(t + 1)) || (at + 1..t).any(|o| text.word(o) == "only"))
    });
    before.or(after)?;
    if matches!(action, Action::Touch | Action::Other(_))
        && phrases::groups(text, at + 1..end).is_empty()
        && before.is_none()
        && after.is_none()
    {
        return None;
    }
    let (condition, stop) = condition(text, at, end);
    if condition.is_some_and(|start| !lists("because as since", text.word(start))) {
        return None;
    }
    Some(ban(text, at, action, stop, true, None, sentence))
}

/// "Goggles stay on the whole time", "wear gloves at all times", "do not take off your goggles".
fn protection<'l, 'c>(text: &'l Text<'c>, sentence: &Range<usize>, at: usize) -> Option<Ban<'l, 'c>> {
    if !is_protection(text.word(at)) || phrases::is_denied(text, at) {
        return None;
    }
    let end = sentence.end;
    let on = (sentence.start..end).any(|t| lists!("on worn wear keep kept stay", text.word(t)));
    let always = (sentence.start..end).any(|t| {
        lists!("throughout always whole entire until till remain", text.word(t))
            || text.has_at(t, &["at", "all", "times"])
            || text.has_at(t, &["all", "the", "time"])
    });
    let stay = (at + 1..end.min(at + 4)).any(|t| lists!("stay stays on remain", text.word(t)));
    let scoped = (sentence.start..end).any(|t| lists!("when while if whenever during for", text.word(t)));
    (on && (always || stay) && !scoped).then(|| {
        let tokens = at..at + 1;
        let thing = Group { preposition: String::new(), words: vec![text.lemma(at).to_owned()], tokens };
        Ban {
            text,
            at,
            action: Action::Unprotect,
            things: vec![thing],
            places: Vec::new(),
            pupils_only: false,
            after: None,
        }
    })
}

/// "Once taped, a bag stays closed", "keep the lid on", "the bag remains sealed".
fn closed<'l, 'c>(text: &'l Text<'c>, sentence: &Range<usize>, at: usize) -> Option<Ban<'l, 'c>> {
    let stays = phrases::verb(text.word(at), &["stay", "remain", "keep"])?;
    let end = phrases::clause_end(text, at);
    let shut = (at + 1..end).find(|t| {
        lists!("closed sealed shut unopened taped zipped", text.word(*t))
            || text.word(*t) == "on" && (sentence.start..*t).any(|l| is_lid(text.word(l)))
    })?;
    let scoped = (sentence.start..sentence.end)
        .any(|t| lists!("when while if until during except unless overnight after", text.word(t)));
    if scoped || phrases::is_denied(text, at) {
        return None;
    }
    let once = (sentence.start..at).find(|t| text.word(*t) == "once");
    let after = match once {
        Some(start) => Some(verb_of_scope(text, start + 1..at)?),
        None => None,
    };
    let range = if stays == "keep" && shut > at + 1 { at + 1..shut } else { sentence.start..at };
    // "The lid stays on the tank" is about the tank.
    let on = text.word(shut) == "on" && lists!("the its each every", text.word(shut + 1));
    let range = if on { shut + 1..end } else { once.map_or(range, |start| start + 1..at) };
    let mut things = phrases::groups(text, range);
    things.retain(|group| group.preposition.is_empty() || group.preposition == "on");
    things.truncate(1);
    if let Some(group) = things.first_mut() {
        group.words.retain(|word| !lists("taped sealed closed tape", word));
    }
    let known = things.first().is_some_and(|thing| {
        !thing.words.is_empty() && !lists("door window book eye switch mouth tap circuit scissor drawer", thing.head())
    });
    known.then(|| Ban { text, at, action: Action::Open, things, places: Vec::new(), pupils_only: false, after })
}

/// "Celery from the jars is not for eating", "nothing goes in mouths", "lab potatoes aren't food".
fn for_eating<'l, 'c>(text: &'l Text<'c>, sentence: &Range<usize>, at: usize) -> Option<Ban<'l, 'c>> {
    let denied = phrases::is_denial(text.word(at));
    let food = denied && lists!("food snack snacks edible", text.word(at + 1))
        || text.has_at(at, &["not", "for", "eating"])
        || text.has_at(at, &["not", "a", "snack"]);
    let mouth =
        text.word(at) == "nothing" && (at..sentence.end.min(at + 6)).any(|t| lists!("mouth mouths", text.word(t)));
    if !food && !mouth || (sentence.clone()).any(|t| lists!("until if unless", text.word(t))) {
        return None;
    }
    let mut things = if mouth { Vec::new() } else { phrases::groups(text, sentence.start..at) };
    things.retain(|group| group.preposition.is_empty());
    // "Food used in the lab is not food any more"
    if food && things.iter().any(|group| group.words.iter().any(|word| lists!("food everything anything", word))) {
        things.clear();
    }
    Some(Ban { text, at, action: Action::Taste, things, places: Vec::new(), pupils_only: false, after: None })
}

/// Where a condition begins in a clause, and where what is said of the action stops.
fn condition(text: &Text, at: usize, end: usize) -> (Option<usize>, usize) {
    let start = (at + 1..end).find(|t| {
        let excuses = lists!("even", text.word(t - 1)) || lists!("no", text.word(*t));
        phrases::begins_condition(text.word(*t)) && !excuses
    });
    (start, start.unwrap_or(end))
}

/// The verb of "after it has been taped", "once taped", "after taping".
fn verb_of_scope(text: &Text, range: Range<usize>) -> Option<String> {
    let verb = |t: &usize| {
        phrases::verb(text.word(*t), &["tape", "seal", "close", "zip", "shut", "cap", "incubate", "stopper"])
    };
    range.into_iter().find_map(|t| verb(&t)).map(str::to_owned)
}

fn ban<'l, 'c>(
    text: &'l Text<'c>,
    at: usize,
    action: Action,
    stop: usize,
    pupils_only: bool,
    after: Option<String>,
    sentence: &Range<usize>,
) -> Ban<'l, 'c> {
    let general = |group: &Group| group.words.iter().all(|word| lists!(GENERAL, word));
    let pronoun = (at + 1..stop).any(|t| lists!("it them they", text.word(t)));
    let groups = phrases::groups(text, at + 1..stop);
    let (mut things, mut places): (Vec<Group>, Vec<Group>) =
        groups.into_iter().partition(|group| group.preposition.is_empty());
    for thing in &mut things {
        let own = action == Action::Near;
        thing.words.retain(|word| {
            !(lists("unattended alone unsupervised done performed nose", word) || own && lists("face eye mouth", word))
        });
    }
    things.retain(|thing| !(thing.words.is_empty() || action == Action::Ignite && lists!("fire flame", thing.head())));
    if pronoun {
        things.retain(|thing| !general(thing));
    } else if things.iter().any(&general) {
        things.clear();
    }
    let by_teacher = |group: &Group| group.tokens.clone().any(|t| phrases::is_teacher(text, t));
    // "In the reserve" is where the lesson is.
    let here = |group: &Group| lists!("reserve park site area", group.head()) && lists!("in on at", &group.preposition);
    places.retain(|group| {
        !general(group) && !here(group) && !lists("during of", &group.preposition) && !by_teacher(group)
    });
    if action == Action::Touch && things.is_empty() {
        // "Never put your fingers near the gear"
        let (near, rest) =
            places.into_iter().partition(|group| lists!("near in into on inside at", &group.preposition));
        (things, places) = (near, rest);
    }
    let start = phrases::clause_start(text, at);
    let passive = (start..at).any(|t| lists!("is are be", text.word(t)));
    let nothing = (start..at).any(|t| text.word(t) == "nothing");
    let named_before = pronoun && things.is_empty() && places.is_empty();
    if named_before || things.is_empty() && (passive || pupils_only) && !nothing {
        // "At no point should water be added to acid" is said of water.
        let led = (start..at.min(start + 4)).find(|t| lists!("point time circumstances account", text.word(*t)));
        let start = if named_before { sentence.start } else { led.map_or(start, |led| led + 1) };
        let not_people = |group: &Group| {
            group.preposition.is_empty()
                && !general(group)
                && !group
                    .words
                    .iter()
                    .any(|word| lists!("teacher adult technician alone never student pupil lean bend", word))
        };
        // "Vinegar is measured and poured": what is done besides is no part of the name.
        let named =
            (start..at).rev().find(|t| passive && !named_before && lists!("is are", text.word(*t))).unwrap_or(at);
        things = phrases::groups(text, start..named).into_iter().filter(not_people).take(1).collect();
        // "Put your face over the bag or sniff it"
        if named_before && things.is_empty() && lists!("or nor", text.word(at.wrapping_sub(1))) {
            let over = |group: &Group| !general(group) && lists!("over near in on at into with", &group.preposition);
            things = phrases::groups(text, start..at).into_iter().rev().filter(over).take(1).collect();
        }
        for thing in &mut things {
            // "The bottle stays with the teacher": what follows the verb is not its name.
            let verb = thing.words.iter().position(|word| lists!("stay remain belong go goe sit live have", word));
            thing.words.truncate(verb.filter(|verb| *verb > 0).unwrap_or(thing.words.len()));
            thing.words.retain(|word| !lists("should shall point allowed permitted", word));
            // "A strip having acid on it" is a strip, and acid is named with it.
            let with = thing.words.iter().position(|word| lists!("having containing holding bearing", word));
            if let Some(with) = with.filter(|with| *with > 0) {
                thing.words.remove(with);
                thing.words.rotate_left(with);
            }
        }
        things.retain(|thing| !thing.words.is_empty());
    }
    Ban { text, at, action, things, places, pupils_only, after }
}
