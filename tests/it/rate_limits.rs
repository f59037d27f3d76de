//! Rate limits: bursts, steady rates, and which addresses and users count as one caller.

use std::net::IpAddr;
use std::time::Duration;

use fieldbook::admission::Actor;
use fieldbook::clock::Clock;
use fieldbook::domain::time::Timestamp;
use fieldbook::limits::{Limit, Limits, MAX_RATE};

fn limit(most: u32) -> (Limit, Clock) {
    let clock = Clock::set_to(Timestamp(1_795_219_200_000));
    (Limits::new(most, 0, &clock).resolve.expect("a limit"), clock)
}

fn at(address: &str) -> Actor {
    Actor::at(address.parse().expect("an address"))
}

#[test]
fn rate_limit_of_4_allows_4_requests_at_once_and_then_one_every_250_ms() {
    let (limit, clock) = limit(4);
    let asked = |times: usize| (0..times).filter(|_| limit.check(at("192.0.2.1")).is_ok()).count();
    assert_eq!(asked(10), 4);
    assert_eq!(limit.check(at("192.0.2.1")).expect_err("too often").wait, Duration::from_millis(250));
    clock.advance(Duration::from_millis(249));
    assert_eq!(asked(10), 0);
    clock.advance(Duration::from_millis(1));
    assert_eq!(asked(10), 1);
    clock.advance(Duration::from_secs(3600));
    assert_eq!(asked(10), 4);
    assert!(limit.check(at("192.0.2.2")).is_ok(), "another address has its own");
}

#[test]
fn rate_limit_of_zero_turns_limiting_off_and_the_largest_rate_works() {
    let clock = Clock::set_to(Timestamp(0));
    assert!(Limits::new(0, 0, &clock).resolve.is_none());
    let most = Limits::new(MAX_RATE, MAX_RATE, &clock);
    assert!(most.resolve.expect("a limit").check(at("::1")).is_ok());
    assert!(most.assistant.expect("a limit").check(at("::1")).is_ok());
}

#[test]
fn rate_limiter_counts_one_ipv6_network_as_one_address_and_mapped_ipv4_as_ipv4() {
    assert_eq!(at("2001:db8:1:2:3:4:5:6"), at("2001:db8:1:2::1"));
    assert_ne!(at("2001:db8:1:2::1"), at("2001:db8:1:3::1"));
    assert_eq!(at("::ffff:192.0.2.1"), at("192.0.2.1"));
    assert_ne!(at("192.0.2.1"), at("192.0.2.2"));
}

#[test]
fn rate_limiter_forgets_idle_callers() {
    let (limit, clock) = limit(1000);
    for round in 0..20_u32 {
        for n in 0..1000_u32 {
            assert!(limit.check(Actor::at(IpAddr::V4((round * 1000 + n).into()))).is_ok());
        }
        clock.advance(Duration::from_secs(2));
    }
    assert!(limit.tracked_callers() <= 2 * 1024, "{}", limit.tracked_callers());
}
