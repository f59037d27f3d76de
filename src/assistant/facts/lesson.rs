//! The lesson: a document of the built-in form as matchers read it, every text with its role and its tokens.
//!
//! What has another form than the built-in schema's is passed over: it has no role.

use std::cell::OnceCell;
use std::ops::Range;

use serde_json::Value;

use super::actions::{self, Action};
use super::clauses::{self, Around};
use super::mentions::{self, Mention};
use super::nouns::{self, Phrase};
use super::numbers::{self, Numeral};
use super::quantities::{self, Quantity};
use super::words::{self, Token};
pub use crate::assistant::quotes::shortened;
use crate::domain::content::{self, Content};
use crate::domain::finding::Evidence;
use crate::domain::path::{self, FieldPath};

/// A document with more tokens is no lesson. Long ones have some 3,000; matchers lay every text beside every other.
const MAX_TOKENS: usize = 8_000;

/// A document with more texts is no lesson.
const MAX_TEXTS: usize = 1_000;

/// What a text is for. Indexes count from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// `title`
    Title,
    /// `grade`, where it is a text
    Grade,
    /// `curriculum`
    Curriculum,
    /// `phenomenon`
    Phenomenon,
    /// `drivingQuestion`
    DrivingQuestion,
    /// `hypothesis`
    Hypothesis,
    /// `assessment`
    Assessment,
    /// An element of `objectives`
    Objective(usize),
    /// `variables.independent`
    Independent,
    /// `variables.dependent`
    Dependent,
    /// An element of `variables.controlled`
    Controlled(usize),
    /// `name` of an element of `materials`
    MaterialName(usize),
    /// `quantity` of an element of `materials`, where it is a text
    MaterialQuantity(usize),
    /// `unit` of an element of `materials`
    MaterialUnit(usize),
    /// `notes` of an element of `materials`
    MaterialNotes(usize),
    /// `text` of an element of `steps`
    Step(usize),
    /// An element of `safety`
    Safety(usize),
    /// `term` of an element of `vocabulary`
    Term(usize),
    /// `definition` of an element of `vocabulary`
    Definition(usize),
    /// Any other text
    Other,
}

/// A text of the document.
#[derive(Debug)]
pub struct Text<'c> {
    /// Where it stands.
    pub path: FieldPath,
    /// What it is for.
    pub role: Role,
    /// What it says.
    pub text: &'c str,
    /// Its tokens in order.
    pub tokens: Vec<Token>,
    /// What was read from it, for whoever asks next.
    read: Read,
}

/// What is read from a text when it is asked for the first time: several matchers ask the same.
#[derive(Debug, Default)]
struct Read {
    numerals: OnceCell<Vec<Numeral>>,
    quantities: OnceCell<Vec<Quantity>>,
    amounts: OnceCell<Vec<Mention>>,
    material: OnceCell<Option<Phrase>>,
    actions: OnceCell<Vec<Option<Action>>>,
    around: OnceCell<Vec<Around>>,
}

/// A document as matchers read it.
#[derive(Debug)]
pub struct Lesson<'c> {
    /// The whole content.
    pub content: &'c Content,
    /// Every text in reading order; none of a document with more than any lesson has.
    pub texts: Vec<Text<'c>>,
}

/// One thing that the lesson needs.
#[derive(Debug, Clone, Copy)]
pub struct Material<'l, 'c> {
    /// Its place in the list, from zero.
    pub index: usize,
    /// What it is called.
    pub name: &'l Text<'c>,
    /// How much of it there is: a number, or a text that may hold one.
    pub quantity: Option<&'c Value>,
    /// In what the quantity is given.
    pub unit: Option<&'c str>,
    /// What else is said of it.
    pub notes: Option<&'l Text<'c>>,
}

impl<'c> Text<'c> {
    /// A part of it, with these of its tokens.
    #[must_use]
    pub fn part(&self, tokens: Vec<Token>) -> Self {
        Self { path: self.path.clone(), role: self.role, text: self.text, tokens, read: Read::default() }
    }

    /// The top-level field that it stands in.
    pub fn field(&self) -> &str {
        self.path.field().unwrap_or_default()
    }

