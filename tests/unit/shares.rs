//! Unit tests of `src/shares.rs`.

use std::net::{IpAddr, Ipv4Addr};

use super::*;

fn caller(number: u32) -> Actor {
    Actor::at(IpAddr::V4(Ipv4Addr::from_bits(number)))
}

#[test]
fn callers_that_hold_nothing_are_forgotten() {
    let streams = Shared::new(16);
    for number in 0..10_000 {
        assert!(streams.try_take(caller(number), 1).is_ok());
    }
    assert!(streams.callers.lock().expect("no panic").len() <= MIN_CLEANED + 1);
}
