//! Waits for a condition by polling, up to a time limit.

use std::time::{Duration, Instant};

/// Time between two polls.
const BETWEEN: Duration = Duration::from_millis(100);

/// Waits until `look` returns a value, and returns it.
pub async fn until<T>(what: &str, limit: Duration, mut look: impl AsyncFnMut() -> Option<T>) -> Result<T, String> {
    let begin = Instant::now();
    loop {
        if let Some(found) = look().await {
            return Ok(found);
        }
        if begin.elapsed() > limit {
            return Err(format!("{what} did not happen within {} s", limit.as_secs()));
        }
        tokio::time::sleep(BETWEEN).await;
    }
}
