//! Unit tests of `src/store/error.rs`.

use super::*;

#[tokio::test]
async fn cancelled_read_is_not_reported_as_a_panic() {
    let cancelled = tokio::spawn(std::future::pending::<()>());
    cancelled.abort();
    let error = cancelled.await.expect_err("it is cancelled");
    assert_eq!(StoreError::of_lost_read(&error).to_string(), "the store is closing");
    let panicking = tokio::spawn(async {
        let _: u8 = "text".parse().expect("a number");
    });
    let error = panicking.await.expect_err("it panics");
    assert_eq!(StoreError::of_lost_read(&error).to_string(), "the store failed: a read panicked");
}
