//! Unit tests of `src/cli/doctor/folder.rs`.

use super::*;

#[test]
fn a_full_disk_is_a_problem_and_a_nearly_full_one_a_warning() {
    let said = |room| {
        let folder = Folder::There { mode: 0o700, writable: true, room };
        of_folder(Path::new("d"), &folder).pop().map(|disk| disk.to_string()).unwrap_or_default()
    };
    let remedy = "free some space, or move the data folder to another disk";
    assert_eq!(said(Some(7 * MIB)), format!("problem  disk               only 7 MiB are free; {remedy}"));
    assert_eq!(said(Some(700 * MIB)), format!("warning  disk               only 700 MiB are free; {remedy}"));
    assert_eq!(said(None), "warning  disk               does not report its free space; check with: df");
}

#[test]
fn a_folder_that_takes_no_files_is_a_problem() {
    let report = of_folder(Path::new("d"), &Folder::There { mode: 0o500, writable: false, room: Some(LOW_FREE) });
    let report: Vec<String> = report.iter().map(Finding::to_string).collect();
    assert_eq!(
        report[0],
        "problem  data-folder        d is not writable for this user; make the service's user its owner, or run this command as that user"
    );
}
