//! Who else has the lesson open, on the page.

use super::cress;
use crate::support::browser::{Page, WIDE};
use crate::support::{COLLEAGUE, TestApp};

#[tokio::test]
async fn two_people_see_each_other_and_one_disappears_after_closing_the_page() {
    let (app, _, teacher) = TestApp::start().await;
    let id = teacher.create(cress()).await;
    let colleague =
        app.app.tokens.sign(COLLEAGUE.parse().expect("an id"), app.clock.now(), std::time::Duration::from_secs(3600));
    let (path, colleague) = (format!("#/i/{id}"), colleague.expect("a token"));
    let base = format!("http://{}", app.address);
    Page::of(&app, WIDE, |page| async move {
        // When the window gets the focus, the page asks the service at once.
        let look =
            async |page: &Page, shown: &str| page.until(&format!("(dispatchEvent(new Event('focus')), {shown})")).await;
        let sees = |user: &str| format!("document.querySelector('.others [data-user=\"{user}\"]')");
        page.view(&path).await;
        assert_eq!(page.js("return document.querySelector('.others').children.length").await, 0);
        let other_path = path.clone();
        let (closed, close) = tokio::sync::oneshot::channel::<()>();
        let (opened, open) = tokio::sync::oneshot::channel::<()>();
        let other = tokio::spawn(async move {
            Page::at(
                &base,
                WIDE,
                move |other| async move {
                    other.view(&other_path).await;
                    other
                        .until(&format!(
                            "document.querySelector('.others [data-user=\"{}\"] .face')",
                            crate::support::TEACHER
                        ))
                        .await;
                    opened.send(()).expect("heard");
                    close.await.expect("told");
                    // Leaves the page, as a person who closes it.
                    other.visit("docs").await;
                },
                Some(colleague),
            )
            .await;
        });
        open.await.expect("opened");
        look(&page, &sees(COLLEAGUE)).await;
        page.sees("Another author").await;
        closed.send(()).expect("heard");
        look(&page, &format!("!{}", sees(COLLEAGUE))).await;
        other.await.expect("closed");
    })
    .await;
}
