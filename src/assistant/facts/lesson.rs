//! The lesson: a document of the built-in form as matchers read it, every text with its role and its tokens.
//!
//! What has another form than the built-in schema's is passed over: it has no role.

use std::cell::OnceCell;
use std::ops::{Deref, Range};
use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;

use super::actions::{self, Action};
use super::asked::Asked;
use super::clauses::{self, Around};
use super::kept::{self, Found, Kept};
use super::mentions::{self, Mention};
use super::nouns::{self, Phrase};
use super::numbers::{self, Numeral};
use super::quantities::{self, Quantity};
pub use super::roles::Role;
use super::words::{self, Token};
pub use crate::assistant::quotes::shortened;
use crate::domain::content::{self, Content};
use crate::domain::finding::Evidence;
use crate::domain::path::FieldPath;

/// A document with more tokens is no lesson. Long ones have some 3,000; matchers lay every text beside every other.
const MAX_TOKENS: usize = 8_000;

/// A document with more texts is no lesson.
const MAX_TEXTS: usize = 1_000;

/// A text of the document.
#[derive(Debug)]
pub struct Text<'c> {
    /// Where it stands.
    pub path: FieldPath,
    /// What it is for.
    pub role: Role,
    words: Rc<Words<'c>>,
}

/// What a text says, wherever it stands.
#[derive(Debug)]
pub struct Words<'c> {
    /// What it says.
    pub text: &'c str,
    /// Its tokens in order.
    pub tokens: Tokens<'c>,
    /// What was read from it, for whoever asks next.
    read: Read,
    /// What is known of it from other documents, where that is kept.
    kept: Option<Arc<Kept>>,
}

/// The tokens of a text, which is cut when they are asked for: of most texts all is known that they are asked for.
#[derive(Debug)]
pub struct Tokens<'c> {
    text: &'c str,
    most: usize,
    cut: OnceCell<Vec<Token>>,
}

impl Deref for Tokens<'_> {
    type Target = Vec<Token>;

    fn deref(&self) -> &Self::Target {
        self.cut.get_or_init(|| words::tokens(self.text, self.most))
    }
}

impl<'t> IntoIterator for &'t Tokens<'_> {
    type Item = &'t Token;
    type IntoIter = std::slice::Iter<'t, Token>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'c> Deref for Text<'c> {
    type Target = Words<'c>;

    fn deref(&self) -> &Self::Target {
        &self.words
    }
}

/// What is read from a text when it is asked for the first time: several matchers ask the same.
#[derive(Debug, Default)]
struct Read {
    numerals: OnceCell<Found<Numeral>>,
    quantities: OnceCell<Found<Quantity>>,
    amounts: OnceCell<Found<Mention>>,
    material: OnceCell<Found<Phrase>>,
    actions: OnceCell<Vec<Option<Action>>>,
    around: OnceCell<Vec<Around>>,
}

