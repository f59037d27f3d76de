//! Computes exponential backoff between retries. A wait that the endpoint asks for takes precedence.

use std::time::Duration;

use reqwest::StatusCode;

/// Maximum number of retries of one call.
pub const RETRIES: u32 = 3;

/// Upper limit of the wait before the first retry. The limit doubles with each retry.
const FIRST: Duration = Duration::from_millis(200);

/// Returns true if a later call may succeed after this status.
pub fn passes(status: StatusCode) -> bool {
    status == StatusCode::REQUEST_TIMEOUT || status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error()
}

/// Returns the wait before retry number `retry`, counted from 0: between half of the upper limit and the whole.
/// `jitter` is a random number that keeps callers from retrying at the same time.
pub fn back_off(retry: u32, jitter: u8) -> Duration {
    FIRST * 2_u32.saturating_pow(retry) * (256 + u32::from(jitter)) / 512
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/model/backoff.rs"]
mod tests;
