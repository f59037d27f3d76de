//! Commands that root runs on the data folder of the service. The files that they create belong to the owner of the
//! folder, so that the service can use them. These tests need root, and do nothing for other users.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;

use super::doctor::{on, told_of};
use crate::support::TEACHER;
use crate::support::process::Service;

const NOBODY: u32 = 65534;

/// Creates a folder of the user `nobody`; `None` if this process is not root.
fn folder_of_nobody() -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().expect("a folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).expect("set");
    let is_root = folder.path().metadata().expect("a folder").uid() == 0;
    is_root.then(|| chown(folder.path(), Some(NOBODY), Some(NOBODY)).expect("given"))?;
    Some(folder)
}

/// Returns the names of the files and folders in `folder`, sorted. Each belongs to `nobody`.
fn owned(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in folder.read_dir().expect("a folder").map(|entry| entry.expect("an entry")) {
        let (name, about) = (entry.file_name().into_string().expect("a text"), entry.metadata().expect("an entry"));
        assert_eq!((about.uid(), about.gid()), (NOBODY, NOBODY), "{name}");
        names.push(name);
    }
    names.sort();
    names
}

#[test]
fn commands_run_by_root_give_new_files_to_the_owner_of_the_folder() {
    let Some(folder) = folder_of_nobody() else { return };
    let data = folder.path().join("new").join("data");
    let run = |command: &str, data: &Path, arguments: &[&str]| {
        let output = on(command, data).args(arguments).output().expect("run");
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    };
    run("token", &data, &["--user", TEACHER]);
    let mut service = Service::of(on("serve", &data));
    let files = owned(&data);
    for file in ["auth-hs256-secret", "fieldbook.sqlite3", "fieldbook.sqlite3-shm", "fieldbook.sqlite3-wal"] {
        assert!(files.iter().any(|name| name == file), "{files:?}");
    }
    service.kill();
    run("demo", &data, &[]);
    let [backup, export] = ["a.backup", "a.jsonl"].map(|name| folder.path().join(name));
    run("backup", &data, &[backup.to_str().expect("a text")]);
    run("export", &data, &[export.to_str().expect("a text")]);
    run("restore", &folder.path().join("restored"), &[backup.to_str().expect("a text")]);
    run("import", &folder.path().join("imported"), &[export.to_str().expect("a text")]);
    run("doctor", &data, &["--json"]);
    assert_eq!(owned(folder.path()), ["a.backup", "a.jsonl", "imported", "new", "restored"]);
    for inner in ["new", "new/data", "restored", "imported"] {
        assert!(!owned(&folder.path().join(inner)).is_empty());
    }
}

