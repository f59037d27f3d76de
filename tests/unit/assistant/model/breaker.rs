//! Unit tests of `src/assistant/model/breaker.rs`.

use super::*;

fn fail(breaker: &Breaker, times: u32) {
    for _ in 0..times {
        breaker.permit().expect("a permit").failed();
    }
}

#[tokio::test(start_paused = true)]
async fn five_failures_in_a_row_bring_a_rest_and_then_one_call_decides() {
    let breaker = Breaker::default();
    fail(&breaker, 4);
    breaker.permit().expect("a permit").succeeded();
    fail(&breaker, 5);
    assert!(breaker.permit().is_none());
    tokio::time::advance(PAUSE).await;
    let probe = breaker.permit().expect("one is let through");
    assert!(breaker.permit().is_none(), "and no second one beside it");
    probe.failed();
    assert!(breaker.permit().is_none());
    tokio::time::advance(PAUSE).await;
    breaker.permit().expect("a permit").succeeded();
    fail(&breaker, 4);
    assert!(breaker.permit().is_some());
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_given_up_leaves_the_next_one_to_decide() {
    let breaker = Breaker::default();
    fail(&breaker, 5);
    tokio::time::advance(PAUSE).await;
    drop(breaker.permit().expect("a permit"));
    breaker.permit().expect("a permit").succeeded();
    assert!(breaker.permit().is_some());
}
