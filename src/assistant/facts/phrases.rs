//! Phrases: verbs in their forms, the groups of nouns that follow them, who acts, and what is denied.
//!
//! No grammar, only as much of it as the short sentences of a lesson need; where it is unsure it gives nothing.

use std::ops::Range;

use super::lesson::Text;
pub(crate) use super::lists::lists;
use super::lists::{List, list};

/// Forms of verbs that follow no rule, sorted, with the verb.
const IRREGULAR: [(&str, &str); 46] = [
    ("ate", "eat"),
    ("bit", "bite"),
    ("bitten", "bite"),
    ("blew", "blow"),
    ("blown", "blow"),
    ("broke", "break"),
    ("broken", "break"),
    ("brought", "bring"),
    ("burnt", "burn"),
    ("cut", "cut"),
    ("drank", "drink"),
    ("drunk", "drink"),
    ("eaten", "eat"),
    ("fallen", "fall"),
    ("fed", "feed"),
    ("fell", "fall"),
    ("felt", "feel"),
    ("gave", "give"),
    ("given", "give"),
    ("gone", "go"),
    ("got", "get"),
    ("grew", "grow"),
    ("grown", "grow"),
    ("held", "hold"),
    ("kept", "keep"),
    ("left", "leave"),
    ("lit", "light"),
    ("put", "put"),
    ("ran", "run"),
    ("risen", "rise"),
    ("rising", "rise"),
    ("rose", "rise"),
    ("shaken", "shake"),
    ("shook", "shake"),
    ("smelt", "smell"),
    ("stood", "stand"),
    ("struck", "strike"),
    ("swung", "swing"),
    ("taken", "take"),
    ("threw", "throw"),
    ("thrown", "throw"),
    ("took", "take"),
    ("tore", "tear"),
    ("went", "go"),
    ("wore", "wear"),
    ("worn", "wear"),
];

/// The forms alone: most words are none.
static IRREGULAR_FORMS: List = list!(
    "ate bit bitten blew blown broke broken brought burnt cut drank drunk eaten fallen fed fell felt gave \
    given gone got grew grown held kept left lit put ran risen rising rose shaken shook smelt stood \
    struck swung taken threw thrown took tore went wore worn",
);

/// Whether `word` is a form of the verb `base`: `tastes`, `tasting` and `tasted` of `taste`.
#[inline]
pub fn is_form_of(word: &str, base: &str) -> bool {
    // Most words have no letter in common with a verb that they are asked for, and that tells fastest.
    if word.as_bytes().first() == base.as_bytes().first() {
        is_regular_form_of(word, base) || is_irregular_form_of(word, base)
    } else {
        matches!((word, base), ("ate", "eat") | ("went", "go"))
    }
}

fn is_irregular_form_of(word: &str, base: &str) -> bool {
    if !IRREGULAR_FORMS.has(word) {
        return false;
    }
    let known = IRREGULAR.binary_search_by_key(&word, |(form, _)| form).ok().and_then(|at| IRREGULAR.get(at));
    known.is_some_and(|(_, verb)| *verb == base)
}

fn is_regular_form_of(word: &str, base: &str) -> bool {
    if word == base {
        return true;
    }
    let without_e = base.strip_suffix('e').unwrap_or(base);
    let without_y = base.strip_suffix('y').unwrap_or(base);
    if !word.starts_with(without_y) && !word.starts_with(without_e) {
        return false;
    }
    let ending = |stem: &str, endings: &[&str]| word.strip_prefix(stem).is_some_and(|rest| endings.contains(&rest));
    let doubled = || {
        let last = base.get(base.len().saturating_sub(1)..).unwrap_or_default();
        word.strip_prefix(base)
            .and_then(|rest| rest.strip_prefix(last))
            .is_some_and(|rest| rest == "ing" || rest == "ed")
    };
    ending(base, &["s", "es"])
        || ending(without_e, &["ing", "ed"])
        || (base.ends_with('y') && ending(without_y, &["ies", "ied"]))
        || doubled()
}

/// The verb of `verbs` of which `word` is a form.
pub fn verb<'v>(word: &str, verbs: &[&'v str]) -> Option<&'v str> {
    verbs.iter().copied().find(|base| is_form_of(word, base))
}

