//! Things named by a last word alone, as "the flask" is: whether it is that which the list lacks.

use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::nouns::ARTICLES;
use crate::assistant::facts::numbers::small_number;
use crate::assistant::facts::words::Kind;

/// Words before a thing that tell nothing of its kind.
const PLAIN: &str = "small large big bigger smaller larger medium tall short clean dry empty fresh new same other second third \
    fourth fifth next last first spare warm cold hot cool wide narrow deep shallow clear transparent long thick thin \
    glass plastic metal steel wooden full filled sealed whole and dilute diluted more some each every both all with \
    using of in into on onto through to from by or , ( : ; is are excess concentrated cm cm³ ml l g mm";

/// Whether a name is a longer one of the same word: "conical flask" of "flask".
pub fn ends_with(longer: &str, name: &str) -> bool {
    longer.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with([' ', '-']))
}

/// Whether what stands before the word makes it another thing: "a delivery tube", "amino acid".
pub fn is_another(text: &Text, at: usize) -> bool {
    let start = text.sentence(at).start;
    let Some(before) = at.checked_sub(1).filter(|before| *before >= start) else { return false };
    let known = text.tokens.get(before).is_some_and(|token| {
        token.is_one_of(ARTICLES)
            || matches!(token.kind, Kind::Number(_))
            || small_number(&token.word).is_some()
            || lists!(PLAIN, &token.word)
    });
    // A verb takes it: "swirl flasks".
    let verb = || before == start || lists!("and then to", text.word(before - 1));
    !known && !verb()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    #[test]
    fn a_noun_before_a_word_makes_it_another_thing() {
        for (said, word, another) in [
            ("Put it in the flask.", "flask", false),
            ("Put it in the small dry flask.", "flask", false),
            ("Swirl flasks gently.", "flask", false),
            ("Add 5 mL of acid.", "acid", false),
            ("Heat the amino acid.", "acid", true),
            ("Join the delivery tube to it.", "tube", true),
            ("Weigh the potato cylinder.", "cylinder", true),
        ] {
            let content = json!({ "title": said });
            let lesson = Lesson::of(content.as_object().expect("an object"));
            let text = &lesson.texts()[0];
            let at = (0..text.tokens.len()).find(|at| text.lemma(*at) == word).expect("the word");
            assert_eq!(is_another(text, at), another, "{said}");
        }
    }

    #[test]
    fn a_longer_name_ends_with_the_word() {
        assert!(ends_with("conical flask", "flask") && ends_with("u-tube", "tube") && ends_with("jug", "jug"));
        assert!(!ends_with("wolfram", "ram") && !ends_with("flask", "conical flask"));
    }
}
