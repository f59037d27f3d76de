//! Codes of standards and names of curricula that belong to certain school years: "NGSS 5-PS1-2", "SC.4.P.10.1", "Key
//! Stage 3".

use fieldbook::assistant::facts::grade::Grades;
use fieldbook::assistant::facts::standard_code::*;

#[test]
fn code_of_a_school_standard_or_name_of_a_curriculum_gives_its_range_of_grades() {
    for (text, low, high) in [
        ("NGSS 5-PS1-2", 5, 5),
        ("NGSS MS-LS2-2", 6, 8),
        ("HS-PS2-3", 9, 12),
        ("3-5-ETS1-1", 3, 5),
        ("K-2-ETS1-1", 0, 2),
        ("NGSS K-ESS3-1", 0, 0),
        ("SC.4.P.10.1", 4, 4),
        ("SC.912.L.14.1", 9, 12),
        ("CCSS.MATH.CONTENT.5.MD.C.5", 5, 5),
        ("KS3 Science: forces", 6, 9),
        ("England National Curriculum, Key Stage 1", 0, 2),
        ("A level Chemistry", 11, 13),
        ("AQA GCSE Physics", 8, 11),
    ] {
        let found: Vec<_> = read(text).into_iter().map(|(_, _, grades)| grades).collect();
        assert_eq!(found, [Grades { low, high }], "{text}");
    }
}

#[test]
fn words_with_other_meanings_are_not_read_as_standard_codes() {
    for text in
        ["Wisconsin Science C.4.2", "NSES Physical Science", "a level table", "stage 3", "5-6 drops", "PS1 and LS2"]
    {
        assert_eq!(super::read_all(read, text), [], "{text}");
    }
}
