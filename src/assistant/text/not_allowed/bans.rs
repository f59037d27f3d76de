//! What a text bans without a condition: "no phones", "glass may not be used", "a nut-free room".

use super::Ban;
use super::rules::may_ban;
use super::scopes::is_where_all_work;
use crate::assistant::facts::lesson::{Role, Text};
use crate::assistant::facts::phrases;

/// Groups that are of one stuff: a list of only the one has none of the others.
const STUFFS: [&str; 4] = ["plastic", "glass", "metal", "wooden"];

/// Words that are no things, after which "no" bans nothing that could be listed.
pub(super) const NO_THINGS: &str = "running run food drink time student pupil child person group way need more hand finger bare step talking \
    shouting pushing tasting eating peeking water part side talk horseplay change follow class lesson school \
    repeat team use answer question work help touch extra loose long jewellery jewelry sandal hair colour \
    preservative air light heat stirring electricity sound";

/// Words after which a ban is no longer general.
pub(super) const SCOPES: &str = "near if when while until unless except before after to as for than but without alone unsupervised other \
    between over inside directly during that which apart";

/// Words before a place, which make it the place that matters: "no string round anybody's neck".
const ELSEWHERE: &str = "round around below beneath under underneath above behind through against beside along toward \
    towards off up down past across onto upon from with by among";

/// Words that belong to a general place or time.
const EVERYWHERE: &str = "in on at of the this our any room classroom lab laboratory building school lesson class today here \
    campus field site kind outside outdoors indoors anywhere all ground it them science grade age into aboard mobile \
    throughout whole entire our premises workshop sort type description whatsoever";

/// Verbs of making something out of parts.
const MAKES: [&str; 9] = ["build", "make", "construct", "assemble", "join", "design", "solve", "calculate", "compute"];

