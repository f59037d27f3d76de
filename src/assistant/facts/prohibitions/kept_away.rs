//! What hands are kept off, and what is not gone into.

use std::ops::Range;

use super::Ban;
use crate::assistant::facts::actions::Action;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::phrases::{self, lists};

/// "Keep fingers out of the fan", "hands stay away from the blades".
pub(super) fn kept_off<'l, 'c>(text: &'l Text<'c>, sentence: &Range<usize>, at: usize) -> Option<Ban<'l, 'c>> {
    if !lists("hand hands finger fingers", text.word(at)) || phrases::is_denied(text, at) {
        return None;
    }
    let kept = lists!("keep your", text.word(at.wrapping_sub(1))) || lists!("stay stays off clear", text.word(at + 1));
    let end = phrases::clause_end(text, at);
    let off = (at + 1..end.min(at + 5)).find(|t| {
        text.has_at(*t, &["out", "of"]) && !text.has_at(t + 2, &["the", "way"])
            || text.has_at(*t, &["away", "from"])
            || text.has_at(*t, &["clear", "of"])
            || text.word(*t) == "off"
    })?;
    let start = if text.word(off) == "off" { off + 1 } else { off + 2 };
    let scoped = sentence
        .clone()
        .any(|t| phrases::begins_condition(text.word(t)) || lists!("during if bare except wet but", text.word(t)));
    if !kept || scoped {
        return None;
    }
    let mut things = phrases::groups(text, start..end);
    things.retain(|group| !group.words.iter().all(|word| lists!("mouth eye nose face ear", word)));
    things.truncate(1);
    (!things.is_empty()).then(|| Ban {
        text,
        at,
        action: Action::Touch,
        things,
        places: Vec::new(),
        pupils_only: false,
        after: None,
    })
}

/// "Stay out of the water".
pub(super) fn kept_dry<'l, 'c>(text: &'l Text<'c>, sentence: &Range<usize>, at: usize) -> Option<Ban<'l, 'c>> {
    let stays = lists!("stay stays keep remain", text.word(at)) && text.has_at(at + 1, &["out", "of"]);
    let start = phrases::clause_start(text, at);
    let people =
        |t: usize| phrases::is_pupil(text.word(t)) || lists!("everyone everybody you all always", text.word(t));
    let stays = stays && (start..at).all(people);
    let end = phrases::clause_end(text, at);
    let water = (at + 3..end).any(|t| lists!("water pond stream river creek lake sea", text.word(t)));
    let scoped = sentence
        .clone()
        .any(|t| phrases::begins_condition(text.word(t)) || lists!("during deep hot salt dirty alone", text.word(t)));
    if !stays || !water || scoped || phrases::is_denied(text, at) {
        return None;
    }
    let mut places = phrases::groups(text, at + 3..end);
    places.truncate(1);
    let (action, things) = (Action::Enter, Vec::new());
    Some(Ban { text, at, action, things, places, pupils_only: false, after: None })
}
