//! What holds for any content, any rule and any schema. The fuzz targets and the property tests ask for the same.

use fieldbook::assistant::Assistant;
use fieldbook::assistant::fix::Scope;
use fieldbook::domain::content::Content;
use fieldbook::domain::finding::{Evidence, Finding};
use fieldbook::domain::json;
use fieldbook::domain::path::FieldPath;
use fieldbook::domain::schema::Schema;
use serde_json::{Value, json};

/// Of one content so many fields are resolved and regenerated.
const MAX_FIELDS: usize = 4;

/// The content that bytes stand for: a document, or the lines of a text laid out as one. `None` for what is not a text.
pub fn content(bytes: &[u8]) -> Option<Content> {
    if bytes.first() == Some(&b'{')
        && let Ok(Value::Object(content)) = json::parse(bytes)
    {
        return Some(content);
    }
    let text = std::str::from_utf8(bytes).ok()?;
    let mut lines = text.lines();
    let head = lines.next().unwrap_or_default();
    let number = |text: &str| text.chars().filter(char::is_ascii_digit).take(3).collect::<String>().parse::<i64>().ok();
    let step = |line: &str| json!({"text": line, "minutes": number(line)});
    let document = json!({
        "title": head, "durationMinutes": number(head), "groupSize": number(head), "grade": head,
        "hypothesis": head, "assessment": text, "safety": [head],
        "variables": {"independent": head, "controlled": lines.clone().take(3).collect::<Vec<_>>()},
        "materials": lines.clone().take(4).map(|line| json!({"name": line, "quantity": number(line)})).collect::<Vec<_>>(),
        "steps": lines.map(step).collect::<Vec<_>>(),
    });
    document.as_object().cloned()
}

/// Finding, resolving and regenerating do not panic; quotes stand where they are said to stand; what is resolved is
/// found no more; and what others are regenerated from stays as it is.
pub fn hold_for(assistant: &Assistant, schema: &Schema, content: &Content) {
    let findings = assistant.detect(content);
    let document = Value::Object(content.clone());
    let all = || findings.contradictions.iter().chain(&findings.hints);
    for evidence in all().flat_map(|finding| &finding.evidence) {
        assert!(stands_there(evidence, &document), "{evidence:?} is not what stands there");
    }
    let mut fields: Vec<&str> = all().flat_map(sides).collect();
    fields.sort_unstable();
    fields.dedup();
    for field in fields.into_iter().take(MAX_FIELDS) {
        let scope = Scope { content, field, schema, dismissals: &[] };
        if let Ok(resolved) = assistant.resolve(&scope) {
            let after = assistant.detect(&resolved.content);
            let left = |finding: &&Finding| finding.touches(field) && !resolved.left.contains(finding);
            let found: Vec<&Finding> = after.contradictions.iter().filter(left).collect();
            assert!(found.is_empty(), "{field} was resolved but for {:?}, and yet there is {found:?}", resolved.left);
            assert!(
                !resolved.fixed.is_empty() && resolved.content != *content,
                "{field} was resolved, and nothing was done"
            );
        }
        let resolved = assistant.regenerate(&scope);
        assert_eq!(resolved.content.get(field), content.get(field), "{field} is not as it was");
        assert_eq!(resolved.fixed.is_empty(), resolved.content == *content, "{field} says what was done");
    }
}

fn sides(finding: &Finding) -> impl Iterator<Item = &str> {
    finding.conflicts_with.iter().map(String::as_str).chain([finding.field_name.as_str()])
}

/// Whether a quote occurs in the value at its path, to the letter but for the dots where it was shortened; or whether there
/// is a list or field from which something can be missing.
fn stands_there(evidence: &Evidence, document: &Value) -> bool {
    let value = FieldPath::parse(&evidence.field_path).get(document);
    let Some(quote) = &evidence.quote else { return evidence.missing && value.is_some() };
    let quote = quote.trim_end_matches('…');
    match value {
        Some(Value::String(text)) => text.contains(quote),
        Some(other) => other.to_string().contains(quote),
        None => false,
    }
}

/// The lines of `text` are a rule, its message, its list, its condition and its fix, of which all but the first may
/// be missing. The rule is refused, or it can be run on every document.
pub fn rule_is_refused_or_runs(text: &str) {
    let mut lines = text.lines();
    let mut rule =
        json!({"id": "r", "fields": ["a", "b"], "rule": lines.next().unwrap_or_default(), "evidence": ["a", "b.*"]});
    for key in ["messageExpression", "each", "when"] {
        if let Some(line) = lines.next().filter(|line| !line.is_empty()) {
            rule[key] = json!(line);
        }
    }
    if rule.get("messageExpression").is_none() {
        rule["message"] = json!("m");
    }
    if let Some(line) = lines.next() {
        rule["fix"] = json!({"a": line});
    }
    let Ok(schema) = Schema::parse(&json!({ "x-rules": [rule] }).to_string()) else { return };
    let Ok(assistant) = Assistant::for_schema(&schema) else { return };
    let facts: Vec<Value> = (0..60).map(|n| json!({"path": "b.0", "quote": "see step 9", "n": n})).collect();
    for document in [
        json!({"a": 1, "b": [1, 2.5, "x", null, true, {"c": [u64::MAX, i64::MIN, -1e300]}]}),
        json!({"a": "see step 9 of 1", "b": ["x".repeat(5000), "é\u{0}\"", ""], "steps": [{"text": "step 2", "minutes": 3}]}),
        json!({"a": facts, "b": {"x": {"y": [[[[1]]]]}}}),
        json!({"a": (0..3000).collect::<Vec<_>>(), "b": vec!["see step 9"; 300]}),
        json!({"a": (0..3000).map(|n| (format!("k{n}"), json!(n))).collect::<Content>(), "b": [["", 1]]}),
    ] {
        let content = document.as_object().cloned().unwrap_or_default();
        assistant.detect(&content);
        // A rule may fix one thing and break another on purpose; that it ends is what counts.
        let _ = assistant.resolve(&Scope { content: &content, field: "a", schema: &schema, dismissals: &[] });
    }
}

/// `text` as a schema. It is refused, or it reads every document: says what is wrong in it and what it contradicts.
pub fn schema_is_refused_or_reads(text: &str) {
    let Ok(schema) = Schema::parse(text) else { return };
    let Ok(assistant) = Assistant::for_schema(&schema) else { return };
    let many: Content = (0..2000).map(|n| (format!("k{n}"), json!([n, "ab".repeat(40)]))).collect();
    let deep = (0..100).fold(json!("é"), |inner, n| if n % 2 == 0 { json!([inner]) } else { json!({ "a": inner }) });
    for document in [
        json!({"a": deep, "b": [1, 2.5, "x", null, true, {"a": u64::MAX}], "title": "ab".repeat(5000)}),
        json!({"a": (0..2000).collect::<Vec<_>>(), "b": vec![json!({"a": "x"}); 500], "many": many}),
    ] {
        let content = document.as_object().cloned().unwrap_or_default();
        schema.violations(&content);
        schema.missing_fields(&content).for_each(drop);
        assistant.detect(&content);
        let _ = assistant.resolve(&Scope { content: &content, field: "a", schema: &schema, dismissals: &[] });
    }
}
