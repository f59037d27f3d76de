//! Pages of lists. The store reads one entry more than fits on a page, to know whether another page follows.

use fieldbook::domain::link::DayCount;
use fieldbook::domain::page::Page;

#[test]
fn one_day_more_than_fits_on_the_page_says_that_more_follow() {
    let days = |count: u64| (1..=count).map(|day| DayCount { day: format!("2026-11-0{day}"), count: day }).collect();
    for (there, on_page, has_more) in [(0, 0, false), (1, 1, false), (2, 2, false), (3, 2, true)] {
        let page = Page::of_days(days(there), 2);
        assert_eq!((page.entries.len(), page.has_more), (on_page, has_more), "{there}");
        assert!(page.entries.iter().all(|(place, day)| place.day == day.day));
    }
}
