//! Verdicts: whether a sentence says that what was predicted came true, or that it did not.

use std::ops::Range;

use super::lesson::{Role, Text};
use super::lists::lists;

/// What is said of a prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// "Just as predicted", "the data bear out our idea"
    Holds,
    /// "Contrary to our guess", "the hypothesis was not supported"
    Fails,
    /// It is named, and no more than asked, supposed or granted in part.
    Open,
}

/// Whether a word names what was predicted.
fn is_belief(text: &Text, at: usize) -> bool {
    let before = |back: usize| text.word(at.wrapping_sub(back));
    let own = |word: &str| {
        lists!("our my their your the pupils' students' children's class's group's team's both first right", word)
    };
    lists!(
        "hypothesis hypotheses prediction predictions guess guesses forecast forecasts expectation expectations hunch hunches \
        supposition suppositions conjecture conjectures surmise assumption assumptions expectation bet wager",
        text.word(at),
    ) || lists!("idea ideas thinking theory claim vote thought thoughts view belief reckoning proposal", text.word(at))
        && (own(before(1)) || own(before(2)))
}

/// Whether a word speaks of what was predicted.
pub fn is_of_belief(text: &Text, at: usize) -> bool {
    is_belief(text, at) || is_believed(text.word(at))
}

/// Whether somebody is said to have predicted it: "as we had written", "what the pupils supposed".
fn is_believed(word: &str) -> bool {
    lists!(
        "foreseen foretold forecast foresaw predicted expected guessed anticipated reckoned bet wagered supposed suspected \
        hypothesised hypothesized thought assumed believed imagined said written wrote claimed stated figured presumed voted",
        word
    )
}

/// That it came true.
fn holds(word: &str) -> bool {
    lists!(
        "confirm confirms confirmed confirming support supports supported supporting uphold upholds upheld hold holds held \
        stand stands stood bear bears bore borne back backs backed prove proves proved proven verify verifies verified \
        vindicate vindicates vindicated corroborate corroborates corroborated validate validates validated agree agrees \
        agreed agreement match matches matched right correct true fulfilled fulfils accepted accept accord accords line spot \
        sound met meets fit fits fitted consistent keep keeps kept retain retained hit passed passes correctly rightly \
        justified favour favours favor favors echoes tallies",
        word
    )
}

/// That it did not.
fn fails(word: &str) -> bool {
    lists!(
        "refute refutes refuted refuting refutation reject rejects rejected rejecting disprove disproves disproved disproven disproof \
        wrong false incorrect untrue mistaken contradict contradicts contradicted contrary against unlike discard discards discarded \
        drop drops dropped abandon abandoned untenable fail fails failed falsify falsifies falsified overturn overturns overturned \
        overthrown unsupported disagree disagrees disagreed conflicts opposite busted debunked scrapped scrap unconfirmed \
        collapsed undermine undermines undermined",
        word
    )
}

fn denies(word: &str) -> bool {
    matches!(word, "not" | "never" | "no" | "nothing" | "neither" | "nor" | "cannot" | "hardly" | "none")
        || word.ends_with("n't")
}

/// What a sentence says of the prediction; nothing where it does not speak of it.
pub fn verdict(text: &Text, sentence: &Range<usize>) -> Option<Verdict> {
    let cue = sentence.clone().find_map(|at| {
        said_of_belief(text, sentence, at).or_else(|| as_believed(text, sentence, at)).or_else(|| were(text, at))
    });
    let titled = || {
        let word = |at: &usize| text.role == Role::Title && lists!("right wrong confirmed disproved", text.word(*at));
        sentence.clone().find(word).map(|at| (at..at + 1, !fails(text.word(at))))
    };
    let (cue, up) = cue.or_else(titled)?;
    if is_open(text, sentence, &cue) {
        return Some(Verdict::Open);
    }
    Some(if up { Verdict::Holds } else { Verdict::Fails })
}

