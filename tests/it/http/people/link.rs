//! `POST /api/people/{id}/link`: a new sign-in link.

use fieldbook::domain::person::{Person, PersonStatus};

use super::{add, person};
use crate::http::permissions::{ADMIN, with_role};
use crate::support::{COLLEAGUE, TEACHER, TestApp};

#[tokio::test]
async fn sign_in_link_is_refused_for_a_disabled_or_unknown_person() {
    let (app, ..) = TestApp::start().await;
    let admin = with_role(&app, ADMIN, "admin");
    add(&app, Person { status: PersonStatus::Disabled, ..person(TEACHER, "Ada", None) }).await;
    for (id, expected) in [
        (TEACHER, r#"409 "person_disabled" "Not possible""#),
        (COLLEAGUE, r#"404 "person_not_found" "Person not found""#),
    ] {
        let refused = admin.post_empty(&format!("/api/people/{id}/link")).await;
        assert_eq!(refused.refusal(), expected);
    }
    add(&app, person(COLLEAGUE, "Bob", None)).await;
    let made = admin.post_empty(&format!("/api/people/{COLLEAGUE}/link")).await;
    assert_eq!((made.status.as_u16(), made.data()["name"].as_str()), (201, Some("Bob")), "{made}");
    assert_eq!(app.rows("sign_in_link"), 1);
}