/// A document as matchers read it.
#[derive(Debug)]
pub struct Lesson<'c> {
    pub(super) content: &'c Content,
    /// None of a document with more than any lesson has.
    pub(super) texts: Vec<Text<'c>>,
    /// How many steps there are, whatever their form.
    pub step_count: usize,
    pub(super) asked: Asked,
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
        let tokens = Tokens { text: self.text, most: tokens.len(), cut: tokens.into() };
        let words = Words { text: self.text, tokens, read: Read::default(), kept: None };
        Self { path: self.path.clone(), role: self.role, words: words.into() }
    }

    /// What `read` finds in the text. It is asked only if nobody has asked it about the same text before, in this or
    /// another document, or if that was forgotten.
    ///
    /// So that its answer holds for every document, `read` can have no variables, and is shown the text without its
    /// place: the path is that of the root, and indexes in the role are 0.
    pub fn kept<T, F>(&self, read: F) -> Found<T>
    where
        T: Send + Sync + 'static,
        F: Fn(&Text) -> Vec<T> + 'static,
    {
        const { assert!(size_of::<F>() == 0, "what is kept may depend on nothing but the text") };
        self.answer::<T, F>(0, |text, _| read(text))
    }

    /// The same for what is read with a number in mind. It is asked again when the number is another.
    pub fn kept_for<T, F>(&self, number: i64, read: F) -> Found<T>
    where
        T: Send + Sync + 'static,
        F: Fn(&Text, i64) -> Vec<T> + 'static,
    {
        const { assert!(size_of::<F>() == 0, "what is kept may depend on nothing but the text and the number") };
        self.answer::<T, F>(number, read)
    }

    fn answer<T: Send + Sync + 'static, F: 'static>(
        &self,
        number: i64,
        read: impl Fn(&Text, i64) -> Vec<T>,
    ) -> Found<T> {
        let alone = || read(&self.alone(), number);
        match &self.words.kept {
            Some(kept) => kept.get::<T, F>(number, alone),
            None => Found::of(alone()),
        }
    }

    /// What tells what it says, and what for, from all other texts, where that is known.
    pub(super) fn id(&self) -> Option<u64> {
        Some(self.words.kept.as_ref()?.id())
    }

    /// The same text without its place: the path is that of the root, and the index in the role is 0.
    #[must_use]
    pub fn alone(&self) -> Self {
        Self { path: FieldPath::root(), role: self.role.kind(), words: self.words.clone() }
    }

    /// The same text in its place.
    #[must_use]
    pub fn in_place(&self) -> Self {
        Self { path: self.path.clone(), role: self.role, words: self.words.clone() }
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
        self.read.numerals.get_or_init(|| self.kept(|text| numbers::numerals(&text.tokens)))
    }

    /// All quantities in order.
    pub fn quantities(&self) -> &[Quantity] {
        let read = |text: &Text| quantities::with_units(text.text, &text.tokens, text.numerals());
        self.read.quantities.get_or_init(|| self.kept(read))
    }

    /// All amounts in order, those that tell the size of a vessel too.
    pub fn amounts(&self) -> &[Mention] {
        self.read.amounts.get_or_init(|| self.kept(mentions::amounts))
    }

    /// What a material of this name is called.
    pub fn material(&self) -> Option<&Phrase> {
        self.read.material.get_or_init(|| self.kept(|text| nouns::read_material(text).into_iter().collect())).first()
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

impl<'c> Words<'c> {
    /// A text of which at most so many tokens are looked at, and how many it has of those.
    fn of(role: Role, text: &'c str, most: usize) -> (Self, usize) {
        let tokens = Tokens { text, most, cut: OnceCell::new() };
        let kept = kept::of(role.kind(), text, || Some(tokens.len()).filter(|count| *count < most));
        let count = kept.as_ref().map_or_else(|| tokens.len(), |kept| kept.tokens().min(most));
        (Self { text, tokens, read: Read::default(), kept }, count)
    }
}

impl<'c> Lesson<'c> {
    /// Reads a content. One that is too large to be a lesson has no texts.
    pub fn of(content: &'c Content) -> Self {
        let mut texts = Vec::new();
        let mut left = Some(MAX_TOKENS);
        content::for_each_leaf(content, &mut |path, leaf| {
            if let (Value::String(text), Some(some)) = (leaf, left) {
                let role = Role::at(path);
                let (words, tokens) = Words::of(role, text, some + 1);
                left = some.checked_sub(tokens).filter(|_| texts.len() < MAX_TEXTS);
                texts.push(Text { path: path.clone(), role, words: words.into() });
            }
        });
        if left.is_none() {
            texts.clear();
        }
        let step_count = content.get("steps").and_then(Value::as_array).map_or(0, Vec::len);
        Self { content, texts, step_count, asked: Asked::default() }
    }

    /// What `read` finds in a lesson that has nothing but these texts, and so many steps. It is asked only if nobody has
    /// asked it about the same texts in the same roles before, or if that was forgotten; see [`Text::kept`].
    pub fn kept<T, F>(texts: Vec<Text>, step_count: usize, read: F) -> Found<T>
    where
        T: Send + Sync + 'static,
        F: Fn(&Lesson) -> Vec<T> + 'static,
    {
        const { assert!(size_of::<F>() == 0, "what is kept may depend on nothing but the texts") };
        // A path follows from the role of a text that has one.
        let name = |text: &Text| {
            let known = text.path.segments().is_empty() || text.role != Role::Other;
            Some((text.words.kept.as_ref().filter(|_| known)?.id(), text.role))
        };
        let names: Option<Vec<_>> = texts.iter().map(name).collect();
        let anew = || read(&Lesson { content: &Content::new(), texts, step_count, asked: Asked::default() });
        match names {
            Some(names) => kept::among::<T, F>(names, step_count, anew),
            None => Found::of(anew()),
        }
    }

    /// The text with this role.
    pub fn text(&self, role: Role) -> Option<&Text<'c>> {
        self.asked.note_kind(role);
        self.texts.iter().find(|text| text.role == role)
    }

    /// The texts whose kind of role `pick` takes, in reading order: the index in it is 0.
    pub fn texts_of(&self, pick: impl Fn(Role) -> bool + Clone) -> impl Iterator<Item = &Text<'c>> + Clone {
        self.asked.note_kinds(&pick);
        self.texts.iter().filter(move |text| pick(text.role.kind()))
    }

    /// The texts of the steps with their indexes from zero.
    pub fn steps(&self) -> impl Iterator<Item = (usize, &Text<'c>)> {
        self.asked.note_kind(Role::Step(0));
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
        let list = self.field("materials").and_then(Value::as_array);
        self.asked.note_kind(Role::MaterialName(0));
        self.asked.note_kind(Role::MaterialNotes(0));
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

    /// `durationMinutes`
    pub fn duration(&self) -> Option<i64> {
        self.field("durationMinutes")?.as_i64()
    }

    /// `groupSize`
    pub fn group_size(&self) -> Option<i64> {
        self.field("groupSize")?.as_i64()
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
