//! Possible states of an investigation that only one worker changes. After a lost answer, the request was either
//! executed or not; no other state is possible.

use crate::histories::model::{Answer, Asked, Call, State};
use crate::phase::Ending;

/// All possible states, and the number of requests so far.
pub struct Walk {
    possible: Vec<State>,
    asked: u64,
}

impl Default for Walk {
    fn default() -> Self {
        Self { possible: vec![State::new(0)], asked: 0 }
    }
}

impl Walk {
    /// Returns the next request.
    pub fn next(&mut self) -> Asked {
        self.asked += 1;
        match self.asked % 7 {
            3 | 5 | 6 => Asked::Undo,
            4 => Asked::Redo,
            _ => Asked::Update(self.asked),
        }
    }

    /// Updates the possible states with the result of a request. `stands` is the version and the value of the
    /// investigation according to the response.
    pub fn was_answered(
        &mut self,
        asked: Asked,
        ending: Ending,
        stands: (Option<u64>, Option<u64>),
    ) -> Result<(), String> {
        let call = Call { asked, only_on: None };
        let mut after = self.possible.clone();
        match ending {
            Ending::Refused => {}
            Ending::Unknown => {
                for state in &mut after {
                    state.ask(call);
                }
                self.possible.extend(after);
                self.possible.dedup();
            }
            Ending::Acknowledged(_) => {
                after.retain_mut(|state| match state.ask(call) {
                    Answer::Stands { version, value, .. } => stands == (Some(version), Some(value)),
                    _ => false,
                });
                if after.is_empty() {
                    return Err(format!("{asked:?} led to {stands:?}, from one of {:?}", self.possible));
                }
                self.possible = after;
            }
        }
        Ok(())
    }
}
