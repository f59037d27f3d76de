//! A pasted text as words and numbers. Each can be taken once, for one field. Words are compared by letters and digits
//! alone, so capitals, quotes, dashes and line breaks make no difference.

use std::cell::Cell;
use std::ops::Range;

use serde_json::{Number, Value};

pub type Run = Range<usize>;

/// Minimum length of the shorter of two forms of a word, in bytes: "group" and "groups", but not "not" and "notes".
const MIN_STEM: usize = 4;

/// A word or a number of a text. "5g" consists of two tokens: the number "5" and the word "g".
struct Token {
    place: Range<usize>,
    folded: String,
    line: usize,
    /// Number of the sentence. A line break also ends a sentence.
    sentence: usize,
    /// Whether the token may stay outside of fields, such as the number of a list entry ("1.", "2)").
    is_explained: bool,
    is_taken: bool,
}

pub struct PastedText<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    /// How many tokens of each line are not in a field yet.
    left: Vec<usize>,
    /// How many more tokens may be compared. A text of equal words that is to be placed word by word would cost the square
    /// of its length.
    work: Cell<usize>,
}

impl<'t> PastedText<'t> {
    /// Reads a text, in which at most `work` tokens are compared.
    pub fn new(text: &'t str, work: usize) -> Self {
        let mut places: Vec<Range<usize>> = Vec::new();
        for (at, character) in text.char_indices().filter(|(_, character)| is_word(*character)) {
            let end = at + character.len_utf8();
            match places.last_mut().filter(|last| continues(text, last, at, character)) {
                Some(last) => last.end = end,
                None => places.push(at..end),
            }
        }
        let (mut line, mut sentence, mut last_end) = (0, 0, 0);
        let tokens = places.into_iter().map(|place| {
            let gap = text.get(last_end..place.start).unwrap_or_default();
            line += gap.matches('\n').count();
            let is_end = gap.starts_with(['.', '!', '?']) && gap.contains(char::is_whitespace);
            sentence += usize::from(is_end || gap.contains('\n'));
            let is_first = last_end == 0 || gap.contains('\n');
            last_end = place.end;
            let (word, after) =
                (text.get(place.clone()).unwrap_or_default(), text.get(place.end..).unwrap_or_default());
            let is_explained = is_first && number(word).is_some() && after.starts_with(['.', ')']);
            Token { place, folded: word.to_lowercase(), line, sentence, is_explained, is_taken: false }
        });
        let tokens: Vec<Token> = tokens.collect();
        let mut left = vec![0; line + 1];
        for token in &tokens {
            if let Some(left) = left.get_mut(token.line) {
                *left += 1;
            }
        }
        Self { text, tokens, left, work: Cell::new(work) }
    }

    pub fn work_left(&self) -> usize {
        self.work.get()
    }

    /// Counts that tokens were compared. Returns false if that was too much.
    fn has_compared(&self, tokens: usize) -> bool {
        let left = self.work.get().checked_sub(tokens);
        self.work.set(left.unwrap_or_default());
        left.is_some()
    }

    /// Returns the places where the text has the words of `other`, except places where a word is already in a field.
    pub fn runs(&self, other: &PastedText<'_>) -> Vec<Run> {
        let mut runs = Vec::new();
        for (start, tokens) in self.tokens.windows(other.tokens.len().max(1)).enumerate() {
            let pairs = tokens.iter().zip(&other.tokens);
            let same = pairs.take_while(|(own, other)| !own.is_taken && own.folded == other.folded).count();
            if !self.has_compared(same + 1) {
                break;
            }
            if same == tokens.len() {
                runs.push(start..start + same);
            }
        }
        runs
    }

