//! Sign-in with a link, sign-out, and the link that the service prints at its start.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use fieldbook::domain::permission::Role;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::assets::{axe, no_violations};
use super::{cress, stored, write_as_the_session_ends};
use crate::http::people::{add, person};
use crate::support::browser::{PHONE, Page, WIDE};
use crate::support::process::fieldbook;
use crate::support::{COLLEAGUE, TEACHER, TestApp};

/// A free port on the loopback address.
const HERE: &str = "127.0.0.1:0";
const ASSESSMENT: &str = "[data-path=assessment]";

fn link_with(code: &str) -> String {
    format!("sign-in#code={code}")
}

/// Starts and stops the service. Returns the line with its address, and the sign-in link if it prints one.
fn served(data: &Path, listen: &str, arguments: &[&str]) -> (String, Option<String>) {
    let (announced, errors) = run(data, listen, arguments);
    let link = errors.lines().find_map(|line| line.strip_prefix("sign in, once, at ")).map(str::to_owned);
    (announced, link)
}

/// Starts and stops the service. Returns the line with its address, and its log.
fn run(data: &Path, listen: &str, arguments: &[&str]) -> (String, String) {
    let mut program = fieldbook("serve", data);
    let program = program.args(["--listen", listen]).args(arguments);
    let mut process = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the service");
    let mut announced = String::new();
    BufReader::new(process.stdout.take().expect("its output")).read_line(&mut announced).expect("a line");
    let ended = Command::new("kill").args(["-TERM", &process.id().to_string()]).status();
    assert!(ended.is_ok_and(|status| status.success()) && process.wait().expect("ended").success());
    (announced, std::io::read_to_string(process.stderr.take().expect("its errors")).expect("a text"))
}

/// Returns what `fieldbook person list` prints, without its heading.
fn people(data: &Path) -> Vec<String> {
    let output = fieldbook("person list", data).output().expect("run");
    String::from_utf8_lossy(&output.stdout).lines().skip(1).map(str::to_owned).collect()
}

#[tokio::test]
async fn sign_in_link_signs_in_only_after_a_click_on_the_button() {
    let (app, _, teacher) = TestApp::start().await;
    teacher.create(cress()).await;
    let code = app.code(TEACHER).await;
    let page = Page::at(&format!("http://{}", app.address), WIDE, None).await;
    page.visit("").await;
    page.sees("Open the sign-in link").await;
    // Opening the link does not use it up, so a link preview cannot use it up either.
    for _ in 0..2 {
        page.visit("health/live").await;
        page.visit(&link_with(&code)).await;
        page.sees("This link signs in you, once.").await;
    }
    assert_eq!(app.rows("session"), 0);
    page.click("Sign in").await;
    page.sees("To sign in with a password next time, ask an administrator to give you an e-mail address here.").await;
    page.click("Go on").await;
    page.sees("Cress in the dark").await;
    assert_eq!(page.js("return location.pathname + location.hash").await, "/#/");
    assert_eq!(page.js("return document.cookie + localStorage.length + sessionStorage.length").await, "00");
    page.visit("health/live").await;
    page.visit(&link_with(&code)).await;
    page.sees("This link was used, or is no longer valid; ask for a new one").await;
}

#[tokio::test]
async fn sign_in_page_redirects_only_to_its_own_site() {
    let (app, ..) = TestApp::start().await;
    let page = Page::at(&format!("http://{}", app.address), WIDE, None).await;
    let wanted = [
        ("/%23/trash", "/#/trash"),
        ("/lesson", "/lesson"),
        ("https://127.0.0.1/lesson", "/#/"),
        ("//127.0.0.1/lesson", "/#/"),
        ("/%5c127.0.0.1/docs", "/#/"),
        ("/lesson%0a", "/#/"),
        ("javascript:alert(1)", "/#/"),
        ("/l/class-5b/cress", "/#/"),
        ("/api/me", "/#/"),
        ("/x/../api/me", "/#/"),
        ("/sign-in?to=/lesson", "/#/"),
    ];
    for (to, place) in wanted {
        page.visit("health/live").await;
        page.visit(&format!("sign-in?to={to}#code={}", app.code(TEACHER).await)).await;
        page.click("Sign in").await;
        page.click("Go on").await;
        let there = format!("location.href.replace(location.origin, '') === {}", json!(place));
        page.until(&there).await;
    }
}

