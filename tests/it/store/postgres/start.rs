//! The messages of a start with an unusable database address: one sentence, an exit code, and never the password.

use std::io::Read;
use std::net::TcpListener;
use std::process::Command;

use crate::support::postgres::{address, execute, host_and_port, store_of};
use crate::support::process::{Service, refused};
use crate::support::without_store_version;

/// Starts the program on this database, which must fail. Returns the message.
fn told(database: &str, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
    program.args(["serve", "--log-level", "error", "--listen", "127.0.0.1:0", "--data"]).arg(folder.path());
    let output = program.args(arguments).env("FIELDBOOK_DATABASE", database).output().expect("run");
    let said = refused(output);
    assert!(!said.contains("hush"), "{said}");
    said.replace(&host_and_port(), "HOST:PORT")
}

fn server() -> String {
    address().expect("FIELDBOOK_TEST_POSTGRES names the server")
}

#[test]
fn unusable_database_address_is_named_with_a_remedy() {
    let at = |user: &str, database: &str| format!("postgres://{user}@{}/{database}", host_and_port());
    execute(
        &server(),
        "DO $$ BEGIN CREATE ROLE locked LOGIN PASSWORD 'right'; EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$",
    );
    assert_eq!(
        told(&at("locked:hush", "postgres"), &[]),
        "fieldbook: the database server HOST:PORT rejects the login of the user locked (password authentication failed for user \"locked\"); check the user and password in --database"
    );
    assert_eq!(
        told(&at("locked", "postgres"), &[]),
        "fieldbook: the database server HOST:PORT requires a password for the user locked; give one with --database-password-file"
    );
    assert_eq!(
        told(&at("fieldbook:hush", "nowhere"), &[]),
        "fieldbook: the database server HOST:PORT has no database nowhere; create it with createdb, or name another with --database"
    );
    assert_eq!(
        told(&format!("{}?options=-cdefault_transaction_read_only%3Don", server()), &[]),
        "fieldbook: the database server HOST:PORT is read-only; name the primary server"
    );
    let nobody = told("postgres://fieldbook:hush@127.0.0.1:1/postgres", &[]);
    assert!(
        nobody.starts_with("fieldbook: cannot reach the database server 127.0.0.1:1: ")
            && nobody.ends_with("; check --database"),
        "{nobody}"
    );
    let unnamed = told("postgres://fieldbook:hush@nowhere.invalid/postgres", &[]);
    assert!(
        unnamed.starts_with("fieldbook: cannot reach the database server nowhere.invalid:5432: ")
            && unnamed.ends_with("; check --database"),
        "{unnamed}"
    );
    // The kernel accepts connections to this port, but no program answers.
    let silent = TcpListener::bind("127.0.0.1:0").and_then(|silent| silent.local_addr().map(|at| (silent, at)));
    let (_silent, at) = silent.expect("a port");
    assert_eq!(
        told(&format!("postgres://fieldbook:hush@{at}/postgres?connect_timeout=1"), &[]),
        format!("fieldbook: the database server {at} did not respond within 1 s")
    );
    // An error that waiting cannot fix is reported at once, also for several servers.
    assert_eq!(
        told(&format!("postgres://locked:hush@{0},{0}/nowhere", host_and_port()), &[])
            .matches("rejects the login of the user locked")
            .count(),
        2
    );
    assert_eq!(
        told("postgres://fieldbook:hush@127.0.0.1/postgres?sslcert=mine.pem", &[]),
        "fieldbook: the address in the setting database has sslcert=mine.pem, which Fieldbook does not support; omit it"
    );
}

#[test]
fn missing_create_permission_is_reported_with_the_grant_statement() {
    execute(
        &server(),
        "DO $$ BEGIN CREATE ROLE guest LOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$",
    );
    // The first message is about a database that `createdb` made, the second about a schema that the address names.
    execute(&server(), "DROP DATABASE IF EXISTS \"of-nobody\" WITH (FORCE)");
    execute(&server(), "CREATE DATABASE \"of-nobody\"");
    let database = server().replace("/postgres", "/of-nobody");
    execute(&database, "REVOKE CREATE ON SCHEMA public FROM PUBLIC");
    let way_out = "ALTER DATABASE \"of-nobody\" OWNER TO guest";
    let as_guest = database.replace("fieldbook@", "guest@");
    assert_eq!(
        told(&as_guest, &[]),
        format!(
            "fieldbook: cannot migrate the database: the user guest may not create tables in the database \"of-nobody\"; let the owner of its tables run fieldbook migrate, or run: {way_out}"
        )
    );
    execute(&server(), way_out);
    let folder = tempfile::tempdir().expect("a folder");
    drop(Service::start_with(folder.path(), &["--database", &as_guest]));
    execute(&server(), "DROP DATABASE \"of-nobody\" WITH (FORCE)");

    let store = store_of(folder.path(), &server());
    execute(&store, "DO $$ BEGIN EXECUTE format('GRANT USAGE ON SCHEMA %I TO guest', current_schema()); END $$");
    let said = told(&store.replace("fieldbook@", "guest@"), &[]);
    let (start, way_out) =
        said.split_once("; let the owner of its tables run fieldbook migrate, or run: ").expect("a way out");
    assert_eq!(
        start,
        "fieldbook: cannot migrate the database: the user guest may not create tables in the database postgres"
    );
    assert!(way_out.starts_with("GRANT CREATE ON SCHEMA test_") && way_out.ends_with(" TO guest"), "{way_out}");
    execute(&server(), way_out);
    drop(Service::start_with(folder.path(), &["--database", &store.replace("fieldbook@", "guest@")]));
}

