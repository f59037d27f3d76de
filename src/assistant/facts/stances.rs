//! Stances: whether a sentence agrees with the prediction, states a fact, or leaves open whether it is true.

use std::ops::Range;

use super::agreement;
use super::lesson::Text;
use super::lists::{List, list};
use super::phrases::lists;

/// How a sentence stands to what was predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stance {
    /// It says that it is the prediction, or agrees with it.
    Agrees,
    /// It states something as a fact.
    States,
    /// It asks, supposes, or tells what somebody else says.
    Open,
}

static PREDICTED: List = list!(
    "predicted expected hypothesized hypothesised guessed anticipated foretold forecast foresaw foreseen thought",
);
static PREDICTION: List = list!(
    "prediction predictions hypothesis hypotheses guess expectation expectations forecast supposition suppositions \
    assumption conjecture surmise hunch",
);
const AGREES: &str = "agree agrees agreed agreeing confirm confirms confirmed confirming support supports supported supporting agreement keeping match \
    matches matched bear bears bore borne back backs backed prove proves proved right correct true consistent line accordance uphold \
    upholds upheld fit fits fitted stood stands recall recalls restate restates repeat repeats remember remind was is as said says \
    echoes echo states stated validate validates validated corroborate corroborates corroborated accepted true came reinforce \
    reinforces reinforced vindicate vindicates vindicated vindicating upholding validating corroborating proving verifying holds verify verifies verified accord accords held holds side sides sided favour favours favoured favor favors favored bolster bolsters bolstered";
/// What says of an idea that it was a good one.
const STRONG: &str = "bear bears bore borne back backs backed prove proves proved right correct true confirm confirms confirmed support \
    supports supported match matches matched upheld hold held holds verified";
/// What makes a prediction one that came true.
const CONFIRMS: &str = "agree agrees confirmed confirms supported supports support accepted holds hold held upheld true right correct \
    matches match stands proved verified";
/// What somebody says that something is, where it is said of it that it came true.
const CLAIMS: &str = "idea ideas guess hunch hunches thinking claim claims vote votes bet bets theory theories view views reckoning \
    belief beliefs statement sentence wager thought thoughts opinion words";
static DOUBTS: List = list!(
    "whether contrary against unlike wrong refute refutes refuted disagree disagrees disagreed contradict contradicts \
    contradicted surprise surprised surprising surprisingly although though however despite rather reject rejected rejects instead \
    false opposite differ differs differed disproved disprove or too mistake mistakes mistaken invented imaginary \
    fictitious made-up",
);
/// Words with which a sentence states no fact of the lesson.
static OPEN: List = list!(
    "would could might may suppose imagine pretend think thinks thought believe believes believed claim claims claimed \
    say says said write writes wrote argue argues argued swear swears wrong mistake mistakes misconception misconceptions myth \
    false incorrect untrue fix another other different whether predict predicts predicted expect expects expected hypothesis prediction guess \
    surprise surprisingly surprised until beyond unless except first eventually but although though however not never cannot \
    disagree test check should friend too somebody someone people perhaps maybe sometimes",
);

