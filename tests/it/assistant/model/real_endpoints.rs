//! Answers and errors in the form in which well-known endpoints send them.

use std::time::Duration;

use fieldbook::assistant::model::{Model, ModelError};
use fieldbook::clock::Clock;
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

use super::endpoint::{NOTHING, detected};
use super::{Endpoint, found, said};
use crate::support::START;

/// Returns a model's answer without findings, as a JSON string for a body.
fn nothing() -> String {
    json!(found(json!([]))).to_string()
}

fn json_body(body: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_raw(body, "application/json")
}

fn stream(body: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_raw(body, "text/event-stream; charset=utf-8")
}

/// Asks about a lesson, and returns the outcome and the bodies of all requests.
async fn asked(answers: impl IntoIterator<Item = ResponseTemplate>) -> (Result<(), ModelError>, Vec<Value>) {
    let endpoint = Endpoint::saying(answers).await;
    let outcome = detected(&endpoint.model()).await.map(|findings| assert_eq!(Ok(findings), NOTHING));
    (outcome, endpoint.asked().await)
}

#[tokio::test]
async fn reasoning_part_of_an_answer_with_several_parts_is_skipped() {
    let draft = r#"The steps… {\"time\": [{}]}"#;
    let nothing = nothing();
    let body = format!(
        r#"{{"id":"d3564afe820340acba2a282db61ed58c","object":"chat.completion","model":"magistral-medium-latest","usage":{{"prompt_tokens":10,"completion_tokens":40,"total_tokens":50}},"created":1777985814,"choices":[{{"index":0,"finish_reason":"stop","message":{{"role":"assistant","tool_calls":null,"prefix":false,"content":[{{"type":"thinking","thinking":[{{"type":"text","text":"{draft}"}}],"closed":true}},{{"type":"text","text":{nothing}}}]}}}}]}}"#
    );
    let (outcome, requests) = asked([json_body(&body)]).await;
    assert_eq!((outcome, requests.len()), (Ok(()), 1));
}

#[tokio::test]
async fn reasoning_text_that_contains_a_draft_answer_is_skipped() {
    let (draft, answer) = (found(json!([super::the_water()])), found(json!([])));
    for text in [
        format!("<think>\nPerhaps {draft}?\n</think>\n\n{answer}"),
        // The chat template of some models ends with the tag `<think>`, so the answer contains only the tag `</think>`.
        format!("Perhaps {draft}?\n</think>\n\n{answer}"),
        format!("<thinking>{draft}</thinking>{answer}"),
        format!("◁think▷{draft}◁/think▷{answer}"),
        format!("[THINK]{draft}[/THINK]{answer}"),
        format!("<seed:think>{draft}</seed:think>{answer}"),
        format!("<|channel>thought\n{draft}<channel|>{answer}"),
        format!(
            "<|channel|>analysis<|message|>Maybe {draft}<|end|><|start|>assistant<|channel|>final <|constrain|>JSON<|message|>{answer}<|return|>"
        ),
        format!("analysisMaybe {draft}assistantfinal{answer}"),
    ] {
        let (outcome, requests) = asked([said(&text)]).await;
        assert_eq!((outcome, requests.len()), (Ok(()), 1), "{text}");
    }
}

#[tokio::test]
async fn model_may_repeat_its_answer_but_two_different_answers_are_unreadable() {
    let answer = found(json!([]));
    for text in [format!("{answer}\n\n{answer}"), format!("{answer}\n{{\"confidence\": 0.9}}")] {
        let (outcome, requests) = asked([said(&text)]).await;
        assert_eq!((outcome, requests.len()), (Ok(()), 1), "{text}");
    }
    let different = format!("{}{answer}", found(json!([super::the_water()])));
    let (outcome, requests) = asked([said(&different), said(&different)]).await;
    assert_eq!((outcome, requests.len()), (Err(ModelError::Unreadable), 2));
}

/// Returns for each request whether it asks for a stream, and which answer format it asks for.
async fn forms_asked(endpoint: &Endpoint) -> Vec<(Value, Value)> {
    let form = |body: &Value| (body["stream"].clone(), body["response_format"]["type"].clone());
    endpoint.asked().await.iter().map(form).collect()
}