/// Any web page can link to Fieldbook with a token in the address. Such a link must not sign people in as someone else.
#[tokio::test]
async fn token_in_the_page_address_does_not_change_the_session() {
    let (app, teacher, id) = TestApp::with_id(cress()).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.visit("health/live").await;
    page.visit(&format!("#token={}", app.token(COLLEAGUE))).await;
    page.sees("Sign out").await;
    let kept = "return JSON.stringify([{...localStorage}, {...sessionStorage}]).includes('eyJ')";
    assert_eq!(page.js(kept).await, false, "the token is kept");
    page.view(&format!("#/i/{id}")).await;
    page.write(ASSESSMENT, "Draw both saucers.").await;
    page.saved().await;
    let versions = teacher.get(&format!("/api/investigation/{id}/versions")).await.data();
    assert_eq!(versions[0]["by"], TEACHER, "{versions}");
}

#[tokio::test]
async fn sign_out_ends_the_session_and_deletes_its_data_in_the_browser() {
    let (app, _, id) = TestApp::with_id(cress()).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.saved().await;
    page.click("Sign out").await;
    page.sees("Open the sign-in link").await;
    assert_eq!(app.rows("session"), 0);
    assert_eq!(
        page.js("return document.querySelectorAll('.notice, dialog, [role=alert]:not([hidden])').length").await,
        0
    );
    page.js("history.back()").await;
    page.until("location.hash.startsWith('#/i/') && !document.querySelector('main[aria-busy]')").await;
    page.sees("Open the sign-in link").await;
    assert_eq!(page.js("return localStorage.length").await, 0);
}

#[tokio::test]
async fn sign_out_saves_all_text_first_and_asks_about_text_that_cannot_be_saved() {
    let (app, teacher, id) = TestApp::with_id(cress()).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.write(ASSESSMENT, "Draw both saucers.").await;
    page.click("Sign out").await;
    page.sees("Open the sign-in link").await;
    assert_eq!(stored(&teacher, &id).await["assessment"], "Draw both saucers.");
    // After a sign-out, nothing asks the person to sign in again.
    assert_eq!(page.js("return document.querySelector('dialog, .notice')").await, Value::Null);

    for (answer, kept) in [("Keep the text", 1), ("Discard the text", 0)] {
        page.begin_session(&app.session(TEACHER).await).await;
        page.visit("health/live").await;
        page.visit(&format!("#/i/{id}")).await;
        page.write_and_leave("[data-path=groupSize] input", "abc").await;
        page.until("localStorage.length === 1").await;
        page.click("Sign out").await;
        page.sees("Your text in 1 lesson is not saved.").await;
        page.click("Cancel").await;
        page.until("!document.querySelector('dialog, main[aria-busy]')").await;
        assert_ne!(app.rows("session"), 0);
        page.click("Sign out").await;
        page.click(answer).await;
        page.sees("Open the sign-in link").await;
        assert_eq!(page.js("return localStorage.length").await, kept, "{answer}");
        assert_eq!(app.rows("session"), 0);
    }
}

#[tokio::test]
async fn sign_out_while_offline_fails_with_a_message() {
    let (app, _, id) = TestApp::with_id(cress()).await;
    let page = Page::of_investigation(&app, &id, PHONE).await;
    page.offline(true).await;
    page.write(ASSESSMENT, "Draw both saucers.").await;
    page.click("Sign out").await;
    page.click("Keep the text").await;
    page.sees("You are still signed in. The service cannot be reached.").await;
    page.offline(false).await;
    page.saved().await;
    // The message is still shown when the service can be reached again.
    page.sees("You are still signed in.").await;
    page.click_on(".notice:last-child button").await;
    page.sees("Open the sign-in link").await;
    assert_eq!(app.rows("session"), 0);
}

#[tokio::test]
async fn unsaved_text_of_one_person_is_not_shown_to_or_saved_by_the_next_person() {
    let (app, teacher, id) = TestApp::with_id(cress()).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.saved().await;
    write_as_the_session_ends(&page, &app, ASSESSMENT, "Of the teacher").await;
    page.sees("Sign in to save").await;
    let link = format!("http://{}/sign-in#code={}", app.address, app.code(COLLEAGUE).await);
    page.in_another_tab(&link, async |tab| {
        tab.click("Sign in").await;
        tab.click("Go on").await;
        tab.sees("Cress in the dark").await;
    })
    .await;
    page.until("!document.querySelector('dialog') && document.querySelector('.saving')?.dataset.word === 'saved'")
        .await;
    page.until(&format!("document.querySelector('{ASSESSMENT}')?.value === {}", cress()["assessment"])).await;
    let teacher = teacher.bearing(&app.token(TEACHER));
    assert_eq!(stored(&teacher, &id).await["assessment"], cress()["assessment"]);
    assert_eq!(page.js("return localStorage.length").await, 1);
    // The text stays in the browser until its author signs in.
    page.click("Sign out").await;
    page.sees("Open the sign-in link").await;
    page.begin_session(&app.session(TEACHER).await).await;
    page.visit("health/live").await;
    page.visit(&format!("#/i/{id}")).await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["assessment"], "Of the teacher");
}

