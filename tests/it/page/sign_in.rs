//! Sign-in with a pasted token, or with the link that the service prints at its start.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::StatusCode;

use super::cress;
use crate::support::browser::{Page, WIDE};
use crate::support::process::fieldbook;
use crate::support::{TEACHER, TestApp};

/// A free port on the loopback address.
const HERE: &str = "127.0.0.1:0";

/// Starts and stops the service. Returns the line that announces it, and the sign-in link if it prints one.
fn served(data: &std::path::Path, listen: &str, arguments: &[&str]) -> (String, Option<String>) {
    let mut program = fieldbook("serve", data);
    let program = program.args(["--listen", listen]).args(arguments);
    let mut process = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the service");
    let mut announced = String::new();
    BufReader::new(process.stdout.take().expect("its output")).read_line(&mut announced).expect("a line");
    let ended = Command::new("kill").args(["-TERM", &process.id().to_string()]).status();
    assert!(ended.is_ok_and(|status| status.success()) && process.wait().expect("ended").success());
    let said = std::io::read_to_string(process.stderr.take().expect("its errors")).expect("a text");
    let link = said.lines().find_map(|line| line.strip_prefix("write investigations at ")).map(str::to_owned);
    (announced, link)
}

#[tokio::test]
async fn a_pasted_link_signs_in_and_stays_out_of_the_address() {
    let (app, _, teacher) = TestApp::start().await;
    teacher.create(cress()).await;
    let (base, token) = (format!("http://{}", app.address), app.token(TEACHER));
    let page = Page::at(&base, WIDE, None).await;
    page.visit("").await;
    page.sees("Your sign-in link or code").await;
    page.sees("The person who runs Fieldbook at your school sends you the link.").await;
    page.write("input.token", "not a token").await;
    page.press("\u{e007}").await;
    page.sees("That is not a valid sign-in code.").await;
    page.write("input.token", &format!(" {base}/#token={token} ")).await;
    page.click("Sign in").await;
    page.sees("Cress in the dark").await;
    assert_eq!(page.js("return location.href.includes('token')").await, false);
    page.click("Cress in the dark").await;
    page.saved().await;
    page.click("Sign out").await;
    page.sees("Your sign-in link or code").await;
    // Everything was saved, so the page reports no expired token. Going back leads to the sign-in view.
    assert_eq!(page.js("return document.querySelectorAll('.notice, dialog, [role=alert]').length").await, 0);
    page.js("history.back()").await;
    page.until("location.hash.startsWith('#/i/') && !document.querySelector('main[aria-busy]')").await;
    page.sees("Your sign-in link or code").await;
    assert_eq!(page.js("return localStorage.length").await, 0);
}

#[tokio::test]
async fn the_link_that_the_service_prints_signs_in_and_is_gone_from_the_address() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = fieldbook("serve", folder.path());
    let program = program.args(["--listen", "127.0.0.1:0"]).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut process = program.spawn().expect("the service");
    let errors = BufReader::new(process.stderr.take().expect("its errors"));
    let link = errors
        .lines()
        .map_while(Result::ok)
        .find_map(|line| line.split_once("http").map(|(_, at)| format!("http{at}")));
    let link = link.expect("a link");
    let (base, fragment) = link.split_once("/#").expect("a fragment");
    let page = Page::at(base, WIDE, None).await;
    page.visit(&format!("#{fragment}")).await;
    page.sees("No lessons yet").await;
    assert_eq!(page.js("return location.hash").await, "#/");
    process.kill().expect("killed");
    process.wait().expect("ended");
}

#[test]
fn a_link_is_printed_only_on_the_machine_itself_with_the_secret_that_the_service_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let (announced, link) = served(folder.path(), HERE, &[]);
    let base = announced.trim().strip_prefix("listening on ").expect("the announcement").to_owned();
    let link = link.expect("a link");
    assert!(link.starts_with(&format!("{base}/#token=")), "{link}");
    let user = std::fs::read_to_string(folder.path().join("page-user")).expect("the user");
    assert_eq!(user.trim().len(), 24);
    let again = served(folder.path(), HERE, &[]).1.expect("a link");
    assert_eq!(std::fs::read_to_string(folder.path().join("page-user")).expect("the user"), user);
    assert_eq!(user_of(&again), user.trim());
    let secret = "a secret that somebody else gave, of 32 bytes";
    assert_eq!(served(folder.path(), HERE, &["--auth-hs256-secret", secret]).1, None);
    assert_eq!(served(folder.path(), "0.0.0.0:0", &[]).1, None);
    assert_eq!(served(folder.path(), HERE, &["--log-format", "json"]).1, None);
}

#[test]
fn a_command_prints_the_link_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let link = |arguments: &[&str]| {
        let output = fieldbook("token", folder.path()).arg("--link").args(arguments).output().expect("run");
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
            .trim()
            .to_owned()
    };
    assert!(link(&[]).ends_with("yet; start it once, or give --user"), "{}", link(&[]));
    let first = served(folder.path(), HERE, &[]).1.expect("a link");
    let again = link(&["--listen", "127.0.0.1:18080"]);
    assert!(again.starts_with("http://127.0.0.1:18080/#token="), "{again}");
    assert_eq!(user_of(&again), user_of(&first));
    let named = link(&["--user", "bbbbbbbbbbbbbbbbbbbbbbbb", "--public-url", "https://lessons.example.org"]);
    assert!(named.starts_with("https://lessons.example.org/#token="), "{named}");
    assert_eq!(user_of(&named), "bbbbbbbbbbbbbbbbbbbbbbbb");
}

fn user_of(link: &str) -> String {
    let claims = link.split_once("#token=").expect("a token").1.split('.').nth(1).expect("claims");
    let claims = URL_SAFE_NO_PAD.decode(claims).expect("Base64");
    let claims: serde_json::Value = serde_json::from_slice(&claims).expect("JSON");
    claims["userId"].as_str().expect("a user").to_owned()
}

#[test]
fn a_user_that_a_crash_has_left_blank_is_made_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("page-user");
    for left in ["", "\n", "\0\0\0\0"] {
        std::fs::write(&file, left).expect("written");
        assert!(served(folder.path(), HERE, &[]).1.is_some(), "{left:?}");
        assert_eq!(std::fs::read_to_string(&file).expect("the user").trim().len(), 24, "{left:?}");
    }
    std::fs::write(&file, "somebody").expect("written");
    assert_eq!(served(folder.path(), HERE, &[]).1, None, "what somebody wrote is left alone");
    assert_eq!(std::fs::read_to_string(&file).expect("the user"), "somebody");
}

#[tokio::test]
async fn a_token_that_ends_while_something_is_written_takes_nothing_away() {
    let (app, teacher, id) = TestApp::with_id(cress()).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    app.clock.advance(std::time::Duration::from_secs(7200));
    page.write("[data-path=assessment]", "Draw both saucers.").await;
    page.sees("Your text is kept in this browser").await;
    assert_eq!(page.js("return document.querySelector('[data-path=assessment]').value").await, "Draw both saucers.");
    assert_eq!(teacher.get("/api/investigation").await.status, StatusCode::UNAUTHORIZED);
}
