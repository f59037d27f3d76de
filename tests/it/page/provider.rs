//! Sign-in with the account of a third-party provider, from the page and back to the page.

use fieldbook::app::HttpSettings;
use fieldbook::domain::permission::Role;
use fieldbook::domain::person::{PersonChange, PersonStatus};
use fieldbook::domain::token_user::derived_id;
use fieldbook::store::Stamp;
use serde_json::json;

use super::assets::{axe, no_violations};
use super::{cress, stored, write_as_the_session_ends};
use crate::http::sign_in::service;
use crate::support::browser::{Page, WIDE};
use crate::support::oidc_provider::OidcProvider;
use crate::support::{TEACHER, TestApp};

const SIGN_IN: &str = "Sign in with your school account";
const ASSESSMENT: &str = "[data-path=assessment]";

/// A service whose people sign in with a provider, a lesson there, and a browser.
struct School {
    app: TestApp,
    lesson: String,
    page: Page,
    provider: OidcProvider,
}

impl School {
    async fn start(passwords: bool) -> Self {
        Self::start_with(HttpSettings { default_role: Role::Author, passwords, ..HttpSettings::default() }).await
    }

    async fn start_with(http: HttpSettings) -> Self {
        let provider = OidcProvider::start();
        let app = service(&provider.settings(), http).await;
        let lesson = app.import(cress()).await;
        let page = Page::at(&format!("http://{}", app.address), WIDE, None).await;
        Self { app, lesson, page, provider }
    }

    /// Signs in and gives consent on the provider's pages.
    async fn pass_the_provider(&self) {
        self.page.write("input[name=login]", "ada").await;
        self.page.write("input[name=password]", "x").await;
        self.page.click("Sign-in").await;
        self.page.click("Continue").await;
    }

    async fn is_at(&self, place: &str) {
        self.page.until(&format!("location.href === 'http://{}{place}'", self.app.address)).await;
    }
}

#[tokio::test]
async fn sign_in_page_redirects_to_the_provider_if_there_is_no_other_way_to_sign_in() {
    let school = School::start(false).await;
    school.page.visit("sign-in?to=/%23/trash").await;
    school.pass_the_provider().await;
    school.is_at("/#/trash").await;
    school.page.sees("Ada Lovelace").await;
    assert_eq!(school.page.js("return document.cookie + localStorage.length + sessionStorage.length").await, "00");
    // A person who is signed in already is not sent to the provider.
    school.page.visit("sign-in").await;
    school.is_at("/#/").await;
}

#[tokio::test]
async fn sign_in_button_leads_to_the_provider_and_back_to_the_lesson() {
    let school = School::start(true).await;
    let place = format!("/#/i/{}", school.lesson);
    school.page.visit(&place[1..]).await;
    school.page.sees(SIGN_IN).await;
    school.page.sees("Password").await;
    no_violations(&school.page, &axe(), "the sign-in page with a provider").await;
    school.page.click(SIGN_IN).await;
    school.pass_the_provider().await;
    school.is_at(&place).await;
    school.page.until(&format!("document.querySelector('{ASSESSMENT}')")).await;
}

#[tokio::test]
async fn cancelled_sign_in_is_reported_and_can_be_retried() {
    let school = School::start(false).await;
    school.page.visit("sign-in?to=/%23/trash").await;
    school.page.click("[ Cancel ]").await;
    school.page.sees("The sign-in was cancelled or refused. Try again.").await;
    no_violations(&school.page, &axe(), "a cancelled sign-in").await;
    school.page.click(SIGN_IN).await;
    school.pass_the_provider().await;
    school.is_at("/#/trash").await;
}

#[tokio::test]
async fn user_of_a_school_account_without_a_role_is_told_whom_to_ask() {
    let http = HttpSettings { default_role: Role::None, passwords: false, ..HttpSettings::default() };
    let school = School::start_with(http).await;
    school.page.visit("sign-in").await;
    school.pass_the_provider().await;
    school.page.sees("Your school account does not have access to Fieldbook").await;
    school.page.sees("If you are a teacher, ask the person who runs Fieldbook at your school for a role.").await;
    assert_eq!(school.page.js("return document.querySelectorAll('main button, main a').length").await, 0);
    no_violations(&school.page, &axe(), "an account without a role").await;
}

