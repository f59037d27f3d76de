//! Properties of the assistant for any content and any schema. Fuzz targets and property tests check the same ones.

use fieldbook::assistant::Assistant;
use fieldbook::assistant::fix::{Meter, Scope};
use fieldbook::domain::content::Content;
use fieldbook::domain::finding::{Evidence, Finding};
use fieldbook::domain::json;
use fieldbook::domain::path::FieldPath;
use fieldbook::domain::schema::Schema;
use serde_json::{Value, json};

/// Maximum number of fields that are resolved and regenerated in one content.
const MAX_FIELDS: usize = 4;

/// Creates content from bytes: a JSON document, or the lines of a text put into the fields of a lesson. Returns `None`
/// if the bytes are not UTF-8.
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

/// Checks that finding, resolving and regenerating do not panic, that quotes are at their paths, that resolved
/// contradictions disappear, and that regeneration does not change its own field.
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
        let scope = Scope { content, field, schema, dismissals: &[], meter: &Meter::default() };
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

/// Returns true if the value at the path contains the quote, except for the dots of a shortened quote. Evidence without
/// a quote must say that something is missing in the list or field at the path, which must exist.
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

/// Reads `text` as a schema. Checks that it is refused, or can validate and check every document.
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
        let _ = assistant.resolve(&Scope {
            content: &content,
            field: "a",
            schema: &schema,
            dismissals: &[],
            meter: &Meter::default(),
        });
    }
}
