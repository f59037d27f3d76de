//! How a step is worded so that it keeps a safety rule: "Do not taste …", "Let the teacher light …".
//!
//! Only a sentence whose form is plain is reworded; whether the rule then holds is seen by reading it again.

use crate::assistant::edit::{Edit, Mend};
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::prohibitions::Ban;
use crate::assistant::text::amounts::capitalized;

/// The step with the sentence around its verb at this token reworded, where that is an order or says what everybody does.
pub fn obeyed(ban: &Ban, step: &Text, at: usize) -> Option<Mend> {
    let sentence = step.sentence(at);
    let allowed = ban.text.sentence(ban.at);
    let who = if allowed.clone().any(|t| ban.text.word(t) == "teacher") { "the teacher" } else { "an adult" };
    let first = step.tokens.get(sentence.start)?;
    let verb = step.tokens.get(at)?;
    let subject: Vec<&str> = (sentence.start..at).map(|t| step.word(t)).collect();
    let (range, text) = match (subject.as_slice(), ban.pupils_only) {
        ([], true) => (verb.bytes.clone(), format!("Let {who} {}", verb.word)),
        ([], false) => (verb.bytes.clone(), format!("Do not {}", verb.word)),
        // "Each pupil lights": the verb fits the one who may.
        ([each, pupil], true) if lists!("each every", each) && phrases::is_pupil(pupil) => {
            let last = step.tokens.get(at.checked_sub(1)?)?;
            (first.bytes.start..last.bytes.end, capitalized(who))
        }
        _ => return None,
    };
    Some(Mend { path: step.path.clone(), edit: Edit::Splice { range, text } })
}
