//! The marks of list items: bullets, numbers, letters, Roman numerals.

use std::collections::HashSet;
use std::ops::Range;

/// The mark in front of a list item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Bullet,
    Number(u32),
    Upper(u32),
    Lower(u32),
    Roman(u32),
}

impl Mark {
    pub(crate) fn is_ordered(self) -> bool {
        self != Self::Bullet
    }

    /// Returns the number of a mark that is written in digits.
    pub(crate) fn number(self) -> Option<u32> {
        if let Self::Number(number) = self { Some(number) } else { None }
    }

    /// Returns whether another mark is of the same kind.
    pub(crate) fn is_like(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }

    /// Returns whether another mark is the next one in the same list.
    pub(crate) fn leads_to(self, next: Self) -> bool {
        let value = |mark| match mark {
            Self::Bullet => 0,
            Self::Number(value) | Self::Upper(value) | Self::Lower(value) | Self::Roman(value) => value,
        };
        self.is_like(next) && (self == Self::Bullet || value(next) == value(self) + 1)
    }
}

const BULLETS: &str = "-*•–—◦▪☐□●○·➢➤►▶✓✔❖✗☑■◆→⇒Ÿ§‣⁃∙⚫⬤▸♦✦★☆";
/// Maximum number before a list item. A larger number is probably a year or an amount.
const MAX_NUMBER: u32 = 60;

/// Maximum length of the number or letter before a list item, in characters.
const MAX_MARK: usize = 12;

/// Returns the mark that a line begins with, and where the text begins.
pub(crate) fn mark(line: &str) -> Option<(Mark, usize)> {
    bullet(line)
        .or_else(|| enumerator(line))
        .filter(|(_, start)| !line.get(*start..).unwrap_or_default().trim().is_empty())
}

fn bullet(line: &str) -> Option<(Mark, usize)> {
    let indent = line.len() - line.trim_start().len();
    let rest = line.get(indent..)?;
    let first = rest.chars().next()?;
    let after = rest.get(first.len_utf8()..)?;
    let is_spaced = after.starts_with(char::is_whitespace);
    let is_private = ('\u{e000}'..='\u{f8ff}').contains(&first);
    let is_bullet = is_spaced && (BULLETS.contains(first) || is_private)
        || first == 'o' && (after.starts_with('\t') || after.starts_with("  "))
        // "-The teacher shows" is a list item, which is common. "-25" is a number.
        || matches!(first, '-' | '–' | '•' | '●') && after.starts_with(|next: char| next.is_uppercase())
        || matches!(first, '•' | '●' | '➢' | '✓') && !after.is_empty();
    let text = after.trim_start();
    // Boxes to tick in Markdown.
    let text = ["[ ]", "[x]", "[X]"].iter().find_map(|tick| text.strip_prefix(tick)).map_or(text, str::trim_start);
    is_bullet.then_some((Mark::Bullet, line.len() - text.len()))
}

fn enumerator(line: &str) -> Option<(Mark, usize)> {
    let trimmed = line.trim_start();
    let inner = trimmed.strip_prefix('(').unwrap_or(trimmed);
    let mut start = inner.char_indices().take(MAX_MARK);
    let length = start.find(|(_, character)| !character.is_alphanumeric())?.0;
    let (word, after) = inner.split_at_checked(length)?;
    let end = after.chars().next().filter(|end| matches!(end, '.' | ')' | ':' | '/'))?;
    let rest = after.get(end.len_utf8()..)?;
    // The marks "1.)" and "1.-" end with two characters.
    let rest = rest.strip_prefix([')', '-']).unwrap_or(rest);
    let is_closed = end == ')' || end == '.' && !trimmed.starts_with('(');
    if !is_closed || !rest.starts_with(char::is_whitespace) {
        return None;
    }
    Some((kind_of(word)?, line.len() - rest.trim_start().len()))
}

fn kind_of(word: &str) -> Option<Mark> {
    if word.chars().all(|character| character.is_ascii_digit() || ('٠'..='٩').contains(&character)) {
        let number = digits(word)?;
        return (number <= MAX_NUMBER).then_some(Mark::Number(number));
    }
    let lower = word.to_lowercase();
    let is_roman = lower.chars().all(|character| "ivx".contains(character));
    if is_roman && lower.len() <= 5 {
        let value = roman(&lower);
        return Some(if word == lower { Mark::Lower(value) } else { Mark::Roman(value) });
    }
    let mut characters = word.chars();
    match (characters.next(), characters.next()) {
        (Some(only), None) if only.is_uppercase() => Some(Mark::Upper(u32::from(only))),
        (Some(only), None) if only.is_lowercase() => Some(Mark::Lower(u32::from(only))),
        _ => None,
    }
}

