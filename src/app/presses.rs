//! Presses of the buttons of links with a visit limit. Who presses a button twice uses up one visit. Other copies of the
//! service do not know these presses.

use std::time::Duration;

use crate::admission::PRESS_BYTES;
use crate::cache::{Bounds, Cache};
use crate::clock::Clock;

/// Maximum memory for presses, and the time for which one is remembered: as long as the page that it opened.
const BOUNDS: Bounds = Bounds { bytes: PRESS_BYTES, keep: Duration::from_secs(60 * 60) };

/// Where presses led, by the address that the form was sent to.
pub type Presses = Cache<String, String>;

pub fn presses(clock: &Clock) -> Presses {
    Cache::new(BOUNDS, clock.clone(), |pressed: &String, led_to: &String| pressed.len() + led_to.len())
}
