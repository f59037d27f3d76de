//! Unit tests of `src/assistant/model/host.rs`.

use super::*;

#[test]
fn model_requests_are_sent_to_paths_below_the_base_url() {
    let at = |base: &str| Host::new(base, None).expect("a host").at("chat/completions").to_string();
    let there = "https://host/v1/chat/completions";
    assert_eq!((at("https://host/v1").as_str(), at(" https://host/v1// ").as_str()), (there, there));
    assert_eq!(at("http://[::1]:11434"), "http://[::1]:11434/chat/completions");
}
