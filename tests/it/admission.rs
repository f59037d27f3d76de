//! Shared resources: the share of each caller, and the order of waiting callers.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use fieldbook::admission::{Actor, Permit, Pool, PoolError, Turns, share_of};

fn caller(number: u32) -> Actor {
    Actor::at(IpAddr::V4(Ipv4Addr::from_bits(number)))
}

#[test]
fn one_caller_gets_at_most_a_quarter_of_the_permits_and_four_callers_get_all() {
    let streams = Pool::new(16);
    let take = |number| streams.try_take(caller(number), 1);
    let held: Vec<Permit> = (0..4).map(|_| take(1).expect("a share")).collect();
    assert_eq!(take(1).expect_err("no more"), PoolError::ShareUsedUp);
    let others: Vec<Permit> =
        (2..5).flat_map(|number| (0..4).map(move |_| number)).map(|n| take(n).expect("a share")).collect();
    assert_eq!(take(9).expect_err("no more"), PoolError::Everything);
    drop(held);
    assert!(take(9).is_ok());
    drop(others);
}

#[test]
fn caller_gets_at_most_one_of_two_permits() {
    assert_eq!(share_of(2), 1);
}

/// Polls a future once.
async fn is_granted(waiting: &mut (impl Future<Output = Permit> + Unpin)) -> bool {
    tokio::time::timeout(Duration::ZERO, waiting).await.is_ok()
}

#[tokio::test]
async fn caller_that_used_up_its_share_of_permits_waits_without_blocking_others() {
    let cores = Pool::new(4);
    let held = cores.take(caller(1), 1).await;
    let mut again = Box::pin(cores.take(caller(1), 1));
    assert!(!is_granted(&mut again).await);
    let _others = [cores.take(caller(2), 1).await, cores.take(caller(3), 1).await];
    drop(held);
    assert!(is_granted(&mut again).await);
}

#[test]
fn callers_take_turns_regardless_of_how_many_requests_each_has_queued() {
    let mut turns = Turns::default();
    for n in 0..3 {
        turns.push(caller(1), n);
    }
    turns.push(caller(2), 10);
    turns.push(caller(3), 20);
    turns.push(caller(2), 11);
    assert_eq!(turns.len(), 6);
    let order: Vec<i32> = std::iter::from_fn(|| turns.pop()).collect();
    assert_eq!(order, [0, 10, 20, 1, 11, 2]);
    assert!(turns.is_empty());
}

#[test]
fn new_caller_is_served_before_callers_who_were_already_served() {
    let mut turns = Turns::default();
    for n in 0..4 {
        turns.push(caller(1), n);
    }
    let mut order = vec![turns.pop()];
    turns.push(caller(2), 10);
    order.push(turns.pop());
    // A caller who was served more recently than the others waits behind them, even if this caller's queue was empty in
    // between.
    turns.push(caller(2), 11);
    turns.push(caller(3), 20);
    order.extend(std::iter::from_fn(|| turns.pop()).map(Some));
    assert_eq!(order.into_iter().flatten().collect::<Vec<_>>(), [0, 10, 20, 1, 11, 2, 3]);
}

#[tokio::test]
async fn single_request_is_served_before_the_queue_of_a_caller_that_used_up_its_share() {
    let pool = Pool::new(8);
    // Four callers hold two permits each, which are all permits. Then one of these callers asks for six more.
    let mut held: Vec<Permit> = (0..8).map(|n| pool.try_take(caller(n / 2), 1).expect("a permit")).collect();
    let mut greedy: Vec<_> = (0..6).map(|_| Box::pin(pool.take(caller(0), 1))).collect();
    for waiting in &mut greedy {
        assert!(!is_granted(waiting).await);
    }
    let mut modest = Box::pin(pool.take(caller(9), 1));
    assert!(!is_granted(&mut modest).await);
    // The greedy caller has used up its share, so the first free unit goes to the modest caller.
    held.pop();
    assert!(is_granted(&mut modest).await);
}

#[tokio::test]
async fn cancelled_request_takes_no_permits() {
    let pool = Pool::new(1);
    let held = pool.take(caller(1), 1).await;
    let mut given_up = Box::pin(pool.take(caller(2), 1));
    assert!(!is_granted(&mut given_up).await);
    let mut waiting = Box::pin(pool.take(caller(3), 1));
    assert!(!is_granted(&mut waiting).await);
    drop(given_up);
    drop(held);
    assert!(is_granted(&mut waiting).await);
}

#[tokio::test]
async fn small_request_queued_behind_a_cancelled_large_request_gets_a_permit() {
    let pool = Pool::new(8);
    let _held = [1, 2, 3].map(|number| pool.try_take(caller(number), 2).expect("permits"));
    let _one = pool.try_take(caller(4), 1).expect("a permit");
    let mut large = Box::pin(pool.take(caller(5), 2));
    assert!(!is_granted(&mut large).await);
    let mut small = Box::pin(pool.take(caller(6), 1));
    assert!(!is_granted(&mut small).await);
    drop(large);
    assert!(is_granted(&mut small).await);
}

#[test]
fn permit_can_shrink_but_cannot_grow() {
    let answers = Pool::new(100);
    let mut answer = answers.try_take(caller(1), 20).expect("room");
    answer.shrink(95);
    assert_eq!(answer.units(), 20);
    answer.shrink(1);
    assert_eq!(answer.units(), 1);
    assert!(answers.try_take(caller(1), 24).is_ok());
}
