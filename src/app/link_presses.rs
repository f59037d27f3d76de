//! Deduplicates clicks on the button of a link with a visit limit: two clicks on the same button use up only one visit,
//! even if the second arrives before the first is answered. Other copies of the service do not know these presses.

use std::time::Duration;

use crate::admission::PRESS_BYTES;
use crate::cache::{Bounds, Cache, SingleFlight};
use crate::clock::Clock;

/// Maximum memory for presses, and the time for which each is remembered: as long as the visitor can open the page
/// again.
const BOUNDS: Bounds = Bounds { bytes: PRESS_BYTES, keep: Duration::from_secs(60 * 60) };

/// Remembers clicks on the buttons of links with a visit limit.
pub struct LinkPresses {
    /// Redirect target of each click, by the address to which the form was sent.
    led_to: Cache<String, String>,
    /// Clicks in progress; `None` if the click failed.
    running: SingleFlight<String, Option<String>>,
}

impl LinkPresses {
    pub fn new(clock: &Clock) -> Self {
        let led_to =
            Cache::new(BOUNDS, clock.clone(), |pressed: &String, led_to: &String| pressed.len() + led_to.len());
        Self { led_to, running: SingleFlight::default() }
    }

    /// Runs `open`, unless the same button was pressed before. Returns the redirect target of the first click. Returns
    /// `None` if this call waited for a concurrent click, and that click failed.
    pub async fn once<E>(
        &self,
        pressed: String,
        open: impl Future<Output = Result<String, E>>,
    ) -> Result<Option<String>, E> {
        let mut failed = None;
        let run = async {
            if let Some(led_to) = self.led_to.get(&pressed) {
                return Some(led_to);
            }
            let led_to = open.await.map_err(|error| failed = Some(error)).ok()?;
            self.led_to.insert(pressed.clone(), led_to.clone());
            Some(led_to)
        };
        let led_to = self.running.run(pressed.clone(), run).await;
        failed.map_or(Ok(led_to), Err)
    }
}
