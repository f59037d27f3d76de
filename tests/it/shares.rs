//! Shares of bounded resources.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use fieldbook::limits::Actor;
use fieldbook::shares::{Refused, Share, Shared, share_of};

fn caller(number: u32) -> Actor {
    Actor::at(IpAddr::V4(Ipv4Addr::from_bits(number)))
}

#[test]
fn a_caller_gets_a_quarter_and_all_callers_together_everything() {
    let streams = Shared::new(16);
    let take = |number| streams.try_take(caller(number), 1);
    let held: Vec<Share> = (0..4).map(|_| take(1).expect("a share")).collect();
    assert_eq!(take(1).expect_err("no more"), Refused::ShareUsedUp);
    let others: Vec<Share> =
        (2..5).flat_map(|number| (0..4).map(move |_| number)).map(|n| take(n).expect("a share")).collect();
    assert_eq!(take(9).expect_err("no more"), Refused::Everything);
    drop(held);
    assert!(take(9).is_ok());
    drop(others);
}

#[test]
fn a_small_resource_has_a_unit_for_everybody_in_turn() {
    assert_eq!(share_of(2), 1);
}

#[tokio::test]
async fn who_waits_for_the_own_share_keeps_nobody_else_waiting() {
    let cores = Shared::new(4);
    let held = cores.take(caller(1)).await;
    let mut again = std::pin::pin!(cores.take(caller(1)));
    let at_once = tokio::time::timeout(Duration::ZERO, &mut again).await;
    assert!(at_once.is_err());
    assert!(cores.take(caller(2)).await.is_some());
    drop(held);
    assert!(again.await.is_some());
}
