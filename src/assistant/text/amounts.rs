//! What the matchers of amounts share: how a conflict of two amounts is told and mended, and what is on the list.

use serde_json::Value;

use super::{Match, conflict as plain};
use crate::assistant::edit::{Edit, Mend};
use crate::assistant::facts::lesson::{Lesson, Material, Role, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::mentions::Mention;
use crate::assistant::facts::nouns;
use crate::assistant::facts::numbers;
use crate::assistant::facts::quantities::unit_at;
use crate::assistant::facts::words;
use crate::domain::finding::Evidence;
use crate::domain::path::FieldPath;

/// A conflict of two amounts, each of which may give way to the other.
pub fn conflict(matcher: &str, one: (&Text, &Mention), other: (&Text, &Mention)) -> Match {
    let told = |(text, mention): (&Text, &Mention)| {
        let end = mention.noun.as_ref().map_or(0, |noun| noun.tokens.end).max(mention.tokens.end);
        let whole = mention.tokens.start..end.min(mention.clause.end).max(mention.tokens.end);
        (text.words(&whole).to_owned(), place(text))
    };
    let ((first, where_first), (second, where_second)) = (told(one), told(other));
    let reason = format!("{where_first} says \"{first}\", but {where_second} says \"{second}\".");
    let found =
        plain(matcher, one.0.quote_sentence(one.1.tokens.start), other.0.quote_sentence(other.1.tokens.start), reason)
            .suggesting(format!("Write the same amount in both places: \"{first}\" or \"{second}\"."));
    // Between "number of drops: 5" and "8 drops" there is no copying.
    let has_unit = |(_, mention): (&Text, &Mention)| mention.tokens.end > mention.numeral.tokens.end;
    if has_unit(one) != has_unit(other) {
        return found;
    }
    found.mended_by(copied(one, other)).mended_by(copied(other, one))
}

/// The amount of `from` written in the place of that of `to`.
fn copied(to: (&Text, &Mention), from: (&Text, &Mention)) -> Mend {
    let (old, range) = to.1.words(to.0);
    let (new, _) = from.1.words(from.0);
    let text = if old.starts_with(char::is_uppercase) { capitalized(new) } else { new.to_lowercase_number() };
    Mend { path: to.0.path.clone(), edit: Edit::Splice { range, text } }
}

trait LowercaseNumber {
    fn to_lowercase_number(&self) -> String;
}

impl LowercaseNumber for str {
    /// The same with a small first letter where it is a word of more than one: `Six` is `six`, `N` stays.
    fn to_lowercase_number(&self) -> String {
        let mut letters = self.chars();
        match (letters.next(), letters.next()) {
            (Some(first), Some(second)) if first.is_alphabetic() && second.is_lowercase() => {
                first.to_lowercase().chain(self.chars().skip(1)).collect()
            }
            _ => self.to_owned(),
        }
    }
}

pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What an author calls the place of a text, at the beginning or inside of a sentence.
pub fn place(text: &Text) -> String {
    match text.role {
        Role::Step(index) => format!("step {}", index + 1),
        Role::Controlled(_) => "the controlled variable".to_owned(),
        Role::Dependent => "the dependent variable".to_owned(),
        Role::Hypothesis => "the hypothesis".to_owned(),
        Role::Objective(_) => "the objective".to_owned(),
        Role::Assessment => "the assessment".to_owned(),
        Role::MaterialName(_) | Role::MaterialQuantity(_) | Role::MaterialUnit(_) => "the list of materials".to_owned(),
        Role::MaterialNotes(_) => "the note on a material".to_owned(),
        _ => format!("the {}", text.field()),
    }
}

/// How much of a material there is, as far as it can be told.
#[derive(Debug, Clone, Copy)]
pub struct Stock {
    /// How many, or how much in the base unit of `dimension`.
    pub amount: f64,
    /// In what it is measured; `None` where it is counted.
    pub dimension: Option<crate::assistant::facts::units::Dimension>,
}

/// The number of a material, and the unit beside it or behind it: "6" and "strips".
fn number_and_unit(material: &Material) -> Option<(f64, String)> {
    let (number, rest) = match material.quantity? {
        Value::Number(number) => (number.as_f64()?, String::new()),
        Value::String(text) => {
            let tokens = words::tokens(text, 20);
            let numeral = crate::assistant::facts::numbers::numeral(&tokens, 0)?;
            let end = tokens.get(numeral.tokens.end.checked_sub(1)?)?.bytes.end;
            (numeral.single()?, text.get(end..)?.trim().to_owned())
        }
        _ => return None,
    };
    let unit = material.unit.unwrap_or(&rest).trim();
    // The steps of a lesson are those of one group.
    let groups = ["per", "for each", "for every", "each", "a"]
        .into_iter()
        .flat_map(|per| ["group", "team", "table", "bench", "crew"].map(|group| format!("{per} {group}")));
    // "One each" of jars of three sizes is no number of jars.
    let several = |name: &Text| name.tokens.iter().any(|token| token.is_one_of(&["and", ",", "&"]));
    if unit == "each" && several(material.name) {
        return None;
    }
    let alone = groups.into_iter().find_map(|group| unit.strip_suffix(group.as_str()));
    Some((number, alone.unwrap_or(unit).trim().to_owned()))
}

/// How much of a material is listed.
pub fn stock(material: &Material) -> Option<Stock> {
    let (number, unit) = number_and_unit(material)?;
    let unit = unit.as_str();
    if unit.is_empty() || matches!(unit, "pcs" | "pc" | "pieces" | "piece" | "each" | "items" | "item" | "count" | "x")
    {
        return Some(Stock { amount: number, dimension: None });
    }
    let tokens = words::tokens(unit, 20);
    let (known, end) = unit_at(unit, &tokens, 0)?;
    (end == tokens.len()).then(|| Stock { amount: known.to_base(number), dimension: Some(known.dimension) })
}

/// Where the number of a material stands, with what it says.
pub fn quantity(lesson: &Lesson, material: &Material) -> Evidence {
    let path = quantity_path(material);
    let value = lesson.field("materials").and_then(|list| list.get(material.index)).and_then(|m| m.get("quantity"));
    let quote = match value {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => material.name.text.to_owned(),
    };
    Evidence::new(&path, crate::assistant::quotes::shortened(&quote))
}

/// The path of the quantity of a material.
pub fn quantity_path(material: &Material) -> FieldPath {
    FieldPath::root().child("materials").child(material.index.to_string()).child("quantity")
}

/// Whether the list of materials agrees with an amount of its noun, as it is or several times.
pub fn listed(lesson: &Lesson, told: &Mention) -> bool {
    lesson.materials().iter().any(|material| {
        let fits = nouns::material(material.name)
            .zip(told.noun.as_ref())
            .is_some_and(|(name, noun)| name.fits(noun) || name.head == noun.head);
        let stock = stock(material).filter(|stock| stock.dimension == told.dimension);
        fits && stock.is_some_and(|stock| {
            // Round numbers of a bottle are several times nearly anything.
            if told.dimension.is_some() {
                return told.agrees_with_amount(stock.amount, stock.amount, false);
            }
            let ratio = stock.amount / told.low.max(1e-9);
            (ratio - ratio.round()).abs() < 0.01 && ratio >= 0.99
        })
    })
}

/// Whether a number is one of each of several things, other than of each group.
pub fn is_for_each(text: &Text) -> bool {
    (0..text.tokens.len()).any(|at| matches!(text.word(at), "per" | "each" | "every") && !is_the_group(text, at + 1))
}

/// The steps of a lesson are those of one group.
fn is_the_group(text: &Text, at: usize) -> bool {
    matches!(text.word(at), "group" | "team" | "table" | "bench")
}

/// The one material that a noun names, with how many of it there are; `None` where none or several do.
pub fn fitting<'l, 'c>(lesson: &'l Lesson<'c>, noun: &nouns::Phrase) -> Option<(Material<'l, 'c>, f64)> {
    let mut fitting = lesson.materials().into_iter().filter(|material| {
        nouns::material(material.name).is_some_and(|name| name.head == noun.head && name.fits(noun) || name.fits(noun))
    });
    let material = fitting.next()?;
    let stock = stock(&material).filter(|stock| stock.dimension.is_none() && stock.amount.fract() == 0.0)?;
    let alone = fitting.next().is_none()
        && !is_open(lesson, &material)
        && !is_of_a_row(material.name)
        && !comes_with_another(lesson, &material, noun)
        && !parts(lesson, noun).iter().any(|other| other.index != material.index);
    alone.then_some((material, stock.amount))
}

/// Whether a list has the "second diver" itself, beside what the first is made from.
fn is_of_a_row(name: &Text) -> bool {
    let begin = usize::from(name.word(0) == "the");
    let numbered = numbers::ordinal(&name.tokens, begin).filter(|(number, _)| *number > 1);
    numbered.is_some_and(|(_, range)| name.tokens.get(range.end).is_some_and(words::Token::is_word))
}

/// Whether another thing on the list has such a part: "stand with two clamps".
fn comes_with_another(lesson: &Lesson, known: &Material, noun: &nouns::Phrase) -> bool {
    let with = |name: &Text| {
        let joined = name.tokens.iter().position(|token| token.is_one_of(&["with", "and", "+", "&"]));
        joined.is_some_and(|at| name.tokens.iter().skip(at).any(|token| token.lemma == noun.head))
    };
    lesson.materials().iter().any(|other| other.index != known.index && with(other.name))
}

/// Whether a material is there for each of many, or can be had again.
fn is_open(lesson: &Lesson, material: &Material) -> bool {
    let open = |text: &Text| {
        let open = ["class", "child", "student", "pupil", "person", "refill", "more"];
        text.tokens.iter().any(|token| token.is_one_of(&open))
            || (0..text.tokens.len()).any(|at| text.word(at) == "per" && !is_the_group(text, at + 1))
    };
    material.notes.is_some_and(open) || lesson.text(Role::MaterialQuantity(material.index)).is_some_and(open)
}

/// The one material that is listed in such pieces ("sheet") of what is named after them, with how many there are.
pub fn pieces<'l, 'c>(lesson: &'l Lesson<'c>, text: &Text, piece: &nouns::Phrase) -> Option<(Material<'l, 'c>, f64)> {
    let of = piece.tokens.end;
    let substance = nouns::phrase(&text.tokens, of, false).filter(|_| text.word(of) == "of")?;
    // "20 sticks of spaghetti", where the list has "sticks of spaghetti"
    let whole = |material: &Material| {
        let name = material.name;
        let begin = name.tokens.iter().position(|token| token.lemma == piece.head);
        begin.is_some_and(|at| {
            name.word(at + 1) == "of"
                && nouns::phrase(&name.tokens, at + 1, false).is_some_and(|named| named.fits(&substance))
        })
    };
    let mut named = lesson.materials().into_iter().filter(|material| whole(material));
    if let (Some(material), None) = (named.next(), named.next()) {
        let stock = stock(&material).filter(|stock| stock.dimension.is_none())?;
        return (!is_open(lesson, &material)).then_some((material, stock.amount));
    }
    let mut fitting = lesson
        .materials()
        .into_iter()
        .filter(|material| nouns::material(material.name).is_some_and(|name| name.fits(&substance)));
    let material = fitting.next().filter(|_| fitting.next().is_none())?;
    let (number, unit) = number_and_unit(&material)?;
    (words::lemma(&unit) == piece.head && !is_open(lesson, &material)).then_some((material, number))
}

/// The materials that are listed in such parts: "paper tail", 3 "strips", beside a "bamboo strip".
fn parts<'l, 'c>(lesson: &'l Lesson<'c>, noun: &nouns::Phrase) -> Vec<Material<'l, 'c>> {
    const PARTS: &str = "sheet strand strip stick slice cube tablet stem sprig clove segment";
    let of_it = |material: &Material| {
        let known = |word: &String| material.name.tokens.iter().any(|token| token.lemma == *word);
        material.unit.is_some_and(|unit| words::lemma(unit) == noun.head) && noun.modifiers.iter().all(known)
    };
    if !lists!(PARTS, &noun.head) {
        return Vec::new();
    }
    lesson.materials().into_iter().filter(of_it).collect()
}

/// The one material that is listed in such parts, with how many there are: "40 strands" of spaghetti for "thirty strands".
/// Three bags may be other ones than the bag of flour.
pub fn in_units<'l, 'c>(lesson: &'l Lesson<'c>, noun: &nouns::Phrase) -> Option<(Material<'l, 'c>, f64)> {
    let in_unit = |material: &&Material| material.unit.is_some_and(|unit| words::lemma(unit) == noun.head);
    let material = parts(lesson, noun).pop().filter(|_| lesson.materials().iter().filter(in_unit).count() == 1)?;
    let (number, _) = number_and_unit(&material)?;
    (!is_open(lesson, &material)).then_some((material, number))
}

/// A conflict of a number in a text with that of a material, each of which may give way.
pub fn conflict_with_list(
    matcher: &str,
    lesson: &Lesson,
    (text, told): (&Text, &Mention),
    material: &Material,
    stock: f64,
) -> Match {
    let noun =
        told.noun.as_ref().map_or(told.tokens.clone(), |noun| told.tokens.start..noun.tokens.end.max(told.tokens.end));
    let reason = format!(
        "{} says \"{}\", but the list of materials has {stock} of \"{}\".",
        place(text),
        text.words(&noun),
        material.name.text,
    );
    let (_, range) = told.words(text);
    plain(matcher, text.quote_sentence(told.tokens.start), quantity(lesson, material), reason)
        .suggesting(format!("List {}, or write {stock}.", told.low))
        .mended_by(Mend { path: text.path.clone(), edit: Edit::Splice { range, text: stock.to_string() } })
        .mended_by(raised(material, told.low))
}

/// The mend that lists so many of a material.
pub fn raised(material: &Material, amount: f64) -> Mend {
    let whole = amount.fract() == 0.0 && amount.abs() < 1e15;
    let number = if whole { Value::from(amount as i64) } else { Value::from(amount) };
    let edit = match material.quantity {
        Some(Value::String(text)) => {
            let digits = text.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
            match digits {
                0 => Edit::Replace(number),
                end => Edit::Splice { range: 0..end, text: number.to_string() },
            }
        }
        _ => Edit::Replace(number),
    };
    Mend { path: quantity_path(material), edit }
}
