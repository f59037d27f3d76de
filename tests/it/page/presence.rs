//! Who else has the lesson open, on the page.

use super::cress;
use crate::support::browser::{PHONE, Page, WIDE};
use crate::support::{COLLEAGUE, TEACHER, TestApp};

#[tokio::test]
async fn two_people_see_each_other_until_one_closes_the_page() {
    let (app, _, teacher) = TestApp::start().await;
    let path = format!("#/i/{}", teacher.create(cress()).await);
    let page = Page::of(&app, WIDE).await;
    let other = Page::at(&format!("http://{}", app.address), WIDE, Some(app.session(COLLEAGUE).await)).await;
    // When the window gets the focus, the page asks the service at once.
    let look =
        async |page: &Page, shown: &str| page.until(&format!("(dispatchEvent(new Event('focus')), {shown})")).await;
    let other_is = |user: &str| format!("document.querySelector('.others [data-user=\"{user}\"]')");
    page.view(&path).await;
    assert_eq!(page.js("return document.querySelector('.others').children.length").await, 0);
    other.view(&path).await;
    other.until(&format!("{}.querySelector('.face')", other_is(TEACHER))).await;
    look(&page, &other_is(COLLEAGUE)).await;
    let said = "document.querySelector('.others').textContent.includes('Another author has this lesson open')";
    page.until(said).await;
    let lines =
        "return document.querySelector('.others').clientHeight < 2 * document.querySelector('.face').clientHeight";
    assert_eq!(page.js(lines).await, true);
    // A phone shows only the avatar of the other person. After a tap on it, a notice says who has the lesson open.
    page.appear(PHONE).await;
    page.click_on(".others button").await;
    page.until("document.querySelector('.notice p')?.textContent === 'Another author has this lesson open.'").await;
    // Leaves the page, which has the same effect as closing it.
    other.visit("docs").await;
    look(&page, &format!("!{}", other_is(COLLEAGUE))).await;
}