#[test]
fn start_on_postgresql_without_a_shared_secret_logs_a_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    let warns = |secret: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_fieldbook"));
        program.args(["serve", "--log-format", "json", "--data"]).arg(folder.path()).args(secret);
        program.args(["--database", &store_of(folder.path(), &server())]);
        let mut service = Service::of({
            program.stderr(std::process::Stdio::piped());
            program
        });
        service.process.kill().expect("killed");
        let mut log = String::new();
        service.process.stderr.take().expect("its log").read_to_string(&mut log).expect("a text");
        log.lines()
            .any(|line| line.contains("WARN") && line.contains("each copy makes its own secret; set auth.hs256-secret"))
    };
    assert!(warns(&[]));
    assert!(!warns(&["--auth-hs256-secret", "a secret of both copies, which has 32 bytes"]));
}

#[test]
fn service_with_the_flag_no_migrate_refuses_an_older_database_until_it_is_migrated() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_of(folder.path(), &server());
    assert_eq!(
        without_store_version(&told(&store, &["--no-migrate"])),
        "fieldbook: the database has store version 0, this program needs N; run fieldbook migrate with the same --database, or start without --no-migrate"
    );
    let migrated =
        Command::new(env!("CARGO_BIN_EXE_fieldbook")).args(["migrate", "--database", &store]).output().expect("run");
    assert_eq!(String::from_utf8_lossy(&migrated.stdout), "the store is up to date\n");
    let service = Service::start_with(folder.path(), &["--no-migrate", "--database", &store]);
    drop(service);
    crate::support::postgres::execute_in(folder.path(), &server(), "UPDATE store_version SET steps = 99");
    assert_eq!(
        without_store_version(&told(&store, &[])),
        "fieldbook: the database was written by a newer Fieldbook (store version 99, this program knows N); run the newer version"
    );
}

#[test]
fn database_connection_uses_tls_as_strictly_as_its_address_demands() {
    let root = std::env::var("FIELDBOOK_TEST_POSTGRES_ROOT").expect("scripts/with-postgres names the certificate");
    let folder = tempfile::tempdir().expect("a folder");
    let by_number = store_of(folder.path(), &server());
    let by_name = by_number.replace("@127.0.0.1:", "@localhost:");
    for (place, words) in [
        (&by_number, "sslmode=disable".to_owned()),
        (&by_number, "sslmode=prefer".to_owned()),
        (&by_number, "sslmode=require".to_owned()),
        (&by_number, format!("sslmode=verify-ca&sslrootcert={root}")),
        (&by_name, format!("sslmode=verify-full&sslrootcert={root}")),
    ] {
        drop(Service::start_with(folder.path(), &["--database", &format!("{place}&{words}")]));
    }
    // The certificate has another name, and no authority that the system trusts has signed it.
    for words in [format!("sslmode=verify-full&sslrootcert={root}"), "sslmode=verify-ca".to_owned()] {
        let said = told(&format!("{by_number}&{words}"), &[]);
        assert!(
            said.starts_with("fieldbook: cannot reach the database server HOST:PORT: ") && said.contains("certificate"),
            "{said}"
        );
    }
    let missing = told(&format!("{by_number}&sslmode=verify-full&sslrootcert=/nowhere.pem"), &[]);
    assert!(missing.starts_with("fieldbook: cannot read the certificates in /nowhere.pem: "), "{missing}");
}

#[test]
fn first_writable_host_of_the_database_address_is_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_of(folder.path(), &server());
    let several = store.replace(&host_and_port(), &format!("127.0.0.1:1,{}", host_and_port()));
    drop(Service::start_with(folder.path(), &["--database", &several]));
}
