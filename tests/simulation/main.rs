//! Simulates histories of the whole service from seeds (`scripts/simulate`): several copies, clients, readers and
//! receivers in virtual time, with everything that can go wrong between them. The same seed gives the same history,
//! step by step.

#![expect(clippy::expect_used, reason = "a simulation that cannot go on should fail where it stands")]

#[path = "../faults/caller.rs"]
#[expect(dead_code, reason = "what sends over sockets is not used here")]
mod caller;
mod checks;
mod client;
mod creating;
mod faults;
#[path = "../histories/mod.rs"]
#[expect(dead_code, reason = "what records over sockets is not used here")]
mod histories;
mod plants;
mod receivers;
mod rows;
mod scheduler;
mod service;
mod simulation;
mod stream;
mod trace;
mod trouble;

use plants::Plant;
use simulation::run;

/// Number of histories in a test run. `scripts/simulate` runs more.
const SEEDS: u64 = 100;

/// Maximum number of histories until a planted bug is found.
const ENOUGH: u64 = 60;

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable)
        .ok()
        .map(|text| text.parse().unwrap_or_else(|_| panic!("{variable} is not a number: {text}")))
}

#[test]
fn no_simulated_history_breaks_a_promise() {
    let (first, seeds) = (number("FIELDBOOK_SIMULATE_SEED"), number("FIELDBOOK_SIMULATE_SEEDS"));
    let is_read = first.is_some() && seeds.is_none();
    let seeds = seeds.unwrap_or(if is_read { 1 } else { SEEDS });
    let mut failed = Vec::new();
    for (done, seed) in (first.unwrap_or(0)..).take(seeds as usize).enumerate() {
        let outcome = run(seed, Plant::None, is_read);
        print!("{}", outcome.text);
        if let Some(violation) = outcome.violation {
            println!("seed {seed}: {violation}\n    scripts/simulate --seed {seed} shows what happened");
            failed.push(seed);
        }
        if done % 1000 == 999 {
            println!("{} histories, {} failed", done + 1, failed.len());
        }
    }
    assert!(failed.is_empty(), "histories with these seeds break a promise: {failed:?}");
}

/// In this history, another copy creates a version after a restore has loaded the investigation. Before a bug was
/// fixed, the restore based its answer on the new version, and so found nothing to change.
#[test]
fn simulated_history_that_once_failed_breaks_no_promise() {
    assert_eq!(run(88_926, Plant::None, false).violation, None);
}

#[test]
fn seed_gives_the_same_simulated_history_each_time() {
    for seed in 0..15 {
        let (once, again) = (run(seed, Plant::None, true), run(seed, Plant::None, true));
        let differing = once.text.lines().zip(again.text.lines()).position(|(one, other)| one != other);
        assert_eq!(differing, None, "seed {seed}: {:?}", differing.map(|line| once.text.lines().nth(line)));
        assert_eq!(once.digest, again.digest, "seed {seed}");
    }
}

/// Returns the violation from the first history that finds a planted bug.
fn found(plant: Plant) -> String {
    let violation = (0..ENOUGH).find_map(|seed| run(seed, plant, false).violation);
    violation.unwrap_or_else(|| panic!("{plant:?} is not found in {ENOUGH} histories"))
}

#[test]
fn simulation_detects_a_service_that_loses_events() {
    let violation = found(Plant::LosesEvents);
    assert!(["revision", "event", "evt_"].iter().any(|word| violation.contains(word)), "{violation}");
}

#[test]
fn simulation_detects_a_repeated_request_that_is_executed_twice() {
    let violation = found(Plant::ForgetsKeys);
    assert!(
        violation.contains("several answers") || violation.contains("not marked") || violation.contains("what it did"),
        "{violation}"
    );
}

#[test]
fn simulation_detects_an_event_that_no_webhook_gets() {
    let violation = found(Plant::SkipsDeliveries);
    assert!(violation.contains("never took"), "{violation}");
}

#[test]
fn simulation_detects_a_visit_that_is_not_counted() {
    let violation = found(Plant::LosesVisits);
    assert!(violation.contains("visits"), "{violation}");
}

#[test]
fn simulation_detects_an_overwritten_change() {
    let violation = found(Plant::LosesChanges);
    assert!(
        ["no order explains", "was answered", "comes after"].iter().any(|word| violation.contains(word)),
        "{violation}"
    );
}

#[test]
fn simulation_detects_a_service_that_does_not_stop_a_transaction_with_a_lost_answer() {
    let violation = found(Plant::LooksForMarks);
    assert!(["no order explains", "visits", "what it did"].iter().any(|word| violation.contains(word)), "{violation}");
}

#[test]
fn simulation_detects_a_lost_version() {
    let violation = found(Plant::LosesVersions);
    assert!(
        violation.contains("version") || violation.contains("Version") || violation.contains("damaged"),
        "{violation}"
    );
}
