//! A class, what each of its groups has one of, and how many of that there are: "one poster per group: from our 20 students I
//! expect ten posters".

use super::Count;
use super::counted::GROUPS;
use super::shares::{counts, is_spared, total};
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::lists::lists;

/// The number that does not come out, and the class.
pub(super) fn find(text: &Text, size: i64) -> Option<(Count, i64)> {
    let numerals = text.numerals();
    if numerals.len() < 2 || numerals.len() > 8 {
        return None;
    }
    let (thing, at) = (0..text.tokens.len()).find_map(|at| Some((one_per_group(text, at)?, at)))?;
    let all = counts(text);
    let total = total(text, &all)?;
    let (first, last) = (at.min(total.numeral.tokens.start), at.max(total.numeral.tokens.start));
    let window = text.sentence(first).start..text.sentence(last).end;
    if last - first > 40 || window.clone().any(|at| is_spared(text, at)) {
        return None;
    }
    let fits = |value: i64| (total.value / size..=(total.value + size - 1) / size).contains(&value);
    let mut others = all.iter().filter(|count| {
        count.numeral != total.numeral
            && window.contains(&count.numeral.tokens.start)
            && (2..=30).contains(&count.value)
    });
    if others.clone().any(|count| fits(count.value)) {
        return None;
    }
    let wrong = others.find(|count| is_of_it(text, count, &thing))?;
    Some((Count { value: wrong.value, numeral: wrong.numeral.clone() }, total.value))
}

/// "One poster per group", "a ring to a group", "each group has one burner": what there is one of.
fn one_per_group(text: &Text, at: usize) -> Option<String> {
    let group = |at: usize| GROUPS.contains(&text.word(at));
    if lists!("one a an", text.word(at)) {
        let per = (at + 2..at + 4).find(|at| lists!("per for to from", text.word(*at)))?;
        let article = usize::from(text.word(per) != "per");
        let each = article == 0 || lists!("each every a one", text.word(per + 1));
        return (each && group(per + article + 1)).then(|| text.lemma(per - 1).to_owned());
    }
    if lists!("each every", text.word(at)) && group(at + 1) {
        let one = (at + 2..at + 6).find(|at| lists!("one a an", text.word(*at)))?;
        let gets =
            lists!("has gets makes takes needs uses builds draws hands lights writes designs", text.word(one - 1));
        let ends =
            |at: usize| text.tokens.get(at).is_none_or(|token| !token.is_word() || lists!("and so", &token.word));
        return (gets && ends(one + 2)).then(|| text.lemma(one + 1).to_owned());
    }
    None
}

/// Whether a number counts these things, or what follows from the class: "that means just six lit flames".
fn is_of_it(text: &Text, count: &Count, thing: &str) -> bool {
    let (start, end) = (count.numeral.tokens.start, count.numeral.tokens.end);
    let before = |back: usize| start.checked_sub(back).map_or("", |at| text.word(at));
    if lists!("each every of than least most per for", before(1)) {
        return false;
    }
    let follows = || {
        (1..3).any(|back| lists!("means makes gives need needs requires", before(back)))
            && (1..5).any(|back| lists!("that which this students pupils children", before(back)))
    };
    (end..end + 3)
        .take_while(|at| text.tokens.get(*at).is_some_and(|token| token.is_word()))
        .find(|at| text.lemma(*at) != text.word(*at) && text.word(*at).ends_with('s'))
        .is_some_and(|at| {
            let things = !lists!(
                "minute second hour step gram trip time adult helper row table visit round queue",
                text.lemma(at)
            );
            text.lemma(at) == thing || things && follows()
        })
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn found(size: i64, text: &str) -> usize {
        let content = json!({"groupSize": size, "steps": [{"text": text}]});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn what_each_group_has_one_of_is_counted_against_the_class() {
        for (size, text) in [
            (4, "One poster per group: from our 20 students I expect ten posters, to be hung in the library."),
            (7, "My 21 little ones sit down in seven rings on the mat, a ring to a group."),
            (3, "One burner per group. With thirty students that means just six lit flames in the lab."),
            (4, "Each group makes one poster. The 28 pupils hang nine posters on the wall."),
            (2, "For our 24 pupils I have set up eight circuits, one circuit for each pair."),
        ] {
            assert_eq!(found(size, text), 1, "{text}");
        }
    }

    #[test]
    fn what_comes_out_or_is_something_else_is_passed_over() {
        for (size, text) in [
            (2, "One poster per group: from our 20 students I expect ten posters, to be hung in the library."),
            (5, "One burner per group. With thirty students that means just six lit flames in the lab."),
            (3, "One burner per group. With thirty students it takes six minutes to light them."),
            (4, "One poster per group. The 28 pupils vote with three stickers."),
            (4, "One poster per group. Of the 28 pupils, half have brought nine posters from home."),
            (4, "Each group makes one poster with five pictures. The 28 pupils walk round."),
        ] {
            assert_eq!(found(size, text), 0, "{text}");
        }
    }
}