    /// Returns the places of this number, except numbers that are in a field and numbers of list entries ("1.").
    pub fn numbers(&self, value: &Number) -> Vec<Run> {
        let is_match = |token: &Token| {
            let number = number(&token.folded).and_then(|number| number.as_f64());
            !token.is_taken && !token.is_explained && number.is_some() && number == value.as_f64()
        };
        let compared = self.tokens.iter().enumerate().take_while(|_| self.has_compared(1));
        let matches = compared.filter(|(_, token)| is_match(token));
        matches.map(|(at, _)| at..at + 1).collect()
    }

    pub fn take(&mut self, run: &Run) {
        for token in self.tokens.get_mut(run.clone()).unwrap_or_default().iter_mut().filter(|token| !token.is_taken) {
            token.is_taken = true;
            if let Some(left) = self.left.get_mut(token.line) {
                *left -= 1;
            }
        }
    }

    pub fn all(&self) -> Run {
        0..self.tokens.len()
    }

    /// Returns the pasted text at a place. Includes the punctuation next to it if `words` has the same punctuation.
    pub fn written(&self, run: &Run, words: &str) -> &'t str {
        let Range { start, end } = self.bytes(run);
        let (before, after) = (self.text.get(..start).unwrap_or_default(), self.text.get(end..).unwrap_or_default());
        let head = words.split(is_word).next().unwrap_or_default();
        let tail = words.rsplit(is_word).next().unwrap_or_default();
        let start = start - common(before.chars().rev(), head.chars().rev());
        self.text.get(start..end + common(after.chars(), tail.chars())).unwrap_or_default().trim()
    }

    /// Returns the number at a place; `None` if the place is not exactly one number.
    pub fn number(&self, run: &Run) -> Option<Number> {
        let [only] = self.tokens.get(run.clone())? else { return None };
        number(&only.folded)
    }

    /// Returns the distance between two places, in tokens; `None` if no line has tokens of both.
    pub fn distance(&self, run: &Run, other: &Run) -> Option<usize> {
        let lines = |run: &Run| Some(self.tokens.get(run.start)?.line..self.tokens.get(run.end - 1)?.line + 1);
        let (one, two) = (lines(run)?, lines(other)?);
        let is_near = one.start < two.end && two.start < one.end;
        is_near.then(|| run.start.abs_diff(other.end).min(other.start.abs_diff(run.end)))
    }

    /// Returns the number of tokens that are not in a field yet, in the line of the given place.
    pub fn left_in_line(&self, run: &Run) -> usize {
        self.line(run.start).and_then(|line| self.left.get(line).copied()).unwrap_or_default()
    }

    /// Returns the sentences with a word or number that is neither in a field nor explained. Numbers of list entries
    /// and headings are explained. If a number of a sentence is in a field, words of titles in the sentence ("min",
    /// "Grade") are also explained.
    pub fn unplaced(&mut self, headings: &[String], schema: &Value) -> Vec<String> {
        let titles = titles(schema);
        headings.iter().for_each(|heading| self.explain_heading(&PastedText::new(heading, 0), &titles));
        let (mut pieces, mut start): (Vec<Run>, _) = (Vec::new(), 0);
        for sentence in self.tokens.chunk_by(|one, other| one.sentence == other.sentence) {
            let run = start..start + sentence.len();
            start = run.end;
            let has_number = sentence.iter().any(|token| token.is_taken && number(&token.folded).is_some());
            let is_told = |token: &Token| token.is_explained || has_number && names(&titles, &token.folded);
            let is_next = |last: &&mut Run| last.end == run.start && self.line(last.start) == self.line(run.start);
            match pieces.last_mut().filter(is_next) {
                _ if sentence.iter().all(|token| token.is_taken || is_told(token)) => {}
                Some(last) => last.end = run.end,
                None => pieces.push(run),
            }
        }
        pieces.iter().map(|piece| self.with_marks(piece).to_owned()).collect()
    }

    /// Marks each place of a heading as explained if it begins a line, a colon follows or a title has one of its words,
    /// and a value in a field comes from the rest of the line. If there is no rest, the next line is checked.
    fn explain_heading(&mut self, heading: &PastedText<'_>, titles: &str) {
        let is_titled = heading.tokens.iter().any(|token| names(titles, &token.folded));
        for run in self.runs(heading).into_iter().filter(|run| !run.is_empty()) {
            let (line, Range { end, .. }) = (self.line(run.start), self.bytes(&run));
            let is_first = run.start == 0 || self.line(run.start - 1) != line;
            let is_marked =
                self.text.get(end..).is_some_and(|after| after.trim_start_matches(['*', '_']).starts_with(':'));
            let below = self.line(run.end).filter(|below| Some(*below) != line);
            let mut rest = self.tokens.iter().skip(run.end).take_while(|token| Some(token.line) == below.or(line));
            if is_first && (is_titled || is_marked) && rest.any(|token| token.is_taken) {
                self.tokens.get_mut(run).unwrap_or_default().iter_mut().for_each(|token| token.is_explained = true);
            }
        }
    }

    fn line(&self, at: usize) -> Option<usize> {
        self.tokens.get(at).map(|token| token.line)
    }

    fn bytes(&self, run: &Run) -> Range<usize> {
        match self.tokens.get(run.clone()) {
            Some([first, .., last] | [first @ last]) => first.place.start..last.place.end,
            _ => 0..0,
        }
    }

    /// Returns the pasted text at a place, with the punctuation that touches it.
    fn with_marks(&self, run: &Run) -> &'t str {
        let Range { start, end } = self.bytes(run);
        let touches = |mark: char| !is_word(mark) && !mark.is_whitespace();
        let start = self.text.get(..start).map_or(start, |before| before.trim_end_matches(touches).len());
        let after = self.text.get(end..).unwrap_or_default();
        self.text.get(start..end + after.find(|mark| !touches(mark)).unwrap_or(after.len())).unwrap_or_default()
    }
}

