//! Unit tests of `src/cli/doctor/clock.rs`.

use super::*;

#[test]
fn a_clock_that_is_off_is_named_with_its_direction() {
    let now = Timestamp(1_000_000_000);
    let reading =
        |off: i64| ClockReading { of: "identity provider", service_time: Timestamp(now.0 + off), local_time: now };
    let jumped = of_clock(now, None, Some((Timestamp(691_200_000), Timestamp(0))), &[]).to_string();
    assert!(
        jumped.starts_with("warning  clock              it jumped: an event of 1970-01-09T00:00:00.000Z was stored before an event of 1970-01-01T00:00:00.000Z; synchronise"),
        "{jumped}"
    );
    let said = |newest: Option<i64>, off: &[i64]| {
        let readings: Vec<ClockReading> = off.iter().map(|off| reading(*off)).collect();
        of_clock(now, newest.map(|off| Timestamp(now.0 + off)), None, &readings).to_string()
    };
    assert_eq!(said(None, &[]), "ok       clock              nothing to compare it with");
    assert_eq!(
        said(Some(-9_000_000), &[900]),
        "ok       clock              agrees with the store and the identity provider"
    );
    assert!(said(Some(61_000), &[]).contains("it is 61 s behind the newest investigation of the store; synchronise"));
    assert!(said(None, &[-7_500]).contains("it is 7 s ahead of that of the identity provider; synchronise"));
    assert!(said(None, &[7_500]).starts_with("warning  clock              it is 7 s behind that of"));
}
