//! The prefilter, a pattern of words. Every text with a fact matches the pattern, so other texts need not be read.

use std::fmt::Debug;

use fieldbook::assistant::facts::pattern::Pattern;
use fieldbook::assistant::facts::{Reading, Text, group_size, in_texts, lesson_length, step_reference};
use fieldbook::assistant::rules::Document;
use fieldbook::domain::path::FieldPath;
use proptest::prelude::*;
use serde_json::json;

/// Generates texts that contain statements of the forms in `patterns`, some in capitals, among other words.
fn texts(patterns: &'static [&'static str]) -> impl Strategy<Value = Vec<String>> {
    let statement = prop::sample::select(patterns).prop_flat_map(|pattern| pattern);
    let in_case =
        (statement, any::<bool>()).prop_map(|(text, upper)| if upper { text.to_ascii_uppercase() } else { text });
    let other = "(Group|of|minute|lesson|step|[a-z0-9é\n]{0,3})";
    let words = prop::collection::vec(prop_oneof![in_case, other, other], 0..4);
    prop::collection::vec(words.prop_map(|words| words.join(" ")), 0..6)
}

/// Checks that the facts in a document are the same as those found by reading each of its texts separately. Only the
/// first way uses the prefilter.
fn same_facts<T: Debug + PartialEq>(
    texts: &[String],
    words: &Pattern,
    read: impl Fn(&str) -> Vec<Reading<T>>,
) -> Result<(), TestCaseError> {
    let content = json!({ "texts": texts });
    let path = |index: usize| FieldPath::root().child("texts").child(index.to_string());
    let alone: Vec<_> = texts.iter().enumerate().map(|(index, text)| Text { path: path(index), text }).collect();
    let document = Document::new(content.as_object().expect("an object"));
    prop_assert_eq!(document.facts(words, &read), in_texts(&alone, &read));
    Ok(())
}

const NUMBERED_GROUPS: &[&str] = &[
    "(work|Sit|get) (all )?(in|into)[ \u{a0}](twos|threes|fours|fives|sixes)",
    "(working|in|per|our)\n(small |their )?(group|team|crew)s?[ \t\u{a0}]of[ \u{a0}](3|four|twenty-five|½)( ?(-|to) ?5)?",
    "work(s|ing|ed)? (together )?(in|as) (a )?pairs?",
];
const LESSON_LENGTHS: &[&str] = &[
    "(this|our|today's|today’s|a|an|one) (whole |usual )?(40|forty|half|an)?[- ]{0,2}(min|mins|minute|hours?|hrs?)[- ](long )?(double |biology )?(lesson|class period|period|lab)",
    "(this|our|today’s|the entire) (science )?(lesson|class period|workshop)\u{a0}(lasts|takes|runs|is|has)( only| over in)? (50|two)[- ]?(minutes|hrs)",
    "(in|within) the 40 (min|hours?) of (this|our|today’s) (whole )?(session|practical)",
    "(40|one) (minutes|hr) for (this|our|the whole|the\tentire) (whole )?(lesson|class)",
    "(one|a|our|double) (single |science )?(lesson|session) of (90|two) ?(minutes|hours)",
];
const STEP_REFERENCES: &[&str] = &[
    "steps? +(number )?(3|nine)",
    "steps\n(2|two) ?(,|–|and|through) ?(and )?4",
    "the[ \u{a0}](first|2nd|33rd|ninth) +step",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn prefilter_matches_every_text_with_a_group_size(texts in texts(NUMBERED_GROUPS)) {
        same_facts(&texts, &group_size::WORDS, group_size::read)?;
    }

    #[test]
    fn prefilter_matches_every_text_with_a_lesson_length(texts in texts(LESSON_LENGTHS)) {
        same_facts(&texts, &lesson_length::WORDS, lesson_length::read)?;
    }

    #[test]
    fn prefilter_matches_every_text_with_a_step_reference(texts in texts(STEP_REFERENCES)) {
        same_facts(&texts, &step_reference::WORDS, step_reference::read)?;
    }
}