fn roman(word: &str) -> u32 {
    let values: Vec<u32> = word
        .chars()
        .map(|character| match character {
            'x' => 10,
            'v' => 5,
            _ => 1,
        })
        .collect();
    let next = values.iter().skip(1).chain([&0]);
    values
        .iter()
        .zip(next)
        .fold(0, |sum, (value, next)| if value < next { sum.saturating_sub(*value) } else { sum + value })
}

/// Reads a number that is written with the digits 0 to 9, or with the digits of Arabic or Persian texts.
pub(crate) fn digits(word: &str) -> Option<u32> {
    let latin: Option<String> = word.chars().map(latin_digit).collect();
    latin?.parse().ok()
}

pub(crate) fn latin_digit(character: char) -> Option<char> {
    let value = match character {
        '0'..='9' => u32::from(character) - u32::from('0'),
        '٠'..='٩' => u32::from(character) - u32::from('٠'),
        '۰'..='۹' => u32::from(character) - u32::from('۰'),
        _ => return None,
    };
    char::from_digit(value, 10)
}

/// Returns the byte offset of the text after a mark, if there is a mark.
pub(crate) fn without(line: &str) -> Range<usize> {
    mark(line).map_or(0, |(_, start)| start)..line.len()
}

/// Returns whether a list mark that Word wrote as text is a number or letter, such as "1." or "a)", and not a bullet.
pub(crate) fn is_enumerator(text: &str) -> bool {
    text.trim().starts_with(|character: char| character.is_alphanumeric() && character != 'o' && character != 'Ÿ')
}

/// The capital letters and Roman numerals that are list marks in a document. I, V and X may be either. Such a mark
/// counts as a letter if both neighboring letters occur, or if no neighboring Roman numeral occurs.
pub(crate) struct Capitals(HashSet<(bool, u32)>);

impl Capitals {
    pub(crate) fn of<'t>(lines: impl Iterator<Item = &'t str>) -> Self {
        let mut capitals = Self(lines.filter_map(|line| capital(mark(line)?.0)).collect());
        for (value, letter) in LETTERS {
            let letter = u32::from(letter);
            let is_between = near(letter).iter().all(|letter| capitals.0.contains(&(false, *letter)));
            // If II occurs, the mark I is a numeral and not the letter after H.
            if capitals.0.contains(&(true, value)) && (is_between || !capitals.is_near(true, value)) {
                capitals.0.insert((false, letter));
            }
        }
        capitals
    }

    fn is_near(&self, is_roman: bool, value: u32) -> bool {
        near(value).iter().any(|value| self.0.contains(&(is_roman, *value)))
    }

    /// Returns whether a letter begins a name, such as "H. Marlow": no other line has the letter before or after it.
    pub(crate) fn is_initial(&self, mark: Mark) -> bool {
        capital(self.read(mark, None)).is_some_and(|(is_roman, value)| !self.is_near(is_roman, value))
    }

    /// Interprets a mark that may be a letter or a Roman numeral. I is a letter if it directly follows H, or if H or J
    /// occurs in the document and II does not.
    pub(crate) fn read(&self, mark: Mark, above: Option<Mark>) -> Mark {
        let Mark::Roman(value) = mark else { return mark };
        let letter = LETTERS.iter().find(|(roman, _)| *roman == value).map(|(_, letter)| u32::from(*letter));
        let is_letter = |letter: &u32| {
            let is_below = above.is_some_and(|above| above.leads_to(Mark::Upper(*letter)));
            is_below || !self.is_near(true, value) && self.is_near(false, *letter)
        };
        letter.filter(is_letter).map_or(mark, Mark::Upper)
    }
}

/// The letters that are Roman numerals as well.
const LETTERS: [(u32, char); 3] = [(1, 'I'), (5, 'V'), (10, 'X')];

fn near(value: u32) -> [u32; 2] {
    [value.saturating_sub(1), value.saturating_add(1)]
}

/// Returns the value of a capital letter, and whether it is a Roman numeral.
fn capital(mark: Mark) -> Option<(bool, u32)> {
    match mark {
        Mark::Upper(value) => Some((false, value)),
        Mark::Roman(value) => Some((true, value)),
        _ => None,
    }
}
