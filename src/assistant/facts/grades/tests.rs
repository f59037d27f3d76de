//! Names and codes of classes, and what they stand for.

use super::*;
use serde_json::json;

fn ranges(levels: Vec<Level>) -> Vec<(i64, i64, bool)> {
    levels.into_iter().map(|level| (level.low, level.high, level.year)).collect()
}

#[test]
fn a_grade_is_read_in_all_its_forms() {
    for (grade, range) in [
        (json!(5), (5, 5, false)),
        (json!("K"), (0, 0, false)),
        (json!("Year 7"), (7, 7, true)),
        (json!("6–8"), (6, 8, false)),
        (json!("Grade 4"), (4, 4, false)),
        (json!("Class X"), (10, 10, false)),
        (json!("3rd"), (3, 3, false)),
        (json!("Grades 9-12"), (9, 12, false)),
        (json!("K-2"), (0, 2, false)),
        (json!("Kindergarten"), (0, 0, false)),
        (json!("S4"), (9, 11, false)),
        (json!("Y9"), (9, 9, true)),
        (json!("seventh grade"), (7, 7, false)),
        (json!("V"), (5, 5, false)),
        (json!("IX-X"), (9, 10, false)),
        (json!("XII"), (12, 12, false)),
    ] {
        assert_eq!(ranges(of_grade(&grade).into_iter().collect()), [range], "{grade}");
    }
    for grade in [
        json!("mixed"),
        json!(null),
        json!(""),
        json!("9-1"),
        json!("X"),
        json!("Vl"),
        json!("IIII"),
        json!(2024),
        json!("五年级"),
    ] {
        assert_eq!(of_grade(&grade), None, "{grade}");
    }
}

#[test]
fn codes_and_names_of_curricula_stand_for_ranges() {
    for (text, range) in [
        ("NGSS 5-PS1-2", (5, 5, false)),
        ("K-LS1-1", (0, 0, false)),
        ("MS-PS1-2", (6, 8, false)),
        ("HS-LS1-5", (9, 12, false)),
        ("3-5-ETS1-1", (3, 5, false)),
        ("Key Stage 3", (7, 9, true)),
        ("Northern Ireland Curriculum, Key Stage 2: The World Around Us", (5, 7, true)),
        ("KS2 Science", (3, 6, true)),
        ("AQA GCSE Chemistry", (9, 11, true)),
        ("OCR A Level Physics", (12, 13, true)),
        ("AP Chemistry, Unit 6", (9, 12, false)),
        ("IB MYP Sciences, Year 4", (8, 10, false)),
        ("IB Diploma Programme, Chemistry SL", (11, 12, false)),
        ("AC9S8U05", (8, 8, true)),
        ("ACSSU112", (7, 7, true)),
        ("CBSE Class X Science", (10, 10, false)),
        ("Ontario Science and Technology, Grade 6: Flight", (6, 6, false)),
        ("Alberta Science 7, Unit C", (7, 7, false)),
        ("TEKS 5.6A", (5, 5, false)),
        ("SC.5.P.8.1", (5, 5, false)),
        ("NSW Science Stage 4", (7, 8, true)),
        ("SPH4U", (12, 12, false)),
        ("Kindergarten to Grade 6 framework", (0, 6, false)),
        ("K to Grade 5 science", (-1, 5, false)),
        ("Year 3 through Year 6", (3, 6, true)),
        ("Living Things (infant classes to sixth class)", (-1, 6, false)),
    ] {
        assert_eq!(ranges(of_curriculum(text)), [range], "{text}");
    }
    for text in ["State science", "a level surface", "not AP", "Topic 6 (9-1)", "3-2-1 recap", "Unit 12-3"] {
        assert_eq!(of_curriculum(text), [], "{text}");
    }
}

#[test]
fn a_year_is_a_grade_or_one_more() {
    let level = |text: &str| of_curriculum(text).remove(0);
    assert!(level("Year 7").meets(&level("Grade 6")) && level("Year 7").meets(&level("Grade 7")));
    assert!(!level("Year 7").meets(&level("Grade 8")) && !level("Year 7").meets(&level("Year 8")));
}
