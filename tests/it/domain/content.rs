//! The content of an investigation: everything the author wrote, without what the service keeps beside it.

use fieldbook::domain::content::*;
use serde_json::json;

#[test]
fn what_is_only_shown_is_the_same_as_what_is_read() {
    let text = r#"{"b":[1.10,{"z":null,"a":"\u00e9"}],"a":"é"}"#;
    let written: Written = serde_json::from_str(text).expect("an object");
    let read: Content = serde_json::from_str(text).expect("an object");
    assert_eq!(written.read(&["a", "b"]).expect("JSON"), read);
    assert_eq!(written.read(&["a", "c"]).expect("JSON"), *json!({"a": "é"}).as_object().expect("an object"));
    assert!(serde_json::from_str::<Written>("[1]").is_err());
}

#[test]
fn blank_is_what_says_nothing() {
    for blank in [json!(null), json!(""), json!(" \t\n\u{a0}"), json!([]), json!({})] {
        assert!(is_blank(&blank), "{blank}");
    }
    for said in [json!("x"), json!(0), json!(false), json!([""]), json!({"a":null})] {
        assert!(!is_blank(&said), "{said}");
    }
}
