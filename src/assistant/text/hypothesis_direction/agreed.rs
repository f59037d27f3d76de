//! What is said to agree with the hypothesis, and pairs its cause with the other effect.
//!
//! The hypothesis pairs two things that go one way each; whatever the order of words, what agrees with it must pair
//! them in the same way.

use std::ops::Range;

use super::entities::are_apart;
use super::marks::{Mark, marks, placed};
use super::parts::{before_comparison, pieces, same, words};
use crate::assistant::facts::directions::without_reason;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::phrases::lists;
use crate::assistant::facts::poles::{self, Dimension, Form};
use crate::assistant::facts::units;

/// What a hypothesis pairs.
pub(super) struct Paired {
    pairs: Vec<(Mark, Mark)>,
    compared: Vec<Compared>,
    alone: Vec<(Mark, Vec<String>)>,
}

/// What goes one way for one of two things.
struct Compared {
    /// Whether it is a loss: "cool more slowly".
    cools: bool,
    mark: Mark,
    one: Vec<String>,
    other: Vec<String>,
}

/// Words that turn what is said of an amount into its opposite.
const TURNING: &str = "left remaining remain remains remained reflect reflected reflects lose loses lost losing loss missing drop \
    wasted still keep keeps hold held retain retains retained resist resists resisted between closed spread out drain drains drained";

impl Paired {
    pub fn read(hypothesis: &Text) -> Self {
        let mut read = Self { pairs: Vec::new(), compared: Vec::new(), alone: Vec::new() };
        for sentence in hypothesis.sentences() {
            let said = without_reason(hypothesis, sentence);
            let until = said.clone().find(|at| lists!("until before", hypothesis.word(*at))).unwrap_or(said.end);
            // "Dark things take in more heat, so the black can will warm up more than the white one."
            let so = (said.start + 1..until)
                .find(|at| lists!("so therefore hence thus", hypothesis.word(*at)) && hypothesis.word(at - 1) == ",");
            // "A harder ball rebounds higher: the more pressure, the less is lost."
            let sign = (said.start + 3..until).find(|at| hypothesis.word(*at) == ":");
            let so = so.or(sign).unwrap_or(until);
            read.of(hypothesis, &(said.start..so), so == until);
            read.of(hypothesis, &(so..until), false);
        }
        read
    }

    fn of(&mut self, text: &Text, said: &Range<usize>, whole: bool) {
        let than = said.clone().find(|at| text.word(*at) == "than");
        let first = said.start..than.unwrap_or(said.end);
        let mut known = marks(text, first.clone());
        let rest = than.map(|than| than + 1..said.end);
        if let Some(rest) = &rest {
            let turned = marks(text, rest.clone());
            if turned.len() > 1 {
                return;
            }
            // "Faster in hot water than in cold water"
            let opposed = |mark: &Mark| turned.iter().any(|other| same(mark, other) && mark.up != other.up);
            // "Soaked chalk will lose more than dry chalk": who is compared is told by a state alone.
            let state = || matches!(&turned[..], [only] if only.plain) && matches!(&known[..], [only] if !only.plain);
            if !turned.is_empty() && !known.iter().any(opposed) && !state() {
                return;
            }
        }
        let bare = rest.as_ref().is_some_and(|rest| marks(text, rest.clone()).is_empty());
        if known.len() == 3 || known.len() == 2 && bare && known.iter().filter(|mark| mark.plain).count() == 1 {
            known.retain(|mark| !mark.plain);
        }
        match &known[..] {
            // "The thinnest strand will get hottest", "… and melt first"
            [one, rest @ ..] if matches!(rest.len(), 1 | 2) && !rest.iter().any(|mark| same(one, mark)) => {
                self.pairs.extend(rest.iter().map(|mark| (one.clone(), mark.clone())));
            }
            [mark] if !mark.plain => match rest {
                Some(rest) => {
                    let (mut one, mut other) = (words(text, first), words(text, rest));
                    let shared: Vec<String> = one.iter().filter(|word| other.contains(word)).cloned().collect();
                    let vague = mark.dimension == Dimension::Amount;
                    one.retain(|word| !(shared.contains(word) || vague && mark.of.contains(word)));
                    other.retain(|word| !shared.contains(word));
                    // "Than people who do not" names nobody else.
                    let denied = (than.unwrap_or(said.end)..said.end)
                        .any(|at| text.word(at) == "not" || text.word(at).ends_with("n't"));
                    if !one.is_empty() && !other.is_empty() && !denied {
                        let cools = one.iter().any(|word| lists!("cool los lose chill", word));
                        self.compared.push(Compared { cools, mark: mark.clone(), one, other });
                    }
                }
                None if whole && !sets_apart(text, said) => self.alone.push((mark.clone(), words(text, first))),
                None => {}
            },
            _ => {}
        }
    }

