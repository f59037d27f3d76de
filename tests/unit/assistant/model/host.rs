//! Unit tests of `src/assistant/model/host.rs`.

use super::*;

#[test]
fn calls_go_below_the_base_url() {
    let at = |base: &str| Host::new(base, None).expect("a host").at("chat/completions").to_string();
    let there = "https://host/v1/chat/completions";
    assert_eq!((at("https://host/v1").as_str(), at(" https://host/v1// ").as_str()), (there, there));
    assert_eq!(at("http://[::1]:11434"), "http://[::1]:11434/chat/completions");
}

#[test]
fn models_that_only_measure_texts_cannot_chat() {
    let chat = ["qwen3:14b", "mistral-small-latest", "/models/Qwen3 14B.gguf"];
    assert!(chat.iter().all(|name| can_chat(name)));
    let others = [
        "nomic-embed-text:latest",
        "text-embedding-bge-m3",
        "BGE-large",
        "all-minilm",
        "jina-reranker",
        "whisper-1",
        "",
        "a\nb",
    ];
    assert!(!others.iter().any(|name| can_chat(name)));
}