#[tokio::test]
async fn streaming_is_turned_on_when_the_model_requires_it() {
    let refusal = r#"{"error":{"code":"invalid_parameter_error","param":null,"message":"This model only support stream mode, please enable the stream parameter to access the model. ","type":"invalid_request_error"},"id":"chatcmpl-7ed765de-de61-9a89-87f2-da9f2e39f825","request_id":"7ed765de-de61-9a89-87f2-da9f2e39f825"}"#;
    let endpoint = Endpoint::answering(move |body| {
        if body["stream"] == true {
            stream(&streamed_answer())
        } else {
            ResponseTemplate::new(400).set_body_raw(refusal, "application/json")
        }
    })
    .await;
    let model = endpoint.model();
    assert_eq!(detected(&model).await, NOTHING);
    assert_eq!(detected(&model).await, NOTHING);
    let form = json!("json_schema");
    let forms = [(json!(false), form.clone()), (json!(true), form.clone()), (json!(true), form)];
    assert_eq!(forms_asked(&endpoint).await, forms);
}

#[tokio::test]
async fn error_that_only_mentions_the_stream_option_does_not_switch_to_streaming() {
    let refusal = r#"{"error":{"message":"Invalid request: {response_format: json_schema, stream: false}"}}"#;
    let endpoint = Endpoint::answering(move |body| {
        if body["stream"] == false && body["response_format"]["type"] == "json_object" {
            said(&found(json!([])))
        } else {
            ResponseTemplate::new(400).set_body_raw(refusal, "application/json")
        }
    })
    .await;
    let model = endpoint.model();
    assert_eq!(detected(&model).await, NOTHING);
    assert_eq!(detected(&model).await, NOTHING);
    let (schema, object) = (json!("json_schema"), json!("json_object"));
    let (whole, streamed) = (json!(false), json!(true));
    let forms = [(whole.clone(), schema.clone()), (streamed, schema), (whole.clone(), object.clone()), (whole, object)];
    assert_eq!(forms_asked(&endpoint).await, forms);
}

/// Returns a streamed answer with reasoning, a comment, and the token counts at the end.
fn streamed_answer() -> String {
    let chunk = |delta: Value, finish_reason: Value| {
        let choice = json!({ "delta": delta, "finish_reason": finish_reason, "index": 0, "logprobs": null });
        let event =
            json!({ "choices": [choice], "object": "chat.completion.chunk", "usage": null, "model": "qwq-32b" });
        format!("data: {event}\n\n")
    };
    let mut body = ": PROCESSING\n\n".to_owned();
    body += &chunk(json!({ "content": null, "role": "assistant", "reasoning_content": "" }), json!(null));
    body += &chunk(json!({ "content": null, "reasoning_content": "嗯 {\"time\": [{}]}" }), json!(null));
    let answer = format!("Früh: {}", found(json!([])));
    for piece in answer.chars().collect::<Vec<_>>().chunks(7) {
        body += &chunk(json!({ "content": piece.iter().collect::<String>(), "reasoning_content": null }), json!(null));
    }
    body += &chunk(json!({ "content": "", "reasoning_content": null }), json!("stop"));
    body += "data: {\"choices\":[],\"object\":\"chat.completion.chunk\",\"usage\":{\"prompt_tokens\":23,\"completion_tokens\":1112,\"total_tokens\":1135}}\n\n";
    body + "data: [DONE]\n\n"
}

#[tokio::test]
async fn streamed_answer_is_read_even_if_no_stream_was_requested() {
    let parts = r#"data:{"choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"'s a greeting"}]}]},"finish_reason":null}]}"#;
    let nothing = nothing();
    let text = format!(
        r#"data:{{"choices":[{{"index":0,"delta":{{"content":[{{"type":"text","text":{nothing}}}]}},"finish_reason":"stop"}}]}}"#
    );
    for body in [streamed_answer(), streamed_answer().replace('\n', "\r\n"), format!("{parts}\n\n{text}\n\n")] {
        let (outcome, requests) = asked([stream(&body)]).await;
        assert_eq!((outcome, requests.len()), (Ok(()), 1), "{body}");
    }
}

