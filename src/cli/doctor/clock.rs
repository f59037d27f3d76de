//! Compares the machine's clock with the clocks of other services and with times in the store. The functions are pure.

use super::finding::Finding;
use crate::domain::time::Timestamp;

const CLOCK: &str = "clock";

/// Tolerated difference between two clocks, in milliseconds. It allows for the duration of a response, and for services
/// that report whole seconds.
const LEEWAY: i64 = 5_000;

/// The time that a service reported, and the time of this machine at that moment.
pub struct ClockReading {
    /// Name of the service.
    pub of: &'static str,
    pub service_time: Timestamp,
    pub local_time: Timestamp,
}

/// Checks the machine's clock. `now` is its time, and `newest` is the newest time in the store. If an event has an
/// earlier time than the event stored before it, `went_back` has the times of both.
pub fn of_clock(
    now: Timestamp,
    newest: Option<Timestamp>,
    went_back: Option<(Timestamp, Timestamp)>,
    readings: &[ClockReading],
) -> Finding {
    let remedy = "synchronise this machine's clock with NTP and check the other machines; a wrong clock gives wrong times and refuses tokens";
    let mut off = Vec::new();
    if let Some(newest) = newest.filter(|newest| newest.0 - now.0 > LEEWAY) {
        off.push(format!("it is {} s behind the newest investigation of the store", (newest.0 - now.0) / 1000));
    }
    if let Some((ahead, back)) = went_back {
        off.push(format!("it jumped: an event of {ahead} was stored before an event of {back}"));
    }
    for ClockReading { of, service_time, local_time } in readings {
        let ahead = local_time.0.saturating_sub(service_time.0);
        if ahead.abs() > LEEWAY {
            let side = if ahead > 0 { "ahead of" } else { "behind" };
            off.push(format!("it is {} s {side} that of the {of}", ahead.abs() / 1000));
        }
    }
    if !off.is_empty() {
        return Finding::warning(CLOCK, off.join(", "), remedy);
    }
    let mut with: Vec<&str> = newest.iter().map(|_| "the store").collect();
    let names: Vec<String> = readings.iter().map(|reading| format!("the {}", reading.of)).collect();
    with.extend(names.iter().map(String::as_str));
    match with.as_slice() {
        [] => Finding::ok(CLOCK, "nothing to compare it with"),
        with => Finding::ok(CLOCK, format!("agrees with {}", with.join(" and "))),
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/doctor/clock.rs"]
mod tests;
