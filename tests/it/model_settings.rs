//! Settings of the language model.

use crate::settings::{gather, refused};

#[test]
fn language_model_needs_a_name_and_an_endpoint() {
    let rules = gather(&[("assistant-base-url", "http://here/v1"), ("assistant-model", "m")], &[], None);
    assert!(rules.expect("settings").model.is_none());
    let compatible = ("assistant", "openai-compatible");
    assert_eq!(
        refused(gather(&[compatible], &[("assistant-model", "m")], None)),
        "the setting assistant-base-url is missing; give the endpoint of the language model, such as http://127.0.0.1:11434/v1, with --assistant-base-url"
    );
    for elsewhere in [compatible, ("assistant", "openai")] {
        assert_eq!(
            refused(gather(&[elsewhere], &[("assistant-base-url", "http://here/v1")], None)),
            "the setting assistant-model is missing; give the model's name at the endpoint with --assistant-model"
        );
    }
    let file = "assistant = \"openai\"\nassistant-base-url = \"http://here/v1/\"\nassistant-model = \"m\"\nassistant-deadline-seconds = 5";
    let model = gather(&[], &[("assistant-api-key", "k")], Some(file)).expect("settings").model.expect("a model");
    assert_eq!((model.base_url.as_str(), model.model.as_str()), ("http://here/v1", "m"));
    assert_eq!((model.api_key.as_deref(), model.deadline.as_secs(), model.concurrent_calls), (Some("k"), 5, 4));
    assert_eq!(model.preset.name, "openai-compatible", "at another address it is not OpenAI");
}

#[test]
fn preset_of_a_language_model_sets_the_address_and_hosted_models_require_a_name_and_a_key() {
    let (named, key) = (("assistant-model", "m"), ("assistant-api-key", "k"));
    let at = |given: &[(&str, &str)]| {
        let model = gather(given, &[], None).expect("settings").model.expect("a model");
        format!("{} {} {}", model.preset.name, model.base_url, model.model)
    };
    // A local server needs no key.
    assert_eq!(at(&[("assistant", "ollama"), named]), "ollama http://127.0.0.1:11434/v1 m");
    assert_eq!(at(&[("assistant", "lmstudio"), named]), "lmstudio http://127.0.0.1:1234/v1 m");
    assert_eq!(at(&[("assistant", "llamacpp"), named]), "llamacpp http://127.0.0.1:8080/v1 m");
    let there = ("assistant-base-url", "http://there:1/v1");
    assert_eq!(at(&[("assistant", "ollama"), named, there]), "ollama http://there:1/v1 m");
    for (provider, title, address) in [
        ("openai", "OpenAI", "https://api.openai.com/v1"),
        ("anthropic", "Anthropic", "https://api.anthropic.com/v1"),
        ("mistral", "Mistral", "https://api.mistral.ai/v1"),
    ] {
        assert_eq!(at(&[("assistant", provider), named, key]), format!("{provider} {address} m"));
        let nameless = refused(gather(&[("assistant", provider), key], &[], None));
        assert!(nameless.starts_with("the setting assistant-model is missing; "), "{nameless}");
        assert_eq!(
            refused(gather(&[("assistant", provider), named], &[], None)),
            format!(
                "the setting assistant-api-key is missing; give the key that {title} asks for in the variable FIELDBOOK_ASSISTANT_API_KEY"
            )
        );
        // A gateway may add the key to its calls, so the service needs no key.
        assert!(gather(&[("assistant", provider), named, there], &[], None).is_ok(), "{provider}");
    }
}

#[test]
fn settings_that_point_the_language_model_at_the_service_itself_are_refused() {
    let elsewhere = |assistant: &str, base: Option<&str>, listen: &str| {
        let base = base.map(|base| ("assistant-base-url", base));
        let given: Vec<_> =
            [("assistant", assistant), ("listen", listen), ("assistant-model", "m")].into_iter().chain(base).collect();
        gather(&given, &[], None).expect("settings").model_is_elsewhere().map_err(|fault| fault.to_string())
    };
    assert_eq!(
        elsewhere("llamacpp", None, "127.0.0.1:8080").expect_err("a fault"),
        "the language model's address is http://127.0.0.1:8080/v1, where this service listens itself; give the service another address, such as --listen 127.0.0.1:8081"
    );
    for (base, listen) in [
        ("http://localhost:8080/v1", "127.0.0.1:8080"),
        ("http://127.0.0.1:8080", "0.0.0.0:8080"),
        ("http://[::1]:8080/v1", "[::]:8080"),
        ("http://192.0.2.1/v1", "192.0.2.1:80"),
    ] {
        assert!(elsewhere("openai", Some(base), listen).is_err(), "{base} {listen}");
    }
    for (base, listen) in [
        ("http://127.0.0.1:8080/v1", "127.0.0.1:8081"),
        ("http://127.0.0.1:8080/v1", "192.0.2.1:8080"),
        ("http://192.0.2.1:8080/v1", "0.0.0.0:8080"),
        ("https://models.example.org/v1", "127.0.0.1:8080"),
    ] {
        assert_eq!(elsewhere("openai", Some(base), listen), Ok(()), "{base} {listen}");
    }
    assert_eq!(elsewhere("rules", None, "127.0.0.1:8080"), Ok(()));
}
