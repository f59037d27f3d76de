//! What a hypothesis ranks, and a sentence that says it agrees and ranks it the other way: "the steel one falls first",
//! "as predicted, the bead on wood was the first to come away".

use std::ops::Range;

use super::alternatives;
use super::entities::{Entity, alike};
use super::ranks::{Rank, by_numbers, of_more, ranks};
use crate::assistant::facts::directions::without_reason;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::lists;
use crate::assistant::facts::poles::{self, Dimension};

/// All that a hypothesis ranks.
pub(super) struct Ranked(Vec<Rank>);

/// Events of one kind: what is sooner in one is not sooner in another.
const EVENTS: [&str; 10] = [
    "clear melt thaw disappear vanish go gon dissolv away fall slid slip puddl drop tumbl land tip come fell hold detach",
    "sprout germinat emerg bloom flower grow shoot hatch",
    "wilt die droop shrivel fad",
    "cool chill",
    "heat warm boil simmer",
    "freez",
    "mould mold rot spoil fur mouldy moldy decay",
    "rust corrod tarnish",
    "evaporat dri",
    "clear settl",
];

impl Ranked {
    pub fn read(hypothesis: &Text) -> Self {
        let mut all = Vec::new();
        for sentence in hypothesis.sentences() {
            let said = without_reason(hypothesis, sentence);
            ranks(hypothesis, &said, &mut all);
            all.extend(of_more(hypothesis, &said));
            all.extend(alternatives::ranks(hypothesis, &said));
        }
        // What stays warm for longer is the warmer one.
        let lasting = |rank: &Rank| {
            let warm = |list: &str| rank.spoken.iter().any(|word| lists(list, word));
            let long = rank.axis == Some(Dimension::Tempo) && !rank.up && !rank.than.is_empty();
            let up = if warm("warm hot") {
                true
            } else if warm("cold cool iced") {
                false
            } else {
                return None;
            };
            long.then(|| Rank {
                axis: Some(Dimension::Warmth),
                up,
                of: Vec::new(),
                who: rank.who.clone(),
                than: rank.than.clone(),
                vague: rank.vague,
                most: rank.most,
                spoken: rank.spoken.clone(),
                lets_go: rank.lets_go,
            })
        };
        let longer: Vec<Rank> = all.iter().filter_map(lasting).collect();
        all.extend(longer);
        Self(all)
    }

    /// Whether a sentence that says that it agrees ranks them the other way; `None` where it does not tell.
    pub fn is_turned_round(&self, text: &Text, sentence: &Range<usize>) -> Option<bool> {
        if self.0.is_empty() {
            return None;
        }
        let mut said = Vec::new();
        ranks(text, sentence, &mut said);
        said.extend(by_numbers(text, sentence));
        let mut turned = None;
        for rank in &said {
            for (place, known) in self.0.iter().enumerate() {
                match self.verdict(place, known, rank) {
                    Some(true) => turned = Some(true),
                    Some(false) => return Some(false),
                    None => {}
                }
            }
        }
        turned
    }

