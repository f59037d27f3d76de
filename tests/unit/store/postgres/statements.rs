//! Unit tests of `src/store/postgres/statements.rs`.

use std::pin::Pin;

use super::*;

type Sent = Pin<Box<dyn Future<Output = Result<u8, &'static str>>>>;

/// Returns what is answered at the second poll.
fn later(answer: Result<u8, &'static str>) -> Sent {
    Box::pin(async move {
        tokio::task::yield_now().await;
        answer
    })
}

fn at_once(answer: Result<u8, &'static str>) -> Sent {
    Box::pin(std::future::ready(answer))
}

#[tokio::test]
async fn results_are_in_the_order_of_the_futures() {
    assert_eq!(in_order(vec![later(Ok(1)), at_once(Ok(2)), later(Ok(3))]).await, Ok(vec![1, 2, 3]));
}

/// On a busy machine, what the server refuses because of a failure is noticed before the failure itself.
#[tokio::test]
async fn first_failed_statement_is_reported() {
    assert_eq!(in_order(vec![later(Err("deadlock")), at_once(Err("aborted"))]).await, Err("deadlock"));
    assert_eq!(in_order(vec![later(Ok(1)), at_once(Err("closed"))]).await, Err("closed"));
}

#[tokio::test]
async fn nothing_is_sent_after_an_immediate_failure() {
    let unsent: Sent = Box::pin(async { panic!("it was sent") });
    assert_eq!(in_order(vec![later(Ok(1)), at_once(Err("closed")), unsent]).await, Err("closed"));
}
