//! What one case gets more of than the others, though all are to have the same.

use super::Said;
use crate::assistant::facts::lists::list;
use crate::assistant::facts::phrases::{self, lists};

impl Said<'_> {
    /// "Switch to the 20 g marble and lift the top end by two more books", where the height is kept.
    pub(super) fn is_propped(&self, at: usize) -> bool {
        let Some(property) = self.named.property.as_deref() else { return false };
        let lifts = phrases::verb(
            self.word(at),
            &["lift", "raise", "prop", "add", "stack", "put", "slide", "place", "slip", "push", "elevate", "jack"],
        );
        if lifts.is_none()
            || self.named.tilted
            || !lists("height slope angle steepness tilt", property)
            || phrases::actor(self.step, at).is_none()
        {
            return false;
        }
        let ahead = || at + 1..self.clause.end.min(at + 14);
        let more = ahead().find(|t| lists!("more another extra further additional", self.word(*t)));
        let by = more.is_some_and(|more| {
            (more..self.clause.end.min(more + 4)).any(|t| lists!("book books block blocks brick bricks", self.word(t)))
        });
        let track =
            ahead().any(|t| lists!("ramp track board plank slope end top under beneath underneath", self.word(t)));
        let cased = self.each
            || self.sentence_has(list!("next second third"))
            || (self.sentence.start..at).any(|t| phrases::verb(self.word(t), &["switch", "change", "move"]).is_some())
            || self.sentence.clone().any(|t| self.begins_case(t));
        // "Until it is 20 cm high" brings it back to what is kept.
        by && track && cased && !self.sentence_has(list!("until"))
    }

    /// "Then give the fan sponge an extra 15 mL", where all are to get the same; "twice as much water for pot B".
    pub(super) fn is_favoured(&self, at: usize) -> bool {
        let Some(property) = self.named.property.as_deref() else { return false };
        let gives = phrases::verb(self.word(at), &["give", "add", "pour", "put", "feed", "use"]);
        if gives.is_none()
            || !lists("amount volume number mass quantity", property)
            || phrases::actor(self.step, at).is_none()
            || self.named.varied_amount
        {
            return false;
        }
        let ahead = at + 1..self.clause.end;
        let number = |t: usize| self.word(t).starts_with(|c: char| c.is_ascii_digit());
        let extra = ahead.clone().any(|t| {
            lists!("extra additional further another", self.word(t)) && number(t + 1)
                || number(t) && (t + 1..t + 3).any(|t| lists!("more extra", self.word(t)))
                || lists!("twice double half", self.word(t)) && (self.word(t + 1) == "as" && self.word(t + 2) == "much")
        });
        let thing = self.named.is_in(self.step, at + 1..self.clause.end);
        let so = ahead.clone().find(|t| lists!("so because until", self.word(*t))).unwrap_or(self.clause.end);
        let to_all = (self.clause.start..so).any(|t| lists!("each every all both them everyone it", self.word(t)))
            || self.sentence_has(list!("mark level line until if again"));
        extra && thing && !to_all
    }
}
