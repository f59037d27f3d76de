//! Markdown.

use fieldbook_reader::{Source, read};
use serde_json::json;

use crate::support::{content, left, lesson};

#[test]
fn markdown_markup_is_removed() {
    let text = "Sand filter\nMaterials\n- **Sand**\n- *Gravel*\n- `salt`\n- [ ] ~~glue~~\n";
    let expected = json!({"title": "Sand filter", "materials": [{"name": "Sand"}, {"name": "Gravel"}, {"name": "salt"}, {"name": "glue"}]});
    assert_eq!(content(&lesson(Source::Text(text))), expected);
}

#[test]
fn markdown_front_matter_gives_title_grade_and_duration() {
    let text = "---\ntitle: \"Pushes and pulls\"\ngrade_level: \"3\"\nduration_minutes: \"45\"\ntags: [forces]\n---\n\n# Pushes and pulls\n\nText.\n";
    let lesson = lesson(Source::Text(text));
    assert_eq!(content(&lesson), json!({"title": "Pushes and pulls", "grade": 3, "durationMinutes": 45}));
    assert_eq!(left(&lesson), ["tags: forces", "Text."]);
}

#[test]
fn markdown_tables_links_and_pictures_are_read() {
    let text = "# Salt\n\n![A funnel](funnel.png)\n\n## Materials\n\n| Item | Amount |\n|---|---|\n| [Salt](https://example.org/salt) | 10 g |\n| Water | 1 l |\n";
    let lesson = lesson(Source::Text(text));
    let expected = json!([
        {"name": "Salt (https://example.org/salt)", "quantity": 10, "unit": "g"},
        {"name": "Water", "quantity": 1, "unit": "l"},
    ]);
    assert_eq!(content(&lesson)["materials"], expected);
    assert_eq!(left(&lesson), ["A funnel"]);
    assert_eq!(lesson.notices, ["Pictures that are not in the lesson: 1. Add them by hand."]);
}

#[test]
fn html_tags_in_markdown_are_removed_and_every_word_is_kept() {
    let document = read(Source::File {
        media_type: "text/markdown",
        bytes: b"<div>One</div>\n\nTwo<br>three <b>four</b> <five> 5 < 6\n",
    })
    .unwrap();
    let texts: Vec<_> = document.blocks.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(texts, ["One", "Two", "three four <five> 5 < 6"]);
}