/// Whether a list of words with spaces between them has this one.
pub fn lists(words: &str, word: &str) -> bool {
    // Most words are in no list, and a search for the letters tells that fastest.
    words.contains(word) && words.split_ascii_whitespace().any(|known| known == word)
}

/// Words that say nothing of their own in a group of nouns.
static EMPTY: List = list!(
    "a an the this that these those any some all each every both either no your our their his her its my own \
    it them they you we he she i us is are be was were been being very too also just again here there now \
    then please more most other another same such so not only ever one will may can must kind sort",
);

/// Whether a word says nothing of its own.
pub fn is_empty(word: &str) -> bool {
    EMPTY.has(word) || word.len() > 4 && word.ends_with("ly")
}

static PREPOSITIONS: List = list!(
    "of in on at to from with by near into onto down through under over for during above below around round \
    between along toward towards off out up against across per than inside outside beside",
);

/// Words that begin a clause which says when or why.
static CONDITIONS: List = list!(
    "when while whilst after before until till unless except if once without because since as which who where \
    whenever despite",
);

/// Whether a word begins a clause which says when or why.
pub fn begins_condition(word: &str) -> bool {
    CONDITIONS.has(word)
}

/// A group of nouns without its empty words, the head last, and the preposition before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// What stands before it; empty for a direct object.
    pub preposition: String,
    /// Its words as they are compared.
    pub words: Vec<String>,
    /// Its tokens.
    pub tokens: Range<usize>,
}

impl Group {
    /// The noun that the others tell more about.
    pub fn head(&self) -> &str {
        self.words.last().map_or("", String::as_str)
    }
}

/// The groups of nouns in these tokens, up to a condition.
pub fn groups(text: &Text, tokens: Range<usize>) -> Vec<Group> {
    let mut found: Vec<Group> = Vec::new();
    let mut preposition = String::new();
    let mut open: Option<Group> = None;
    for (at, token) in text.tokens.iter().enumerate().take(tokens.end).skip(tokens.start) {
        let word = token.word.as_str();
        let is_preposition = PREPOSITIONS.has(word);
        if begins_condition(word) || matches!(word, ";" | "." | "!" | "?" | "(" | "but") {
            break;
        }
        if is_preposition || matches!(word, "," | "and" | "or" | "nor" | ":" | "/" | "&" | "–" | "—") {
            found.extend(open.take());
            if is_preposition {
                preposition = word.to_owned();
            }
            continue;
        }
        if !token.is_word() || is_empty(word) {
            continue;
        }
        let group =
            open.get_or_insert_with(|| Group { preposition: preposition.clone(), words: Vec::new(), tokens: at..at });
        group.words.push(token.lemma.clone());
        group.tokens.end = at + 1;
    }
    found.extend(open);
    found
}

/// The words of these tokens that say something, as they are compared.
pub fn content_words(text: &Text, tokens: Range<usize>) -> Vec<String> {
    said(text, tokens).map(str::to_owned).collect()
}

/// The same one after the other.
pub fn said<'t>(text: &'t Text, tokens: Range<usize>) -> impl Iterator<Item = &'t str> {
    let tokens = text.tokens.iter().take(tokens.end).skip(tokens.start);
    let said = tokens.filter(|token| token.is_word() && !is_empty(&token.word));
    said.filter(|token| !PREPOSITIONS.has(&token.word)).map(|token| token.lemma.as_str())
}

/// Where the clause that holds a token ends: before the next sign or contrast, or with its sentence.
pub fn clause_end(text: &Text, at: usize) -> usize {
    text.around(at).end
}

/// Where the clause that holds a token begins.
pub fn clause_start(text: &Text, at: usize) -> usize {
    text.around(at).start
}

/// Whether a word denies what follows it.
pub fn is_denial(word: &str) -> bool {
    matches!(
        word,
        "not"
            | "no"
            | "never"
            | "nobody"
            | "none"
            | "nothing"
            | "without"
            | "avoid"
            | "avoiding"
            | "refrain"
            | "cannot"
            | "neither"
            | "nor"
            | "hardly"
            | "instead"
            | "rather"
            | "stop"
            | "prevent"
            | "resist"
            | "forbidden"
            | "less"
    ) || word.ends_with("n't")
}

