//! `GET /api/investigation/format`

use insta::assert_snapshot;

use crate::support::TestApp;

#[tokio::test]
async fn format_endpoint_returns_the_schema_and_its_active_rules() {
    let schema = r#"{"type":"object","properties":{
        "title":{"type":"string","title":"Title","x-complete":true},
        "groupSize":{"type":["integer","null"]},
        "durationMinutes":{"type":"string"},
        "grade":{}
    },"x-rules-off":["grade_name"]}"#;
    let (_app, _, teacher) = TestApp::start_with_schema(schema).await;
    assert_snapshot!(teacher.get("/api/investigation/format").await, @r#"
    GET /api/investigation/format
    200 OK
    {
      "format": {
        "type": "object",
        "properties": {
          "title": {"type": "string", "title": "Title", "x-complete": true},
          "groupSize": {"type": ["integer", "null"]}, "durationMinutes": {"type": "string"}, "grade": {}
        },
        "x-rules-off": ["grade_name"],
        "x-rules": [
          {
            "id": "group_size",
            "description": "A text that states how many pupils work together agrees with the group size.",
            "level": "contradiction", "fields": ["groupSize"], "hasFix": true
          }
        ]
      }
    }
    "#);
}

#[tokio::test]
async fn built_in_schema_has_a_label_a_help_text_and_a_position_for_every_field() {
    let (_app, _, teacher) = TestApp::start().await;
    let format = teacher.get("/api/investigation/format").await.json()["format"].clone();
    assert_eq!(format["$schema"], "https://json-schema.org/draft/2020-12/schema");
    let fields = format["properties"].as_object().expect("an object");
    let mut shown = String::new();
    for (name, field) in fields {
        assert!(field["title"].is_string() && field["description"].is_string(), "{name}: {field}");
        let complete = if field["x-complete"] == true { " counts" } else { "" };
        let audience = field["x-audience"].as_str().map(|audience| format!(" {audience}")).unwrap_or_default();
        shown += &format!("{} {name}: {}{complete}{audience}\n", field["x-order"], field["type"]);
    }
    assert_snapshot!(shown, @r#"
    1 title: "string" counts pupil
    2 grade: ["string","integer"] counts
    5 curriculum: "string" counts
    19 language: "string"
    6 phenomenon: "string" pupil
    7 drivingQuestion: "string" counts pupil
    9 objectives: "array" counts
    10 hypothesis: "string"
    11 variables: "object"
    12 materials: "array" counts pupil
    3 groupSize: "integer"
    4 durationMinutes: "integer" counts
    14 steps: "array" counts pupil
    13 safety: "array" pupil
    15 assessment: "string" counts
    17 vocabulary: "array" pupil
    16 differentiation: "string"
    18 homework: "string" pupil
    8 pictures: "array" pupil
    "#);
    let rules: Vec<&str> =
        format["x-rules"].as_array().expect("rules").iter().filter_map(|r| r["id"].as_str()).collect();
    assert_snapshot!(rules.join(" "), @"duration_sum lesson_length step_reference group_size grade_code grade_code_near grade_name same_variable material_amount");
}
