//! Rules that try to hang or crash the service or to exhaust its memory. The service refuses such a rule when it
//! reads the schema, or skips the rule for the content that makes the rule too costly. The other rules still run.

use fieldbook::assistant::Assistant;
use fieldbook::assistant::fix::Scope;
use fieldbook::domain::content::Content;
use fieldbook::domain::schema::Schema;
use serde_json::{Value, json};

fn assistant(rules: Value) -> Result<Assistant, String> {
    let schema = Schema::parse(&json!({ "x-rules": rules }).to_string()).expect("a schema");
    Assistant::for_schema(&schema).map_err(|error| error.to_string())
}

fn rule(id: &str, rule: &str) -> Value {
    json!({"id": id, "fields": ["a", "b"], "when": "has(self.a)", "rule": rule, "message": "m"})
}

fn with(mut rule: Value, changes: Value) -> Value {
    for (key, value) in changes.as_object().expect("an object") {
        rule[key.as_str()] = value.clone();
    }
    rule
}

fn content(value: Value) -> Content {
    value.as_object().expect("an object").clone()
}

/// Returns the name of the rule (`rule:…`) that found each contradiction in `document`.
fn found(rules: Value, document: &Value) -> Vec<String> {
    let assistant = assistant(rules).expect("rules that are taken");
    assistant.detect(&content(document.clone())).contradictions.into_iter().map(|finding| finding.source).collect()
}

/// Asserts that the service skips the rule `attack` and still runs the rule after it. `attack` would report a
/// contradiction if it ran to its end.
fn is_passed_over(attack: Value, document: &Value) {
    let source = attack["rule"].to_string();
    assert_eq!(found(json!([attack, rule("next", "false")]), document), ["rule:next"], "{source}");
}

/// Asserts that the rule `costly` runs to its end and reports a contradiction.
fn is_run(costly: &str, document: &Value) {
    assert_eq!(found(json!([rule("costly", costly)]), document), ["rule:costly"], "{costly}");
}

#[test]
fn loops_over_hundreds_of_thousands_of_elements_are_passed_over() {
    let many = json!({"a": vec![1; 100_000]});
    for attack in [
        "!self.a.all(x, self.a.all(y, x == y))",
        "self.a.exists(x, self.a.exists(y, x != y))",
        "self.a.filter(x, self.a.exists(y, x + y == 3)).size() == 1",
        "self.a.map(x, self.a).size() == 0",
        "self.a.map(x, self.a.map(y, [x, y, x, y])).size() == 0",
        "self.a.exists_one(x, self.a.exists_one(y, x != y))",
        "self.a.all(x, x / 0 == 1)",
    ] {
        is_passed_over(rule("attack", attack), &many);
    }
    is_run("size(self.a) < 100000", &many);
    is_run("self.a.exists(x, x > 1)", &json!({"a": vec![1; 30_000]}));
}

#[test]
fn texts_and_lists_that_grow_are_passed_over() {
    let long = "x".repeat(300_000);
    let large = json!({"a": long, "b": vec![1; 1000], "c": vec![json!({"d": ["e", "f"]}); 2000]});
    for attack in [
        "size(self.b.map(x, self.a + self.a)) == 0",
        "self.b.map(x, self.c + self.c).size() == 0",
        "self.b.map(x, [self.c, self.c]).size() == 0",
        "self.b.map(x, {'k': self.c, 'l': self.a + string(x)}).size() == 0",
        "self.b.map(x, {self.a + string(x): x}).size() == 0",
        "!self.b.all(x, self.a + string(x) != '')",
        "self.b.map(x, size(self.a + string(x))).size() == 0",
    ] {
        is_passed_over(rule("attack", attack), &large);
    }
    let doubled = format!("size({}) == 0", ["self.c"; 30].join(" + "));
    is_passed_over(rule("attack", &doubled), &large);
    is_run("self.a + self.a == 'x'", &large);
}

#[test]
fn comparisons_of_large_values_in_loops_are_passed_over() {
    let large =
        json!({"a": vec![json!({"k": ["v", 1, {"w": null}]}); 2000], "b": vec![1; 1000], "c": "y".repeat(100_000)});
    for attack in [
        "!self.b.all(x, self.a == self.a)",
        "self.b.exists(x, self.a != self.a)",
        "self.b.exists(x, x in self.a)",
        "self.b.exists(x, {'z': self.c} in self.a)",
    ] {
        is_passed_over(rule("attack", attack), &large);
    }
    let texts = json!({"a": vec![""; 4000], "b": vec![1; 4000]});
    is_passed_over(rule("attack", "self.a in self.b"), &texts);
    is_passed_over(rule("attack", "self.b in self.a"), &texts);
    is_run("self.a in [1, 2] || 7 in self.b || 'c' in self || !(1 in self.b)", &texts);
}