/// Whether what is said at a token is denied in its clause.
pub fn is_denied(text: &Text, at: usize) -> bool {
    denial(text, at).is_some()
}

/// The word that denies what is said at a token, in its clause.
pub fn denial(text: &Text, at: usize) -> Option<usize> {
    text.around(at).denial
}

/// Whether the sentence that holds a token asks something.
pub fn is_question(text: &Text, at: usize) -> bool {
    text.around(at).asked
}

/// Whether what is said at a token is said of a case that may not be.
pub fn is_supposed(text: &Text, at: usize) -> bool {
    text.around(at).supposed
}

/// Who does something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// Those who learn, by name.
    Pupils,
    /// Who teaches, or another grown-up.
    Teacher,
    /// Whoever reads the sentence: it is an order.
    Reader,
    /// Somebody or something else.
    Other,
}

static TEACHER: List = list!(
    "teacher teachers adult adults technician technicians i grown-up grownup instructor demonstrator \
    demonstrate demonstrates staff helper madam sir miss mr mrs ms educator \
    educators facilitator tutor lecturer aide assistant coach leader parent parents ranger librarian docent",
);
static PUPILS: List = list!(
    "pupil pupils student students learner learners child children kid kids you we everyone everybody group \
    groups pair pairs partner partners team teams they one someone somebody volunteer volunteers member \
    members class anyone anybody table tables person people explorers scientists friend friends monitor \
    monitors captain recorder crew all teammate teammates participant participants tester testers",
);

/// Whether a word names a grown-up.
pub fn is_teacher(text: &Text, at: usize) -> bool {
    let word = text.word(at);
    TEACHER.has(word) && !leads_pupils(text, at)
        || word == "grown" && text.has_at(at + 1, &["-"])
        || word == "lab" && text.word(at + 1) == "tech"
}

/// Whether a word names the one of a group of pupils who leads it: "the group leader".
fn leads_pupils(text: &Text, at: usize) -> bool {
    text.word(at).starts_with("leader") && lists!("group team table pair crew", text.word(at.wrapping_sub(1)))
}

/// Whether a word names those who learn.
pub fn is_pupil(word: &str) -> bool {
    PUPILS.has(word)
}

/// Who does what the verb at this token says, as far as the words before it tell; `None` where it is no verb there.
pub fn actor(text: &Text, at: usize) -> Option<Actor> {
    let sentence = text.sentence(at);
    let word = text.word(at);
    let before =
        |back: usize| at.checked_sub(back).filter(|t| *t >= sentence.start).map_or("", |token| text.word(token));
    let subject = || {
        let start = (sentence.start..at)
            .rev()
            .find(|t| matches!(text.word(*t), ";" | ":" | "(" | "—" | "–"))
            .map_or(sentence.start, |t| t + 1);
        (start..at).rev().find_map(|token| {
            if is_teacher(text, token) {
                Some(Actor::Teacher)
            } else {
                is_pupil(text.word(token)).then_some(Actor::Pupils)
            }
        })
    };
    let previous = before(1);
    // "Press" and "pass" are orders, "presses" is none.
    let third = word.ends_with('s') && !word.ends_with("ss");
    let is_base = !word.ends_with("ing") && !word.ends_with("ed") && !third;
    // "After a week open the bags"
    let dated = lists!(
        "week weeks day days hour hours minute minutes end night morning lesson time moment point stage",
        previous
    ) && at - sentence.start <= 5
        && lists!("after on at in for", text.word(sentence.start));
    let numbered = previous.starts_with(|c: char| c.is_ascii_digit());
    let opens = dated
        || numbered && lists!("day step week hour minute trial", before(2))
        || matches!(previous, "" | "," | ":" | ";" | "(" | ")" | "–" | "—" | "!" | "." | "\"" | "“" | "'" | "‘")
        || matches!(
            previous,
            "and" | "then" | "now" | "please" | "or" | "next" | "first" | "finally" | "also" | "even"
        )
        || matches!(previous, "kindly" | "lastly" | "afterwards" | "simply" | "just" | "always" | "again")
        || previous.len() > 4 && previous.ends_with("ly");
    if word.ends_with("ing") {
        let gerund = matches!(
            previous,
            "by" | "and" | "," | "try" | "start" | "begin" | "before" | "after" | "while" | "then" | "when" | "keep"
        );
        let progressive = matches!(previous, "is" | "are");
        return (gerund || progressive || opens).then(|| subject().unwrap_or(Actor::Reader));
    }
    if is_base && opens {
        // "They touch and smell": the order has no subject, a chain has that of its first verb.
        let chained = matches!(previous, "and" | "or" | "then" | ",");
        return Some(if chained { subject_of_chain(text, at).unwrap_or(Actor::Reader) } else { Actor::Reader });
    }
    if matches!(previous, "to" | "may" | "can" | "should" | "will" | "must" | "shall" | "could") {
        return subject().or((previous != "to").then_some(Actor::Other));
    }
    if is_pupil(previous) || at > 0 && leads_pupils(text, at - 1) {
        return Some(Actor::Pupils);
    }
    if at.checked_sub(1).is_some_and(|token| token >= sentence.start && is_teacher(text, token)) {
        return Some(Actor::Teacher);
    }
    if word.ends_with('s') && (opens || previous == "each") {
        return subject();
    }
    None
}

