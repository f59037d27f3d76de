//! Whether two names mean one variable by the words they share, in whatever order and with whatever verbs: "how far out
//! along the bar the masses are clipped", "distance of the masses from the middle of the bar".

use std::ops::Range;

use super::variable::alike;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, lists};

const ASPECTS: &str = "type amount number size temperature mass colour length height brand shape material concentration slope depth \
    thickness age distance ph brightness time speed width force pressure voltage current area frequency rate share angle";

/// Words of what is done with a thing, and where on it: they tell no variable from another.
const LOOSE: &str = "clip coat carr put place attach hang use add pour soak dip cover spread wet fix mount hold held tie tap stick glue rub \
    smear paint grease line wrap plant sow drop roll releas start finish middl cent centr end out along straight directly mark tested tri appli \
    apply touch sit stand lie give get set made make used us carry two three four five skein cloth trial round run experiment test what is are each every the same one all from climb";

/// Where on a thing something is.
const WHERE: &str = "out along middle centre center end start finish line mark top bottom";

/// Words that tell a thing more closely, and may be left out where it is known.
const CLOSER: &str = "petroleum paper plastic metal wooden cotton glas copper iron steel dilut sodium garden tap";

/// One name for what is called by several.
fn one(word: &str) -> &str {
    match word {
        "side" | "sid" | "fac" => "surfac",
        "far" => "distanc",
        "wett" => "wet",
        other => other,
    }
}

/// The aspects and things that a part of a name holds.
#[derive(Debug, Default, PartialEq, Eq)]
struct Bag {
    aspects: Vec<String>,
    things: Vec<String>,
    /// What is done with them, or where.
    loose: Vec<String>,
}

fn bag(text: &Text, range: Range<usize>) -> Bag {
    let mut read = Bag::default();
    for at in range {
        let Some(token) = text.tokens.get(at).filter(|token| token.is_word()) else { continue };
        let word = token.word.strip_suffix("'s").unwrap_or(&token.word);
        let before = text.word(at.wrapping_sub(1));
        let known = alike(word);
        let adjective = known != word && known != alike(&token.lemma);
        if before == "how" && lists!("far", word) {
            read.aspects.push("distance".to_owned());
        } else if word == "masses" {
            read.things.push("mass".to_owned());
        } else if lists!(ASPECTS, alike(&token.lemma)) && (before == "how" || !adjective) {
            read.aspects.push(alike(&token.lemma).to_owned());
        } else if phrases::is_empty(word) && !lists!("jelly fly belly supply", word)
            || lists!(
                "how what which that it who in on at to from of for with by into onto under over through after before during has been is and kept keep held constant identical unchanged fixed equal",
                word
            )
        {
        } else {
            let stem = stem(&token.lemma);
            let stem = one(&stem).to_owned();
            let loose = lists!(LOOSE, &stem) || lists!(LOOSE, word);
            if loose { read.loose.push(stem) } else { read.things.push(stem) }
        }
    }
    for words in [&mut read.aspects, &mut read.things, &mut read.loose] {
        words.sort();
        words.dedup();
    }
    read
}

fn end(text: &Text) -> usize {
    (0..text.tokens.len()).find(|at| lists!("( : ; – — . / = [", text.word(*at))).unwrap_or(text.tokens.len())
}

/// The parts of a name that names several variables: "alcohol used, and the area of the paper".
fn parts(text: &Text) -> Vec<Range<usize>> {
    let end = end(text);
    let mut found = Vec::new();
    let mut start = 0;
    for at in 0..end {
        let joins =
            text.word(at) == "," || text.word(at) == "and" && lists!("the how what which its", text.word(at + 1));
        if joins {
            found.push(start..at);
            start = at + 1;
        }
    }
    found.push(start..end);
    found.retain(|part| !part.is_empty());
    found
}

/// Whether a name of something changed or measured and one of something kept share all words that matter.
pub(super) fn same(changed: &Text, kept: &Text) -> bool {
    let odd = |text: &Text| {
        (0..text.tokens.len()).any(|at| {
            lists!("start starting initial beginning first other within room setting or whether not than per_cent half between", text.word(at))
        })
    };
    if odd(kept)
        || (0..end(changed))
            .any(|at| lists!("start starting initial beginning first other room between", changed.word(at)))
    {
        return false;
    }
    let kept_bag = bag(kept, 0..end(kept));
    let whole = bag(changed, 0..end(changed));
    let all = parts(changed);
    let several = all.len() > 1;
    let places = |text: &Text, range: Range<usize>| -> Vec<String> {
        range.map(|at| text.word(at).to_owned()).filter(|word| lists!(WHERE, word)).collect()
    };
    let kept_at = places(kept, 0..end(kept));
    all.into_iter().any(|part| {
        let changed_at = places(changed, part.clone());
        // The end of a bar is not its middle.
        if !changed_at.is_empty() && !kept_at.is_empty() && changed_at != kept_at {
            return lists!("out along", changed_at.first().map_or("", String::as_str))
                && is_part(changed, part, &kept_bag, &whole, several);
        }
        is_part(changed, part, &kept_bag, &whole, several)
    }) || is_which(changed, kept, &kept_bag)
}

/// Whether a part of a name shares all words that matter with what is kept.
fn is_part(changed: &Text, part: Range<usize>, kept: &Bag, whole: &Bag, several: bool) -> bool {
    let part = bag(changed, part);
    let shared = part.things.iter().filter(|thing| kept.things.contains(thing)).count();
    // What another part of the same name tells may be told again: "the paper wetted by the alcohol".
    let known = |thing: &String| part.things.contains(thing) || several && whole.things.contains(thing);
    let equal = shared == part.things.len() && kept.things.iter().all(known) && shared > 0;
    let closer =
        |one: &Bag, other: &Bag| one.things.iter().all(|thing| other.things.contains(thing) || lists!(CLOSER, thing));
    let within = shared >= 2 && closer(&part, kept) && closer(kept, &part);
    let measured = !part.aspects.is_empty() && part.aspects == kept.aspects;
    measured && (equal && (shared > 1 || part.loose == kept.loose) || within)
        || part.aspects.is_empty() && kept.aspects.is_empty() && (equal && shared >= 2 || within && shared >= 3)
}

/// "Mordant used (alum, vinegar, or plain water)", and "which mordant the skein has been soaked in".
fn is_which(changed: &Text, kept: &Text, kept_bag: &Bag) -> bool {
    let until = (0..changed.tokens.len()).find(|at| lists!("( : , before after", changed.word(*at))).unwrap_or(0);
    let named = bag(changed, 0..until);
    let levels = changed.tokens.iter().skip(until);
    let listed = levels.clone().filter(|token| token.is(",") || token.is("or") || token.is("and")).count();
    let counted = levels
        .clone()
        .any(|token| token.word.starts_with(|c: char| c.is_ascii_digit()) || token.is("with") || token.is("without"));
    let [thing] = &named.things[..] else { return false };
    named.aspects.is_empty()
        && listed > 0
        && !counted
        && lists!("which what", kept.word(0))
        && stem(kept.lemma(1)) == *thing
        && kept_bag.aspects.is_empty()
}