#[test]
fn long_texts_and_wrong_types_in_loops_are_passed_over() {
    let large = json!({"a": vec![json!({"k": "v"}); 2000], "b": vec![1; 1000], "c": "y".repeat(100_000)});
    for attack in [
        "self.b.exists(x, self.c < self.c)",
        "self.b.exists(x, self.c.contains('z'))",
        "self.b.exists(x, size(self.c) == 0)",
        "self.b.exists(x, string(self.c) == '')",
        "self.b.exists(x, int(self.c) == 0)",
        "self.b.exists(x, self[self.c] == 1)",
        "self.b.exists(x, self + 1 == x)",
        "self.b.exists(x, self > x)",
        "self.b.exists(x, self.a[0.5] == x)",
        "self.b.exists(x, lessonMinutes(self.a) > 0)",
    ] {
        is_passed_over(rule("attack", attack), &large);
    }
}

#[test]
fn a_pattern_that_is_costly_or_wrong_or_made_from_the_document_is_refused_at_load() {
    for (attack, reason) in [
        ("self.a.matches(self.b)", "the pattern of \"matches\" must be written out, not computed"),
        ("self.a.matches('a' + 'b')", "the pattern of \"matches\" must be written out, not computed"),
        ("matches(self.a)", "\"matches\" takes a text and a pattern"),
        (
            "self.a.matches('((a{100}){100}){100}')",
            "the pattern ((a{100}){100}){100} is too large, alone or with those of other rules",
        ),
        ("self.a.matches('(')", "the pattern cannot be read: regex parse error:"),
        ("self.a.matches('(?=a)b')", "the pattern cannot be read: regex parse error:"),
    ] {
        let said = assistant(json!([rule("r", attack)])).err().expect(attack);
        assert!(said.starts_with(&format!("at /x-rules/0/rule: {reason}")), "{attack}: {said}");
    }
    for ordinary in [r"^\w{1,20}$", r"^[\w-]{1,64}$", r"^\w+([.-]\w+)*@\w+\.\w{2,}$", "^.{1,200}$"] {
        is_run(&format!("self.a.matches(r'{ordinary}') && false"), &json!({"a": "a@b.cd"}));
    }
    let many: Vec<Value> = (0..65).map(|n| rule(&n.to_string(), &format!("'a'.matches('{n}')"))).collect();
    let said = assistant(Value::from(many)).err().expect("too many");
    assert_eq!(said, "at /x-rules/64/rule: there are more than 64 patterns in all rules");
}

#[test]
fn a_pattern_is_paid_for_by_the_length_of_the_text_and_its_own() {
    let words = |count: usize| json!({"a": "word 12 ".repeat(count)});
    let matched = r"!self.a.matches('^([a-z]+ [0-9]{1,4} )*$')";
    is_run(matched, &words(1000));
    is_run(r"!matches(self.a, '(?i)WORD\\s+\\d')", &words(200));
    is_passed_over(rule("attack", matched), &words(120_000));
    let heavy = "!self.a.matches('(x?){60}[a-z]{60}$')";
    is_passed_over(rule("attack", heavy), &json!({"a": "x".repeat(1_000_000)}));
    let looped = json!({"a": vec!["word 12"; 50_000]});
    is_passed_over(rule("attack", "self.a.exists(x, !x.matches('^[a-z]+ [0-9]+$'))"), &looped);
}

#[test]
fn each_over_a_hundred_thousand_facts_is_passed_over_and_a_thousand_are_not() {
    let facts = |count: usize| json!({"a": vec![json!({"path": "a.0", "quote": "q"}); count], "b": vec![1; 500]});
    let each = |costs: &str| with(rule("attack", costs), json!({"each": "self.a"}));
    is_passed_over(each("self.b.all(x, x == 2)"), &facts(20_000));
    is_passed_over(each("it.path == '' || self.b.exists(x, x > 1)"), &facts(20_000));
    assert_eq!(found(json!([each("false")]), &facts(1000)), ["rule:attack"]);
}