/// Returns whether a character is a letter, a digit, an accent, or a sign with a meaning, such as `%` or `°`.
fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '\u{300}'..='\u{36f}' | '%' | '°' | '€' | '$' | '£')
}

/// Returns whether a character continues the word or number at `last`. A number may contain points and commas.
fn continues(text: &str, last: &Range<usize>, at: usize, character: char) -> bool {
    let is_number = text.get(last.clone()).is_some_and(|word| word.ends_with(char::is_numeric));
    let gap = text.get(last.end..at).unwrap_or_default();
    is_number == character.is_numeric() && (gap.is_empty() || is_number && [".", ","].contains(&gap))
}

/// Parses a word as a number. A comma separates thousands ("1,000") or decimals ("0,5").
fn number(word: &str) -> Option<Number> {
    let mut parts = word.split(',');
    let first = parts.next().filter(|first| first.starts_with(|digit: char| digit.is_ascii_digit()))?;
    let is_thousands = first != "0" && parts.all(|part| part.len() == 3);
    serde_json::from_str(&word.replace(',', if is_thousands { "" } else { "." })).ok()
}

/// Returns the titles of all fields in a schema as one text, in lower case.
fn titles(schema: &Value) -> String {
    let Value::Object(members) = schema else { return String::new() };
    let words = members.iter().map(|(key, member)| match member {
        Value::String(title) if key == "title" => format!(" {} ", title.to_lowercase()),
        member => titles(member),
    });
    words.collect()
}

/// Returns whether `titles` contains a form of `word`. Of two forms, one begins with the other: "group" and "groups".
fn names(titles: &str, word: &str) -> bool {
    let word = if word == "min" { "minutes" } else { word };
    let is_form =
        |title: &str| title.len().min(word.len()) >= MIN_STEM && title.starts_with(word) | word.starts_with(title);
    titles.split(|character| !is_word(character)).any(is_form)
}

/// Returns the length of the beginning that two texts have in common, in bytes.
fn common(text: impl Iterator<Item = char>, other: impl Iterator<Item = char>) -> usize {
    text.zip(other).take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum()
}
