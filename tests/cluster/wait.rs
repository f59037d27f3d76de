//! Waiting: look again and again, up to a limit.

use std::time::{Duration, Instant};

/// How long between two looks.
const BETWEEN: Duration = Duration::from_millis(100);

/// Waits until `look` gives something; how long that took, too.
///
/// # Errors
/// A sentence that says what did not happen.
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
