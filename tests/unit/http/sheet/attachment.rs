//! Names of files that browsers save.

use super::*;

#[test]
fn file_has_the_title_as_its_name() {
    let names = [
        ("Salt & water", "Salt%20%26%20water"),
        ("Größe: 1/2?\r\n..\\x\"", "Gr%C3%B6%C3%9Fe%201%202%20..%20x"),
        ("ملح", "%D9%85%D9%84%D8%AD"),
        ("..", "lesson"),
        ("a\u{202e}xcod.exe", "a%20xcod.exe"),
        (&"a".repeat(300), &"a".repeat(60)),
    ];
    for (title, name) in names {
        let expected = format!("attachment; filename=\"lesson.docx\"; filename*=UTF-8''{name}.docx");
        assert_eq!(attachment(title, "docx"), expected, "{title}");
    }
}