/// The subject that stands at the beginning of the sentence, where a chain of verbs has one.
fn subject_of_chain(text: &Text, at: usize) -> Option<Actor> {
    let sentence = text.sentence(at);
    let start =
        (sentence.start..at).rev().find(|t| matches!(text.word(*t), ";" | ":" | "(")).map_or(sentence.start, |t| t + 1);
    let near = start..at.min(start + 6);
    near.into_iter().find_map(|token| {
        if is_teacher(text, token) { Some(Actor::Teacher) } else { is_pupil(text.word(token)).then_some(Actor::Pupils) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn with<T>(text: &str, read: impl FnOnce(&Text) -> T) -> T {
        let content = json!({ "title": text });
        let lesson = Lesson::of(content.as_object().expect("an object"));
        read(&lesson.texts()[0])
    }

    #[test]
    fn verbs_are_known_in_their_forms() {
        for (word, base) in [
            ("tastes", "taste"),
            ("tasting", "taste"),
            ("sipped", "sip"),
            ("carries", "carry"),
            ("lit", "light"),
            ("touches", "touch"),
        ] {
            assert!(is_form_of(word, base), "{word}");
        }
        assert!(IRREGULAR.iter().all(|(form, _)| IRREGULAR_FORMS.has(form)));
        assert!(!is_form_of("eating", "heat"));
        assert!(!is_form_of("lightly", "light"));
    }

    #[test]
    fn nouns_stand_in_groups_with_the_head_last() {
        let shown = |text: &str| {
            with(text, |text| {
                groups(text, 0..99)
                    .iter()
                    .map(|g| format!("{}:{}", g.preposition, g.words.join(" ")))
                    .collect::<Vec<_>>()
            })
        };
        assert_eq!(shown("the hot plates or any glass jar in the lab"), [":hot plate", ":glass jar", "in:lab"]);
        assert_eq!(shown("your slides when they are wet"), [":slide"]);
    }

    #[test]
    fn who_acts_is_told_by_the_words_before() {
        for (text, verb, who) in [
            ("Taste the water.", "taste", Some(Actor::Reader)),
            ("Each pupil tastes it", "tastes", Some(Actor::Pupils)),
            ("The teacher lights the candle", "lights", Some(Actor::Teacher)),
            ("Everybody picks a leaf and nibbles it", "nibbles", Some(Actor::Pupils)),
            ("Turn the lights off", "lights", None),
            ("The taste of salt", "taste", None),
        ] {
            assert_eq!(with(text, |text| actor(text, text.find(&[verb]).expect("the verb"))), who, "{text}");
        }
        assert!(with("Do not touch the plate", |text| is_denied(text, 2)));
        assert!(!with("Do not hurry, touch the plate", |text| is_denied(text, 4)));
    }
}
