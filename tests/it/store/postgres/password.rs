//! A password that the operator changes while the service runs.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::support::postgres::{address, end_connections, execute, execute_in, store_of};
use crate::support::process::Service;

fn server() -> String {
    address().expect("FIELDBOOK_TEST_POSTGRES names the server")
}

/// Creates the user `changing` with the password `first`, who owns the store of this folder.
fn owner_of(folder: &Path) -> String {
    let server = server();
    let store = store_of(folder, &server);
    execute(
        &server,
        "DO $$ BEGIN CREATE ROLE locked LOGIN PASSWORD 'right'; EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$",
    );
    execute(
        &server,
        "DO $$ BEGIN CREATE ROLE changing LOGIN IN ROLE locked; EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$",
    );
    execute(&server, "ALTER ROLE changing PASSWORD 'first'");
    execute_in(
        folder,
        &server,
        "DO $$ BEGIN EXECUTE format('ALTER SCHEMA %I OWNER TO changing', current_schema()); END $$",
    );
    store.replace("fieldbook@", "changing@")
}

fn write(file: &Path, text: &str) {
    fs::write(file, text).expect("written");
    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).expect("set");
}

#[tokio::test(flavor = "multi_thread")]
async fn database_password_changed_in_its_file_is_used_for_new_connections() {
    let (folder, file) = (tempfile::tempdir().expect("a folder"), tempfile::NamedTempFile::new().expect("a file"));
    let store = owner_of(folder.path());
    write(file.path(), "first\n");
    let path = file.path().display().to_string();
    let service = Service::start_with(folder.path(), &["--database", &store, "--database-password-file", &path]);
    let teacher = service.teacher(folder.path());
    let status = async || teacher.get("/api/investigation").await.status.as_u16();
    assert_eq!(status().await, 200);
    execute(&server(), "ALTER ROLE changing PASSWORD 'second'");
    end_connections(folder.path(), &server());
    assert_ne!(status().await, 200, "the old password is refused");
    write(file.path(), "second\n");
    assert_eq!(status().await, 200);
}
