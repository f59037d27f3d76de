//! Groups of things and not of people: "groups of four beads", "plant the bulbs in threes".

use std::ops::Range;

use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::{numbers, phrases};

/// What groups do.
const DEEDS: [&str; 44] = [
    "share",
    "choose",
    "take",
    "get",
    "collect",
    "build",
    "need",
    "make",
    "set",
    "measure",
    "record",
    "use",
    "work",
    "decide",
    "pick",
    "plan",
    "test",
    "sit",
    "design",
    "draw",
    "write",
    "receive",
    "keep",
    "run",
    "put",
    "pour",
    "fill",
    "fetch",
    "will",
    "can",
    "should",
    "must",
    "are",
    "is",
    "have",
    "stand",
    "investigate",
    "carry",
    "do",
    "mix",
    "cut",
    "plant",
    "go",
    "rotate",
];

const PEOPLE: [&str; 32] = [
    "has", "you", "we", "they", "your", "one", "must", "everyone", "share", "as", "students", "pupils", "children",
    "people", "kids", "learners", "and", "to", "with", "for", "at", "please", "so", "each", "around", "that", "which",
    "in", "on", "then", "will", "from",
];

/// Whether groups are of things, as the word after their number tells: "groups of four beads", "of three to five".
pub fn is_of_things(text: &str, number: usize, next: &regex::Match) -> bool {
    let word = next.as_str().to_lowercase();
    let rest = text.get(next.end()..).unwrap_or_default();
    let after = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
    let ranged = matches!(word.as_str(), "to" | "or")
        && (numbers::small_number(&after).is_some() || after.starts_with(|c: char| c.is_ascii_digit()));
    let one = text.get(..number).unwrap_or_default().trim_end_matches(" of ").rsplit(' ').next().unwrap_or_default();
    // Groups take; only a group takes.
    let stems = [word.strip_suffix('s'), word.strip_suffix("es")];
    let third_person = stems.into_iter().flatten().find(|stem| DEEDS.contains(stem) && !one.ends_with('s'));
    // "Each team of three sketches two designs", "teams of three sketch the design"
    const BEGINS: &str = "the a an its their one two three four five six this these that both";
    let sketches = one.ends_with('s') != word.ends_with('s') && phrases::lists!(BEGINS, &after);
    // "You will work in groups of two today"
    let then = phrases::lists!("today tonight now again throughout please here", &word);
    let deed =
        then || sketches || DEEDS.contains(&word.as_str()) || third_person.is_some() || PEOPLE.contains(&word.as_str());
    ranged || !deed
}

/// A clause without words that only sound as if a group were named in passing: "choose one child while the others draw".
pub fn in_passing(clause: &str) -> String {
    let others = if clause.contains(" one ") { "the others" } else { "" };
    ["ort out", "have had", "sit at your table", "sit at your bench", others]
        .iter()
        .filter(|words| !words.is_empty())
        .fold(clause.to_owned(), |clause, words| clause.replace(words, ""))
}

/// Whether what stands before groups makes them ones that are compared: "a control group of five".
pub fn is_compared(before: &str) -> bool {
    let last = before.trim_end().rsplit(' ').next().unwrap_or_default().to_lowercase();
    phrases::lists!(
        "control test treatment experimental placebo trained untrained comparison sample treated untreated",
        &last
    )
}

/// Where a number goes on to another, "two or three", that one and the token after it.
pub fn end_of_range(text: &Text, joint: &regex::Match) -> Option<(i64, usize)> {
    let joined = matches!(joint.as_str(), "to" | "or" | "and");
    let at = text.tokens.partition_point(|token| token.bytes.end <= joint.end());
    let upto = numbers::numeral(&text.tokens, at).filter(|_| joined)?;
    Some((upto.whole().filter(|upto| (2..=12).contains(upto))?, upto.tokens.end))
}

/// Whether things are counted by the number that ends before a token.
pub fn things_follow(text: &Text, at: usize) -> bool {
    let word = text.word(at);
    let people = text.lemma(at);
    text.tokens.get(at).is_some_and(|token| token.is_word())
        && !DEEDS.contains(&word)
        && !PEOPLE.contains(&word)
        && !PEOPLE.contains(&people)
}

/// Whether things are put together and not people: "weigh the fragments in threes", "plant the bulbs in groups of three".
pub fn is_said_of_things(before: &str, said: &str) -> bool {
    const THESE: &str = "the your all these those our their its both";
    const PUPILS: &str = "students pupils children learners kids groups teams yourselves themselves ourselves classes people ones us scientists partners chairs desks tables";
    const PLACED: &str = "in at on to around into from with along by near of round outside";
    if !["in", "In", "as", "groups", "Groups", "teams"].iter().any(|start| said.starts_with(start)) {
        return false;
    }
    let lower = before.to_lowercase();
    let mut words = lower.split_whitespace().rev().peekable();
    while words
        .next_if(|word| phrases::lists!("in into as off up out together again over", word) || word.ends_with("ly"))
        .is_some()
    {}
    // "Weigh them in threes"
    const HANDLED: &str = "weigh dry wash rinse blot count lay plant stack bundle tie tape pack fold cut drop dip sow place stick glue \
        clip hang thread roll string snap put arrange set stand";
    if words.next_if(|word| matches!(*word, "them" | "these" | "those")).is_some() {
        return words.next().is_some_and(|verb| phrases::lists(HANDLED, verb));
    }
    let Some(last) = words.next().filter(|last| last.ends_with('s') && !last.ends_with("ss")) else { return false };
    // "Work at your stations in threes"
    let rest: Vec<&str> = words.take(4).collect();
    let article = rest.iter().position(|word| phrases::lists!(THESE, word));
    let placed = article.and_then(|at| rest.get(at + 1)).is_some_and(|word| phrases::lists!(PLACED, word));
    article.is_some() && !placed && !phrases::lists!(PUPILS, last)
}
/// Whether those at one table do the work together: "sit six to a bench; each bench carries out its own test".
pub(super) fn works_as_one(text: &Text, at: &Range<usize>) -> bool {
    const DOES: &str =
        "carries does works tests runs performs builds makes conducts completes investigates experiments sets";
    let at = text.tokens.partition_point(|token| token.bytes.end <= at.start);
    (at..text.tokens.len().min(at + 25)).any(|at| {
        phrases::lists!("each every", text.word(at))
            && phrases::lists!("bench table station", text.word(at + 1))
            && (phrases::lists!(DOES, text.word(at + 2)) || text.has_at(at + 2, &["is", "one", "group"]))
    })
}