/// How a sentence stands to what was predicted; `carried` where the one before it said that it was as predicted.
pub fn stance(text: &Text, sentence: &Range<usize>, carried: bool) -> Stance {
    let doubted = || sentence.clone().any(|at| DOUBTS.has(text.word(at)));
    let asks = text.word(sentence.end.saturating_sub(1)) == "?";
    let near = |at: usize, words: List| (at.saturating_sub(6).max(sentence.start)..at).any(|t| words.has(text.word(t)));
    let refers = |at: usize| {
        let word = text.word(at);
        let agrees = PREDICTED.has(word)
            && (word != "thought" || near(at, list!("as")))
            && near(at, list!("as what like we you they he she group class was were had i i'd we'd just"))
            || PREDICTION.has(word)
                && (near(at, list!(AGREES)) || (at..(at + 6).min(sentence.end)).any(|t| lists!(AGREES, text.word(t))));
        let denied = |t: usize| matches!(text.word(t), "not" | "never" | "no" | "if") || text.word(t).ends_with("n't");
        agrees && !(at.saturating_sub(6).max(sentence.start)..(at + 4).min(sentence.end)).any(denied)
    };
    // "Then our claim was correct", but not "see if our claim was correct"
    let claimed = |at: usize| {
        let came_true = |t: usize| {
            lists!("right correct true confirmed supported upheld vindicated borne proved spot", text.word(t))
                && !text.has_at(t, &["true", "or"])
        };
        let asked = |t: usize| {
            matches!(text.word(t), "if" | "whether" | "not" | "how" | "why") || text.word(t).ends_with("n't")
        };
        lists!(CLAIMS, text.word(at))
            && (at + 1..(at + 5).min(sentence.end)).any(came_true)
            && !(at.saturating_sub(5).max(sentence.start)..(at + 6).min(sentence.end)).any(asked)
    };
    // "We were right", "it proved us right", "I was right all along", "we predicted correctly", "it has been verified"
    let were_right = |at: usize| {
        let is = |ahead: usize, words: List| words.has(text.word(at + ahead));
        is(0, list!("we i you they us group class"))
            && (is(1, list!("were was had been")) && is(2, list!("right correct proved"))
                || is(1, list!("right correct")))
            || is(0, list!("we i they"))
                && is(1, list!("predicted expected guessed"))
                && is(2, list!("correctly rightly this it so"))
            || is(0, list!("came come comes coming")) && is(1, list!("true"))
            || is(0, list!("our my their"))
                && is(1, list!("idea ideas guess hunch hunches thinking"))
                && (near(at, list!(STRONG)) || (at..at + 6).any(|t| lists!(STRONG, text.word(t))))
            || is(0, list!("the class's group's team's")) && is(1, list!("idea ideas")) && near(at, list!(STRONG))
            || is(0, list!("class's group's team's children's pupils'"))
                && is(1, list!("idea ideas"))
                && near(at, list!(STRONG))
            || is(0, list!("been")) && is(1, list!("verified confirmed upheld borne"))
            || is(0, list!("we i you they class group"))
                && is(1, list!("got had called"))
                && is(2, list!("it this"))
                && is(3, list!("right correct spot"))
            || is(0, list!("we i you they"))
                && is(1, list!("guessed predicted called thought"))
                && is(2, list!("right rightly correctly"))
            || is(0, list!("our my their your")) && claimed(at + 1)
            || is(0, list!("the")) && is(1, list!("class class's group's team's group")) && claimed(at + 2)
    };
    // "One group found …", "a made-up pupil writes …"
    let one_group = |at: usize| {
        lists!("one another some", text.word(at))
            && lists!("group groups pupil student team pair class child", text.word(at + 1))
            && lists!(
                "found finds got had has writes wrote says said claims claimed thinks whose who reports reported",
                text.word(at + 2),
            )
            || text.has_at(at, &["made", "-", "up"])
    };
    if sentence.clone().any(one_group) {
        return Stance::Open;
    }
    if !asks && !doubted() && (carried || sentence.clone().any(|at| refers(at) || were_right(at))) {
        return Stance::Agrees;
    }
    if !asks && agreement::is_said(text, sentence) {
        return Stance::Agrees;
    }
    // "The results agree with the hypothesis if the note sinks": what stands behind "if" is what agrees.
    let agrees_if = |at: usize| {
        text.word(at) == "if"
            && at > sentence.start + 2
            && !(sentence.start..at)
                .any(|t| lists!("say decide check explain tell ask whether see only even", text.word(t)))
            && (sentence.start..at).any(|t| PREDICTION.has(text.word(t)))
            && (sentence.start..at).any(|t| lists!(CONFIRMS, text.word(t)))
    };
    if !asks
        && sentence.clone().any(agrees_if)
        && !sentence.clone().any(|t| text.word(t) != "rather" && DOUBTS.has(text.word(t)) && !lists("to", text.word(t)))
        && !sentence.clone().any(|t| matches!(text.word(t), "not" | "no" | "never") || text.word(t).ends_with("n't"))
    {
        return Stance::Agrees;
    }
    if !asks && is_conditional(text, sentence) {
        return Stance::Agrees;
    }
    let presumes =
        || sentence.clone().any(|at| text.word(at) == "why") || text.has_at(sentence.start, &["how", "much"]);
    let quotes = |at: usize| matches!(text.word(at), "\"" | "“" | "”" | "‘" | "'" | "«");
    let open_word =
        |at: usize| OPEN.has(text.word(at)) && !(text.word(at) == "other" && text.word(at.wrapping_sub(1)) == "each");
    let open = sentence.clone().any(open_word) || asks && !presumes() || sentence.clone().any(quotes);
    if open { Stance::Open } else { Stance::States }
}

