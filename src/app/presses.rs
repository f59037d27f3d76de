//! Presses of the buttons of links with a visit limit. Whoever presses a button twice uses up one visit, even if the
//! second press comes before the first is answered. Other copies of the service do not know these presses.

use std::time::Duration;

use crate::admission::PRESS_BYTES;
use crate::cache::{Bounds, Cache, SingleFlight};
use crate::clock::Clock;

/// Maximum memory for presses, and the time for which one is remembered: as long as the page that it opened.
const BOUNDS: Bounds = Bounds { bytes: PRESS_BYTES, keep: Duration::from_secs(60 * 60) };

/// Where presses led, by the address that the form was sent to.
pub struct Presses {
    led_to: Cache<String, String>,
    /// `None` if the press led nowhere.
    running: SingleFlight<String, Option<String>>,
}

impl Presses {
    pub fn new(clock: &Clock) -> Self {
        let led_to =
            Cache::new(BOUNDS, clock.clone(), |pressed: &String, led_to: &String| pressed.len() + led_to.len());
        Self { led_to, running: SingleFlight::default() }
    }

    /// Runs `open`, unless the same button was pressed before. Returns where the first press leads; `None` if another press
    /// that came at the same time led nowhere.
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