#[test]
fn doctor_names_a_file_owned_by_root_in_the_data_folder_of_another_user() {
    let Some(folder) = folder_of_nobody() else { return };
    assert!(on("migrate", folder.path()).output().expect("run").status.success());
    let report = |path: &Path| told_of(&["data-folder"], path, &[]);
    insta::assert_snapshot!(report(folder.path()), @"
    exit 0
    ok       data-folder        DATA exists, and only its owner can read it
    ");
    let store = folder.path().join("fieldbook.sqlite3");
    chown(&store, Some(0), Some(0)).expect("taken");
    insta::assert_snapshot!(report(folder.path()), @"
    exit 1
    problem  data-folder        DATA/fieldbook.sqlite3 belongs to root, so the service cannot write it; run: chown --reference=DATA DATA/fieldbook.sqlite3
    ");
    // A secret file that root owns and that the group of the service may read.
    chown(&store, Some(NOBODY), Some(NOBODY)).expect("given");
    fs::write(folder.path().join("password"), "secret").expect("written");
    chown(folder.path().join("password"), Some(0), Some(NOBODY)).expect("given");
    assert!(report(folder.path()).starts_with("exit 0"));
}

#[test]
fn doctor_explains_a_write_ahead_log_owned_by_root_and_leaves_its_owner_unchanged() {
    let Some(folder) = folder_of_nobody() else { return };
    let path = folder.path();
    let mut service = Service::of(on("serve", path));
    service.kill();
    let log = path.join("fieldbook.sqlite3-wal");
    chown(&log, Some(0), Some(0)).expect("taken");
    fs::set_permissions(&log, fs::Permissions::from_mode(0o600)).expect("set");
    let before = owned_by_root(path);
    // Root can read the log. Reading it must not change its owner.
    insta::assert_snapshot!(told_of(&["data-folder", "store"], path, &[]), @"
    exit 1
    problem  data-folder        DATA/fieldbook.sqlite3-wal belongs to root, so the service cannot write it; run: chown --reference=DATA DATA/fieldbook.sqlite3-wal
    problem  store              DATA/fieldbook.sqlite3-wal belongs to root, and the store does not; run: chown --reference=DATA/fieldbook.sqlite3 DATA/fieldbook.sqlite3-wal
    ");
    assert_eq!(
        (owned_by_root(path), before),
        (vec!["fieldbook.sqlite3-wal".to_owned()], vec!["fieldbook.sqlite3-wal".to_owned()])
    );
    let Some(said) = said_by_nobody("serve", path, &[]) else { return };
    insta::assert_snapshot!(said, @"fieldbook: cannot read the write-ahead log DATA/fieldbook.sqlite3-wal: Permission denied (os error 13); run this as a user who may do that, or change the owner of the file or folder");
}

#[test]
fn doctor_accepts_a_data_folder_owned_by_root_if_the_service_group_can_write() {
    let Some(folder) = folder_of_nobody() else { return };
    let path = folder.path();
    let mut service = Service::of(on("serve", path));
    service.kill();
    chown(path, Some(0), Some(NOBODY)).expect("taken");
    fs::set_permissions(path, fs::Permissions::from_mode(0o770)).expect("set");
    let report = told_of(&["store"], path, &[]);
    assert!(report.lines().count() > 2 && report.lines().skip(1).all(|line| line.starts_with("ok ")), "{report}");
    // In this folder, too, the service cannot write to a log that root owns.
    chown(path.join("fieldbook.sqlite3-wal"), Some(0), Some(0)).expect("taken");
    let report = told_of(&["store"], path, &[]);
    assert!(report.contains("DATA/fieldbook.sqlite3-wal belongs to root, and the store does not"), "{report}");
}

#[test]
fn command_without_permission_for_a_folder_names_the_folder_and_a_remedy() {
    let Some(folder) = folder_of_nobody() else { return };
    let path = folder.path();
    assert!(on("migrate", path).output().expect("run").status.success());
    let [closed, backup] = ["closed", "a.backup"].map(|name| path.join(name));
    assert!(on("backup", path).arg(&backup).output().expect("run").status.success());
    fs::create_dir(&closed).expect("a folder");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).expect("set");
    let inside = closed.join("new");
    let [inside, backup] = [&inside, &backup].map(|path| path.to_str().expect("a text"));
    let mut all = Vec::new();
    for (command, data, argument) in [
        ("backup", path, inside),
        ("export", path, inside),
        ("restore", &path.join("other"), inside),
        ("restore", &closed, backup),
        ("migrate", &closed, ""),
    ] {
        let arguments: &[&str] = if argument.is_empty() { &[] } else { &[argument] };
        let Some(said) = said_by_nobody(command, data, arguments) else { return };
        all.push(said.replace("DATA", &data.display().to_string()).replace(&path.display().to_string(), "HERE"));
    }
    insta::assert_snapshot!(all.join("\n"), @"
    fieldbook: cannot create the file HERE/closed/new.part: Permission denied (os error 13); run this as a user who may do that, or change the owner of the file or folder
    fieldbook: cannot write the export to HERE/closed/new: Permission denied (os error 13); run this as a user who may do that, or change the owner of the file or folder
    fieldbook: cannot read the backup HERE/closed/new: Permission denied (os error 13); run this as a user who may do that, or change the owner of the file or folder
    fieldbook: cannot lock the data folder HERE/closed: Permission denied (os error 13); run this as a user who may do that, or change the owner of the file or folder
    fieldbook: cannot open or create the store HERE/closed/fieldbook.sqlite3: Permission denied (os error 13); run this as a user who may do that, or change the owner of the file or folder
    ");
}

/// Returns the names of the files of root in a folder.
fn owned_by_root(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().expect("a folder").map(|entry| entry.expect("an entry"));
    let of_root = entries.filter(|entry| entry.metadata().expect("an entry").uid() == 0);
    of_root.map(|entry| entry.file_name().into_string().expect("a text")).collect()
}

/// Runs a command as `nobody`, and returns the last line that it wrote to standard error; `None` if `nobody` cannot run
/// the program at all.
fn said_by_nobody(command: &str, data: &Path, arguments: &[&str]) -> Option<String> {
    let mut program = on(command, data);
    let output = program.args(arguments).uid(NOBODY).gid(NOBODY).output().ok()?;
    let said = String::from_utf8_lossy(&output.stderr).replace(&data.display().to_string(), "DATA");
    Some(said.lines().last().unwrap_or_default().to_owned())
}

/// Runs `fieldbook token` with these settings as this user and group. Returns what it wrote to standard error, or
/// `None` if this user cannot run the program at all.
fn token_of(user: u32, data: &Path, settings: &Path) -> Option<String> {
    let mut program = on("token", data);
    program.args(["--user", TEACHER, "--config"]).arg(settings);
    let output = program.uid(user).gid(user).output().ok()?;
    Some(String::from_utf8_lossy(&output.stderr).replace(&settings.display().to_string(), "FILE"))
}

#[test]
fn settings_file_owned_by_root_is_accepted_if_only_the_service_group_can_read_it() {
    let Some(folder) = folder_of_nobody() else { return };
    let settings = folder.path().join("fieldbook.toml");
    fs::write(&settings, "[auth]\nhs256-secret = \"0123456789abcdef0123456789abcdef\"\n").expect("written");
    chown(&settings, Some(0), Some(NOBODY)).expect("given");
    fs::set_permissions(&settings, fs::Permissions::from_mode(0o640)).expect("set");
    for user in [0, NOBODY] {
        let said = token_of(user, folder.path(), &settings);
        assert!(said.as_ref().is_none_or(String::is_empty), "{user}: {said:?}");
    }
}

#[test]
fn settings_file_with_the_group_and_mode_that_the_service_advises_is_read_without_a_warning() {
    let Some(folder) = folder_of_nobody() else { return };
    let settings = folder.path().join("fieldbook.toml");
    fs::write(&settings, "[auth]\nhs256-secret = \"0123456789abcdef0123456789abcdef\"\n").expect("written");
    fs::set_permissions(&settings, fs::Permissions::from_mode(0o644)).expect("set");
    let advice = "fieldbook: the settings file FILE holds the secret auth.hs256-secret, and is open to other users (mode 644); make \
                  the service's group its group, and run: chmod 640 FILE\n";
    for user in [0, NOBODY] {
        let said = token_of(user, folder.path(), &settings);
        assert!(said.as_ref().is_none_or(|said| said == advice), "{user}: {said:?}");
    }
    chown(&settings, Some(0), Some(NOBODY)).expect("given");
    fs::set_permissions(&settings, fs::Permissions::from_mode(0o640)).expect("set");
    let said = token_of(NOBODY, folder.path(), &settings);
    assert!(said.as_ref().is_none_or(String::is_empty), "{said:?}");
}

#[test]
fn world_readable_secret_file_is_restricted_and_given_to_the_owner_of_the_folder() {
    let Some(folder) = folder_of_nobody() else { return };
    let secret = folder.path().join("auth-hs256-secret");
    fs::write(&secret, "0123456789abcdef0123456789abcdef").expect("written");
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o644)).expect("set");
    assert!(on("token", folder.path()).args(["--user", TEACHER]).output().expect("run").status.success());
    assert_eq!(owned(folder.path()), ["auth-hs256-secret"]);
    assert_eq!(secret.metadata().expect("a file").permissions().mode() & 0o777, 0o600);
}

#[test]
fn linked_secret_file_is_refused_and_its_target_keeps_owner_and_mode() {
    for is_symbolic in [false, true] {
        let Some(folder) = folder_of_nobody() else { return };
        let file = folder.path().join("of-root");
        fs::write(&file, "0123456789abcdef0123456789abcdef").expect("written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("set");
        let secret = folder.path().join("auth-hs256-secret");
        let linked = if is_symbolic { symlink(&file, &secret) } else { fs::hard_link(&file, &secret) };
        linked.expect("linked");
        let refused = on("token", folder.path()).args(["--user", TEACHER]).output().expect("run");
        let said = String::from_utf8(refused.stderr).expect("a text");
        assert!(said.contains("other users can read it, and it is a link or has another name"), "{said}");
        let about = file.metadata().expect("a file");
        assert_eq!((about.uid(), about.permissions().mode() & 0o777), (0, 0o644));
    }
}