#[test]
fn messages_evidence_and_fixes_are_bounded_too() {
    let long = "é".repeat(10_000);
    let facts: Vec<Value> = (0..400).map(|n| json!({"path": format!("a.{n}"), "quote": long[..200]})).collect();
    let document = json!({"a": facts, "b": long, "c": vec![json!({"d": long[..2000]}); 100]});
    let mut costly = with(
        rule("attack", "false"),
        json!({
            "each": "self.a", "messageExpression": "self.b + it.quote", "suggestionExpression": "self.b",
            "evidence": ["c", "c.*", "c.*.d", "b", "a"], "fix": {"a": "self.c", "it": "self.b + self.b"}
        }),
    );
    costly.as_object_mut().expect("an object").remove("message");
    let loud = assistant(json!([costly])).expect("taken");
    let shown = loud.detect(&content(document.clone())).contradictions;
    assert_eq!(shown.len(), 50);
    assert!(serde_json::to_string(&shown).expect("text").len() < 4_000_000);

    let named = json!({"fields": vec!["f".repeat(50); 20], "each": "self.a", "rule": "false"});
    let many: Vec<Value> = (0..20).map(|n| with(rule(&n.to_string(), "false"), named.clone())).collect();
    let facts = json!({"a": vec![json!({"path": "a", "quote": "q"}); 60]});
    let shown = assistant(Value::from(many)).expect("taken").detect(&content(facts)).contradictions;
    assert!(serde_json::to_string(&shown).expect("text").len() < 2_000_000);

    let single = json!({"a": [document["a"][0]], "b": document["b"], "c": document["c"]});
    let findings = loud.detect(&content(single)).contradictions;
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].reason, "é".repeat(1000));
    assert_eq!(findings[0].suggestion.as_deref(), Some(findings[0].reason.as_str()));
    assert!(
        findings[0]
            .evidence
            .iter()
            .all(|evidence| evidence.quote.as_ref().is_some_and(|quote| quote.chars().count() <= 200))
    );
    assert_eq!(findings[0].evidence.len(), 51);
}

#[test]
fn an_error_that_an_expression_passes_over_does_not_hide_that_it_costs_too_much() {
    let many = json!({"a": vec![1; 300_000], "b": true});
    for attack in [
        "!(self.a.all(x, self.a.all(y, x == y)) || self.b)",
        "!(self.a.all(x, self.a.all(y, x == y)) || true)",
        "self.a.all(x, self.a.all(y, x == y)) && false",
    ] {
        assert_eq!(found(json!([rule("a", attack)]), &many), [""; 0], "{attack}");
    }
}

#[test]
fn all_rules_together_have_a_bound_and_what_comes_first_is_found_first() {
    let many = json!({"a": vec![1; 20_000]});
    let costly: Vec<Value> = (0..150).map(|n| rule(&n.to_string(), "!self.a.all(x, x < 9)")).collect();
    let found = found(Value::from(costly), &many);
    assert!((1..50).contains(&found.len()), "{} rules were run", found.len());
    assert_eq!(found[0], "rule:0");
}

#[test]
fn a_schema_has_a_bounded_number_of_rules_and_expressions() {
    let rules = |count: usize, text: &str| -> Value { (0..count).map(|n| rule(&n.to_string(), text)).collect() };
    let said = |rules: Value| assistant(rules).err().unwrap_or_else(|| "taken".to_owned());
    assert_eq!(said(rules(200, "true")), "taken");
    assert_eq!(said(rules(201, "true")), "at /x-rules: has more than 200 rules");
    let long = format!("'{}' == ''", "x".repeat(1900));
    let together = "the expressions of all rules are longer than 100000 bytes together";
    assert!(said(rules(60, &long)).ends_with(together), "{}", said(rules(60, &long)));
    let names = |count: usize| (0..count).map(|n| format!("f{n}")).collect::<Vec<_>>();
    for (changes, reason) in [
        (json!({"fields": names(21)}), "at /x-rules/0/fields: names more than 20"),
        (json!({"evidence": names(21)}), "at /x-rules/0/evidence: names more than 20"),
        (
            json!({"fields": vec!["f".repeat(51); 20]}),
            "at /x-rules/0/fields: has names of more than 1000 bytes together",
        ),
        (json!({"message": "m".repeat(1001)}), "at /x-rules/0/message: is longer than 1000 bytes"),
        (json!({"fields": ["a", "status"]}), "at /x-rules/0/fields/1: belongs to the service and is no content"),
    ] {
        assert_eq!(said(json!([with(rule("r", "true"), changes)])), reason);
    }
}

#[test]
fn expressions_as_deep_and_as_long_as_they_may_be_run_on_a_small_stack() {
    let nested = |open: &str, inner: &str, close: &str, times: usize| {
        format!("{}{inner}{}", open.repeat(times), close.repeat(times))
    };
    for text in [
        nested("(", "self.a == 1", ")", 900),
        nested("[", "self.a", "]", 60) + " == [1]",
        nested("{'k': ", "self.a", "}", 60) + " == {}",
        nested("!(", "false", ")", 60),
        nested("(self.a == 1 ? ", "false", " : true)", 60),
        format!("{}1 == self.a", "1 + ".repeat(60)),
        format!("{}false", "self.a == 2 || ".repeat(120)),
        format!("self.a{} == 1", ".a".repeat(900)),
        format!("self.a{} == 1", "[0]".repeat(600)),
        nested("size([", "self.a", "])", 30) + " == 3",
        nested("-", "self.a", "", 900) + " == 3",
        nested("[1].map(x, ", "self.a", ")", 100) + " == 3",
    ] {
        // The service may refuse or accept the rule, but must not crash.
        if let Ok(assistant) = assistant(json!([rule("r", &text)])) {
            assistant.detect(&content(json!({"a": 1})));
        }
    }
}