#[tokio::test]
async fn stream_that_ends_without_a_finish_reason_is_a_truncated_answer() {
    let nothing = nothing();
    let chunk = format!(r#"data: {{"choices":[{{"delta":{{"content":{nothing}}},"finish_reason":null}}]}}"#);
    for (body, failure) in [
        (format!("{chunk}\n\n"), ModelError::CutOff),
        (format!("{chunk}\n\ndata: [DONE]\n\n"), ModelError::CutOff),
        (
            format!("{}\n\n", chunk.replace("\"finish_reason\":null", "\"finish_reason\":\"length\"")),
            ModelError::CutOff,
        ),
        (
            r#"data: {"choices":[{"delta":{"refusal":"No."},"finish_reason":"stop"}]}"#.to_owned() + "\n\n",
            ModelError::Declined,
        ),
        (format!("{chunk}\n\n").repeat(2 + 1024 * 1024 / found(json!([])).len()), ModelError::AnswerTooLarge),
    ] {
        let (outcome, requests) = asked([stream(&body)]).await;
        assert_eq!((outcome, requests.len()), (Err(failure), 1), "{}", &body[..300.min(body.len())]);
    }
}

#[tokio::test]
async fn long_reasoning_in_a_stream_does_not_count_towards_the_answer_size_limit() {
    let thought = r#"data: {"choices":[{"delta":{"content":null,"reasoning_content":"hm"},"finish_reason":null}]}"#;
    let body = format!("{thought}\n\n").repeat(1024 * 1024 / thought.len()) + streamed_answer().as_str();
    assert!(body.len() > 1024 * 1024);
    let (outcome, requests) = asked([stream(&body)]).await;
    assert_eq!((outcome, requests.len()), (Ok(()), 1));
}

#[tokio::test]
async fn error_inside_a_200_response_is_handled_by_the_code_of_the_error() {
    let after_start = r#"{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"rate-limited upstream","provider_name":"BaseTen"}}}"#;
    let in_choice = r#"{"id":"gen-1","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"{\"time\":"},"error":{"code":502,"message":"Upstream error"}}]}"#;
    let by_reason = r#"{"id":"gen-mockerror","object":"chat.completion","created":1700000000,"model":"google/gemini-3.1-flash-lite","choices":[{"index":0,"message":{"role":"assistant","content":"{\"events\": [{\"title\": \"partial"},"finish_reason":"error"}],"usage":{"prompt_tokens":null,"completion_tokens":null,"total_tokens":0}}"#;
    let in_stream = "data: {\"choices\":[{\"delta\":{\"content\":\"{\"},\"finish_reason\":null}]}\n\ndata: {\"id\":\"cmpl-abc123\",\"object\":\"chat.completion.chunk\",\"error\":{\"code\":\"server_error\",\"message\":\"Provider disconnected unexpectedly\"},\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\"},\"finish_reason\":\"error\"}]}\n\n";
    for failing in [json_body(after_start), json_body(in_choice), json_body(by_reason), stream(in_stream)] {
        let failing = failing.insert_header("retry-after", "0.001");
        let (outcome, requests) = asked([failing, said(&found(json!([])))]).await;
        assert_eq!((outcome, requests.len()), (Ok(()), 2));
    }
    let no_credit = r#"{"error":{"message":"Insufficient credits","code":402},"user_id":"user_1"}"#;
    let (outcome, requests) = asked([json_body(no_credit)]).await;
    assert_eq!((outcome, requests.len()), (Err(ModelError::Refused(402)), 1));
    let no_schema = r#"{"error":{"message":"response_format is not supported","code":400}}"#;
    let (outcome, requests) = asked([json_body(no_schema), said(&found(json!([])))]).await;
    assert_eq!((outcome, &requests[1]["response_format"]["type"]), (Ok(()), &json!("json_object")));
}

#[tokio::test]
async fn empty_error_member_beside_a_model_answer_is_ignored() {
    for error in [json!(null), json!(false), json!(""), json!([]), json!({})] {
        let message = json!({ "content": found(json!([])) });
        let choice = json!({ "message": message, "finish_reason": "stop", "error": error });
        let body = json!({ "error": error, "choices": [choice] }).to_string();
        let (outcome, requests) = asked([json_body(&body)]).await;
        assert_eq!((outcome, requests.len()), (Ok(()), 1), "{body}");
        let last = format!("data: {}\n\ndata: [DONE]", json!({ "choices": [], "error": error }));
        let (outcome, requests) = asked([stream(&streamed_answer().replace("data: [DONE]", &last))]).await;
        assert_eq!((outcome, requests.len()), (Ok(()), 1), "{last}");
    }
}

#[tokio::test]
async fn fractional_retry_after_header_is_rounded_up_to_whole_seconds() {
    let (outcome, requests) = asked([ResponseTemplate::new(429).insert_header("retry-after", "3599.25")]).await;
    let failure = outcome.expect_err("asked to wait").to_string();
    assert_eq!(failure, "The language model asks to wait for 3600 seconds. Try again then.");
    assert_eq!(requests.len(), 1);
}

#[tokio::test]
async fn answer_schema_is_sent_again_ten_minutes_after_a_temporary_refusal() {
    let refusal = ResponseTemplate::new(400).set_body_string("try later");
    let answers = (0..3).map(|_| said(&found(json!([]))));
    let endpoint = Endpoint::saying([refusal].into_iter().chain(answers)).await;
    let clock = Clock::set_to(START);
    let model: Model = endpoint.model_with(clock.clone());
    assert_eq!(detected(&model).await, NOTHING);
    assert_eq!(detected(&model).await, NOTHING);
    clock.advance(Duration::from_secs(600));
    assert_eq!(detected(&model).await, NOTHING);
    let requests = endpoint.asked().await;
    let formats: Vec<_> = requests.iter().map(|body| &body["response_format"]["type"]).collect();
    assert_eq!(formats, ["json_schema", "json_object", "json_object", "json_schema"]);
}

#[tokio::test]
async fn errors_of_model_endpoints_are_logged_in_every_known_format() {
    for (status, body, code, message) in [
        (
            400,
            r#"{"error":{"code":400,"message":"request (9000 tokens) exceeds the available context size (4096 tokens)","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}}"#,
            "400",
            "request (9000 tokens) exceeds the available context size (4096 tokens)",
        ),
        (
            404,
            r#"{"error":{"message":"model \"qwen3:14b\" not found","type":"api_error","param":null,"code":null}}"#,
            "",
            "model \"qwen3:14b\" not found",
        ),
        (
            429,
            r#"{"error":{"message":"You exceeded your current quota.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}"#,
            "insufficient_quota",
            "You exceeded your current quota.",
        ),
        (
            400,
            r#"{"object":"error","message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError","param":null,"code":400}"#,
            "400",
            "This model's maximum context length is 4096 tokens.",
        ),
        (
            400,
            r#"[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}]"#,
            "400",
            "API key not valid.",
        ),
        (
            422,
            r#"{"object":"error","message":{"detail":[{"type":"literal_error","loc":["body","response_format","type"],"msg":"Input should be 'text'"}]},"type":"invalid_request_error","code":null}"#,
            "",
            "Input should be 'text'",
        ),
        (404, r#"{"detail":"Not Found"}"#, "", "Not Found"),
        (401, r#"{"error":"Unauthorized"}"#, "", "Unauthorized"),
        (
            200,
            r#"{"error":{"message":"Provider returned error","code":"overloaded"}}"#,
            "overloaded",
            "Provider returned error",
        ),
        (400, r#"{"error":{"message":"the-key-of-the-tests\/x is wrong"}}"#, "", "…/x is wrong"),
    ] {
        let (log, guard) = crate::support::log::captured();
        let refusals = (0..4).map(|_| {
            ResponseTemplate::new(status).set_body_raw(body, "application/json").insert_header("retry-after", "0")
        });
        asked(refusals).await.0.expect_err("refused");
        drop(guard);
        let log = log.text();
        let line = log.lines().find(|line| line.contains("asked the language model")).expect("a line");
        let code = if code.is_empty() { String::new() } else { format!("error.code={code:?}") };
        assert!(line.contains(&code) && line.contains(&format!("error.message={message:?}")), "{line}");
    }
}
