//! Pages of lists. The store reads one entry more than fits on a page, to know whether another page follows.

use fieldbook::domain::link::DayCount;
use fieldbook::domain::page::{ByteBudget, MAX_ANSWER, Page};

#[test]
fn page_of_visit_days_says_that_more_follow_only_if_more_days_were_read_than_its_limit() {
    let days = |count: u64| (1..=count).map(|day| DayCount { day: format!("2026-11-0{day}"), count: day }).collect();
    for (there, on_page, has_more) in [(0, 0, false), (1, 1, false), (2, 2, false), (3, 2, true)] {
        let page = Page::of_days(days(there), 2);
        assert_eq!((page.entries.len(), page.has_more), (on_page, has_more), "{there}");
        assert!(page.entries.iter().all(|(place, day)| place.day == day.day));
    }
}

#[test]
fn first_entry_of_a_page_may_exceed_the_size_limit_and_later_entries_may_not() {
    let mut room = ByteBudget::new(MAX_ANSWER);
    assert!(room.takes(MAX_ANSWER - 1) && room.takes(1) && !room.takes(1));
    let mut room = ByteBudget::new(MAX_ANSWER);
    assert!(room.takes(MAX_ANSWER + 1) && !room.takes(1));
}

#[test]
fn no_entry_is_added_to_a_page_after_an_entry_that_did_not_fit() {
    let mut room = ByteBudget::new(MAX_ANSWER);
    assert!(room.takes(1) && !room.takes(MAX_ANSWER) && !room.takes(1));
}
