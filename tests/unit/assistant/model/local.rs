//! Unit tests of `src/assistant/model/local.rs`.

use super::*;

#[test]
fn the_advice_is_a_flag_for_known_servers_and_spelled_out_for_others() {
    let advice =
        |port, listen: &str| LocalModel { port, name: "muse".to_owned() }.advice(listen.parse().expect("an address"));
    assert_eq!(
        advice(11434, "127.0.0.1:8080"),
        "a language model answers at http://127.0.0.1:11434 (Ollama): add --assistant ollama to use it"
    );
    assert_eq!(
        advice(8080, "127.0.0.1:8080"),
        "a language model answers at http://127.0.0.1:8080 (llama.cpp): add --assistant llamacpp --listen 127.0.0.1:8081 to use it"
    );
    assert_eq!(
        advice(8000, "127.0.0.1:8080"),
        "a language model answers at http://127.0.0.1:8000: add --assistant openai-compatible --assistant-base-url http://127.0.0.1:8000/v1 --assistant-model \"muse\" to use it"
    );
}