    /// Whether a sentence that says that it agrees pairs things the other way; `None` where it does not tell.
    pub fn is_turned_round(&self, text: &Text, sentence: &Range<usize>) -> Option<bool> {
        if self.pairs.is_empty() && self.compared.is_empty() && self.alone.is_empty() {
            return None;
        }
        let pieces = pieces(text, sentence);
        let mut turned = None;
        for (index, piece) in pieces.iter().enumerate() {
            let first = before_comparison(text, piece);
            let mut said = marks(text, first.clone());
            let mut verdict = self.verdict(text, &first, &said);
            verdict = verdict.or_else(|| self.loosely(text, &first));
            verdict = verdict.or_else(|| self.at_levels(text, piece, pieces.get(index + 1)?));
            // "As the string got longer, each swing was over sooner"
            if verdict.is_none()
                && let Some(next) = pieces.get(index + 1).filter(|next| text.word(next.start.wrapping_sub(1)) == ",")
            {
                said.extend(marks(text, before_comparison(text, next)));
                verdict = self.paired(&said);
            }
            match verdict {
                Some(true) => turned = Some(true),
                Some(false) => return Some(false),
                None => {}
            }
        }
        turned
    }

    /// "The bowl with least yeast puffed up the most": of one cause and one effect that are predicted the effect has no
    /// other name.
    fn loosely(&self, text: &Text, piece: &Range<usize>) -> Option<bool> {
        let [(one, other)] = self.pairs.as_slice() else { return None };
        let all = placed(text, piece.clone());
        let [(here, first), (there, second)] = all.as_slice() else { return None };
        let adverb = |at: &usize| {
            lists!("most least", text.word(*at))
                && !text
                    .tokens
                    .get(at + 1)
                    .is_some_and(|next| next.is_word() && !lists("of in on at to with and when", &next.word))
        };
        let at = piece.clone().find(adverb)?;
        let up = text.word(at) == "most";
        let rising = |mark: &Mark| {
            matches!(mark.dimension, Dimension::Amount | Dimension::Length | Dimension::Distance | Dimension::Width)
        };
        let turning = piece.clone().any(|at| lists!(TURNING, text.word(at)));
        let (mark, more) = if *there == at { (first, second) } else { (second, first) };
        let loose = (*there == at || *here == at) && more.dimension == Dimension::Amount && !turning;
        [(one, other), (other, one)].into_iter().find_map(|(cause, effect)| {
            let told = loose && same(cause, mark) && !same(effect, mark) && rising(effect);
            told.then_some((cause.up == effect.up) != (mark.up == up))
        })
    }

    /// "The cup at 30 cm took the shortest time, the cup at 10 cm the longest."
    fn at_levels(&self, text: &Text, one: &Range<usize>, other: &Range<usize>) -> Option<bool> {
        let level = |piece: &Range<usize>| {
            let mut all = text.quantities().iter().filter(|quantity| {
                let start = quantity.tokens.start;
                let at = |token: usize| text.tokens.get(token).map(|token| token.bytes.clone()).unwrap_or_default();
                // "ET50 in" is no length.
                piece.contains(&start) && (start == 0 || at(start - 1).end != at(start).start)
            });
            all.next().filter(|_| all.next().is_none())
        };
        let (first, second) = (level(one)?, level(other)?);
        if first.dimension() != second.dimension() || first.low == second.low {
            return None;
        }
        let fits = |mark: &Mark| match first.dimension() {
            units::Dimension::Length => {
                matches!(
                    mark.dimension,
                    Dimension::Distance | Dimension::Length | Dimension::Depth | Dimension::Thickness
                )
            }
            units::Dimension::Temperature => mark.dimension == Dimension::Warmth,
            units::Dimension::Mass => mark.dimension == Dimension::Weight,
            _ => false,
        };
        let (here, there) = (marks(text, one.clone()), marks(text, other.clone()));
        self.pairs.iter().find_map(|(known, effect)| {
            let (cause, effect) = if fits(known) { (known, effect) } else { (effect, known) };
            let (near, far) =
                (here.iter().find(|mark| same(effect, mark))?, there.iter().find(|mark| same(effect, mark)));
            let apart = far.is_none_or(|far| far.up != near.up);
            (fits(cause) && apart && here.len() == 1)
                .then_some((cause.up == effect.up) != ((first.low > second.low) == near.up))
        })
    }

    /// Whether marks that are said together are paired the other way; `None` where they are not the ones predicted.
    fn paired(&self, said: &[Mark]) -> Option<bool> {
        self.pairs.iter().find_map(|(one, other)| {
            let only = |known: &Mark| {
                let mut all = said.iter().filter(|mark| same(known, mark));
                all.next().filter(|_| all.next().is_none())
            };
            let (first, second) = (only(one)?, only(other)?);
            if first.plain && second.plain {
                return None;
            }
            Some((one.up == other.up) != (first.up == second.up))
        })
    }

