//! References to pictures in the content of investigations.

use fieldbook::domain::content::Content;
use fieldbook::domain::picture::{ids, introduced, is_id, references};
use serde_json::{Value, json};

fn content(value: Value) -> Content {
    value.as_object().cloned().expect("an object")
}

fn id(digit: char) -> String {
    digit.to_string().repeat(64)
}

#[test]
fn picture_id_has_64_lower_case_hexadecimal_digits() {
    assert!(is_id(&id('a')) && is_id(&"0123456789abcdef".repeat(4)));
    for text in ["", "a", &"A".repeat(64), &"g".repeat(64), &"a".repeat(63), &"a".repeat(65), &"é".repeat(32)] {
        assert!(!is_id(text), "{text}");
    }
}

#[test]
fn picture_references_are_found_in_every_field() {
    let content = content(json!({
        "pictures": [{"id": id('a'), "alt": "A pan"}, {"id": "a.png", "alt": ""}, "text", {"id": 7}, {"id": id('b')}],
        "steps": [{"text": "Stir"}, {"text": "Wait", "picture": {"id": id('a'), "alt": ""}}, {"picture": null}],
        "answers": {"first": [[{"id": id('c'), "alt": "An answer"}]]},
        "Mr. Ohm": [{"id": id('e'), "alt": ""}],
        "title": id('d'),
    }));
    let found: Vec<(String, String)> =
        references(&content).into_iter().map(|found| (found.path, found.id.to_owned())).collect();
    let at = |path: &str, digit| (path.to_owned(), id(digit));
    assert_eq!(
        found,
        [
            at("pictures.0.id", 'a'),
            at("steps.1.picture.id", 'a'),
            at("answers.first.0.0.id", 'c'),
            at(r"Mr\. Ohm.0.id", 'e')
        ]
    );
    assert_eq!(ids(&references(&content)), [id('a'), id('c'), id('e')]);
}

#[test]
fn only_pictures_missing_from_the_old_content_count_as_added() {
    let before = content(json!({"pictures": [{"id": id('a'), "alt": ""}]}));
    let shows_both =
        json!({"pictures": [{"id": id('b'), "alt": ""}], "steps": [{"picture": {"id": id('a'), "alt": ""}}]});
    let after = content(shows_both);
    assert_eq!(ids(&introduced(&before, &after)), [id('b')]);
    assert_eq!(introduced(&after, &before), []);
}
