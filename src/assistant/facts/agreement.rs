//! Whether a sentence says that what was predicted came out: some word for the prediction, and some word that it held.

use std::ops::Range;

use super::lesson::Text;
use super::lists::{List, list};
use super::phrases::lists;

/// What was predicted.
const BELIEFS: &str = "hypothesis hypotheses prediction predictions guess guesses forecast forecasts expectation expectations hunch hunches idea \
    ideas thinking theory claim bet supposition conjecture surmise assumption vote";
/// Having predicted it.
const BELIEVED: &str = "foreseen foretold forecast predicted expected guessed anticipated foresaw reckoned bet wagered supposed suspected \
    hypothesised hypothesized thought assumed believed imagined said";
/// That it held.
const HELD: &str = "confirm confirms confirmed confirming support supports supported supporting uphold upholds upheld upholding hold holds held \
    stand stands stood bear bears bore borne bearing back backs backed backing prove proves proved proven proving verify verifies verified \
    verifying vindicate vindicates vindicated corroborate corroborates corroborated validate validates validated agree agrees agreed \
    agreement match matches matched right correct true fulfilled accepted accept accord accordance line spot sound justified";
/// That it may not have.
const DOUBTS: &str = "whether contrary against unlike wrong refute refutes refuted refuting reject rejected rejects disagree disagrees disagreed contradict \
    contradicts contradicted contradiction surprise surprised surprising although though however despite instead false opposite differ \
    differs differed disprove disproved disproves mistake mistaken fail fails failed extent far invented fictitious would could might may \
    overturn overturned doubt doubts or";