/// Whether a sentence asks, supposes, or grants a part.
fn is_open(text: &Text, sentence: &Range<usize>, cue: &Range<usize>) -> bool {
    let open = |at: usize| match text.word(at) {
        "whether" | "if" | "unless" | "might" | "may" | "would" | "invented" | "imaginary" | "fictitious"
        | "partly" | "partially" | "half-right" => true,
        "could" => !denies(text.word(at + 1)),
        "only" => lists!("part partly half one some", text.word(at + 1)),
        "or" => cue.contains(&at) || cue.contains(&(at + 1)),
        "some" | "most" | "many" | "one" => {
            lists!("teams groups pupils students children of classes team group", text.word(at + 1))
        }
        _ => false,
    };
    text.word(sentence.end.saturating_sub(1)) == "?" || (sentence.start..sentence.end.min(cue.end + 2)).any(open)
}

/// "The hypothesis had to be rejected", "it did not confirm our guess", "contrary to the forecast".
fn said_of_belief(text: &Text, sentence: &Range<usize>, at: usize) -> Option<(Range<usize>, bool)> {
    if !is_belief(text, at) {
        return None;
    }
    let crosses = |at: usize| lists!("; : . ( ) – —", text.word(at));
    let start =
        (sentence.start..at).rev().find(|t| crosses(*t)).map_or(sentence.start, |t| t + 1).max(at.saturating_sub(9));
    let end = (at..sentence.end).find(|t| crosses(*t)).unwrap_or(sentence.end).min(at + 10);
    let word = |t: &usize| {
        let adjective = *t + 1 == at && lists!("right correct true sound", text.word(*t));
        let for_it = text.word(*t) == "for" && lists!("speak speaks spoke", text.word(t.wrapping_sub(1)));
        let up = text.word(*t) == "up" && lists!("give gives gave given", text.word(t.wrapping_sub(1)));
        let line = text.word(*t) == "line" && text.word(t + 1) != "with";
        let ordered = *t == sentence.start && lists!("hold stand keep back support match fit hit meet", text.word(*t));
        (holds(text.word(*t)) && !adjective && !line && !ordered || for_it || fails(text.word(*t)) || up)
            && !own_support(text, *t, at)
    };
    let all: Vec<usize> = (start..end).filter(word).collect();
    let fails = |t: &usize| fails(text.word(*t)) || text.word(*t) == "up";
    // "Proved wrong" is wrong, but what drops farther off is no hypothesis.
    let near = all.iter().min_by_key(|t| t.abs_diff(at))?;
    let told = all.iter().find(|t| fails(t) && t.abs_diff(*near) <= 4).unwrap_or(near);
    let cue = at.min(*told)..at.max(*told) + 1;
    let denied = (cue.start.saturating_sub(4).max(start)..cue.end).filter(|t| denies(text.word(*t))).count() % 2 == 1;
    Some((cue, fails(told) == denied))
}

/// "Support your idea with numbers", "stand back", "keep in mind".
fn own_support(text: &Text, verb: usize, belief: usize) -> bool {
    let word = text.word(verb);
    verb < belief && lists!("support back match", word) && lists!("your their", text.word(belief.wrapping_sub(1)))
        || word == "back" && lists!("come came go goes went look sent", text.word(verb.wrapping_sub(1)))
        || lists!("right true", word) && lists!("or and", text.word(verb + 1))
}

