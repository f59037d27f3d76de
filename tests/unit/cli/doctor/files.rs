//! Unit tests of `src/cli/doctor/files.rs`.

use super::*;

#[test]
fn doctor_reports_a_full_disk_as_a_problem_and_a_nearly_full_disk_as_a_warning() {
    let said = |free| of_disk(free).to_string();
    let remedy = "free some space, or move the data folder to another disk";
    assert_eq!(said(7 * MIB), format!("problem  disk               only 7 MiB are free; {remedy}"));
    assert_eq!(said(700 * MIB), format!("warning  disk               only 700 MiB are free; {remedy}"));
    assert_eq!(said(LOW_FREE), "ok       disk               more than 1 GiB is free");
}
