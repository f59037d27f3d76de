//! Computes exponential backoff between retries, and says when calls pause. A wait that the endpoint asks for takes
//! precedence.

use std::time::Duration;

use reqwest::StatusCode;

use crate::breaker::Pauses;

/// Number of consecutive failures that starts a pause.
pub const FAILURES: u32 = 5;

pub const PAUSE: Duration = Duration::from_secs(30);

pub const PAUSES: Pauses = Pauses { first: PAUSE, longest: PAUSE };

pub const RETRIES: u32 = 3;

/// Upper limit of the wait before the first retry. The limit doubles with each retry.
const FIRST: Duration = Duration::from_millis(200);

/// Returns true if the same request may succeed later, after a response with this status.
pub fn is_temporary(status: StatusCode) -> bool {
    status == StatusCode::REQUEST_TIMEOUT || status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error()
}

/// Returns the wait before retry number `retry`, counted from 0. `jitter` is random, so that callers do not retry at
/// the same time: 0 gives half the upper limit of the wait, 255 almost the whole limit.
pub fn back_off(retry: u32, jitter: u8) -> Duration {
    FIRST * 2_u32.saturating_pow(retry) * (256 + u32::from(jitter)) / 512
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/model/backoff.rs"]
mod tests;
