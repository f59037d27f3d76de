//! Statements about how many pupils work together: "groups of four", "work in pairs", "in teams of 3 to 4".

use fieldbook::assistant::facts::group_size::*;

#[test]
fn group_size_in_a_text_is_read() {
    for (text, low, high) in [
        ("Go to the tables in groups of three.", 3, 3),
        ("Work in pairs.", 2, 2),
        ("Students work in small groups of 3-4.", 3, 4),
        ("Get into your groups of six", 6, 6),
        ("Count off and form teams of three", 3, 3),
        ("In your groups of three or four, read the card", 3, 4),
        ("Each group of five shares a tray.", 5, 5),
        ("Sit in threes.", 3, 3),
        ("Get into fours.", 4, 4),
    ] {
        let sizes: Vec<_> = read(text).into_iter().map(|(_, _, size)| size).collect();
        assert_eq!(sizes, [GroupSize { low, high }], "{text}");
    }
}

#[test]
fn numbers_with_other_meanings_are_not_read_as_group_sizes() {
    for text in [
        "Add a pair of gloves",
        "Discuss it in pairs.",
        "a group of islands",
        "Read it with a partner",
        "in groups of 24",
        "The group of three gets help.",
        "Pairs form groups of six with two other pairs",
        "three groups",
        "in groups of 10 thousand",
        "compare pairs of leaves",
    ] {
        assert_eq!(super::read_all(read, text), [], "{text}");
    }
}