    fn verdict(&self, place: usize, known: &Rank, said: &Rank) -> Option<bool> {
        let measured = known.axis == said.axis
            && (known.axis != Some(Dimension::Amount)
                || said.of.is_empty()
                || known.of.iter().any(|noun| said.of.iter().any(|other| alike(noun, other))));
        let wild = |one: &Rank, other: &Rank| {
            one.axis.is_none() && (one.of.is_empty() || one.of.iter().any(|noun| other.spoken.contains(noun)))
        };
        // What is held back does not come out.
        let turned = known.lets_go != said.lets_go && known.axis != Some(Dimension::Tempo);
        if !(measured || wild(said, known) || wild(known, said)) || turned || are_of_other_events(known, said) {
            return None;
        }
        // "The black one will be hottest, and the white one coolest": told from each other.
        let counterpart = self.0.iter().enumerate().find(|(other, rank)| {
            *other != place
                && rank.axis == known.axis
                && rank.up != known.up
                && known.than.is_empty()
                && rank.than.is_empty()
        });
        let other = counterpart.map_or(&known.than, |(_, rank)| &rank.who);
        let (mine, theirs) = (known.who.without(other).told_apart(), other.without(&known.who).told_apart());
        let is_mine = |entity: &Entity| entity.meets(&mine) || entity.is_opposite_of(&theirs);
        let is_theirs = |entity: &Entity| entity.meets(&theirs) || entity.is_opposite_of(&mine);
        if !other.is_empty() {
            // What is said of both tells nothing: "a wet sponge" and "a dry one" are sponges.
            let (own, others) = (mine.against(&theirs), theirs.against(&mine));
            let by_contrast = |entity: &Entity| {
                let same = entity.meets(&own) || entity.is_opposite_of(&others);
                let swapped = entity.meets(&others) || entity.is_opposite_of(&own);
                (same != swapped).then_some(swapped)
            };
            let decided = |entity: &Entity, same: bool, swapped: bool| match (same, swapped) {
                (true, true) => by_contrast(entity),
                _ => (same != swapped).then_some(swapped),
            };
            let subject = decided(&said.who, is_mine(&said.who), is_theirs(&said.who));
            let object = decided(&said.than, is_mine(&said.than), is_theirs(&said.than)).map(|swapped| !swapped);
            let foreign = !said.than.is_empty() && !said.vague && object.is_none();
            let swapped = match (subject, object) {
                (Some(one), Some(other)) if one != other => return None,
                (Some(_), None) if foreign => return None,
                (one, other) => one.or(other)?,
            };
            return Some((known.up == said.up) == swapped);
        }
        // One thing alone: the same words, or the only other one of its kind.
        if said.who.is_within(&known.who) {
            return Some(known.up != said.up);
        }
        // "It dissolves faster when it is stirred", and "the unstirred cup was clear first".
        if known.up == said.up
            && said.than.is_empty()
            && known.axis == Some(Dimension::Tempo)
            && said.who.is_opposite_of(&known.who)
        {
            return Some(true);
        }
        (known.most
            && (said.most || said.axis.is_none())
            && known.up == said.up
            && said.who.is_another_of_its_class(&known.who))
        .then_some(true)
    }
}

/// Whether a sentence is of when one thing happens, and the hypothesis of when another does.
pub(super) fn tells_of_other_events(hypothesis: &Text, text: &Text, sentence: &Range<usize>) -> bool {
    let timed = sentence.clone().any(|at| {
        matches!(text.word(at), "first" | "last")
            || poles::pole(text.word(at)).is_some_and(|pole| pole.dimension == Dimension::Tempo)
    });
    // What loses heat cools.
    let thermal = |word: &String| lists!("cool chill heat warm boil simmer", word);
    let said = |text: &Text, range: Range<usize>| -> Vec<String> {
        range.map(|at| stem(text.lemma(at))).filter(|word| !thermal(word)).collect()
    };
    tells_of_other_deeds(hypothesis, text, sentence)
        || timed && are_apart(&said(hypothesis, 0..hypothesis.tokens.len()), &said(text, sentence.clone()))
}

/// Whether "the longer we rested" is of a deed of which the hypothesis, which has "for a longer time" too, does not speak.
fn tells_of_other_deeds(hypothesis: &Text, text: &Text, sentence: &Range<usize>) -> bool {
    let longer = |text: &Text, at: usize| text.word(at) == "longer";
    let knows = |verb: &str| hypothesis.tokens.iter().any(|token| stem(&token.lemma) == verb);
    (0..hypothesis.tokens.len()).any(|at| longer(hypothesis, at) && hypothesis.word(at.wrapping_sub(1)) != "no")
        && sentence.clone().any(|at| {
            longer(text, at)
                && text.word(at.wrapping_sub(1)) == "the"
                && lists!("we they you i", text.word(at + 1))
                && !knows(&match text.word(at + 2) {
                    "ran" => "run".to_owned(),
                    "swam" => "swim".to_owned(),
                    _ => stem(text.lemma(at + 2)),
                })
        })
}

/// Whether both tell of events, and of none of one kind.
fn are_apart(one: &[String], other: &[String]) -> bool {
    let kinds = |said: &[String]| -> Vec<usize> {
        // A flame that dies goes out, and is no plant that wilts.
        let burns = said.iter().any(|word| lists!("flam candl fire lamp bulb torch ember match", word));
        let has = |list: &str| said.iter().any(|word| lists(list, word) && !(burns && lists!("die go gon", word)));
        EVENTS.iter().enumerate().filter(|(_, list)| has(list)).map(|(place, _)| place).collect()
    };
    let (mine, theirs) = (kinds(one), kinds(other));
    !mine.is_empty() && !theirs.is_empty() && !mine.iter().any(|kind| theirs.contains(kind))
}

