//! The keys by which lists are sorted and grouped.

use fieldbook::domain::sort_keys::SortKeys;
use serde_json::json;

/// Returns the keys of content with this value in one field.
fn keys(field: &str, value: Option<&str>) -> SortKeys {
    SortKeys::of(json!({ field: value }).as_object().expect("an object"))
}

#[test]
fn grade_names_sort_by_the_numbers_in_them() {
    let order = [
        "Pre-K",
        "PreK",
        "Grade K",
        "K",
        "Kindergarten",
        "1",
        "Grade 2",
        "3",
        "3-5",
        "5",
        "Year 7",
        "9",
        "10",
        "11 A",
        "Grade 11",
        "12",
        "adults",
        "Sixth form",
    ];
    let mut sorted = order;
    sorted.reverse();
    sorted.sort_by_key(|grade| keys("grade", Some(grade)).grade);
    assert_eq!(sorted, order);
}