#[test]
fn a_rule_that_does_not_fit_the_types_of_its_own_schema_is_refused_at_load() {
    let said = |rule: Value| {
        let properties = json!({
            "title": {"type": "string"}, "count": {"type": "integer"}, "words": {"type": "array", "items": {"type": "string"}},
            "steps": {"type": "array", "items": {"type": "object", "properties": {"text": {"type": "string"}}}},
            "most": {"anyOf": [{"type": "null"}, {"type": "number"}]}, "open": {},
            "kind": {"oneOf": [{"properties": {"one": {"type": "string"}}}, {"properties": {"two": {"type": "string"}}}]}
        });
        let schema = json!({"properties": properties, "x-rules": [rule]}).to_string();
        let schema = Schema::parse(&schema).expect("a schema");
        Assistant::for_schema(&schema).err().map_or("taken".to_owned(), |error| error.to_string())
    };
    let rule = |changes: Value| {
        let rule = json!({"id": "r", "fields": ["title", "count"], "when": "has(self.title) && has(self.count)",
                          "rule": "true", "message": "m"});
        with(rule, changes)
    };
    let misfit = "at /x-rules/0: fails for a document with all fields of the schema: ";
    for (changes, reason) in [
        (json!({"rule": "self.title > self.count"}), "found no matching overload for '_>_' applied to '(string, int)'"),
        (json!({"rule": "self.count"}), "true or false was expected, not int"),
        (json!({"rule": "self.cuont > 1"}), "No such key: cuont"),
        (
            json!({"rule": "self.words.all(w, w > 1)"}),
            "found no matching overload for '_>_' applied to '(string, int)'",
        ),
        (json!({"rule": "self.steps.all(s, s.txt != '')"}), "No such key: txt"),
        (json!({"message": null, "messageExpression": "'it has ' + self.count"}), "Unsupported binary operator 'add'"),
        (json!({"suggestionExpression": "self.count"}), "a text was expected, not int"),
        (json!({"fix": {"count": "self.title - 1"}}), "Unsupported binary operator 'sub'"),
        (json!({"rule": "lessonMinutes(self.title) < 5"}), "Unexpected type: got 'something else for lessonMinutes'"),
        (json!({"rule": "self.words[0.5] == ''"}), "Unexpected type: got 'double', want 'a whole number or a text'"),
        (json!({"rule": "self.count.matches('1')"}), "Unexpected type: got 'int', want 'a text'"),
        (json!({"each": "self.count"}), "each must give a list"),
        (json!({"each": "self.words"}), "the items of each must have a text \"path\""),
    ] {
        let said = said(rule(changes));
        assert!(said.starts_with(&format!("{misfit}{reason}")), "{said}");
    }
    for taken in ["self.most > 1", "self.open > 1", "self.kind.two == ''"] {
        assert_eq!(said(rule(json!({"rule": taken}))), "taken", "{taken}");
    }
    for taken in
        ["int(self.title) > 1", "10 / (self.count - 1) > 1", "self.words[3] == ''", "has(self.other.x) || true"]
    {
        assert_eq!(said(rule(json!({"when": "has(self.title)", "rule": taken}))), "taken", "{taken}");
    }
}

#[test]
fn a_mend_that_makes_its_rule_fail_or_cost_too_much_is_not_taken() {
    for fix in ["'text'", "self.b.map(x, self.b)"] {
        let schema = json!({"x-rules": [{
            "id": "r", "fields": ["a"], "when": "has(self.a) && has(self.b)", "message": "m", "fix": {"a": fix},
            "rule": "type(self.a) == int ? self.a > 5 : (self.a.all(x, self.a.all(y, y != x)))"
        }]});
        let schema = Schema::parse(&schema.to_string()).expect("a schema");
        let assistant = Assistant::for_schema(&schema).expect("taken");
        let content = content(json!({"a": 1, "b": vec![1; 200]}));
        let scope = |field| Scope { content: &content, field, schema: &schema, dismissals: &[] };
        assert!(assistant.resolve(&scope("a")).is_err(), "{fix}");
        assert_eq!(assistant.regenerate(&scope("other")).content, content, "{fix}");
    }
}
