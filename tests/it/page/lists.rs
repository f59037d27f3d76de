//! Lists and limits of the service that the page uses. The page has its own copy of a list only if it shows a text for
//! each entry.

use std::collections::BTreeSet;

use fieldbook::domain::content::SYSTEM_FIELDS;
use fieldbook::domain::dismissal;
use fieldbook::domain::history::{self, Kind};
use fieldbook::domain::link::{self, Shows};
use fieldbook::domain::list::{self, ListQuery};
use fieldbook::domain::named::Named;
use fieldbook::domain::status::Status;
use fieldbook::store::PRESENCE_TTL;
use serde_json::json;

use crate::support::browser::{Page, WIDE};

async fn names(page: &Page, file: &str, object: &str) -> BTreeSet<String> {
    let script = format!("return import('/ui/{file}').then((file) => Object.keys(file.{object}))");
    let names: Vec<String> = serde_json::from_value(page.js(&script).await).expect("names");
    names.into_iter().collect()
}

fn set<'n>(names: impl IntoIterator<Item = &'n str>) -> BTreeSet<String> {
    names.into_iter().map(str::to_owned).collect()
}

#[tokio::test]
async fn page_and_service_have_the_same_statuses_change_kinds_link_options_and_limits() {
    let (page, _) = Page::of_service(WIDE).await;
    assert_eq!(names(&page, "text/words.js", "STATUSES").await, set(Status::names()));
    assert_eq!(names(&page, "text/words.js", "KINDS").await, set(Kind::names()));
    assert_eq!(names(&page, "links/link_options.js", "SHOWS").await, set(Shows::names()));
    for sort in names(&page, "list/list.js", "SORTS").await {
        let (by, order) = sort.split_once(' ').expect("a field and an order");
        let parameters = [("sortBy".to_owned(), by.to_owned()), ("sortOrder".to_owned(), order.to_owned())];
        assert!(ListQuery::read(&parameters).is_ok(), "{sort}");
    }
    let constants = page.js("return import('/ui/core/constants.js').then((file) => ({ ...file }))").await;
    let expected = json!({
        "systemFields": SYSTEM_FIELDS, "statusesByHand": ["in_development", "published"],
        "maxPage": list::MAX_LIMIT, "maxEntries": 1000, "maxReason": dismissal::MAX_REASON,
        "maxVersionName": history::MAX_NAME, "maxLinkName": link::MAX_NAME,
        "maxLinkDescription": link::MAX_DESCRIPTION, "presenceSeconds": PRESENCE_TTL.as_secs(),
    });
    assert_eq!(constants, expected);
}
