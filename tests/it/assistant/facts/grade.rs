//! School years as comparable ranges of grades: "Grade 5", "fifth graders", "Year 7", "K-2", "ages 9-12".

use fieldbook::assistant::facts::grade::*;

#[test]
fn school_years_in_a_text_are_read_as_grades() {
    for (text, low, high) in [
        ("Freezing and melting for Grade 5", 5, 5),
        ("Fifth graders weigh performance", 5, 5),
        ("As grade three scientists, we test", 3, 3),
        ("Kindergarten Sound Lab", 0, 0),
        ("a Year 9 practical", 8, 9),
        ("Sand detectives: second-graders read", 2, 2),
        ("for grades K-2", 0, 2),
        ("grades 3 to 5", 3, 5),
        ("ages 9-12", 3, 7),
        ("for 10-year-olds", 4, 5),
    ] {
        let found: Vec<_> = read(text).into_iter().map(|(_, _, grades)| grades).collect();
        assert_eq!(found, [Grades { low, high }], "{text}");
    }
}

#[test]
fn numbers_with_other_meanings_are_not_read_as_grades() {
    for text in [
        "Compare the second sample",
        "over 100 years",
        "grade the sand by size",
        "a high grade of ore",
        "5 years of data",
        "page 5",
    ] {
        assert_eq!(super::read_all(read, text), [], "{text}");
    }
}

#[test]
fn grade_field_is_read_as_a_number_a_range_an_age_or_a_name() {
    for (text, low, high) in [
        ("5", 5, 5),
        ("K", 0, 0),
        ("K-2", 0, 2),
        ("4-8", 4, 8),
        ("7-12, also as an outreach table", 7, 12),
        ("9-12 year olds", 3, 7),
        ("ages 6-12", 0, 7),
        ("Year 7", 6, 7),
        ("5th grade", 5, 5),
        ("5th", 5, 5),
        ("Grades 5 and up", 5, 13),
        ("4+", 4, 13),
    ] {
        assert_eq!(of_field(text), Some(Grades { low, high }), "{text}");
    }
    for text in ["", "mixed", "500", "Oberstufe", "2 rooms"] {
        assert_eq!(of_field(text), None, "{text}");
    }
}