#[tokio::test]
async fn expired_session_keeps_the_typed_text() {
    let (app, teacher, id) = TestApp::with_id(cress()).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    write_as_the_session_ends(&page, &app, ASSESSMENT, "Draw both saucers.").await;
    page.sees("Your text is kept in this browser").await;
    assert_eq!(page.js(&format!("return document.querySelector('{ASSESSMENT}').value")).await, "Draw both saucers.");
    assert_eq!(teacher.get("/api/investigation").await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn background_requests_of_the_page_do_not_extend_a_session() {
    let (app, _, id) = TestApp::with_id(cress()).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.saved().await;
    let used = || app.rows("session WHERE last_used_at > 1795248000000");
    app.clock.advance(Duration::from_secs(3600));
    // The page asks which people have the lesson open when its window gets the focus, and reads the lesson after a
    // change.
    page.js("dispatchEvent(new Event('focus'))").await;
    let other = app.signed_in(TEACHER);
    other.patch(&format!("/api/investigation/{id}"), json!({"hypothesis": "It does."})).await;
    page.until("document.querySelector('[data-path=hypothesis]').value === 'It does.'").await;
    assert_eq!(used(), 0);
    page.write_and_leave(ASSESSMENT, "Draw.").await;
    page.saved().await;
    // The service stores the use of a session after the answer.
    for _ in 0..1000 {
        if used() == 1 {
            return;
        }
        page.js("return 1").await;
    }
    panic!("the use was never noted");
}

#[tokio::test]
async fn service_prints_an_admin_link_at_each_start_until_the_first_sign_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let (announced, unused) = served(folder.path(), HERE, &[]);
    let base = announced.trim().strip_prefix("listening on ").expect("the announcement").to_owned();
    assert!(unused.expect("a link").starts_with(&format!("{base}/sign-in#code=")));
    let made = people(folder.path());
    assert!(made.len() == 1 && made[0].contains("\tinvited\tadmin\t") && made[0].ends_with("\tAdmin"), "{made:?}");

    let mut program = fieldbook("serve", folder.path());
    let program = program.args(["--listen", HERE]).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut process = program.spawn().expect("the service");
    let errors = BufReader::new(process.stderr.take().expect("its errors"));
    let mut lines = errors.lines().map_while(Result::ok);
    let link = lines.find_map(|line| line.strip_prefix("sign in, once, at ").map(str::to_owned)).expect("a link");
    let (base, path) = link.split_once("/sign-in").expect("a path");
    let page = Page::at(base, WIDE, None).await;
    page.visit(&format!("sign-in{path}")).await;
    page.sees("This link signs in Admin, once.").await;
    page.click("Sign in").await;
    // An admin without an e-mail address is asked for one, too.
    page.until("document.querySelector('main input[type=email]')").await;
    page.click("Not now").await;
    page.sees("No lessons yet").await;
    let own = "const own = document.querySelector('#who'); return [own.textContent, own.ariaLabel]";
    assert_eq!(page.js(own).await, json!(["Admin", "Your account: Admin"]));
    process.kill().expect("killed");
    process.wait().expect("ended");

    assert_eq!(served(folder.path(), HERE, &[]).1, None);
    let people = people(folder.path());
    assert!(people.len() == 1 && people[0].contains("\tactive\tadmin\t"), "{people:?}");
}

#[test]
fn sign_in_link_of_the_first_admin_is_not_printed_where_others_may_read_it() {
    let folder = tempfile::tempdir().expect("a folder");
    for (listen, format) in [("0.0.0.0:0", "human"), (HERE, "json")] {
        let (_, errors) = run(folder.path(), listen, &["--log-format", format, "--log-level", "info"]);
        let id = people(folder.path())[0].split('\t').next().expect("an id").to_owned();
        let way = format!(
            "nobody has signed in yet; for a link, run with the --config of the service: fieldbook person link {id}"
        );
        assert!(errors.contains(&way) && !errors.contains("#code="), "{errors}");
    }
    assert_eq!(people(folder.path()).len(), 1);
    let link = served(folder.path(), HERE, &["--public-url", "https://lessons.example.org"]).1.expect("a link");
    assert!(link.starts_with("https://lessons.example.org/sign-in#code="), "{link}");
    assert_eq!(people(folder.path()).len(), 1);
}

#[tokio::test]
async fn password_chosen_after_a_sign_in_link_works_on_the_sign_in_page_and_in_the_editor() {
    let (app, teacher, id) = TestApp::with_id(cress()).await;
    add(&app, person(TEACHER, "Ada", None)).await;
    let page = Page::at(&format!("http://{}", app.address), WIDE, None).await;
    page.visit(&link_with(&app.code(TEACHER).await)).await;
    page.sees("This link signs in Ada, once.").await;
    page.click("Sign in").await;
    page.sees("choose a password").await;
    page.until("document.activeElement.matches('h1') && document.activeElement.textContent === 'You are signed in'")
        .await;
    let hint = "document.querySelector('[autocomplete=new-password]').getAttribute('aria-describedby')";
    let hint = page.js(&format!("return document.getElementById({hint}).textContent")).await;
    assert_eq!(hint, "10 characters or more.");
    page.write("input[type=password]", "correct horse").await;
    page.click("Set the password").await;
    page.sees("Your password is set").await;
    page.click("All lessons").await;
    page.sees("Cress in the dark").await;
    page.click("Sign out").await;
    page.sees("Forgotten your password? Ask an administrator for a new link.").await;
    page.write("input[type=email]", "ada@school.example").await;
    page.write("input[type=password]", "wrong horse").await;
    page.click("Sign in").await;
    page.sees("The e-mail address or the password is wrong").await;
    page.write("input[type=password]", "correct horse").await;
    page.click("Sign in").await;
    page.click("Cress in the dark").await;
    page.saved().await;
    write_as_the_session_ends(&page, &app, ASSESSMENT, "Draw both saucers.").await;
    page.sees("Sign in to save").await;
    page.write("dialog input[type=email]", "ada@school.example").await;
    page.write("dialog input[type=password]", "correct horse").await;
    page.click("Sign in").await;
    page.saved().await;
    let teacher = teacher.bearing(&app.token(TEACHER));
    assert_eq!(stored(&teacher, &id).await["assessment"], "Draw both saucers.");
}

#[tokio::test]
async fn sign_in_link_warns_that_it_signs_out_the_person_who_is_signed_in() {
    let (app, ..) = TestApp::start().await;
    add(&app, person(TEACHER, "Ada", Some(Role::Admin))).await;
    add(&app, person(COLLEAGUE, "Grace", None)).await;
    let page = Page::of(&app, WIDE).await;
    page.visit("health/live").await;
    page.visit(&link_with(&app.code(COLLEAGUE).await)).await;
    page.sees("This link signs in Grace, once.").await;
    page.sees("You are signed in as Ada. The button signs Ada out in this browser.").await;
    page.click("Sign in").await;
    page.sees("choose a password").await;
    assert_eq!(page.js("return document.querySelector('#who').textContent").await, "Grace");
    page.write("input[autocomplete=new-password]", "correct horse").await;
    page.click("Set the password").await;
    page.sees("Your password is set").await;
    page.click("All lessons").await;
    page.sees("No lessons yet").await;
    assert_eq!((app.rows("password"), app.rows("session")), (1, 1));
}

#[tokio::test]
async fn password_chosen_too_long_after_a_sign_in_link_is_refused_with_advice() {
    let (app, ..) = TestApp::start().await;
    add(&app, person(TEACHER, "Ada", None)).await;
    let page = Page::at(&format!("http://{}", app.address), WIDE, None).await;
    page.visit(&link_with(&app.code(TEACHER).await)).await;
    page.click("Sign in").await;
    page.sees("choose a password").await;
    app.clock.advance(Duration::from_secs(16 * 60));
    page.write("input[autocomplete=new-password]", "correct horse").await;
    page.click("Set the password").await;
    page.sees("Ask an administrator for a new link to set a password.").await;
    assert_eq!(page.js("return document.body.innerText.includes('currentPassword')").await, false);
    page.write("input[autocomplete=new-password]", "password12").await;
    page.click("Set the password").await;
    page.sees("is too easy to guess").await;
}

#[tokio::test]
async fn people_change_their_name_and_password_in_their_account() {
    let (app, ..) = TestApp::start().await;
    add(&app, person(TEACHER, "Ada", None)).await;
    let page = Page::of(&app, WIDE).await;
    page.click("Your account: Ada").await;
    page.sees("Your account").await;
    page.sees("Role: Author.").await;
    page.sees("All lessons").await;
    no_violations(&page, &axe(), "the account").await;
    page.write("input[autocomplete=name]", "Ada Lovelace").await;
    page.click("Save the name").await;
    page.until("document.querySelector('#who').textContent === 'Ada Lovelace'").await;
    page.write("input[autocomplete=new-password]", "correct horse").await;
    page.click("Set the password").await;
    page.sees("Your password is set.").await;
    assert_eq!(app.rows("password"), 1);
}