/// Whether it says so.
pub fn is_said(text: &Text, sentence: &Range<usize>) -> bool {
    let word = |at: usize| if sentence.contains(&at) { text.word(at) } else { "" };
    let near = |from: usize, to: usize, words: List| {
        (from.max(sentence.start)..to.min(sentence.end)).find(|at| words.has(text.word(*at)))
    };
    let denies = |at: usize| {
        matches!(text.word(at), "not" | "never" | "no" | "nor" | "neither" | "hardly" | "cannot")
            || text.word(at).ends_with("n't")
    };
    let doubted = |range: Range<usize>| {
        range.clone().any(|at| {
            denies(at)
                || lists!(DOUBTS, text.word(at))
                    && !(matches!(text.word(at), "far") && lists!("by so", word(at.wrapping_sub(1))))
        })
    };
    if text.word(sentence.end.saturating_sub(1)) == "?"
        || near(sentence.start, sentence.end, list!("whether contrary unlike refute reject disagree wrong made-up"))
            .is_some()
        || matches!(text.word(sentence.start), "if" | "when")
    {
        return false;
    }
    sentence.clone().any(|at| {
        // "As the class had bet", "just as foreseen", "the way we thought"
        if word(at) == "as" && !lists!("soon long well far much many", word(at.wrapping_sub(1))) && !lists("soon long well far much many little few", word(at + 1)) {
            let end = (at + 1..sentence.end.min(at + 6)).find(|t| lists!(BELIEVED, text.word(*t)));
            let said_by = |t: usize| (at + 1..t).all(|t| lists!("we you they he she i the our your their class group had all have 'd we'd you'd they'd i'd everyone team of us most was were is just first teacher pupils students", word(t)));
            if let Some(t) = end
                && said_by(t)
                && (word(t) != "said" && word(t) != "thought" || near(at + 1, t, list!("we you they our the class")).is_some())
                && !doubted(at.saturating_sub(4).max(sentence.start)..t + 1)
            {
                return true;
            }
            // "Just as the hypothesis says"
            return near(at + 1, at + 4, list!(BELIEFS)).is_some_and(|noun| {
                lists!("says said predicts predicted claims claimed states stated has had puts demands requires wants goes foretold", word(noun + 1))
                    && !doubted(at.saturating_sub(4).max(sentence.start)..noun)
            });
        }
        if word(at) == "way" && lists!("we you they", word(at + 1)) && near(at + 2, at + 5, list!(BELIEVED)).is_some() {
            return !doubted(at.saturating_sub(5).max(sentence.start)..at + 4);
        }
        // "We had it right", "you called it", "in line with what you foretold"
        if lists!("we you they i class group", word(at)) {
            let right = matches!(word(at + 1), "had" | "got" | "have" | "called") && word(at + 2) == "it" && lists!("right correct spot", word(at + 3));
            let called = word(at + 1) == "called" && word(at + 2) == "it" && !word(at + 3).starts_with(char::is_alphabetic);
            if right || called {
                return !doubted(at.saturating_sub(3).max(sentence.start)..at + 3);
            }
        }
        let what = lists!("what", word(at)) && lists!("we you they", word(at + 1)) && near(at + 2, at + 5, list!(BELIEVED)).is_some();
        if what && (lists!("with as like to", word(at.wrapping_sub(1))) && near(at.saturating_sub(4), at, list!("line agreement agree agrees keeping match matches accord true just exactly fits fit")).is_some()) {
            return !doubted(at.saturating_sub(6).max(sentence.start)..at);
        }
        // "What you forecast: your graph backs it up"
        if what {
            return near(at + 3, sentence.end, list!("backs bears proves confirms supports upholds bore backed proved confirmed")).is_some_and(|held| {
                lists!("it this that you", word(held + 1)) && !doubted(sentence.start..held)
            });
        }
        // "The evidence is on our side"
        if word(at) == "side" && lists!("our your my", word(at.wrapping_sub(1))) && word(at.wrapping_sub(2)) == "on" {
            return near(sentence.start, at, list!("evidence data numbers readings results graph facts figures measurements")).is_some() && !doubted(sentence.start..at);
        }
        if !lists(BELIEFS, word(at)) {
            return false;
        }
        let Some(held) = near(at.saturating_sub(9), at + 9, list!(HELD)) else { return false };
        // "A correct hypothesis", "support your idea with numbers", "state the hypothesis and stand back"
        let adjective = held < at && lists!("right correct true sound", word(held)) && held + 1 == at;
        let own = matches!(word(held), "support" | "back" | "justified") && lists!("idea ideas claim thinking", word(at)) && held < at;
        let between = held.min(at)..held.max(at) + 1;
        if (sentence.start..between.end).any(|t| matches!(text.word(t), "if" | "unless")) {
            return false;
        }
        let crossed = between.clone().any(|t| matches!(word(t), ";" | "."));
        !adjective && !own && !crossed && !doubted(between.start.saturating_sub(3).max(sentence.start)..between.end)
    })
}

#[cfg(test)]
mod tests {
    use super::super::lesson::{Lesson, Role};
    use super::*;
    use serde_json::json;

    #[test]
    fn that_a_prediction_held_is_said_in_many_ways() {
        for (said, expected) in [
            ("As foreseen, the salty cubes were solid first.", true),
            ("As the class had bet, the nail turned brown.", true),
            ("It went the way we thought, since we got slower.", true),
            ("They ought to show, in line with what you foretold, that it is slow.", true),
            ("We had it right, the quiet plants were taller.", true),
            ("Tell your partner that you called it, since it weighed more.", true),
            ("Look again at what you forecast: your graph backs it up.", true),
            ("Bear out the hypothesis with curves that rise.", true),
            ("Say that the idea held up: small drops left wide craters.", true),
            ("The evidence is on our side: it read highest.", true),
            ("Just as the hypothesis says, it puffed up.", true),
            ("Say whether the idea held up.", false),
            ("The results do not support the hypothesis.", false),
            ("Was the prediction right?", false),
            ("Support your idea with numbers.", false),
            ("Write a correct hypothesis.", false),
            ("Confirm or refute the hypothesis.", false),
            ("As soon as we expected a change, it came.", false),
        ] {
            let content = json!({"assessment": said});
            let lesson = Lesson::of(content.as_object().expect("an object"));
            let text = lesson.text(Role::Assessment).expect("a text");
            assert_eq!(is_said(text, &(0..text.tokens.len())), expected, "{said}");
        }
    }
}
