//! Commands on a full disk and on a read-only file system: their messages, and the files that they leave behind. A
//! small disk is mounted in a namespace of its own. If the system does not allow this, these tests do nothing.

use std::process::Command;

/// Runs a script as root of a new namespace, in a folder where `disk` is a disk of 3 MiB. `$fieldbook` is the program,
/// and `fill BYTES` leaves only this much free space on the disk. Returns the output of the script, or `None` if the
/// system does not allow it to mount a disk.
fn on_small_disk(script: &str) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let begin = "mkdir disk; mount -t tmpfs -o size=3m none disk || exit; echo mounted
        fill() {
            rm -rf disk/room disk/rest; head -c $1 /dev/zero > disk/room; cat /dev/zero > disk/rest 2> /dev/null
            rm disk/room
        }\n";
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", &format!("exec 2>&1; {begin}{script}")])
        .env("fieldbook", env!("CARGO_BIN_EXE_fieldbook"))
        .env("FIELDBOOK_LOG_LEVEL", "warn")
        // Removes the variables of the tests, which the doctor would report.
        .env_remove("FIELDBOOK_TEST_POSTGRES")
        .env_remove("FIELDBOOK_TEST_STORE")
        .current_dir(folder.path())
        .output()
        .ok()?;
    String::from_utf8_lossy(&output.stdout).strip_prefix("mounted\n").map(str::to_owned)
}

#[test]
fn doctor_reports_that_a_full_disk_accepts_no_writes() {
    let script = "$fieldbook migrate --data disk/data > /dev/null
        fill 100000; $fieldbook doctor --data disk/data | grep -E ' (disk|store-writes) '
        fill 0; $fieldbook doctor --data disk/data | grep -E ' store'";
    let Some(said) = on_small_disk(script) else { return };
    insta::assert_snapshot!(said, @"
    fieldbook: there are 2 problems
    problem  disk               only 0 MiB are free; free some space, or move the data folder to another disk
    problem  store-writes       cannot write in the folder disk/data: No space left on device (os error 28); free some space on its disk
    fieldbook: there are 2 problems
    problem  store              cannot read the store disk/data/fieldbook.sqlite3: disk I/O error; check that its disk is sound and has free space
    ");
}

#[test]
fn command_on_a_full_disk_names_the_file_and_leaves_no_partial_file() {
    let script = "$fieldbook demo --data full > /dev/null; $fieldbook backup a.backup --data full > /dev/null
        $fieldbook export a.jsonl --data full 2> /dev/null
        for room in 10000 40000; do
            fill $room; $fieldbook import a.jsonl --data disk/outer/new > /dev/null 2>&1; ls disk
        done
        fill 0; $fieldbook import a.jsonl --data disk/outer/new
        $fieldbook restore a.backup --data disk/outer/new
        $fieldbook backup disk/b.backup --data full; $fieldbook export disk/b.jsonl --data full; ls disk";
    let Some(said) = on_small_disk(script) else { return };
    insta::assert_snapshot!(said, @"
    rest
    rest
    fieldbook: cannot open the store disk/outer/new/fieldbook.sqlite3: database or disk is full; free some space on its disk
    fieldbook: cannot write disk/outer/new/fieldbook.sqlite3.part: No space left on device (os error 28); free some space on its disk
    fieldbook: cannot copy the store full/fieldbook.sqlite3 to disk/b.backup: database or disk is full; free some space on its disk
    fieldbook: cannot write the export to disk/b.jsonl: No space left on device (os error 28); free some space on its disk
    rest
    ");
}

#[test]
fn commands_on_a_read_only_file_system_report_that_it_is_read_only() {
    let script = "$fieldbook migrate --data disk/data > /dev/null; chmod 700 disk/data
        $fieldbook backup a.backup --data disk/data > /dev/null
        mount -o remount,ro disk
        $fieldbook serve --listen 127.0.0.1:0 --data disk/data
        $fieldbook doctor --data disk/data | grep -E ' (data-folder|store) '
        $fieldbook doctor --data disk/new | grep -E ' (data-folder|store) '
        $fieldbook backup disk/b.backup --data disk/data; $fieldbook export disk/b.jsonl --data disk/data
        $fieldbook restore a.backup --data disk/new; $fieldbook restore a.backup --data disk/data --replace";
    let Some(said) = on_small_disk(script) else { return };
    insta::assert_snapshot!(said, @"
    fieldbook: cannot open or create the store disk/data/fieldbook.sqlite3: Read-only file system (os error 30); make the file system writable, or choose a folder on another one
    fieldbook: there are 3 problems
    problem  data-folder        disk/data is on a read-only file system; make the file system writable, or choose another folder with --data
    problem  store              cannot write the store disk/data/fieldbook.sqlite3: Read-only file system (os error 30); make the file system writable, or choose a folder on another one
    fieldbook: there is a problem
    problem  data-folder        disk/new cannot be used: it does not exist and cannot be created: Read-only file system (os error 30); choose another with --data
    warning  store              SQLite in disk/new has no store yet; if you expected one, check --data; the first start creates an empty store
    fieldbook: cannot read the store disk/data/fieldbook.sqlite3: unable to open database file; check its permissions, that its file system is writable, and the limit of open files (ulimit -n)
    fieldbook: cannot open or create the store disk/data/fieldbook.sqlite3: Read-only file system (os error 30); make the file system writable, or choose a folder on another one
    fieldbook: cannot create the data folder disk/new: Read-only file system (os error 30); choose another with --data
    fieldbook: cannot create the file disk/data/fieldbook.sqlite3.part: Read-only file system (os error 30); make the file system writable, or choose a folder on another one
    ");
}
