//! Unit tests of `src/admission.rs`.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::mpsc;

use super::*;
use crate::domain::lesson_sheet::MAX_SHEET;
use crate::domain::size::MAX_CONTENT;

fn caller(number: u32) -> Actor {
    Actor::at(IpAddr::V4(Ipv4Addr::from_bits(number)))
}

#[test]
fn pool_forgets_callers_without_permits() {
    let streams = Pool::new(16);
    for number in 0..10_000 {
        assert!(streams.try_take(caller(number), 1).is_ok());
    }
    assert_eq!(streams.known_callers(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn large_cpu_work_beyond_the_share_of_a_caller_waits_without_blocking_others() {
    let admission = Arc::new(Admission { cores: Pool::new(2), ..Admission::default() });
    let (done, wait) = mpsc::channel::<()>();
    let (begin, begun) = tokio::sync::oneshot::channel();
    let work = move || (begin.send(()), wait.recv()).1;
    let first = admission.clone();
    let first = tokio::spawn(async move { first.core(caller(1), SMALL).await.run(work) });
    begun.await.expect("the first has begun");
    // Small work of the same caller runs at once, and so does large work of other callers.
    assert_eq!(admission.core(caller(1), SMALL - 1).await.run(|| 1), 1);
    let mut second = std::pin::pin!(async { admission.core(caller(1), SMALL).await.run(|| 2) });
    let waits = timeout(Duration::ZERO, &mut second).await.is_err();
    assert_eq!(admission.core(caller(2), SMALL).await.run(|| 3), 3);
    done.send(()).expect("the first still waits");
    assert!(first.await.is_ok());
    assert_eq!((waits, second.await), (true, 2));
}

#[tokio::test]
async fn single_request_is_served_before_100_simultaneous_ones_of_another_caller() {
    let admission = Arc::new(Admission::default());
    let served = Arc::new(std::sync::Mutex::new(Vec::new()));
    let callers = std::iter::repeat_n(1, 100).chain([2]);
    let requests = callers.map(|number| {
        let (admission, served) = (admission.clone(), served.clone());
        tokio::spawn(async move {
            let _admitted = admission.admit(caller(number), Class::List).await.expect("a permit");
            served.lock().expect("the callers").push(number);
        })
    });
    for request in requests.collect::<Vec<_>>() {
        request.await.expect("it is served");
    }
    let before = served.lock().expect("the callers").iter().position(|number| *number == 2).expect("it was served");
    // Some requests had returned their permits before the last one arrived.
    assert!(before <= 3 * share_of(LIGHT) as usize, "{before} requests of the other caller were served first");
}

#[tokio::test]
async fn caller_who_was_just_served_waits_behind_other_waiting_callers() {
    let pool = Arc::new(Pool::new(1));
    let first = pool.take(caller(1), 1).await;
    let served = Arc::new(std::sync::Mutex::new(Vec::new()));
    let asking = [1, 1, 2, 1, 3].map(|number| {
        let (pool, served) = (pool.clone(), served.clone());
        tokio::spawn(async move {
            let _permit = pool.take(caller(number), 1).await;
            served.lock().expect("the callers").push(number);
        })
    });
    // Lets all requests join the queue.
    yield_now().await;
    drop(first);
    for request in asking {
        request.await.expect("it is served");
    }
    assert_eq!(*served.lock().expect("the callers"), [2, 3, 1, 1, 1]);
}

#[tokio::test]
async fn request_returns_its_light_permit_before_it_waits_for_a_heavy_permit() {
    let admission = Arc::new(Admission::default());
    let light = || admission.light.try_take(caller(1), share_of(LIGHT));
    let heavy = || admission.heavy.try_take(caller(1), 1);
    let admitted = admission.admit(caller(1), Class::Light).await.expect("a permit");
    let work = async {
        assert_eq!(actor(), caller(1));
        assert_eq!((light().is_ok(), heavy().is_ok()), (false, true));
        assert_eq!(hold(Class::Heavy).await, Ok(()));
        assert_eq!((light().is_ok(), heavy().is_ok()), (true, false));
        // A heavy permit is enough for light work.
        assert_eq!(hold(Class::Light).await, Ok(()));
        assert_eq!((light().is_ok(), heavy().is_ok()), (true, false));
    };
    admitted.lend(work).await;
    let answer = admitted.finish().await.expect("room for the answer");
    assert_eq!(answer.units(), u64::from(Class::Heavy.answer_bytes()));
    assert_eq!((light().is_ok(), heavy().is_ok()), (true, true));
    assert_eq!(hold(Class::Heavy).await, Ok(()), "the service itself needs no permit");
}

#[test]
fn there_are_no_more_heavy_permits_than_connections_for_heavy_reads() {
    for (connections, permits) in [(1, 1), (3, 3), (HEAVY as usize + 1, HEAVY)] {
        let admission = Admission::default().with_heavy_connections(connections);
        let taken: Vec<_> = (0..9).map_while(|number| admission.heavy.try_take(caller(number), 1).ok()).collect();
        assert_eq!(taken.len() as u32, permits, "{connections}");
    }
}

#[tokio::test]
async fn request_that_must_not_wait_keeps_its_light_permit_if_no_heavy_permit_is_free() {
    let admission = Arc::new(Admission::default());
    let held = admission.heavy.try_take(caller(1), 1).expect("a permit");
    let admitted = admission.admit(caller(1), Class::Light).await.expect("a permit");
    let work = async {
        assert_eq!(without_waiting(hold(Class::Heavy)).await, Err(BusyError));
        assert!(admission.light.try_take(caller(1), share_of(LIGHT)).is_err(), "it is still held");
        drop(held);
        assert_eq!(without_waiting(hold(Class::Heavy)).await, Ok(()));
        assert!(admission.light.try_take(caller(1), share_of(LIGHT)).is_ok());
    };
    admitted.lend(work).await;
    assert_eq!(admitted.finish().await.map(|room| room.units()), Some(u64::from(Class::Heavy.answer_bytes())));
}

#[tokio::test]
async fn task_spawned_by_a_request_runs_with_the_permit_of_the_request() {
    let admission = Arc::new(Admission::default());
    let admitted = admission.admit(caller(1), Class::Light).await.expect("a permit");
    let whose = admitted.lend(async { tokio::spawn(for_another_task(async { actor() })).await }).await;
    assert_eq!(whose.expect("an actor"), caller(1));
    assert_eq!(for_another_task(async { actor() }).await, Actor::Service);
}

#[tokio::test]
async fn link_page_keeps_its_memory_reservation_while_it_is_rendered() {
    let admission = Arc::new(Admission::default());
    let admitted = admission.admit(caller(1), Class::Page).await.expect("a permit");
    assert_eq!(admitted.lend(hold(Class::Light)).await, Ok(()));
    let room = admitted.finish().await.expect("room");
    assert_eq!(room.units(), u64::from(Class::Page.answer_bytes()));
    assert!(room.units() > MAX_SHEET as u64);
}

#[tokio::test]
async fn assistant_request_with_a_large_document_uses_the_whole_share_of_its_caller() {
    let admission = Arc::new(Admission::default());
    for (class, left) in [(Class::Light, share_of(ASSISTANT) - 1), (Class::Heavy, 0)] {
        let admitted = admission.admit(caller(1), class).await.expect("a permit");
        let work = async {
            assert_eq!(without_waiting(hold(Class::Assistant)).await, Ok(()));
            assert!(admission.of(class).try_take(caller(1), admission.of(class).share()).is_ok(), "{class:?}");
            let more = (0..=left).filter(|units| admission.assistant.try_take(caller(1), *units).is_ok()).max();
            assert_eq!(more, Some(left), "{class:?}");
            // A request that already holds its document may load it again without waiting, and keeps all its permits.
            assert_eq!(without_waiting(hold(class)).await, Ok(()));
            assert_eq!(
                admission.assistant.try_take(caller(1), left + 1).err(),
                Some(PoolError::ShareUsedUp),
                "{class:?}"
            );
        };
        admitted.lend(work).await;
    }
}

#[test]
fn short_document_with_many_values_needs_a_heavy_permit() {
    assert_eq!(Class::of_text("[1]".repeat(2_000).as_bytes()), Class::Light);
    assert_eq!(Class::of_text("[1]".repeat(10_000).as_bytes()), Class::Heavy);
    assert_eq!(Class::of_text("x".repeat(MAX_CONTENT + 1).as_bytes()), Class::Heavy);
}

#[tokio::test(start_paused = true)]
async fn request_that_gets_no_permit_in_time_is_refused() {
    let admission = Arc::new(Admission::default());
    let held = admission.heavy.try_take(caller(1), 1).expect("a permit");
    assert_eq!(admission.admit(caller(1), Class::Heavy).await.err(), Some(BusyError));
    let admitted = admission.admit(caller(1), Class::Light).await.expect("a permit");
    assert_eq!(admitted.lend(hold(Class::Heavy)).await, Err(BusyError));
    drop(held);
    assert_eq!(admitted.lend(hold(Class::Heavy)).await, Ok(()));
}

#[tokio::test(start_paused = true)]
async fn caller_with_too_many_unread_answers_gets_no_further_permit() {
    let admission = Arc::new(Admission::default());
    let mut unread = Vec::new();
    while let Ok(admitted) = admission.admit(caller(1), Class::Heavy).await {
        unread.push(admitted.finish().await.expect("room"));
    }
    let held: u64 = unread.iter().map(Permit::units).sum();
    let one_more = held + u64::from(Class::Heavy.answer_bytes());
    assert!(!unread.is_empty() && one_more > u64::from(share_of(ANSWER_BYTES)), "{held}");
    assert!(admission.admit(caller(2), Class::Heavy).await.is_ok());
}
