//! Unit tests of `src/app/capacity.rs`.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use tokio::time::timeout;

use super::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn work_beyond_a_callers_share_waits_and_keeps_nobody_else_waiting() {
    let capacity = Arc::new(Capacity::with_cores(2));
    let at = |n| Actor::at([10, 0, 0, n].into());
    let (done, wait) = mpsc::channel::<()>();
    let (begin, begun) = tokio::sync::oneshot::channel();
    let work = move || (begin.send(()), wait.recv()).1;
    let first = capacity.clone();
    let first = tokio::spawn(async move { first.compute(at(1), SMALL, work).await });
    begun.await.expect("the first has begun");
    // Small work of the same caller runs at once, and so does large work of other callers.
    assert_eq!(capacity.compute(at(1), SMALL - 1, || 1).await, 1);
    let mut second = std::pin::pin!(capacity.compute(at(1), SMALL, || 2));
    let waits = timeout(Duration::ZERO, &mut second).await.is_err();
    assert_eq!(capacity.compute(at(2), SMALL, || 3).await, 3);
    done.send(()).expect("the first still waits");
    assert!(first.await.is_ok());
    assert_eq!((waits, second.await), (true, 2));
}
