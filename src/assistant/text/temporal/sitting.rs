//! Who meets once, does not come back, or loses the room and what stands in it: read by who does what, not by phrases.

use std::ops::Range;

use crate::assistant::facts::lesson::{Role, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::numbers::small_number;
use crate::assistant::facts::phrases::lists;

/// Those who meet.
const PEOPLE: &str = "we you us they our your ours everyone everybody nobody anybody anyone class classes group groups pupil pupils \
    student students child children kid kids learner learners visitor visitors team teams club school schools guest guests participant \
    participants member members who party coach camp";
/// What they meet for, or on.
const MEETINGS: &str = "lesson lessons session sessions meeting visit visits class period sitting workshop trip outing excursion encounter \
    occasion taster event appointment chance opportunity day morning afternoon evening night hour hours date practical stay stop \
    meet-up tour course seminar slot shift weekend saturday sunday friday";
/// What they do there.
const MEETING: &str = "have has had get gets is are was come comes coming meet meets meeting call calls attend attends stay stays visit visits \
    gather gathers see sees spend given booked book here there together lend hire rent";
/// Coming back.
const RETURNING: &str = "come comes coming be been meet meets see sees seen return returns returning set lay get gets got gather gathers visit \
    visits have has go goes going continue continues continued resume resumed pick picked work look allowed here back eyes chance stay \
    follow followed carry carried taken take repeat repeated catch";
/// A sentence with one of these tells of a part, or of what may be.
const SPOILT: &str = "if unless imagine suppose homework quiz exam graded marked unit series weekly usually often whether lives species \
    insect insects mayfly flower would might could";
const ENDS: &str = "tonight today noon midday bell lunch lunchtime afternoon evening morning dusk sunset";
/// How a thing is no longer there.
const GONE: &str = "packed destroyed binned bin emptied dismantled removed gone crates thrown eaten bleached incinerated composted skip \
    drives driven travels leaves sails flies shipped";
/// What comes and goes with all that it brought.
const VEHICLES: &str =
    "lorry van bus truck coach trailer museum planetarium dome ranger guest guests boat ferry caravan kit";
/// What an experiment stands in.
const STANDING: &str = "culture cultures plate plates dish dishes jar jars pot pots tube tubes cup cups sample samples specimen specimens set-up \
    set-ups setups experiment experiments seedling seedlings plant plants bottle bottles bag bags beaker beakers tray trays box boxes \
    crystal crystals tank tanks model models bread dough egg eggs glass glasses bowl bowls kit kits basket cages cage animals things trace";

struct Said<'a> {
    text: &'a Text<'a>,
    range: &'a Range<usize>,
}

/// Whether a sentence says so.
pub(super) fn is_the_only_one(text: &Text, range: &Range<usize>) -> bool {
    let said = Said { text, range };
    let asks = text.word(range.end.saturating_sub(1)) == "?";
    if asks || range.len() < 3 || said.has(list!(SPOILT)) {
        return false;
    }
    let orders = matches!(text.role, Role::Step(_)) && lists!("do don't never pack", text.word(range.start));
    !orders
        && (said.is_single()
            || said.is_once()
            || said.is_not_again()
            || said.is_all_gone()
            || said.is_whole()
            || said.is_handed_on())
}