/// The sentences of a text, and of one that quotes what is to be said that alone, where it agrees with what was predicted.
pub fn sentences(text: &Text) -> Vec<Range<usize>> {
    let mut all = text.sentences();
    for sentence in &mut all {
        let mut quotes = sentence.clone().filter(|at| lists!("\" “ ” ‘ ’ '", text.word(*at)));
        let Some(opens) = quotes.next() else { continue };
        let said = opens + 1..quotes.next().unwrap_or(sentence.end);
        let doubted = (sentence.start..opens).chain(said.end..sentence.end).any(|at| {
            lists!(
                "wrong mistake false incorrect improve correct fix which misconception disagree instead",
                text.word(at)
            )
        });
        let agrees = |range: &Range<usize>| stance(text, range, false) == Stance::Agrees;
        if said.len() > 4 && !doubted && agrees(&said) && !agrees(sentence) {
            *sentence = said;
        }
    }
    all
}

/// "If the data bear out the hypothesis, the gum weighs more", "if the weight sank, then our claim was correct".
fn is_conditional(text: &Text, sentence: &Range<usize>) -> bool {
    let opens = |at: &usize| {
        lists!("if when where", text.word(*at))
            && (*at == sentence.start || lists!(": ; , — ( \" “ '", text.word(*at - 1)))
    };
    let Some(start) = sentence.clone().find(opens) else { return false };
    let Some(comma) = (start + 3..sentence.end).find(|at| matches!(text.word(*at), "," | "then")) else { return false };
    let agrees = |range: Range<usize>| {
        let named = |at: usize| PREDICTION.has(text.word(at)) || lists!(CLAIMS, text.word(at));
        let strong = |at: usize| lists!(STRONG, text.word(at)) || text.word(at) == "agree";
        range.clone().any(named) && range.clone().any(strong)
    };
    let spoilt = |at: usize| {
        let word = text.word(at);
        matches!(word, "not" | "no" | "never" | "whether" | "would" | "might" | "could")
            || word.ends_with("n't")
            || word != "to" && DOUBTS.has(word)
    };
    let (condition, consequence) = (start..comma, comma..sentence.end);
    !(start..sentence.end).any(spoilt) && agrees(condition) != agrees(consequence)
}

/// Times and places at which things may go another way.
static CIRCUMSTANCES: List = list!(
    "night winter summer autumn spring shade shadow dark moon mars vacuum space underwater morning evening later \
    cloudy indoors outdoors afterwards",
);

/// Whether a sentence speaks of a time or place of which the hypothesis does not.
pub fn is_under_other_circumstances(text: &Text, sentence: &Range<usize>, hypothesis: &Text) -> bool {
    let known = |word: &str| hypothesis.tokens.iter().any(|token| token.is(word));
    let adverbial =
        |at: usize| lists!("at in on during under by the a later afterwards", text.word(at.wrapping_sub(1)));
    sentence
        .clone()
        .any(|at| CIRCUMSTANCES.has(text.word(at)) && !known(text.word(at)) && (at == sentence.start || adverbial(at)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assistant::facts::lesson::{Lesson, Role};
    use serde_json::json;

    #[test]
    fn a_sentence_agrees_with_the_prediction_states_a_fact_or_leaves_it_open() {
        for (said, expected) in [
            ("Just as we predicted, the car was slower.", Stance::Agrees),
            ("The results confirmed our hypothesis: it was slower.", Stance::Agrees),
            ("The graph bore out the prediction that it is slower.", Stance::Agrees),
            ("Say whether the results confirmed our hypothesis.", Stance::Open),
            ("The result was not what we predicted: it was slower.", Stance::Open),
            ("Was it slower, as we predicted?", Stance::Open),
            ("Contrary to the hypothesis, it was slower.", Stance::Open),
            ("Predict which one is slower.", Stance::Open),
            ("We were right! ", Stance::Agrees),
            ("Heavier carts are slower.", Stance::States),
            ("Why are heavier carts slower?", Stance::States),
            ("Ana claims that heavier carts are slower.", Stance::Open),
            ("Correct this: 'Heavier carts are slower.'", Stance::Open),
        ] {
            let content = json!({"assessment": said});
            let lesson = Lesson::of(content.as_object().expect("an object"));
            let text = lesson.text(Role::Assessment).expect("a text");
            assert_eq!(stance(text, &(0..text.tokens.len()), false), expected, "{said}");
        }
    }
}
