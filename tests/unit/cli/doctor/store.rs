//! Unit tests of `src/cli/doctor/store.rs`.

use super::*;

#[test]
fn doctor_gives_a_remedy_for_each_problem_of_a_store() {
    let location = StoreLocation { backend: Backend::Embedded("d".into()), migrate: true };
    let diagnosis = Diagnosis {
        migrations: MigrationState::Steps { done: 3, known: 4 },
        integrity: Integrity::TimedOut,
        writes: Err("it refuses writes: disk full".into()),
        failed_deliveries: Vec::new(),
        damaged_logs: vec!["d/log-1".into()],
    };
    let findings = of_store(&location, &diagnosis);
    insta::assert_snapshot!(findings.iter().map(Finding::to_string).collect::<Vec<_>>().join("\n"), @"
    ok       store              SQLite in d
    warning  store-version      is older (store version 3, this program needs 4); make a backup first; the next start migrates it
    warning  store-integrity    it is too large to check in a few seconds; fieldbook backup checks all of it
    warning  store-integrity    an earlier start found its write-ahead log damaged, and kept it as d/log-1; compare it with a backup from that time, then delete the copy
    problem  store-writes       it refuses writes: disk full; check the permissions of its user and the free disk space
    ");
}