impl Said<'_> {
    fn word(&self, at: usize) -> &str {
        if at < self.range.end { self.text.word(at) } else { "" }
    }

    fn has(&self, words: List) -> bool {
        self.range.clone().any(|at| words.has(self.word(at)))
    }

    fn near(&self, at: usize, ahead: usize, words: List) -> Option<usize> {
        (at..self.range.end.min(at + ahead)).find(|at| words.has(self.word(*at)))
    }

    fn is_at(&self, at: usize, words: &[&str]) -> bool {
        at + words.len() <= self.range.end && self.text.has_at(at, words)
    }

    fn denies(&self, at: usize) -> bool {
        let word = self.word(at);
        matches!(
            word,
            "not" | "never" | "no" | "nobody" | "nor" | "without" | "neither" | "cannot" | "nothing" | "none"
        ) || word.ends_with("n't")
    }

    /// Whether it is of those who meet, or of what they meet for: "this is", "a guest lesson".
    fn is_of_people(&self) -> bool {
        let first = self.word(self.range.start);
        self.has(list!(PEOPLE))
            || lists!("this today it that here", first)
                && self.near(self.range.start + 1, 2, list!("is was will")).is_some()
            || self.text.role == Role::Curriculum
    }

    /// "We have this single night", "each child attends for one day only", "a one-off", "that is all we have"
    fn is_single(&self) -> bool {
        if self.is_followed() {
            return false;
        }
        self.range.clone().any(|at| {
            let word = self.word(at);
            if self.is_at(at, &["one", "-", "off"]) || word == "oneoff" {
                let next = self.word(at + 3);
                return !next.starts_with(char::is_alphabetic)
                    || lists!(MEETINGS, next) && !lists!("chance opportunity", next)
                    || lists!("and this which the we", next);
            }
            // "Tonight is all we have"
            if word == "all"
                && lists!("we you they there", self.word(at + 1))
                && self.near(at + 2, 3, list!("have get has is given")).is_some()
            {
                return self.has(list!("today tonight")) && self.near(self.range.start, at, list!("is")).is_some();
            }
            let only = matches!(word, "single" | "sole" | "only")
                || self.is_at(at, &["one", "and", "only"])
                || word == "just" && lists!("one this these the a", self.word(at + 1))
                || word == "one" && matches!(self.word(at.wrapping_sub(1)), "the" | "this" | "that" | "our");
            let ahead = if self.is_at(at, &["one", "and", "only"]) { 7 } else { 5 };
            // "It gets hard in just one day"
            let only = only && !lists!("in takes take took within over after", self.word(at.wrapping_sub(1)));
            let Some(noun) = only.then(|| self.near(at + 1, ahead, list!(MEETINGS))).flatten().or_else(|| {
                // "For one day only"
                (matches!(word, "one" | "a")
                    && lists!("only alone", self.word(at + 2))
                    && lists!(MEETINGS, self.word(at + 1)))
                .then_some(at + 1)
            }) else {
                return false;
            };
            let between = (at + 1..noun).all(|at| {
                !lists!("of in on at to for with by that which when where if not and or , ; : ( ) – —", self.word(at))
                    || self.word(at) == "and" && word == "one"
            });
            let defined = lists!("of that which in", self.word(noun + 1))
                && !lists!("which", self.word(noun + 1))
                && !matches!(
                    (self.word(noun + 1), self.word(noun + 2)),
                    ("in" | "of", "the" | "this" | "our" | "may" | "june")
                )
                && !lists!("we you they", self.word(noun + 2));
            let met = self.has(list!(MEETING)) || self.text.role == Role::Curriculum;
            let counted = word == "only" && self.near(at + 1, 2, list!("two three four part some")).is_some();
            between && !defined && !counted && met && self.is_of_people() && !self.is_partial()
        })
    }

    /// "And finish it in a second one"
    fn is_followed(&self) -> bool {
        self.range.clone().any(|at| {
            lists!("second next further later follow-up third", self.word(at))
                && lists!("a the in our at", self.word(at.wrapping_sub(1)))
                && !self.range.clone().any(|at| self.denies(at))
        })
    }

    /// What is done there is a part of more: "we set this up in a single lesson and let it stand".
    fn is_partial(&self) -> bool {
        self.has(list!("set sow plant start begin prepare then until till next later homework week weeks days two three several each every per"))
            && !self.has(list!("never won't not finish end child pupil student visitor"))
    }

    /// "We meet only once", "the first and the last time we get together"
    fn is_once(&self) -> bool {
        self.range.clone().any(|at| {
            let last = self.is_at(at, &["first", "and"])
                && (self.word(at + 2) == "last" || self.word(at + 2) == "the" && self.word(at + 3) == "last")
                || self.is_at(at, &["first", "and", "only"])
                || self.is_at(at, &["last", "and", "only"]);
            if last {
                return self.is_of_people()
                    && self.near(at, 7, list!(MEETINGS)).or(self.near(at, 7, list!("time"))).is_some();
            }
            let around =
                lists!("only just but", self.word(at.wrapping_sub(1))) || lists!("only and", self.word(at + 1));
            self.word(at) == "once"
                && around
                && (self.word(at + 1).is_empty() || lists!("only and . , ; ) for", self.word(at + 1)))
                && (self.range.start..at).any(|t| {
                    lists!("come comes meet meets visit visits attend attends call calls here see sees", self.word(t))
                })
                && self.has(list!(PEOPLE))
        })
    }

    /// "The class won't be up here again", "nobody gets a second go at it", "not continued"
    fn is_not_again(&self) -> bool {
        self.range.clone().any(|at| {
            if !self.denies(at) {
                return false;
            }
            let ordered = lists!("do never don't", self.word(at)) && at == self.range.start
                || self.word(at.wrapping_sub(1)) == "do" && at == self.range.start + 1
                || self.word(at.wrapping_sub(1)) == "do" && lists!(", : so and", self.word(at.wrapping_sub(2)));
            let end = (at..self.range.end)
                .find(|t| lists!("; : ( ) until till before because", self.word(*t)))
                .unwrap_or(self.range.end)
                .min(at + 14);
            let back = (at + 1..end).find(|t| {
                let next = self.word(t + 1);
                match self.word(*t) {
                    "again" | "anymore" | "back" | "return" | "returns" | "continued" | "resumed" => true,
                    "any" => matches!(next, "more" | "longer"),
                    "second" | "another" | "further" | "later" | "follow" | "followup" | "next" | "other"
                    | "different" | "second-day" => (t + 1..(t + 4).min(self.range.end))
                        .any(|t| lists!(MEETINGS, self.word(t)) || lists!("time go up meeting week", self.word(t))),
                    _ => false,
                }
            });
            let Some(back) = back else { return false };
            let from = at.saturating_sub(5).max(self.range.start);
            let who = (from..back).any(|t| lists!(PEOPLE, self.word(t)) || lists!("there here", self.word(t)))
                || lists!("nobody", self.word(at))
                || matches!(self.word(back), "continued" | "resumed") && self.has(list!(MEETINGS));
            let does = self.returns(from, back);
            let things = (at..back)
                .any(|t| lists!("use open heat touch mix pour put same mistake question answer number", self.word(t)));
            who && does && !ordered && !things && !self.is_there_again(back)
        })
    }

    /// Whether the tokens before a word of coming back tell of people who do: "won't be up here again".
    fn returns(&self, from: usize, back: usize) -> bool {
        let comes = |t: usize| {
            let next = self.word(t + 1);
            lists!("come comes coming meet meets see sees visit visits return gather gathers", self.word(t))
                || lists!("be been", self.word(t)) && lists!("here back there up in at with together", next)
                || self.word(t) == "set" && next == "eyes"
        };
        match self.word(back) {
            "again" | "anymore" | "any" => (from..back).any(comes),
            "back" => lists!("come comes coming go goes going be been get gets here", self.word(back.wrapping_sub(1))),
            "return" | "returns" | "continued" | "resumed" => true,
            _ => (from..=back).any(|t| lists!(RETURNING, self.word(t))) || self.word(from) == "there",
        }
    }

    /// "Not again until Friday", "not again before the test"
    fn is_there_again(&self, at: usize) -> bool {
        self.near(at, 12, list!("until till before unless")).is_some() || self.near(at, 3, list!("for")).is_some()
    }

    /// Whether it tells of an end of the day or of the meeting: "at the end of the afternoon", "when the lesson ends", "once you go".
    fn ends(&self) -> bool {
        self.range.clone().any(|at| {
            let (word, next) = (self.word(at), self.word(at + 1));
            lists!(ENDS, word) && lists!("at by before of until till this the", self.word(at.wrapping_sub(1)))
                || matches!(word, "tonight" | "today")
                || lists!("lesson class session period visit workshop day", word)
                    && lists!("ends finishes is stops closes", next)
                || lists!("you we they pupils students anybody anyone everyone", word)
                    && lists!("go leave goes leaves", next)
                || self.is_at(at, &["home", "time"])
                || word == "hometime"
                || word == "end" && self.word(at + 1) == "of"
                || lists!("by at", word) && small_number(next).is_some_and(|n| n >= 2.0)
        })
    }

    /// "Everything is packed into crates when the lesson ends", "none is kept", "the coach takes us off for good"
    fn is_all_gone(&self) -> bool {
        if self.has(list!("bag bags coat coats")) {
            return false;
        }
        if self.has(list!("but except apart used unused waste broken leftover old spilt spilled rubbish litter plugged hot lit burning unattended running")) {
            return false;
        }
        let for_good = self.range.clone().any(|at| {
            self.is_at(at, &["for", "good"])
                && !lists("results luck reason measure", self.word(at + 2))
                && (self.range.start..at).any(|t| {
                    lists!(
                        "take takes leave leaves left go goes gone off away depart sails returns return sent",
                        self.word(t)
                    )
                })
        });
        if for_good {
            return true;
        }
        let universal = self.range.clone().any(|at| {
            let word = self.word(at);
            matches!(word, "everything" | "whatever")
                || matches!(word, "all" | "every" | "each") && self.near(at + 1, 4, list!(STANDING)).is_some()
        });
        let orders =
            lists!("throw pack take put bring empty rinse wash clear return tip pour", self.word(self.range.start));
        let strong = self
            .range
            .clone()
            .filter(|at| lists!("binned bin eaten destroyed dismantled thrown composted crates skip", self.word(*at)))
            .count();
        let by = |at: usize| self.word(at) == "gone" && self.word(at + 1) == "by";
        let away = self.has(list!(VEHICLES)) && self.range.clone().any(by);
        if self.ends() && !orders && (universal && self.has(list!(GONE)) || strong > 1 && self.has(list!(STANDING)))
            || away
        {
            return true;
        }
        // "Nothing may be left on the benches once you go", "no trace of the experiment stays in the hall"
        self.range.clone().any(|at| {
            let nothing = matches!(self.word(at), "nothing" | "none")
                || self.word(at) == "no" && self.near(at + 1, 2, list!(STANDING)).is_some();
            let kept = (at + 1..self.range.end.min(at + 9))
                .find(|t| lists!("left kept stays stay remain remains stored", self.word(*t)));
            nothing
                && kept.is_some_and(|kept| {
                    let switched = self.word(kept + 1) == "on" && !lists("the a any", self.word(kept + 2));
                    let here = self
                        .near(kept + 1, 4, list!("hall room lab building school gym library kitchen tent"))
                        .is_some();
                    !switched && (self.ends() || here)
                })
        })
    }

    /// "Start and finish the study inside this afternoon's two hours", "from question to conclusion before anybody goes home"
    fn is_whole(&self) -> bool {
        if self.has(list!("later week weeks days tomorrow another until monday tuesday wednesday thursday")) {
            return false;
        }
        let starts = self.has(list!("start begin started begun starts begins"));
        let ends = self.has(list!("finish end ended finished finishes ends complete completed conclude concluded"));
        let led = self.has(list!("from"))
            && self.range.clone().any(|at| {
                self.word(at) == "to" && lists!("conclusion conclusions answer finish end result", self.word(at + 1))
            });
        let told = self.has(list!("gathered collected measured")) && self.has(list!("plotted discussed concluded"));
        let bound = self.range.clone().any(|at| {
            let word = self.word(at);
            let sitting = |at: usize, ahead: usize| {
                self.near(at, ahead, list!(MEETINGS))
                    .or(self.near(at, ahead, list!("go afternoon's morning's day's hours")))
                    .is_some()
            };
            matches!(word, "inside" | "within" | "in" | "during")
                && (matches!(self.word(at + 1), "one" | "this" | "today's")
                    || self.is_at(at + 1, &["a", "single"])
                    || self.is_at(at + 1, &["the", "one"]))
                && sitting(at + 2, 4)
                || word == "before"
                    && lists!("anybody anyone we you they everyone pupils students children", self.word(at + 1))
                    && lists!("go goes leave leaves", self.word(at + 2))
                || word == "without" && self.near(at + 1, 5, list!("follow-up follow second another further")).is_some()
                || self.is_at(at, &["same", "day"])
        });
        (starts && ends || led || told) && bound && !self.is_followed()
    }

    /// "The room is yours until noon, and after that it belongs to someone else"
    fn is_handed_on(&self) -> bool {
        let to = self.range.clone().any(|at| lists!("someone somebody", self.word(at)) && self.word(at + 1) == "else");
        to && self.has(list!("room hall lab kitchen studio greenhouse field bench"))
            && self.has(list!("belongs goes given booked handed"))
            && self.has(list!("after then until till afterwards"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn says(field: &str, said: &str) -> bool {
        let content = json!({ field: said });
        let lesson = Lesson::of(content.as_object().expect("an object"));
        let text = lesson.texts().first().expect("a text");
        text.sentences().iter().any(|sentence| is_the_only_one(text, sentence))
    }

    #[test]
    fn that_there_is_one_sitting_is_read_from_who_does_what() {
        for (field, said) in [
            ("curriculum", "Outreach day: the bus calls at our school on the one morning and is gone by twelve."),
            ("phenomenon", "We have this single night at the hut."),
            ("curriculum", "Each child attends for one day only."),
            ("assessment", "There won't be another chance to come back to this."),
            ("assessment", "The class won't be up here again."),
            ("assessment", "The van drives off at noon with every jar on board, and we never set eyes on them again."),
            ("curriculum", "Saturday club, a one-off: this is the first and the last time we get together."),
            ("phenomenon", "The ferry takes us off the island for good at four."),
            ("phenomenon", "Everything you see is packed into crates when the lesson ends."),
            ("assessment", "No trace of the experiment stays in the hall."),
            ("objectives", "Nobody gets a second go at it on another day."),
            ("phenomenon", "You have the room until noon, and after that it belongs to someone else."),
            ("assessment", "Tonight is all we have."),
            ("curriculum", "Guest lesson: our one and only encounter with year 6"),
        ] {
            assert!(says(field, said), "{said}");
        }
    }

    #[test]
    fn what_is_said_of_other_things_is_no_such_claim() {
        for (field, said) in [
            ("phenomenon", "A single night of frost can kill the blossom."),
            ("phenomenon", "The bulb is never the same again after it has flowered."),
            ("assessment", "Nobody gets a second go at the quiz."),
            ("phenomenon", "We begin in this lesson and finish it on Friday a week later."),
            ("phenomenon", "Pupils start it in one lesson and finish it a week later."),
            ("phenomenon", "We do not come back to the jars until Thursday."),
            ("phenomenon", "You will not see the seeds again for three days."),
            ("phenomenon", "No bags are left in the lab."),
            ("phenomenon", "One of you goes to the bench and then fetches water for the others."),
            ("phenomenon", "A slice of bread gets hard in just one day."),
            ("phenomenon", "The ferry leaves at four and the gulls follow it."),
            ("phenomenon", "We set this up once only and then let it stand."),
            ("assessment", "This is the only time in the unit that you are graded on a drawing."),
            ("assessment", "Do not open the box again."),
            ("phenomenon", "We never use the same pipette again."),
            ("phenomenon", "Nothing may be left on overnight."),
            ("phenomenon", "All broken glass is removed at the end of the lesson."),
            ("phenomenon", "Pack the crates when the lesson ends, all but the dough."),
            ("phenomenon", "Does a tadpole have only one day?"),
            ("phenomenon", "Only one pupil in each group reads the scale."),
            ("phenomenon", "You will see these cups again in the next session."),
        ] {
            assert!(!says(field, said), "{said}");
        }
    }
}
