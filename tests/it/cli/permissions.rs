//! `--editing author` and `fieldbook token --role`. Each test starts the program as operators do.

use serde_json::json;

use crate::support::process::{Service, fieldbook};
use crate::support::{Caller, TEACHER};

#[tokio::test]
async fn token_command_writes_roles_into_the_configured_claim() {
    let folder = tempfile::tempdir().expect("a folder");
    let claim = ["--auth-roles-claim", "groups"];
    let service = Service::start_with(folder.path(), &["--editing", "author", claim[0], claim[1]]);
    let bearer = |arguments: &[&str]| {
        let output = fieldbook("token", folder.path()).args(claim).args(arguments).output().expect("run");
        Caller::of(service.base.clone()).bearing(String::from_utf8(output.stdout).expect("UTF-8").trim())
    };
    let author = bearer(&["--user", TEACHER]);
    let path = author.create_path(json!({"title": "Cress"})).await;
    let other = "ffffffffffffffffffffffff";
    for (arguments, expected) in [
        (&["--user", other][..], "403 not_your_investigation"),
        (&["--user", TEACHER, "--role", "reader"], "403 read_only"),
        (&["--user", other, "--role", "admin"], "200 "),
        (&["--user", TEACHER], "200 "),
    ] {
        let changed = bearer(arguments).patch(&path, json!({"title": arguments.join(" ")})).await;
        let code = changed.json()["code"].as_str().unwrap_or_default().to_owned();
        assert_eq!(format!("{} {code}", changed.status.as_u16()), expected, "{arguments:?}");
    }
}

#[test]
fn token_command_names_the_unknown_role_that_it_refuses() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = fieldbook("token", folder.path()).args(["--user", TEACHER, "--role", "owner"]).output().expect("run");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("invalid value 'owner' for '--role <NAME>'"), "{said}");
}

#[test]
fn commands_that_issue_a_token_or_key_warn_if_the_person_has_a_lower_role() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |command: &str, arguments: &[&str]| {
        let output = fieldbook(command, folder.path()).args(arguments).output().expect("run");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("UTF-8"))
    };
    run("token", &["--user", TEACHER]);
    run("migrate", &[]);
    run("person add", &["Ada", "--role", "author"]);
    let [list, _] = run("person list", &[]);
    let ada = list.lines().find(|line| line.contains("Ada")).and_then(|line| line.split('\t').next()).expect("an id");
    let key = |user: &str, role: &str| {
        let [_, said] = run("keys add", &["Export", "--user", user, "--role", role]);
        said.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let limited = |what| format!("the user {ada} has the role author here, so the {what} gives no more than that");
    assert_eq!(key(ada, "admin"), [limited("key")]);
    assert_eq!(run("token", &["--user", ada, "--role", "admin"])[1].trim_end(), limited("token"));
    for (user, role) in [(ada, "author"), (ada, "reader"), (TEACHER, "admin")] {
        assert_eq!(key(user, role), [""; 0]);
        assert_eq!(run("token", &["--user", user, "--role", role])[1], "");
    }
    assert!(fieldbook("person erase", folder.path()).arg(ada).output().expect("run").status.success());
    assert_eq!(key(ada, "author"), [format!("the user {ada} was disabled or erased, so the key is refused")]);
}