    /// The words at these bytes, verbatim.
    pub fn slice(&self, bytes: &Range<usize>) -> &'c str {
        self.text.get(bytes.clone()).unwrap_or_default()
    }

    /// The words of these tokens, verbatim.
    pub fn words(&self, tokens: &Range<usize>) -> &'c str {
        self.slice(&numbers::bytes_of(&self.tokens, tokens))
    }

    /// These tokens as evidence.
    pub fn quote(&self, tokens: &Range<usize>) -> Evidence {
        Evidence::new(&self.path, shortened(self.words(tokens)))
    }

    /// The sentence that holds this token, as evidence.
    pub fn quote_sentence(&self, token: usize) -> Evidence {
        self.quote(&self.sentence(token))
    }

    /// The whole text as evidence.
    pub fn quote_all(&self) -> Evidence {
        Evidence::new(&self.path, shortened(self.text))
    }

    /// The tokens of the sentence that holds this one.
    pub fn sentence(&self, token: usize) -> Range<usize> {
        let Some(sentence) = self.tokens.get(token).map(|token| token.sentence) else { return 0..0 };
        let start = self.tokens.partition_point(|token| token.sentence < sentence);
        start..self.tokens.partition_point(|token| token.sentence <= sentence)
    }

    /// The ranges of tokens of its sentences, in order.
    pub fn sentences(&self) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        while let Some(next) = self.tokens.get(found.last().map_or(0, |last| last.end)) {
            let start = found.last().map_or(0, |last| last.end);
            let end = self.tokens.partition_point(|token| token.sentence <= next.sentence);
            found.push(start..end.max(start + 1));
        }
        found
    }

    /// The lower-case word or sign at a token; empty beyond the ends.
    pub fn word(&self, token: usize) -> &str {
        self.tokens.get(token).map_or("", |token| token.word.as_str())
    }

    /// Whether these words stand at a token, one after the other.
    pub fn has_at(&self, token: usize, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(offset, word)| self.word(token + offset) == *word)
    }

    /// Where these words stand for the first time, one after the other.
    pub fn find(&self, words: &[&str]) -> Option<usize> {
        (0..self.tokens.len()).find(|token| self.has_at(*token, words))
    }

    /// The form in which the word at a token is compared; empty beyond the ends.
    pub fn lemma(&self, token: usize) -> &str {
        self.tokens.get(token).map_or("", |token| token.lemma.as_str())
    }

    /// All numerals in order.
    pub fn numerals(&self) -> &[Numeral] {
        self.read.numerals.get_or_init(|| numbers::numerals(&self.tokens))
    }

    /// All quantities in order.
    pub fn quantities(&self) -> &[Quantity] {
        self.read.quantities.get_or_init(|| quantities::with_units(self.text, &self.tokens, self.numerals()))
    }

    /// All amounts in order, those that tell the size of a vessel too.
    pub fn amounts(&self) -> &[Mention] {
        self.read.amounts.get_or_init(|| mentions::amounts(self))
    }

    /// What a material of this name is called.
    pub fn material(&self) -> Option<&Phrase> {
        self.read.material.get_or_init(|| nouns::read_material(self)).as_ref()
    }

    /// What stands around a token; beyond the end, around that.
    pub fn around(&self, token: usize) -> Around {
        let all = self.read.around.get_or_init(|| clauses::read(self));
        all.get(token).or(all.last()).copied().unwrap_or_default()
    }

    /// The action that the verb at a token tells of.
    pub fn action(&self, token: usize) -> Option<Action> {
        let read = || (0..self.tokens.len()).map(|at| actions::action(self, at)).collect();
        self.read.actions.get_or_init(read).get(token).copied().flatten()
    }
}

impl<'c> Lesson<'c> {
    /// Reads a content. One that is too large to be a lesson has no texts.
    pub fn of(content: &'c Content) -> Self {
        let mut texts = Vec::new();
        let mut left = Some(MAX_TOKENS);
        content::for_each_leaf(content, &mut |path, leaf| {
            if let (Value::String(text), Some(some)) = (leaf, left) {
                let tokens = words::tokens(text, some + 1);
                left = some.checked_sub(tokens.len()).filter(|_| texts.len() < MAX_TEXTS);
                texts.push(Text { path: path.clone(), role: role(path), text, tokens, read: Read::default() });
            }
        });
        if left.is_none() {
            texts.clear();
        }
        Self { content, texts }
    }