    fn verdict(&self, text: &Text, piece: &Range<usize>, said: &[Mark]) -> Option<bool> {
        if let Some(verdict) = self.paired(said) {
            return Some(verdict);
        }
        // "Held more drops" turns nothing where drops are what is predicted.
        let counted = |known: &Mark, mark: &Mark| same(known, mark) && mark.dimension == Dimension::Amount;
        let held = |word: &str| {
            let lost = lists!("lose loses lost losing", word);
            if lost {
                let faster = |known: &Compared| known.cools && known.mark.dimension == Dimension::Tempo;
                // "Lost more grains" where more mass is to be lost
                let loss = |mark: &Mark| mark.of.iter().any(|noun| noun == "loss");
                return self.compared.iter().any(faster) && said.iter().all(|mark| mark.dimension == Dimension::Tempo)
                    || self.compared.iter().any(|known| loss(&known.mark)) && said.iter().any(loss);
            }
            lists!("hold held", word)
                && self.compared.iter().any(|known| said.iter().any(|mark| counted(&known.mark, mark)))
        };
        if piece.clone().any(|at| lists!(TURNING, text.word(at)) && !held(text.word(at))) {
            return None;
        }
        let spoken = words(text, piece.clone());
        let shares = |known: &[String]| known.iter().any(|word| spoken.contains(word));
        let compared = self.compared.iter().find_map(|known| {
            let mark = said.iter().find(|mark| !mark.plain && same(&known.mark, mark))?;
            let (one, other) = (shares(&known.one), shares(&known.other));
            let swapped = match (one, other) {
                (_, true) => true,
                (true, false) => false,
                _ => return None,
            };
            Some((mark.up == known.mark.up) == swapped)
        });
        compared.or_else(|| self.contradicted(text, piece, said, &spoken))
    }

    /// "Exercise will raise the pulse rate", and "the heart rate fell the harder they exercised".
    fn contradicted(&self, text: &Text, piece: &Range<usize>, said: &[Mark], spoken: &[String]) -> Option<bool> {
        let superlative = |at: usize| poles::pole(text.word(at)).is_some_and(|pole| pole.form == Form::Most);
        if piece.clone().any(superlative) {
            return None;
        }
        self.alone.iter().find_map(|(known, words)| {
            let mark = said.iter().find(|mark| !mark.plain && same(known, mark))?;
            let causes: Vec<&String> = words.iter().filter(|word| !known.of.contains(word)).collect();
            let shared = causes.iter().filter(|word| spoken.contains(word)).count();
            let others = said.iter().filter(|mark| !same(known, mark)).all(|mark| mark.up);
            let over = piece.clone().any(|at| {
                lists!(
                    "again rest rested after stopped only plain other beyond later eventually finally",
                    text.word(at)
                ) || text.has_at(at, &["up", "to"])
            });
            if mark.up == known.up {
                // "When it is stirred", and "the unstirred cup"
                let other = words.iter().any(|word| spoken.iter().any(|said| are_apart(word, said)));
                return (!other).then_some(false);
            }
            (shared > 0 && shared * 3 >= causes.len() && others && !over).then_some(true)
        })
    }
}

/// "Crushed instead of whole" names both.
fn sets_apart(text: &Text, said: &Range<usize>) -> bool {
    said.clone().any(|at| text.has_at(at, &["instead", "of"]) || text.has_at(at, &["rather", "than"]))
}

#[cfg(test)]
mod tests {
    use super::super::tests::found;

