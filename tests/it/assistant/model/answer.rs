//! Model answers that do not have the requested format.

use fieldbook::assistant::model::ModelError;
use serde_json::json;

use super::endpoint::{NOTHING, detected};
use super::{Endpoint, data, found, said};

#[tokio::test]
async fn words_around_the_json_object_of_a_model_answer_are_ignored() {
    let nothing = found(json!([]));
    for text in [
        format!("```json\n{nothing}\n```"),
        format!("Here is what I found:\n\n{nothing}\n\nTell me if {{you}} need more."),
        format!("<think>Perhaps {{\"time\": []}}?</think>\n{nothing}"),
    ] {
        let endpoint = Endpoint::saying([said(&text)]).await;
        assert_eq!(detected(&endpoint.model()).await, NOTHING, "{text}");
        assert_eq!(endpoint.requests().await.len(), 1);
    }
}

#[tokio::test]
async fn unreadable_model_answer_is_sent_back_to_the_model_once_with_its_errors() {
    let endpoint = Endpoint::saying([said("{\"time\":[{}],\"more\":\"words\"}"), said(&found(json!([])))]).await;
    assert_eq!(detected(&endpoint.model()).await, NOTHING);
    let asked = endpoint.asked().await;
    let [first, second] = asked.as_slice() else { panic!("{asked:?}") };
    let (first, second) = (&first["messages"][1]["content"], &second["messages"][1]["content"]);
    let more = second.as_str().expect("a text").lines().skip(first.as_str().expect("a text").lines().count() - 1);
    insta::assert_snapshot!(more.collect::<Vec<_>>().join("\n"), @r#"
    Your last answer could not be used. Here it is, with its faults:
    BEGIN LAST ANSWER 00000000000000000000000000000002
    {"answer":"{\"time\":\u005b{}],\"more\":\"words\"}"}
    {"fault":"at /: \"people_and_materials\" is a required property"}
    {"fault":"at /: \"quantities\" is a required property"}
    {"fault":"at /: \"variables\" is a required property"}
    {"fault":"at /: \"order\" is a required property"}
    {"fault":"at /: \"safety\" is a required property"}
    {"fault":"at /: \"prediction\" is a required property"}
    {"fault":"at /: \"level_and_topic\" is a required property"}
    {"fault":"at /time/0: \"pathA\" is a required property"}
    {"fault":"at /time/0: \"quoteA\" is a required property"}
    {"fault":"at /time/0: \"pathB\" is a required property"}
    {"fault":"at /time/0: \"quoteB\" is a required property"}
    {"fault":"at /time/0: \"reading\" is a required property"}
    {"fault":"at /time/0: \"reason\" is a required property"}
    {"fault":"at /time/0: \"sure\" is a required property"}
    {"fault":"at /time/0: \"suggestion\" is a required property"}
    {"fault":"at /time/0: \"alsoAt\" is a required property"}
    {"fault":"at /: Additional properties are not allowed ('more' was unexpected)"}
    END LAST ANSWER 00000000000000000000000000000002
    Answer now, with the one JSON object.
    "#);
}

#[tokio::test]
async fn second_unreadable_model_answer_is_an_error_and_not_an_empty_list_of_findings() {
    let missing = json!({ "time": [] }).to_string();
    for text in ["", "I found nothing.", "{}", "[]", "{\"time\":", &missing, &"{".repeat(900_000)] {
        let endpoint = Endpoint::answering({
            let text = text.to_owned();
            move |_| said(&text)
        })
        .await;
        let error = detected(&endpoint.model()).await.expect_err("unreadable");
        assert_eq!(error, ModelError::Unreadable);
        assert_eq!(error.to_string(), "The answer of the language model could not be read.");
        assert_eq!(endpoint.requests().await.len(), 2);
    }
}

#[tokio::test]
async fn only_the_beginning_of_a_long_unreadable_answer_is_sent_back_to_the_model() {
    let endpoint = Endpoint::saying([said(&"é".repeat(100_000)), said(&found(json!([])))]).await;
    assert_eq!(detected(&endpoint.model()).await, NOTHING);
    let lines = data(&endpoint.asked().await[1]);
    let shown = lines.iter().find_map(|line| line["answer"].as_str()).expect("the answer");
    assert_eq!(shown, "é".repeat(4_000));
}
