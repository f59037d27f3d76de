//! Posts, jobs and shares of which each member of a group has one: "four badges, one each", "one at the door, one on the
//! stairs: nobody is left over". They are as many as the members.

use std::ops::Range;

use super::Group;
use super::everyone::{in_group, is_member, is_one, is_person};
use crate::assistant::facts::lesson::{Role, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::nouns;
use crate::assistant::facts::numbers::{self, Numeral};

/// What one person in a group has to do or to see to.
fn is_post(lemma: &str) -> bool {
    lists!(
        "role job task part post duty badge position responsibility section paragraph chapter slide specialism topic seat chair \
         hat apron armband lanyard",
        lemma
    )
}

/// The groups that a text tells so.
pub(super) fn said(text: &Text) -> Vec<Group> {
    if text.role == Role::Assessment
        || !text.tokens.iter().any(|token| lists!("one each every nobody everyone everybody", &token.word))
    {
        return Vec::new();
    }
    let few = |numeral: &Numeral| numeral.whole().filter(|count| (2..=8).contains(count));
    let counted =
        |numeral: &Numeral| Some((few(numeral)?, shared(text, numeral).or_else(|| one_of_all(text, numeral))?));
    let mut groups: Vec<(i64, Range<usize>)> = text.numerals().iter().filter_map(counted).collect();
    groups.extend(one_by_one(text));
    groups.extend(listed(text));
    groups.into_iter().map(|(size, tokens)| Group::whole(size, numbers::bytes_of(&text.tokens, &tokens))).collect()
}

/// The tokens of a sentence and the next.
fn with_next(text: &Text, at: usize) -> Range<usize> {
    let sentence = text.sentence(at);
    let next = text.sentence(sentence.end);
    sentence.start..next.end.max(sentence.end)
}

/// Words with which some have two, or share one, or choose.
fn is_loose(text: &Text, mut tokens: Range<usize>) -> bool {
    tokens.any(|at| {
        lists!(
            "two second both double doubles doubling twice extra spare another if absent or combine combines choose rotate \
             swap again some share shares sharing remaining rest different class not unless odd",
            text.word(at)
        )
    })
}

/// "Four badges, one each", "three parts … one part per person", "three lenses, one for each member"
fn shared(text: &Text, numeral: &Numeral) -> Option<Range<usize>> {
    let end = numeral.tokens.end;
    let noun = (end..end + 3).take_while(|at| text.tokens.get(*at).is_some_and(|token| token.is_word()));
    let at = noun.into_iter().find(|at| nouns::is_plural(text.word(*at)) && !is_person(text.lemma(*at)))?;
    if (end..at).any(|at| lists!("of in to at on for with and", text.word(at))) {
        return None;
    }
    let lemma = text.lemma(at);
    let post = is_post(lemma);
    let window = with_next(text, at);
    let after = at + 1..window.end;
    let two = numeral.whole() == Some(2);
    let others = || {
        let apart = |tokens: Range<usize>| tokens.start >= tokens.end || !is_loose(text, tokens);
        apart(numeral.tokens.end..window.end) && (two || apart(window.start..numeral.tokens.start))
    };
    let one = |i: usize| {
        lists!("one a", text.word(i)) && {
            let noun = usize::from(text.lemma(i + 1) == lemma);
            let next = i + 1 + noun;
            let person = |at: usize| {
                let at = at + usize::from(text.word(at) == "of");
                is_member(text.lemma(at))
                    || text.word(at) == "you"
                    || (post || in_group(text, at + 1).is_some()) && is_person(text.lemma(at))
            };
            let per = text.word(next) == "per" && person(next + 1)
                || lists!("for to", text.word(next)) && lists!("each every", text.word(next + 1)) && person(next + 2);
            // "One each" is said of a post only: things come in other places too.
            let each = post
                && text.word(next) == "each"
                && !text
                    .tokens
                    .get(next + 1)
                    .is_some_and(|next| next.is_word() && !next.is_one_of(&["and", "so", "in"]));
            let near = i <= at + 3 && lists!(", ( - – — :", text.word(at + 1));
            (per || each) && (post || near)
        }
    };
    // "Every member of the group takes one of the four jobs, and none is left over."
    let job = lists!("role job task duty post badge position responsibility", lemma);
    let taken = || job && closes(text, window.clone());
    let found = after.clone().any(one) || taken();
    (found && others()).then(|| numeral.tokens.start..at + 1)
}

/// "Each group member gets one of the five cards; every card is used and nobody holds two."
fn one_of_all(text: &Text, numeral: &Numeral) -> Option<Range<usize>> {
    let (start, end) = (numeral.tokens.start, numeral.tokens.end);
    let of = start.checked_sub(3).filter(|at| text.has_at(*at, &["one", "of", "the"]))?;
    let sentence = text.sentence(start);
    let member = (sentence.start..of).any(|at| {
        lists!("each every", text.word(at))
            && (is_person(text.lemma(at + 1)) || is_member(text.lemma(at + 2)) || text.has_at(at + 1, &["of", "you"]))
    });
    let noun = (end..end + 3).find(|at| nouns::is_plural(text.word(*at)))?;
    let window = with_next(text, start);
    let used = (noun..window.end).any(|at| {
        let all = lists!("every each all no", text.word(at))
            && (at + 1..at + 4).any(|at| text.lemma(at) == text.lemma(noun) || text.word(at) == "are");
        all && (at + 2..window.end.min(at + 7)).any(|at| lists!("used taken filled spare left", text.word(at)))
            && (at < 1 || text.word(at - 1) != "not")
    });
    let once = (noun..window.end).any(|at| lists!("nobody none no-one", text.word(at)) && text.word(at + 2) == "two");
    let open = (noun..window.end).any(|at| lists!("if share swap rotate or unless not", text.word(at)));
    (member && used && once && !open).then(|| start..noun + 1)
}

/// Whether it is said that nobody and nothing is left over: "nobody goes without", "everyone in the group has one".
fn closes(text: &Text, window: Range<usize>) -> bool {
    let near = |at: usize, words: fn(&str) -> bool| (at + 1..window.end.min(at + 8)).any(|at| words(text.word(at)));
    window.clone().any(|at| {
        let none = lists!("nobody none no-one", text.word(at)) || text.has_at(at, &["no", "one"]);
        let all = lists!("everyone everybody", text.word(at))
            || text.has_at(at, &["every", "member"])
            || text.has_at(at, &["each", "member"])
            || text.has_at(at, &["each", "of", "you"]);
        none && near(at, |word| lists!("left without idle unemployed spare over free jobless", word))
            || all && near(at, |word| lists!("one job role post task duty part busy", word))
    })
}

/// "One is on the landing, one at the stairs and one at the door: nobody is left."
fn one_by_one(text: &Text) -> Option<(i64, Range<usize>)> {
    let mut ones = (0..text.tokens.len()).filter(|at| text.word(*at) == "one");
    let first = ones.find(|at| is_one(text, *at, text.sentence(*at).start))?;
    let sentence = text.sentence(first);
    let window = with_next(text, first);
    let named: Vec<usize> = sentence.clone().filter(|at| is_one(text, *at, sentence.start)).collect();
    let person = |at: &usize| is_person(text.lemma(at + 1)) || text.has_at(at + 1, &["of", "you"]);
    let people = named.iter().any(person) || window.clone().any(|at| in_group(text, at).is_some());
    let other = sentence.clone().any(|at| {
        lists!("other others third fourth", text.word(at))
            || numbers::numeral(&text.tokens, at).is_some_and(|numeral| numeral.high > 1.0)
    });
    let size = named.len() as i64;
    let closed = closes(text, window.clone()) && !is_loose(text, window);
    (size > 1 && people && !other && closed).then_some((size, first..first + 1))
}

/// "Pourer, Timer, Measurer and Scribe: one badge each", "roles: reader, timer and writer, one each"
fn listed(text: &Text) -> Option<(i64, Range<usize>)> {
    let named = |at: usize| {
        let word = text.word(at);
        let ends = ["er", "or", "ist"].iter().any(|end| word.ends_with(end)) && word.len() > 4;
        let things = "water paper other number ruler beaker tower weather after over under never order colour color minor timer-on \
                      matter power computer container cylinder thermometer together answer letter counter corner poster copper silver";
        ends && !crate::assistant::facts::phrases::lists(things, word)
            || lists!("scribe captain chief clerk judge cook pilot spokesperson", word)
    };
    let item = |at: usize| {
        let at = at + usize::from(lists!("a an the", text.word(at)));
        if named(at) { Some(at + 1) } else { (named(at + 1) && text.tokens.get(at)?.is_word()).then_some(at + 2) }
    };
    let first = (0..text.tokens.len())
        .find(|at| item(*at).is_some_and(|end| text.word(end) == "," && item(end + 1).is_some()))?;
    let (mut count, mut end) = (1, item(first)?);
    loop {
        let joint = usize::from(text.word(end) == ",");
        let joint = joint + usize::from(text.word(end + joint) == "and");
        match item(end + joint).filter(|_| joint > 0) {
            Some(next) => (count, end) = (count + 1, next),
            None => break,
        }
    }
    let window = with_next(text, first);
    let one_each = (end..window.end).any(|at| {
        let noun = usize::from(is_post(text.lemma(at + 1)));
        let next = at + 1 + noun;
        lists!("one a", text.word(at))
            && (text.word(next) == "each" && !text.tokens.get(next + 1).is_some_and(|next| next.is_word())
                || lists!("per", text.word(next)) && is_person(text.lemma(next + 1))
                || lists!("for to", text.word(next))
                    && text.word(next + 1) == "each"
                    && (is_member(text.lemma(next + 2)) || text.has_at(next + 2, &["of", "you"])))
    });
    let told = one_each || closes(text, end..window.end);
    // "A filter, a stirrer and a dropper, one each" are things.
    let jobs = window
        .clone()
        .any(|at| lists!("role roles job jobs badge badges duty duties post posts task tasks nobody", text.word(at)));
    ((3..=8).contains(&count) && told && jobs && !is_loose(text, end..window.end)).then_some((count, first..end))
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn sure(size: i64, text: &str) -> usize {
        let content = json!({"groupSize": size, "steps": [{"text": text}]});
        find(&Lesson::of(content.as_object().expect("an object"))).iter().filter(|found| found.sure).count()
    }

    #[test]
    fn as_many_posts_as_members_are_counted() {
        for (size, text) in [
            (
                7,
                "Hand out the badges. Pourer, Timer, Measurer and Scribe: one badge each, and nobody in the group goes without.",
            ),
            (4, "The write-up comes in three parts, what we did, what we found, what it means. One part per person."),
            (
                4,
                "One pupil is on the landing, one at the foot of the stairs and one at the door: with everybody in the group at a post, nobody is left.",
            ),
            (4, "Assign the three jobs, one to each member of the group."),
            (3, "There are four roles: reader, timer, writer and materials manager. Everyone has one."),
            (3, "Agree on roles: reader, timer, writer and manager, one role each."),
            (4, "Collect three hand lenses, one for each member of the group."),
            (3, "Collect five hand lenses, one for each of you."),
            (4, "One of you holds, one pours and one times, so that everyone has a job."),
            (3, "Give each group member one of the five role cards; every card is to be used and nobody holds two."),
            (5, "Each group has four tasks, one task per student."),
        ] {
            assert_eq!(sure(size, text), 1, "{text}");
        }
    }

    #[test]
    fn posts_that_some_share_or_as_many_as_there_are_pass() {
        for (size, text) in [
            (4, "Assign the four jobs, one to each member of the group."),
            (5, "Give each group member one of the five role cards; every card is to be used and nobody holds two."),
            (3, "Give each group member one of the five cards; not all are used."),
            (3, "There are four roles, one each; one person takes two."),
            (4, "Two of you share one of the three jobs; everyone has a job."),
            (3, "The experiment has four parts, one each day."),
            (4, "Fill three bottles, one for each temperature."),
            (4, "Read the three sections and answer the questions, one answer per section."),
            (3, "One tube is for water, one for oil and one for milk, so every tube has one."),
            (4, "Give each member of the group one of the eight cards."),
            (4, "Collect six trays, one for each student in the class."),
            (4, "Water, paper, ruler and timer: one of each."),
        ] {
            assert_eq!(sure(size, text), 0, "{text}");
        }
    }
}
