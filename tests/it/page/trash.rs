//! Deleted lessons, on the page of a service with a trash.

use fieldbook::app::HttpSettings;
use fieldbook::domain::permission::Role;
use serde_json::json;

use super::assets::{axe, no_violations};
use super::{cress, stored};
use crate::http::people::{add, person};
use crate::support::browser::{PHONE, Page, WIDE};
use crate::support::{COLLEAGUE, TEACHER, TestApp};

#[tokio::test]
async fn deleted_lesson_can_be_restored_from_the_trash_until_the_date_in_the_notice() {
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
    assert_eq!(page.js("return document.querySelectorAll('.rows .menu').length").await, 0, "for administrators alone");
    let margins = "const { right } = document.querySelector('.rows button').getBoundingClientRect();
        return innerWidth - right - document.querySelector('h1').getBoundingClientRect().left";
    assert_eq!(page.js(margins).await, 0);
    page.click("Restore Cress in the dark").await;
    page.sees("“Cress in the dark” is restored.").await;
    page.sees("There are no deleted lessons that you can restore.").await;
    page.click("Open").await;
    page.until("document.querySelector('[data-path=title]')?.value === 'Cress in the dark'").await;
    assert_eq!(teacher.get(&path).await.data()["revision"], 2);
}

#[tokio::test]
async fn deletion_dialog_warns_that_a_lesson_has_another_author_and_open_links_and_named_versions() {
    let (app, _, teacher) = TestApp::start_with(HttpSettings { trash_days: 30, ..HttpSettings::default() }).await;
    let colleague = app.signed_in(COLLEAGUE);
    let id = colleague.create(cress()).await;
    teacher.create_link(&id, "class-5b", "cress").await;
    teacher.patch(&format!("/api/investigation/{id}"), json!({"title": "Cress"})).await;
    teacher.patch(&format!("/api/investigation/{id}/versions/1"), json!({"name": "Before the trial"})).await;
    let page = Page::of(&app, WIDE).await;
    let delete = async || {
        page.click("Actions for Cress").await;
        page.click("Delete Cress").await;
        page.sees("Delete “Cress”?").await;
    };
    delete().await;
    // The date is in the time zone of the browser.
    let lines = "return [...document.querySelectorAll('dialog .body p')].map(
        (line) => line.innerText.replace(/ until .*/, ' until …'))";
    let reasons = json!([
        "It belongs to another author.",
        "It has 1 open link. Links to a deleted lesson stop working.",
        "It has 1 named version.",
        "It can be restored until …"
    ]);
    assert_eq!(page.js(lines).await, reasons);
    page.click("Cancel").await;
    page.until("!document.querySelector('dialog')").await;
    page.sees("1 lesson").await;
    delete().await;
    page.click("Delete it").await;
    page.sees("“Cress” is deleted.").await;
}

#[tokio::test]
async fn open_editor_reports_that_its_lesson_was_deleted_and_continues_after_a_restore() {
    let (app, _, teacher) = TestApp::start_with(HttpSettings { trash_days: 30, ..HttpSettings::default() }).await;
    let id = teacher.create(cress()).await;
    let page = Page::of_investigation(&app, &id, WIDE).await;
    page.saved().await;
    page.until("document.querySelector('[data-path=title]')").await;
    teacher.delete(&format!("/api/investigation/{id}")).await;
    page.sees("This lesson was deleted elsewhere.").await;
    teacher.post_empty(&format!("/api/investigation/{id}/undelete")).await;
    page.saved().await;
    page.write_and_leave("[data-path=title]", "Cress again").await;
    page.saved().await;
    assert_eq!(stored(&teacher, &id).await["title"], "Cress again");
}

#[tokio::test]
async fn page_does_not_mention_a_trash_if_there_is_none() {
    let (app, _, teacher) = TestApp::start().await;
    teacher.create(cress()).await;
    let page = Page::of(&app, WIDE).await;
    page.click("Actions for Cress in the dark").await;
    page.click("Delete Cress in the dark").await;
    page.sees("“Cress in the dark” is deleted.").await;
    assert_eq!(page.js("return /restored|Deleted/.test(document.body.innerText)").await, false);
}

#[tokio::test]
async fn administrator_sees_who_deleted_a_lesson_and_can_delete_the_lesson_permanently() {
    let (app, ..) = TestApp::start_with(HttpSettings { trash_days: 30, ..HttpSettings::default() }).await;
    add(&app, person(TEACHER, "Ada Lovelace", Some(Role::Admin))).await;
    add(&app, person(COLLEAGUE, "Grace Hopper", None)).await;
    let colleague = app.signed_in(COLLEAGUE);
    let path = colleague.create_path(cress()).await;
    colleague.delete(&path).await;
    let page = Page::of(&app, PHONE).await;
    page.view("#/trash").await;
    page.sees("deleted by Grace Hopper").await;
    let purge = async || {
        page.click("Actions for Cress in the dark").await;
        page.click("Delete Cress in the dark for good").await;
        page.sees("Delete “Cress in the dark” for good?").await;
    };
    purge().await;
    no_violations(&page, &axe(), "the question before a deletion for good").await;
    page.click("Cancel").await;
    page.until("!document.querySelector('dialog')").await;
    purge().await;
    page.click("Delete for good").await;
    page.sees("“Cress in the dark” is deleted for good.").await;
    page.sees("There are no deleted lessons that you can restore.").await;
    assert_eq!(app.rows("trash"), 0);
}
