//! Unit tests of `crates/domain/src/pattern.rs`.

use super::*;

#[test]
fn repetitions_are_counted_as_if_they_were_written_out() {
    let of = |text: &str| positions(text).expect(text);
    assert!(of("a[ab]{300}[^ab]") > 300);
    assert!(of("((a{100}){100}){100}") > 1_000_000);
    assert!(of("((((((a{1000}){1000}){1000}){1000}){1000}){1000}){1000}") > 1_000_000);
    assert!(of(r"^\w{1,20}$") < 400 && of(r"^[\w-]{1,64}$") < 1200 && of("^.{1,200}$") < 600);
    assert!(positions("(").is_err() && positions("(?=a)").is_err());
}