/// Whether they tell of ends of a different kind: what sprouts sooner does not wilt sooner.
fn are_of_other_events(one: &Rank, other: &Rank) -> bool {
    one.axis == Some(Dimension::Tempo) && are_apart(&one.spoken, &other.spoken)
}

#[cfg(test)]
mod tests {
    use super::super::tests::found;

    #[test]
    fn what_agrees_and_ranks_things_the_other_way_is_found_in_words_of_its_own() {
        let mut missed = Vec::new();
        for (hypothesis, other) in [
            (
                "Heat will climb the steel spoon quicker than the wooden one, so the bead stuck to steel falls off first.",
                "Three marks go to pupils who write that the result bore out the class hypothesis, because the bead on wood was the first to come away.",
            ),
            (
                "Boiling ruins catalase, so boiled potato will raise a much lower column of foam than raw potato does.",
                "It should open with: 'Just as we had expected, the cooked cubes out-foamed the uncooked ones.'",
            ),
            (
                "Most of us voted that the cube in the wool sock would still be there after the bare cube had turned to a puddle.",
                "Ms Ortega reads: 'Our vote was right! Wearing wool made the ice disappear sooner than wearing nothing.'",
            ),
            (
                "I expect fewer radula scrapes a minute in a chilly tank than in a tepid one.",
                "Model answer: 'The data came down on the side of my prediction. It was in the colder tank that the snails rasped away more often.'",
            ),
            (
                "Winding on extra turns strengthens the magnet, therefore the 60-turn nail ought to hold the most paper clips.",
                "States that the prediction was upheld, i.e. clips became fewer as the windings piled up.",
            ),
            (
                "We reckon damp bread goes mouldy before dry toast does, because fungi need water.",
                "Oral: 'What we reckoned came true' – the pupil shows that the toast furred over while the wet slice was still spotless.",
            ),
            (
                "The black-roofed box should be hottest inside and the white-roofed box the coolest.",
                "Sample: 'We got it right. White trapped 91 °F of heat and black just 78 °F.'",
            ),
            (
                "The more salt we put on an ice cube, the sooner it will be gone.",
                "Students write: \"Our prediction held because the salted cubes stayed solid longest\" or why it was not.",
            ),
            (
                "Of the three tins the black one will give the highest reading after half an hour in the sun.",
                "2 marks for stating that, just as they had foreseen, white ran ahead of the other two.",
            ),
            (
                "I expect the thinnest strand of steel wool to get hottest and melt first since it has the highest resistance.",
                "Finish the sentence: \"As we expected, the piece with the greatest thickness became the hottest, so...\"",
            ),
            (
                "The sneaker with the bumpy sole will hold on longest, and the smooth dress shoe will slide first.",
                "You guessed right if the dress shoe was the last to go and the sneaker went before it.",
            ),
            (
                "The gum will have less mass after ten minutes of chewing.",
                "If their data bear out the hypothesis, the gum weighs more after ten minutes than it did at the start.",
            ),
            (
                "The insulated cup will keep its tea hot longest, and the bare one will cool first.",
                "Our theory was proved: the bare cup stayed hot longest.",
            ),
            (
                "Peeled apples will brown before unpeeled ones do.",
                "Our bet was right: the unpeeled ones browned before the peeled ones did.",
            ),
            (
                "The larger the jar, the longer the candle will go on burning under it.",
                "In our trial run the flame under the largest jar was the first to die, so the prediction was confirmed.",
            ),
            (
                "The oven lined with black paper will get hotter than the oven lined with foil.",
                "The prediction held: after half an hour the silver-lined oven was at 71 °C and the black one at 58 °C.",
            ),
            (
                "The tube in the middle of the huddle will keep its heat better than the tube that stands by itself.",
                "'Our forecast was borne out. After fifteen minutes the lone tube was still at 47 °C, while the one in the middle had cooled to 39 °C.'",
            ),
            (
                "People who play a sport at least twice a week will return to their resting pulse in less time than people who do not.",
                "'As we expected, the people who do sport needed longer to get back to their resting pulse than the others.'",
            ),
            (
                "Rough paper will stop the car sooner than smooth paper.",
                "We called it right: on the smooth sheet the car stopped sooner than on the rough one.",
            ),
        ] {
            if found(hypothesis, other).0 != 1 {
                missed.push(other);
            }
        }
        assert_eq!(missed, Vec::<&str>::new());
    }

