//! Unit tests of `src/cache.rs`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

use super::*;
use crate::domain::time::Timestamp;

const MAX_AGE: Duration = Duration::from_secs(5);

fn cache(bytes: u64, keep: u64, clock: &Clock) -> Cache<u32, String> {
    let bounds = Bounds { bytes, keep: Duration::from_secs(keep) };
    Cache::new(bounds, clock.clone(), |_, text: &String| text.len())
}

#[test]
fn cache_entry_expires_by_the_clock_of_the_service() {
    let clock = Clock::set_to(Timestamp(0));
    let cache = cache(1 << 20, 30, &clock);
    cache.insert(1, "one".to_owned());
    clock.advance(Duration::from_millis(29_999));
    assert_eq!(cache.get(&1).as_deref(), Some("one"));
    clock.advance(Duration::from_millis(1));
    assert_eq!(cache.get(&1), None);
    cache.insert(1, "new".to_owned());
    assert_eq!(cache.get(&1).as_deref(), Some("new"));
}

#[test]
fn cache_with_zero_lifetime_stores_nothing() {
    let cache = cache(1 << 20, 0, &Clock::set_to(Timestamp(0)));
    cache.insert(1, "one".to_owned());
    cache.entries.0.run_pending_tasks();
    assert_eq!((cache.get(&1), cache.entries.0.entry_count()), (None, 0));
}

#[test]
fn oldest_cache_entries_are_evicted_when_the_memory_limit_is_reached() {
    let cache = cache(1 << 20, 30, &Clock::set_to(Timestamp(0)));
    for number in 0..400 {
        cache.insert(number, "x".repeat(8 * 1024));
    }
    cache.entries.0.run_pending_tasks();
    let weight = cache.entries.0.weighted_size();
    assert!((1_000_000..=1 << 20).contains(&weight), "{weight}");
    assert!(cache.get(&399).is_some() && cache.get(&0).is_none());
}

#[tokio::test]
async fn concurrent_callers_with_the_same_key_share_one_execution() {
    let (flight, runs) = (SingleFlight::default(), AtomicUsize::new(0));
    let run = |key| {
        flight.run(key, async {
            tokio::task::yield_now().await;
            runs.fetch_add(1, Ordering::SeqCst)
        })
    };
    let (first, second, other) = tokio::join!(run(1), run(1), run(2));
    assert_eq!(first, second);
    assert_ne!(first, other);
    assert_eq!(run(1).await, 2, "the result is not kept");
}

#[tokio::test]
async fn waiting_caller_takes_over_the_shared_work_of_a_cancelled_caller() {
    let (flight, started) = (Arc::new(SingleFlight::default()), Arc::new(Notify::new()));
    let first = tokio::spawn({
        let (flight, started) = (flight.clone(), started.clone());
        async move {
            let work = async {
                started.notify_one();
                std::future::pending().await
            };
            flight.run((), work).await
        }
    });
    started.notified().await;
    let second = flight.run((), async { 2 });
    tokio::pin!(second);
    let waits = tokio::time::timeout(Duration::ZERO, &mut second).await;
    assert!(waits.is_err(), "{waits:?}");
    first.abort();
    assert_eq!(second.await, 2);
    assert!(flight.0.lock().is_empty());
}

#[tokio::test]
async fn shared_execution_is_dropped_when_its_last_caller_is_cancelled() {
    let flight = SingleFlight::<u8, u8>::default();
    let left = tokio::time::timeout(Duration::ZERO, flight.run(1, std::future::pending())).await;
    assert!(left.is_err(), "{left:?}");
    assert!(flight.0.lock().is_empty());
}

#[tokio::test]
async fn cached_value_is_read_again_after_its_maximum_age() {
    let (clock, cached) = (Clock::set_to(Timestamp(0)), RefreshedValue::<u32, ()>::new(MAX_AGE));
    let get = async |value| cached.get(&clock, || async { Ok(value) }).await.map(|read| read.value);
    assert_eq!(get(1).await, Ok(1));
    clock.advance(MAX_AGE - Duration::from_millis(1));
    assert_eq!(get(2).await, Ok(1));
    clock.advance(Duration::from_millis(1));
    assert_eq!(get(3).await, Ok(3));
    cached.forget();
    assert_eq!(get(4).await, Ok(4));
}

#[tokio::test]
async fn concurrent_readers_of_a_cached_value_share_one_failed_read() {
    let (clock, cached, reads) =
        (Clock::set_to(Timestamp(0)), RefreshedValue::<u32, usize>::new(MAX_AGE), AtomicUsize::new(0));
    let get = || {
        cached.get(&clock, || async {
            tokio::task::yield_now().await;
            Err(reads.fetch_add(1, Ordering::SeqCst))
        })
    };
    let (first, second, third) = tokio::join!(get(), get(), get());
    let failures = [first, second, third].map(|outcome| outcome.expect_err("a failure"));
    assert_eq!((failures, reads.load(Ordering::SeqCst)), ([0, 0, 0], 1));
    // The next caller reads again.
    assert_eq!(get().await.expect_err("a failure"), 1);
}

#[tokio::test]
async fn value_whose_read_began_before_an_invalidation_is_not_cached() {
    let (clock, cached, goes_on) =
        (Clock::set_to(Timestamp(0)), RefreshedValue::<u32, ()>::new(MAX_AGE), Notify::new());
    let early = cached.get(&clock, || async {
        goes_on.notified().await;
        Ok(1)
    });
    tokio::pin!(early);
    let waits = tokio::time::timeout(Duration::ZERO, &mut early).await;
    assert!(waits.is_err(), "{waits:?}");
    cached.forget();
    let get = async |value| cached.get(&clock, || async { Ok(value) }).await.map(|read| read.value);
    assert_eq!(get(2).await, Ok(2));
    goes_on.notify_one();
    assert_eq!(early.await.map(|read| read.value), Ok(1));
    assert_eq!(get(3).await, Ok(2));
}