/// "As we had supposed", "it was not what we had thought", "just the way the class said".
fn as_believed(text: &Text, sentence: &Range<usize>, at: usize) -> Option<(Range<usize>, bool)> {
    if !lists!("as what way", text.word(at)) || lists!("soon long well far much many", text.word(at.wrapping_sub(1))) {
        return None;
    }
    let told = (at + 1..sentence.end.min(at + 8)).find(|t| is_believed(text.word(*t)))?;
    let by = |t: usize| {
        lists!(
            "we you they he she i the our your their class group had all have 'd everyone team of us most was were is just first teacher \
            pupils students learners children had hypothesis prediction in to be",
            text.word(t)
        ) || text.word(t).ends_with("'d")
    };
    let named =
        |t: usize| lists!("we you they our i class hypothesis pupils students learners children group", text.word(t));
    let bare = lists!("said thought written wrote claimed stated", text.word(told));
    let who = (at + 1..told + 4).any(named);
    if !(at + 1..told).all(by) || (bare || text.word(at) != "as") && !who {
        return None;
    }
    let before = at.saturating_sub(6).max(sentence.start)..at;
    let against = before.clone().any(|t| {
        denies(text.word(t))
            || fails(text.word(t))
            || lists!("different other opposite otherwise surprised", text.word(t))
    });
    // "What we predicted" alone tells nothing of how it came out.
    let came = before.clone().any(|t| {
        holds(text.word(t))
            || lists!("just exactly precisely like was is with to same worked went happened came this", text.word(t))
    });
    (text.word(at) == "as" || came).then_some((before.start..told + 1, !against))
}

/// "We were right", "it proved us wrong", "they guessed right", "we had the right idea".
fn were(text: &Text, at: usize) -> Option<(Range<usize>, bool)> {
    if !lists!("we us you they i class children pupils students everyone group", text.word(at)) {
        return None;
    }
    let right = |word: &str| lists!("right correct wrong mistaken rightly correctly wrongly", word);
    let links = |word: &str| {
        lists!(
            "were was had been are all the got it guessed predicted called thought not weren't wasn't quite have to be proved proven both",
            word
        )
    };
    let told = (at + 1..at + 6).find(|t| right(text.word(*t)))?;
    let idea = !lists!("idea guess", text.word(told + 1)) && lists!("the a", text.word(told - 1));
    if idea || !(at + 1..told).all(|t| links(text.word(t))) || lists!("when if", text.word(told + 1)) {
        return None;
    }
    let denied = (at..told).any(|t| denies(text.word(t)));
    Some((at..told + 1, fails(text.word(told)) == denied || text.word(told) == "wrongly" && denied))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    #[test]
    fn a_sentence_says_that_a_prediction_came_true_or_did_not() {
        for (said, expected) in [
            ("The data support the hypothesis: it was slower.", Some(Verdict::Holds)),
            ("Expected: the hypothesis had to be rejected, since it was slower.", Some(Verdict::Fails)),
            ("As we had supposed, the pot was slower.", Some(Verdict::Holds)),
            ("It took longest, exactly as we had written before the test.", Some(Verdict::Holds)),
            ("This was not what we had thought.", Some(Verdict::Fails)),
            ("Against our expectation, it was dry first.", Some(Verdict::Fails)),
            ("The experiment did not confirm our hypothesis.", Some(Verdict::Fails)),
            ("Nothing refutes the prediction.", Some(Verdict::Holds)),
            ("So our prediction was wrong.", Some(Verdict::Fails)),
            ("We were right.", Some(Verdict::Holds)),
            ("'So we had the right idea at the start,' they say.", Some(Verdict::Holds)),
            ("B used 27 ml, which proved us right.", Some(Verdict::Holds)),
            ("The values came out as claimed in the hypothesis.", Some(Verdict::Holds)),
            ("It bears out what the pupils supposed.", Some(Verdict::Holds)),
            ("The class has to give up its guess.", Some(Verdict::Fails)),
            ("The prediction proved wrong.", Some(Verdict::Fails)),
            ("Say whether the prediction was right.", Some(Verdict::Open)),
            ("Was the prediction right?", Some(Verdict::Open)),
            ("Only part of the hypothesis was confirmed.", Some(Verdict::Open)),
            ("Support your idea with numbers.", None),
            ("Write a hypothesis.", None),
            ("It was slower.", None),
        ] {
            let content = json!({"assessment": said});
            let lesson = Lesson::of(content.as_object().expect("an object"));
            let text = lesson.text(Role::Assessment).expect("a text");
            assert_eq!(verdict(text, &(0..text.tokens.len())), expected, "{said}");
        }
    }
}
