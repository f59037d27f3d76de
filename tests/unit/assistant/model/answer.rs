//! Unit tests of `src/assistant/model/answer.rs`.

use super::*;
use serde_json::json;

fn read(text: &str) -> Result<Value, Vec<String>> {
    let schema = json!({
        "properties": { "a": { "type": "integer" }, "list": { "items": { "type": "integer" } } }, "required": ["a"]
    });
    Reader::of(&schema).expect("a schema").read(text).map_err(|unusable| unusable.faults)
}

#[test]
fn json_object_of_a_model_answer_is_found_inside_other_text() {
    for text in [
        "{\"a\":1}",
        " \n{\"a\":1}\n",
        "```json\n{\"a\":1}\n```",
        "Here {it} is: {\"a\":1} – done {",
        "{\"a\":1}\n{\"note\":\"as you asked\"}",
        "{\"a\":1} or, once more, {\"a\": 1}",
        "{\"a\":1,\"b\":\"</think>\"}",
    ] {
        assert_eq!(read(text).map(|value| value["a"].clone()), Ok(json!(1)), "{text}");
    }
}

#[test]
fn json_object_inside_the_reasoning_of_a_model_is_ignored() {
    for end in REASONING_ENDS {
        let draft = format!("Maybe {{\"a\":2}}, or \\frac{{1}}{{2}}? {{\"a\": {end}");
        assert_eq!(read(&format!("{draft}{{\"a\":1}}")), Ok(json!({ "a": 1 })), "{end}");
        assert_eq!(read(&format!("{draft}I cannot say.")), Err(vec!["It holds no JSON object.".to_owned()]), "{end}");
    }
    for braces in ["{\\bf x} ".repeat(10_000), "{}".repeat(300), "{\"a\":".repeat(300)] {
        for answer in [r#"{"a":1}"#, r#"{"a":1,"b":"</think>"}"#, r#"{"a":1,"b":["</think>","[/THINK]"]}"#] {
            let found = read(&format!("{braces}</think>{answer}"));
            assert_eq!(found.map(|value| value["a"].clone()), Ok(json!(1)), "{braces:.10} {answer}");
        }
    }
}

#[test]
fn malformed_model_answers_are_refused_with_reasons() {
    for (text, fault) in [
        ("", "It holds no JSON object."),
        ("[1]", "It holds no JSON object."),
        ("{\"a\":", "It breaks off before the JSON object ends."),
        ("{\"a\": [{\"b\": 1}, {\"b\": 2}, {\"b\"", "It breaks off before the JSON object ends."),
        ("{'a': 1}", "It is not valid JSON: key must be a string at line 1 column 2."),
        ("{\"a\":1}{\"a\":2}", "It holds 2 different JSON objects, not one."),
        ("{\"a\":1,\"a\":2}", "The value at \"\" has the key \"a\" twice."),
        ("{\"b\":1}", "at /: \"a\" is a required property"),
        ("{\"b\":1}{\"a\":\"secret\"}", "at /a: value is not of type \"integer\""),
    ] {
        assert_eq!(read(text), Err(vec![fault.to_owned()]), "{text}");
    }
    let many = |item: &str, times| format!("{{\"list\":[{}]}}", vec![item; times].join(","));
    let longer = "at /list: has 501 items, more than 500".to_owned();
    assert_eq!(read(&many("{}", 501)), Err(vec![longer]));
    assert_eq!(read(&many("{}", 500)).map_err(|faults| faults.len()), Err(MAX_FAULTS));
    let braces = "{\"a\":".repeat(20_000);
    assert!(read(&braces).is_err());
}
