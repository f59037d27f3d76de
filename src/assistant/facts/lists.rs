//! Lists of words that are written down in the code, in which a word is found without a look at the others.
//!
//! They are made when the program is compiled: nothing is to be done for them when it starts.

use std::collections::HashMap;

/// What words that are written down in the code stand for. Nobody else chooses what is in it, so that a hasher may be
/// quick and need not withstand who does.
pub type Table<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// Words, with a table of where each stands; made by `list!`.
#[derive(Debug, Clone, Copy)]
pub struct List {
    words: &'static str,
    /// Where a word begins and how many bytes it has; none where it has no bytes. A power of two of them.
    slots: &'static [Slot],
}

type Slot = (u16, u8);

impl List {
    /// The words of a text with white space between them, and their [`table`].
    pub const fn of(words: &'static str, slots: &'static [Slot]) -> Self {
        Self { words, slots }
    }

    /// Whether it has this word.
    pub fn has(self, word: &str) -> bool {
        let bytes = word.as_bytes();
        let (Some(first), Some(middle), Some(last)) = (bytes.first(), bytes.get(bytes.len() / 2), bytes.last()) else {
            return false;
        };
        let slot = place(*first, *middle, *last, bytes.len());
        for slot in slot..slot + self.slots.len() {
            match self.slots.get(slot & (self.slots.len() - 1)) {
                Some((start, length)) if *length > 0 => {
                    let start = usize::from(*start);
                    let known = self.words.as_bytes().get(start..start + usize::from(*length));
                    if usize::from(*length) == bytes.len() && known == Some(bytes) {
                        return true;
                    }
                }
                _ => return false,
            }
        }
        false
    }
}

/// Where each of the words of a text with white space between them stands. There must be more slots than words, a power
/// of two of them.
///
/// # Panics
/// While the program is compiled: where there are too many or too long words.
pub const fn table<const SLOTS: usize>(words: &str) -> [Slot; SLOTS] {
    assert!(SLOTS.is_power_of_two() && words.len() < u16::MAX as usize, "a list of words is too long");
    let bytes = words.as_bytes();
    let mut slots = [(0, 0); SLOTS];
    let (mut start, mut at, mut count) = (0, 0, 0);
    while at <= bytes.len() {
        if at == bytes.len() || bytes[at].is_ascii_whitespace() {
            if start < at {
                count += 1;
                assert!(count < SLOTS && at - start <= u8::MAX as usize, "a list has more words than slots");
                let mut slot = place(bytes[start], bytes[start + (at - start) / 2], bytes[at - 1], at - start);
                while slots[slot % SLOTS].1 != 0 {
                    slot += 1;
                }
                slots[slot % SLOTS] = (start as u16, (at - start) as u8);
            }
            start = at + 1;
        }
        at += 1;
    }
    slots
}

/// How many slots the list of these words is made with: about twice as many as there are words.
pub const fn slots(words: &str) -> usize {
    let bytes = words.as_bytes();
    let (mut at, mut count) = (0, 0);
    while at < bytes.len() {
        let begins = !bytes[at].is_ascii_whitespace() && (at == 0 || bytes[at - 1].is_ascii_whitespace());
        count += begins as usize;
        at += 1;
    }
    (2 * count + 2).next_power_of_two()
}

/// The [`List`] of words that are written down here, with white space between them.
macro_rules! list {
    ($words:expr $(,)?) => {{
        const TABLE: &[(u16, u8)] =
            &$crate::assistant::facts::lists::table::<{ $crate::assistant::facts::lists::slots($words) }>($words);
        $crate::assistant::facts::lists::List::of($words, TABLE)
    }};
}
pub(crate) use list;

/// Whether words that are written down here, with white space between them, have this one. What is put together at run
/// time is asked with [`phrases::lists`](super::phrases::lists).
macro_rules! lists {
    ($words:expr, $word:expr $(,)?) => {
        $crate::assistant::facts::lists::list!($words).has($word)
    };
}
pub(crate) use lists;

/// Where a word is looked for first, by three of its letters and its length.
const fn place(first: u8, middle: u8, last: u8, length: usize) -> usize {
    let mixed = (first as u32).wrapping_mul(0x9E37_79B1)
        ^ (middle as u32).wrapping_mul(0x85EB_CA6B)
        ^ (last as u32).wrapping_mul(0xC2B2_AE35)
        ^ (length as u32).wrapping_mul(0x27D4_EB2F);
    (mixed >> 15) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_its_words_and_no_others() {
        const TEXT: &str = "a an the this that\n these  those any some all each every both either no your";
        static SMALL: List = list!(TEXT);
        static EMPTY: List = list!("");
        for word in TEXT.split_ascii_whitespace() {
            assert!(SMALL.has(word), "{word}");
            assert!(!EMPTY.has(word), "{word}");
            assert!(!SMALL.has(&format!("{word}x")), "{word}");
        }
        assert_eq!((slots(TEXT), slots(""), slots(" a\n b ")), (64, 2, 8));
        assert!(lists!("each every", "every") && !lists!("each every", "ever"));
        for word in ["", "t", "thi", "an the", " ", "bath", "é"] {
            assert!(!SMALL.has(word), "{word}");
        }
    }
}
