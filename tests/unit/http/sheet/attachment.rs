//! Unit tests of the names under which browsers save sheets.

use super::*;

#[test]
fn file_name_of_a_sheet_has_the_title_and_the_audience() {
    let names = [
        ("Salt & water", "Salt%20%26%20water"),
        ("Größe: 1/2?\r\n..\\x\"", "Gr%C3%B6%C3%9Fe%201%202%20..%20x"),
        ("ملح", "%D9%85%D9%84%D8%AD"),
        ("..", "lesson"),
        ("a\u{202e}xcod.exe", "a%20xcod.exe"),
        (&"a".repeat(300), &"a".repeat(60)),
        // The name is cut between words.
        (&format!("{} photosynthesis", "a".repeat(50)), &"a".repeat(50)),
        (&format!("{} and bees", "a".repeat(56)), &format!("{}%20and", "a".repeat(56))),
    ];
    for (title, name) in names {
        let expected =
            format!("attachment; filename=\"lesson.docx\"; filename*=UTF-8''{name}%20%E2%80%93%20pupils.docx");
        assert_eq!(attachment(title, "pupils", "docx"), expected, "{title}");
    }
}
