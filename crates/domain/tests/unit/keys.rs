//! Unit tests of `crates/domain/src/keys.rs`.

use super::*;

#[test]
fn grades_sort_as_people_read_them() {
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
    sorted.sort_by_key(|grade| grade_key(&search::fold(grade)));
    assert_eq!(sorted, order);
}

#[test]
fn groups_are_alphabetical_whatever_the_case_and_those_without_come_last() {
    let mut names = [None, Some("Zürich"), Some("ngss"), Some("Éire"), Some("NGSS"), Some("Alberta")];
    names.sort_by_key(|name| group_key(name.map(|name| Name::of(name.into())).as_ref()));
    assert_eq!(names, [Some("Alberta"), Some("Éire"), Some("NGSS"), Some("ngss"), Some("Zürich"), None]);
}