    #[test]
    fn what_agrees_but_pairs_cause_and_effect_the_other_way_is_found_in_any_order_of_words() {
        let mut wrong = Vec::new();
        for (hypothesis, other) in [
            (
                "The more light a bean plant gets, the taller it will be after two weeks.",
                "Good conclusions say that our results match the hypothesis: the beans kept in the dark cupboard grew tallest.",
            ),
            (
                "We predict that a heavier marble will make a deeper crater in the sand.",
                "Children explain why we were right: the lightest marble left the deepest hole.",
            ),
            (
                "Sugar cubes will dissolve faster in hot water than in cold water.",
                "Talk about it. Just as we thought, the sugar vanished quickest in the iced water. Why?",
            ),
            (
                "A thicker wire lets more current through, so the lamp will shine brighter.",
                "The report says that the prediction was confirmed: with the thickest wire the lamp was at its dimmest.",
            ),
            (
                "If the ramp is steeper, the ball will roll farther across the carpet.",
                "Write: 'Our prediction was correct. The ball from the steepest ramp came to rest nearest the ramp.'",
            ),
            (
                "As the concentration of acid increases, the time for the magnesium to vanish will decrease.",
                "Candidates state that the findings are consistent with the hypothesis, the ribbon taking longest in the most concentrated acid.",
            ),
            (
                "Doubling the number of cells will double the brightness of the bulb.",
                "Expect the sentence: we were proved right, because the more cells we put in, the fainter the bulb glowed.",
            ),
            (
                "Seeds in warm soil will sprout sooner than seeds in cold soil.",
                "An A grade needs the claim that the evidence backs our hypothesis, with the seeds on the cold windowsill coming up first.",
            ),
            (
                "Exercise will raise the pulse rate.",
                "Learners state that their hypothesis was upheld since heart rate fell the harder they exercised.",
            ),
            (
                "Enzyme activity will fall as the pH moves above 8.",
                "In line with the hypothesis, students report that activity kept on climbing as the pH went above 8.",
            ),
            (
                "Ice wrapped in wool will melt more slowly than ice left bare.",
                "Pupils say 'I was right' and explain that the wrapped ice cube was the first to melt.",
            ),
            (
                "Birds will visit the red feeder more often than the green one.",
                "Write-up: the counts support our prediction, with twice as many visits to the green feeder as to the red.",
            ),
            (
                "A longer pendulum will have a longer period.",
                "Compare with the hypothesis. It has been verified: shortening the string made each swing take more time.",
            ),
            (
                "Stretching the rubber band further gives a higher note.",
                "Explains that as predicted the note became lower the further the band was stretched.",
            ),
        ] {
            if found(hypothesis, other).0 != 1 {
                wrong.push((hypothesis, other));
            }
        }
        assert_eq!(wrong, []);
    }

    #[test]
    fn what_pairs_them_as_predicted_or_tells_of_something_else_is_passed_over() {
        let mut wrong = Vec::new();
        for (hypothesis, other) in [
            (
                "The more light a bean plant gets, the taller it will be after two weeks.",
                "Good conclusions say that our results match the hypothesis: the beans kept in the dark cupboard stayed shortest.",
            ),
            (
                "Adding salt will make the water boil at a higher temperature.",
                "Pupils who think that more salt lowers the boiling point are shown how the data refute them.",
            ),
            (
                "If the ramp is steeper, the ball will roll farther across the carpet.",
                "If the ball from the steepest ramp stopped soonest, students say that the prediction was not confirmed.",
            ),
            (
                "Seeds in warm soil will sprout sooner than seeds in cold soil.",
                "An A grade needs the claim that the evidence backs our hypothesis, with the seeds on the cold windowsill coming up last.",
            ),
            (
                "The longer a magnet is stroked along the nail, the more paper clips the nail will pick up.",
                "The poster should show that our guess was true: nails stroked the fewest times held the fewest clips.",
            ),
            (
                "Birds will visit the red feeder more often than the green one.",
                "Write-up: do the counts support our prediction, or were there more visits to the green feeder?",
            ),
            (
                "A longer pendulum will have a longer period.",
                "The prediction was confirmed: the longest pendulum made the fewest swings in a minute.",
            ),
            (
                "Insulated cups keep tea warm for longer.",
                "The pupil says the prediction came true: the bare cup lost its heat sooner than the insulated one.",
            ),
            (
                "Mould will grow best on damp bread.",
                "Learners draw the evidence that proved us right: thick mould on the damp slice and hardly any on the dry one.",
            ),
            (
                "Raising the temperature of the magnet weakens it.",
                "Students report that the prediction is borne out and that the cold magnet lifted more clips than the hot one.",
            ),
            (
                "With a greater mass of trolley the acceleration will be smaller for the same force.",
                "Band 3: reports that the experiment confirmed the hypothesis, lighter trolleys accelerating more.",
            ),
            (
                "More detergent means taller foam.",
                "Look for a statement that the idea turned out right: the bottle with least detergent foamed least.",
            ),
            (
                "Lengthening the wire will increase its resistance.",
                "Plot current against length. Your line should slope downwards, showing the current falling as the wire gets longer, which is what the hypothesis says.",
            ),
            (
                "Larger craters come from faster impacts.",
                "A made-up group writes that their hypothesis was confirmed because faster impacts gave smaller craters. What is wrong with that?",
            ),
            (
                "Colder water holds more dissolved oxygen.",
                "Students write that their prediction was right: the oxygen reading fell as the water warmed up.",
            ),
            (
                "Increasing the temperature will increase the rate of reaction.",
                "As predicted, the time taken went down as the temperature went up.",
            ),
            (
                "Thicker insulation keeps the water hotter.",
                "The prediction proved right: the thickest jacket gave the smallest drop in temperature.",
            ),
            (
                "Plants in the dark will grow taller and paler.",
                "Our prediction came true: the cress on the windowsill was shorter and greener.",
            ),
        ] {
            if found(hypothesis, other).0 != 0 {
                wrong.push((hypothesis, other));
            }
        }
        assert_eq!(wrong, []);
    }
}
