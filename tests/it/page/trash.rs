//! Deleted lessons, on the page of a service with a trash.

use fieldbook::app::HttpSettings;

use super::assets::{axe, no_violations};
use super::cress;
use crate::support::TestApp;
use crate::support::browser::{PHONE, Page, WIDE};

#[tokio::test]
async fn a_deletion_says_until_when_it_can_be_restored_and_the_view_of_the_deleted_restores_it() {
    let (app, _, teacher) = TestApp::start_with(HttpSettings { trash_days: 30, ..HttpSettings::default() }).await;
    let path = teacher.create_path(cress()).await;
    let page = Page::of(&app, PHONE).await;
    page.click("Actions for Cress in the dark").await;
    page.click("Delete Cress in the dark").await;
    page.sees("“Cress in the dark” is deleted. It can be restored until").await;
    page.sees("No lessons yet.").await;
    // The view of deleted lessons finishes the deletion at once, without waiting ten seconds.
    page.click("Deleted").await;
    page.sees("Cress in the dark").await;
    no_violations(&page, &axe(), "the deleted").await;
    page.click("Restore Cress in the dark").await;
    page.sees("“Cress in the dark” is restored.").await;
    page.sees("Nothing that you can restore was deleted.").await;
    page.click("Open").await;
    page.until("document.querySelector('[data-path=title]')?.value === 'Cress in the dark'").await;
    assert_eq!(teacher.get(&path).await.data()["revision"], 2);
}

#[tokio::test]
async fn without_a_trash_nothing_is_said_of_it() {
    let (app, _, teacher) = TestApp::start().await;
    teacher.create(cress()).await;
    let page = Page::of(&app, WIDE).await;
    page.click("Actions for Cress in the dark").await;
    page.click("Delete Cress in the dark").await;
    page.sees("“Cress in the dark” is deleted.").await;
    assert_eq!(page.js("return /restored|Deleted/.test(document.body.innerText)").await, false);
}