/// The things that a text bans without a condition.
pub(super) fn bans<'l, 'c>(text: &'l Text<'c>) -> Vec<Ban<'l, 'c>> {
    let general = may_ban(text.role) && !matches!(text.role, Role::Phenomenon | Role::Assessment);
    let in_step = matches!(text.role, Role::Step(_));
    let mut found = Vec::new();
    for sentence in text.sentences() {
        if !(general || in_step) || phrases::is_question(text, sentence.start) {
            continue;
        }
        let mut add = |at: usize, words: Vec<String>| {
            // "Students under 10 do not use the drill" speaks of those alone.
            let some = |t: usize| {
                phrases::is_pupil(text.word(t)) && phrases::lists!("with who under whose allergic", text.word(t + 1))
            };
            if (phrases::clause_start(text, at)..phrases::clause_end(text, at)).any(some) {
                return;
            }
            let banned = words.last().is_some_and(|head| head.len() > 2 && !phrases::lists!(NO_THINGS, head));
            if banned && words.len() <= 3 && !words.iter().any(|word| phrases::lists!(NO_THINGS, word)) {
                let pupils_only = !matches!(text.role, Role::Objective(_) | Role::Title)
                    && sentence
                        .clone()
                        .any(|at| matches!(text.word(at), "students" | "pupils" | "children" | "learners" | "student"));
                found.push(Ban { text, at, words, pupils_only, place: Vec::new() });
            }
        };
        for at in sentence.clone() {
            let opens = at == phrases::clause_start(text, at);
            let end = phrases::clause_end(text, at);
            match text.word(at) {
                // "No phones."
                // "No eating the flour or cocoa" bans a deed and no thing.
                "no" if general && !is_deed(text.word(at + 1)) => {
                    let end = list_end(text, at, end);
                    let verb = (at + 1..end)
                        .find(|t| phrases::lists!("is are may can will should allowed permitted", text.word(*t)));
                    let before = text.word(at.wrapping_sub(1));
                    let first = opens
                        || text.word(sentence.start) == "there" && phrases::lists!("be is are", before)
                        || phrases::lists!("absolutely strictly please definitely", before)
                        || before == "and" && text.word(sentence.start) == "no";
                    // "Build a tower with no tape or glue"
                    let built = text.word(at.wrapping_sub(1)) == "with"
                        && matches!(text.role, Role::Objective(_) | Role::Title | Role::Safety(_))
                        && (sentence.start..at).any(|t| phrases::verb(text.word(t), &MAKES).is_some());
                    let bare = verb.is_none()
                        && (first && matches!(text.role, Role::Safety(_)) || built)
                        && everywhere_after_noun(text, at + 1, end);
                    if bare {
                        for group in phrases::groups(text, at + 1..end).into_iter().filter(|g| g.preposition.is_empty())
                        {
                            let tokens = group.tokens.clone();
                            add(tokens.start, open_flame(group.words));
                        }
                    }
                }
                // "Nothing may be plugged in", "battery power only"
                "plugged" | "only"
                    if matches!(text.role, Role::Safety(_))
                        && (text.word(at) == "plugged"
                            && (sentence.start..at).any(|t| matches!(text.word(t), "nothing" | "never"))
                            && !(at..end).any(|t| phrases::lists!(SCOPES, text.word(t)))
                            || text.word(at) == "only"
                                && phrases::clause_start(text, at) == sentence.start
                                && (sentence.start..at)
                                    .any(|t| phrases::lists!("battery batteries", text.word(t)))
                                && (sentence.start..at).all(|t| {
                                    phrases::lists!("battery batteries power low - voltage powered aa", text.word(t))
                                })
                                && at + 1 == end) =>
                {
                    add(at, vec!["mains".to_owned()]);
                }
                // "Power packs stay in the cupboard"
                "stay" | "stays" | "remain" | "remains"
                    if general && text.has_at(at + 1, &["in"]) && !is_its_own(text, at)
                        || text.has_at(at + 1, &["switched", "off", "in"]) =>
                {
                    let away = (at + 1..end).any(|t| {
                        phrases::lists!("cupboard bags bag lockers locker drawer backpacks backpack", text.word(t))
                            && text.word(t - 1) != "fume"
                    });
                    let late =
                        (at..end).any(|t| matches!(text.word(t), "until" | "when" | "unless" | "while" | "overnight"));
                    let start = phrases::clause_start(text, at);
                    if let Some(group) = phrases::groups(text, start..at).into_iter().next().filter(|_| away && !late) {
                        let tokens = group.tokens.clone();
                        add(tokens.start, group.words);
                    }
                }
                // "Anything that runs off the wall socket is forbidden"
                "anything" | "nothing" if general => {
                    let mains = (at + 1..end).find(|t| phrases::lists!("mains socket outlet", text.word(*t)));
                    let runs = (at + 1..end.min(at + 5))
                        .any(|t| phrases::lists!("runs run plugs plugged powered works needs on", text.word(t)));
                    let banned = (at + 1..end)
                        .find(|t| phrases::lists!("forbidden banned prohibited allowed permitted used", text.word(*t)));
                    if let (Some(mains), Some(banned)) = (mains, banned)
                        && mains < banned
                        && runs
                        && (text.word(at) == "nothing"
                            || matches!(text.word(banned), "forbidden" | "banned" | "prohibited")
                            || phrases::is_denied(text, banned))
                        && everywhere(text, banned + 1, end)
                    {
                        add(mains, vec!["mains".to_owned()]);
                    }
                }
                // "Build a tower without glue", "without using any tape"
                "without" if matches!(text.role, Role::Objective(_) | Role::Title | Role::Safety(_)) => {
                    let start = phrases::clause_start(text, at);
                    let built = (start..at).any(|t| phrases::verb(text.word(t), &MAKES).is_some());
                    let using = text.word(at + 1) == "using";
                    let first = if using { at + 2 } else { at + 1 };
                    if built
                        && !(first..end).any(|t| phrases::lists!(SCOPES, text.word(t)) || text.word(t).ends_with("ing"))
                    {
                        for group in phrases::groups(text, first..end)
                            .into_iter()
                            .filter(|g| g.preposition.is_empty() && g.words.len() <= 2)
                        {
                            let tokens = group.tokens.clone();
                            add(tokens.start, group.words);
                        }
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
                            phrases::lists!("containers beakers cups bottles jars vessels in the lab room outside outdoors may be used are allowed", text.word(t))
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

/// "The agent stays in its bag", "eggs stay in their bag": the bag is that of the thing, where no pupil has one.
fn is_its_own(text: &Text, stays: usize) -> bool {
    let one = |t: usize| phrases::lists!("bag drawer box shell", text.lemma(t));
    let people = |t: usize| phrases::is_pupil(text.word(t)) || phrases::lists!("everyone everybody your", text.word(t));
    match text.word(stays + 2) {
        "its" => true,
        "their" => (stays + 3..stays + 6).any(one) && !text.sentence(stays).any(people),
        _ => false,
    }
}

/// Where a list of nouns ends that begins here: "glue, tape or other sticky stuff may be used".
fn list_end(text: &Text, at: usize, end: usize) -> usize {
    if text.word(end) != "," {
        return end;
    }
    let stop = text.sentence(at).end.min(at + 14);
    let verb = (at + 1..stop).find(|t| {
        phrases::lists!("is are may can will should ; : . ( ! ? – — but so unless", text.word(*t))
            || phrases::is_denial(text.word(*t))
    });
    match verb {
        Some(verb) if phrases::lists!("is are may can will should", text.word(verb)) => {
            if (end..verb).any(|t| phrases::lists!("or nor and", text.word(t))) {
                phrases::clause_end(text, verb)
            } else {
                end
            }
        }
        _ => end,
    }
}

/// Whether a word after "no" tells of something done: "eating", but not "string".
fn is_deed(word: &str) -> bool {
    word.len() > 5
        && word.ends_with("ing")
        && !phrases::lists!("string spring plaything earring bedding clothing", word)
}

fn is_allowing(word: &str) -> bool {
    matches!(
        word,
        "allowed"
            | "permitted"
            | "used"
            | "use"
            | "permissible"
            | "welcome"
            | "brought"
            | "acceptable"
            | "taken"
            | "present"
    )
}

/// "open flames" and "naked lights" are flames.
pub(super) fn open_flame(mut words: Vec<String>) -> Vec<String> {
    words.retain(|word| !phrases::lists!("anywhere here today indoors outside outdoors", word));
    let head = words.pop();
    // "No open shoes" are no flames.
    let burns = head.as_deref().is_some_and(|head| phrases::lists!("flame fire light candle burner match", head));
    words.retain(|word| !(burns && word == "open"));
    words.retain(|word| !phrases::lists!("naked exposed lit live personal cell allowed mobile smart", word));
    words.extend(head);
    words
}

/// Whether the words from here on only say that it holds in the whole lesson.
fn everywhere(text: &Text, start: usize, end: usize) -> bool {
    let end = before_reason(text, start, end);
    let scoped = (start..end).any(|at| phrases::lists!(SCOPES, text.word(at)));
    let excepted = text.tokens.get(end).is_some()
        && text.sentence(end).end > end
        && (end..text.sentence(end).end)
            .any(|at| matches!(text.word(at), "unless" | "except" | "apart" | "until" | "but"));
    // Another place than the whole room: "no knives in the sink".
    let placed = (start..end).any(|at| phrases::lists!("in on at from with into", text.word(at)));
    let slack = usize::from(!placed);
    let (verbs, words) = (
        (start..end)
            .filter(|at| {
                is_allowing(text.word(*at))
                    || matches!(text.word(*at), "is" | "are" | "be" | "may" | "can" | "will" | "should")
            })
            .count(),
        (start..end).len(),
    );
    let known = |at: &usize| phrases::lists!(EVERYWHERE, text.word(*at)) || is_where_all_work(text, *at);
    let known = (start..end).filter(known).count();
    !scoped && !excepted && words <= verbs + known + slack
}

/// Where a reason begins that limits nothing: "because …", "since the bell rang", "while the floor is being rewired".
pub(super) fn before_reason(text: &Text, start: usize, end: usize) -> usize {
    let reason = |at: &usize| match text.word(*at) {
        "because" | "since" => true,
        "as" => phrases::lists!("the we they it some one there two", text.word(at + 1)),
        "while" => (at + 1..end).any(|t| text.word(t) == "being"),
        "for" => {
            phrases::lists!("safety hygiene health this", text.word(at + 1))
                && (text.word(at + 1) != "this"
                    || phrases::lists!("age grade class year group lesson", text.word(at + 2)))
        }
        "during" => {
            phrases::lists!("this the", text.word(at + 1))
                && phrases::lists!("lesson activity experiment whole class investigation", text.word(at + 2))
        }
        _ => false,
    };
    (start..end).find(reason).unwrap_or(end)
}

/// The same, after a group of nouns.
fn everywhere_after_noun(text: &Text, start: usize, end: usize) -> bool {
    let end = before_reason(text, start, end);
    let noun = (start..end)
        .take_while(|at| !matches!(text.word(*at), "in" | "on" | "at" | "of" | "today" | "here" | "anywhere"))
        .count();
    let scoped =
        (start..end).any(|at| phrases::lists!(SCOPES, text.word(at)) || phrases::lists!(ELSEWHERE, text.word(at)));
    noun <= 6 && !scoped && everywhere(text, start + noun, end)
}