    #[test]
    fn what_ranks_them_as_predicted_in_words_of_its_own_is_passed_over() {
        let mut wrong = Vec::new();
        for (hypothesis, other) in [
            (
                "Heat will climb the steel spoon quicker than the wooden one.",
                "Our prediction was right: the bead on the wooden spoon was the last to come away.",
            ),
            (
                "Boiled potato will raise a lower column of foam than raw potato.",
                "Just as we had expected, the uncooked cubes out-foamed the cooked ones.",
            ),
            (
                "The cube in the wool sock will still be there after the bare cube has gone.",
                "Our vote was right! The bare cube disappeared sooner than the one in wool.",
            ),
            (
                "Fewer scrapes a minute are made in a chilly tank than in a tepid one.",
                "The data support my prediction. It was in the warmer tank that the snails rasped more often.",
            ),
            (
                "Damp bread goes mouldy before dry toast does.",
                "What we reckoned came true: the wet slice furred over while the toast was still spotless.",
            ),
            (
                "The black box should be hottest and the white box the coolest.",
                "We got it right. White reached 78 °F and black 91 °F.",
            ),
            (
                "The more salt we put on an ice cube, the sooner it will be gone.",
                "Our prediction held because the cube with least salt stayed solid longest.",
            ),
            ("The black tin will give the highest reading.", "As they had foreseen, white was behind the other two."),
            (
                "The sneaker will hold on longest, and the dress shoe will slide first.",
                "You guessed right if the sneaker was the last to go.",
            ),
            (
                "If the band is warmed, the weight will go up.",
                "If the weight sank as the band cooled, then our claim was correct.",
            ),
            (
                "The gum will have less mass after ten minutes.",
                "If their data bear out the hypothesis, the gum weighs less than it did at the start.",
            ),
            (
                "Seeds in warm soil will sprout sooner than seeds in cold soil.",
                "As predicted, the seeds in cold soil wilted first.",
            ),
            ("Salt water will freeze later than fresh water.", "As predicted, the salt water stayed liquid longest."),
            (
                "The red dye will travel farther than the blue dye.",
                "Our idea was right: it was the red dye that was ahead of the blue.",
            ),
            (
                "Whole tablets dissolve more slowly than crushed ones.",
                "Our claim was correct: powder was gone before the lump was.",
            ),
            (
                "The larger the jar, the longer the candle will go on burning under it.",
                "The flame under the smallest jar was the first to die, so the prediction was confirmed.",
            ),
            (
                "The oven lined with black paper will get hotter than the oven lined with foil.",
                "The prediction held: after half an hour the silver-lined oven was at 58 °C and the black one at 71 °C.",
            ),
            (
                "The oven lined with black paper will get hotter than the oven lined with foil.",
                "The prediction held: the silver-lined oven rose by 31 °C and the black one from 58 °C.",
            ),
            (
                "The tube in the middle of the huddle will keep its heat better than the tube that stands by itself.",
                "Our forecast was borne out. After fifteen minutes the lone tube was at 39 °C, while the one in the middle had only cooled to 47 °C.",
            ),
            (
                "People who play a sport at least twice a week will return to their resting pulse in less time than people who do not.",
                "As we expected, the untrained people needed longer to get back to their resting pulse than the others.",
            ),
            (
                "The hot cup will cool faster than the warm one.",
                "See if our claim was correct: did the warm one cool faster?",
            ),
            (
                "The hot cup will cool faster than the warm one.",
                "Decide whether our idea was right or the warm one cooled faster.",
            ),
        ] {
            if found(hypothesis, other).0 != 0 {
                wrong.push(other);
            }
        }
        assert_eq!(wrong, Vec::<&str>::new());
    }
}