#[tokio::test]
async fn user_of_a_disabled_account_sees_their_id() {
    let school = School::start(false).await;
    school.page.visit("sign-in").await;
    school.pass_the_provider().await;
    school.page.sees("Ada Lovelace").await;
    let ada = derived_id(&school.provider.issuer, "ada");
    let disabled = PersonChange { status: Some(PersonStatus::Disabled), ..PersonChange::default() };
    let stamp = Stamp { actor: Default::default(), at: school.app.clock.now() };
    school.app.app.store.change_person(ada, disabled, stamp).await.expect("stored");
    school.page.visit("sign-in/provider").await;
    school
        .page
        .sees(&format!("Your account is disabled here. An administrator can enable it. It has the id {ada}."))
        .await;
}

#[tokio::test]
async fn message_after_the_sign_in_cookie_was_lost_does_not_mention_tokens() {
    let school = School::start(false).await;
    school.page.visit("sign-in").await;
    school.pass_the_provider().await;
    school.is_at("/#/").await;
    school.page.view(&format!("#/i/{}", school.lesson)).await;
    school.page.tell("Network.clearBrowserCookies", json!({})).await;
    school.page.write_and_leave(ASSESSMENT, "Draw both saucers.").await;
    school
        .page
        .sees("You were signed out: your session has ended; sign in again. Your text is kept in this browser.")
        .await;
}

#[tokio::test]
async fn provider_asks_for_the_account_again_after_a_sign_out_on_the_page() {
    let school = School::start(false).await;
    school.page.visit("sign-in").await;
    school.pass_the_provider().await;
    school.page.click("Sign out").await;
    school.page.sees(SIGN_IN).await;
    assert_eq!(school.app.rows("session"), 0);
    school.page.click(SIGN_IN).await;
    school.page.click("Go on as ada").await;
    school.is_at("/#/").await;
    school.page.sees("Ada Lovelace").await;
}

#[tokio::test]
async fn unsaved_text_survives_a_sign_in_with_the_provider() {
    let school = School::start(false).await;
    let place = format!("/#/i/{}", school.lesson);
    school.page.visit("sign-in").await;
    school.pass_the_provider().await;
    school.is_at("/#/").await;
    school.page.view(&place[1..]).await;
    write_as_the_session_ends(&school.page, &school.app, ASSESSMENT, "Draw both saucers.").await;
    school.page.sees("Sign in to save").await;
    // The provider still has a session with this browser, so it redirects back at once.
    school.page.click(SIGN_IN).await;
    school
        .page
        .until("document.querySelector('.saving')?.dataset.word === 'saved' && !document.querySelector('dialog')")
        .await;
    school.is_at(&place).await;
    // The page may show the lesson a second time, when it learns who has signed in.
    school.page.until(&format!("document.querySelector('{ASSESSMENT}')?.value === 'Draw both saucers.'")).await;
    let session = school.app.session(TEACHER).await;
    let reader = school.app.anon().with_header("cookie", &format!("fieldbook_session={session}"));
    assert_eq!(stored(&reader, &school.lesson).await["assessment"], "Draw both saucers.");
}

#[tokio::test]
async fn sign_in_in_another_tab_closes_the_dialog_over_the_editor() {
    let school = School::start(false).await;
    let place = format!("/#/i/{}", school.lesson);
    school.page.visit("sign-in").await;
    school.pass_the_provider().await;
    school.is_at("/#/").await;
    school.page.view(&place[1..]).await;
    write_as_the_session_ends(&school.page, &school.app, ASSESSMENT, "Draw both saucers.").await;
    school.page.sees("Sign in to save").await;
    let entrance = format!("http://{}/sign-in", school.app.address);
    school.page.in_another_tab(&entrance, async |tab| tab.sees("Ada Lovelace").await).await;
    school
        .page
        .until("document.querySelector('.saving')?.dataset.word === 'saved' && !document.querySelector('dialog')")
        .await;
}
