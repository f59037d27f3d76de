//! Things that a rule keeps apart: "keep ethanol away from any flame".

use std::ops::Range;

use super::doings;
use super::names::{FLAMES, FLAMMABLE};
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::phrases::{self, lists};

/// "Keep ethanol away from any flame", "no flames near the foam", "magnets are kept away from phones".
pub(super) fn together(text: &Text, sentence: &Range<usize>) -> Option<(usize, [Vec<String>; 2])> {
    let kept = sentence.clone().any(|t| phrases::verb(text.word(t), &["keep", "stay", "hold"]).is_some());
    let at = sentence.clone().find(|t| {
        let apart = text.has_at(*t, &["away", "from"])
            || text.has_at(*t, &["clear", "of"])
            || text.has_at(*t, &["far", "from"]);
        let near = lists!("near", text.word(*t)) && phrases::is_denied(text, *t)
            || doings::heats_over(text, sentence.start, *t);
        apart && kept && !phrases::is_denied(text, *t) || near
    })?;
    let (start, end) = (phrases::clause_start(text, at), phrases::clause_end(text, at));
    let first = |range: Range<usize>| {
        let words = phrases::groups(text, range).into_iter().flat_map(|group| group.words);
        let words = words.filter(|word| {
            !lists(
                "keep stay hold well clear anything all bring come go must should safe always never nobody source equipment \
                 metre contact out goe brought put placed use used work place burning heat warm boil",
                word,
            ) && !phrases::is_denial(word)
        });
        words.collect::<Vec<_>>()
    };
    // "Magnets are kept out of mouths and away from phones" keeps magnets from phones.
    let out = (start..at).find(|t| lists!("out from of in on at", text.word(*t))).unwrap_or(at);
    let (mut one, mut other) = (first(start..out), first(at + 1..end));
    let people = |word: &String| {
        lists!(
            "hand finger face eye hair clothing clothe mouth skin sleeve head body pupil student child people person you edge \
             fire exit window door bank path",
            word,
        )
    };
    if one.is_empty() || other.is_empty() || one.iter().chain(&other).any(people) || one.len() + other.len() > 7 {
        return None;
    }
    for words in [&mut one, &mut other] {
        if words.iter().any(|word| lists!("flammable inflammable", word)) {
            *words = FLAMMABLE.split_ascii_whitespace().map(str::to_owned).collect();
        } else if words.iter().any(|word| lists!(FLAMES, word)) {
            *words = FLAMES.split_ascii_whitespace().map(str::to_owned).collect();
        } else if words.iter().any(|word| lists!("electrical electric electronic mains", word)) {
            *words = ["lamp", "plug", "socket", "cord", "cable", "supply"].map(str::to_owned).to_vec();
        }
    }
    Some((at, [one, other]))
}