    /// The text with this role.
    pub fn text(&self, role: Role) -> Option<&Text<'c>> {
        self.texts.iter().find(|text| text.role == role)
    }

    /// The texts whose role `pick` takes, in reading order.
    pub fn texts_of(&self, pick: impl Fn(Role) -> bool) -> impl Iterator<Item = &Text<'c>> {
        self.texts.iter().filter(move |text| pick(text.role))
    }

    /// The texts of the steps with their indexes from zero.
    pub fn steps(&self) -> impl Iterator<Item = (usize, &Text<'c>)> {
        self.texts.iter().filter_map(|text| match text.role {
            Role::Step(index) => Some((index, text)),
            _ => None,
        })
    }

    /// The safety rules.
    pub fn safety(&self) -> impl Iterator<Item = &Text<'c>> {
        self.texts_of(|role| matches!(role, Role::Safety(_)))
    }

    /// What is kept the same.
    pub fn controlled(&self) -> impl Iterator<Item = &Text<'c>> {
        self.texts_of(|role| matches!(role, Role::Controlled(_)))
    }

    /// The materials in order.
    pub fn materials(&self) -> Vec<Material<'_, 'c>> {
        let list = self.content.get("materials").and_then(Value::as_array);
        let named = self.texts.iter().filter_map(|text| match text.role {
            Role::MaterialName(index) => Some((index, text)),
            _ => None,
        });
        let read = |(index, name)| {
            let entry = list.and_then(|list| list.get(index));
            let member = |key: &str| entry.and_then(|entry: &'c Value| entry.get(key));
            let notes = self.texts.iter().find(|text| text.role == Role::MaterialNotes(index));
            Material { index, name, quantity: member("quantity"), unit: member("unit").and_then(Value::as_str), notes }
        };
        named.map(read).collect()
    }

    /// How many steps there are, whatever their form.
    pub fn step_count(&self) -> usize {
        self.content.get("steps").and_then(Value::as_array).map_or(0, Vec::len)
    }

    /// `minutes` of a step.
    pub fn minutes(&self, step: usize) -> Option<f64> {
        self.content.get("steps")?.get(step)?.get("minutes")?.as_f64()
    }

    /// `durationMinutes`
    pub fn duration(&self) -> Option<i64> {
        self.content.get("durationMinutes")?.as_i64()
    }

    /// `groupSize`
    pub fn group_size(&self) -> Option<i64> {
        self.content.get("groupSize")?.as_i64()
    }
}

fn role(path: &FieldPath) -> Role {
    let segments: Vec<&str> = path.segments().iter().map(AsRef::as_ref).collect();
    let at = |index: &str, role: fn(usize) -> Role| path::index(index).map_or(Role::Other, role);
    match segments[..] {
        ["title"] => Role::Title,
        ["grade"] => Role::Grade,
        ["curriculum"] => Role::Curriculum,
        ["phenomenon"] => Role::Phenomenon,
        ["drivingQuestion"] => Role::DrivingQuestion,
        ["hypothesis"] => Role::Hypothesis,
        ["assessment"] => Role::Assessment,
        ["objectives", i] => at(i, Role::Objective),
        ["variables", "independent"] => Role::Independent,
        ["variables", "dependent"] => Role::Dependent,
        ["variables", "controlled", i] => at(i, Role::Controlled),
        ["materials", i, "name"] => at(i, Role::MaterialName),
        ["materials", i, "quantity"] => at(i, Role::MaterialQuantity),
        ["materials", i, "unit"] => at(i, Role::MaterialUnit),
        ["materials", i, "notes"] => at(i, Role::MaterialNotes),
        ["steps", i, "text"] => at(i, Role::Step),
        ["safety", i] => at(i, Role::Safety),
        ["vocabulary", i, "term"] => at(i, Role::Term),
        ["vocabulary", i, "definition"] => at(i, Role::Definition),
        _ => Role::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_have_roles_and_sentences() {
        let content = json!({"title": "Cress", "steps": [{"text": "Sow. Water it."}], "materials": [{"name": "cup", "quantity": 2}]});
        let content = content.as_object().expect("an object");
        let lesson = Lesson::of(content);
        let (index, step) = lesson.steps().next().expect("a step");
        assert_eq!((index, step.sentences()), (0, vec![0..2, 2..5]));
        assert_eq!(step.words(&(2..4)), "Water it");
        assert_eq!(step.find(&["water", "it"]), Some(2));
        let materials = lesson.materials();
        assert_eq!((materials.len(), materials[0].name.text, materials[0].quantity), (1, "cup", Some(&json!(2))));
    }

    #[test]
    fn what_is_longer_than_any_lesson_is_none() {
        let is_lesson =
            |content: Value| content.as_object().is_some_and(|content| !Lesson::of(content).texts.is_empty());
        let words = |count: usize| json!({"title": "word ".repeat(count)});
        assert!(is_lesson(words(MAX_TOKENS)) && !is_lesson(words(MAX_TOKENS + 1)));
        let safety = |count: usize| json!({"safety": vec!["Goggles"; count]});
        assert!(is_lesson(safety(MAX_TEXTS)) && !is_lesson(safety(MAX_TEXTS + 1)));
    }
}
