//! Time spans: parts of a lesson given by start and end: "0–10", "10'–25'", "9:00–9:15".

use super::MAX_LENGTH;
use crate::marks::digits;
use crate::words;

/// A part of a lesson, given by its start and end in minutes: "0–10", "10'–25'", "9:00–9:15".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    start: u32,
    end: u32,
    /// Whether the ends are times of day. Other numbers can mean "from 5 to 10 minutes".
    pub(super) is_clock: bool,
}

impl Span {
    pub(crate) fn minutes(self) -> u32 {
        self.end - self.start
    }

    /// Returns whether the spans are parts of one lesson, in order. If the first span begins at 0, or at 60 or more,
    /// such as a time of day, two spans are enough, and there may be gaps between them. Otherwise at least three are
    /// needed, and each must begin where the one before it ends.
    pub(crate) fn are_in_order(spans: &[Self]) -> bool {
        const MIN_SPANS: usize = 3;
        let starts = spans.iter().skip(1).map(|span| span.start);
        let mut gaps = spans.iter().zip(starts).map(|(span, next)| (span.end <= next, span.end == next));
        let is_counted = spans.first().is_some_and(|first| first.start == 0 || first.start >= 60);
        let is_usable = is_counted && spans.len() > 1 || spans.len() >= MIN_SPANS;
        is_usable && gaps.all(|(is_after, is_next)| is_next || is_counted && is_after)
    }
}

/// Returns the span in a text, if the text contains nothing else.
pub(crate) fn span(text: &str) -> Option<Span> {
    const HALF_A_DAY: u32 = 12 * 60;
    const MAX_MINUTES: u32 = 4 * 60;
    if text.len() > MAX_LENGTH {
        return None;
    }
    let (first, second) = words::range(text)?;
    let ((start, is_first), (end, is_second)) = (point(first)?, point(second)?);
    let is_clock = is_first && is_second;
    // In "12:45–1:15", the end is in the next half of the day.
    let end = if is_clock && end <= start { end + HALF_A_DAY } else { end };
    (start < end && end - start <= MAX_MINUTES).then_some(Span { start, end, is_clock })
}

/// Returns the minutes of an end of a span, and whether it is a time of day.
fn point(text: &str) -> Option<(u32, bool)> {
    const MAX_WORDS: usize = 4;
    if text.split_whitespace().nth(MAX_WORDS).is_some() {
        return None;
    }
    let is_unit = |word: &&str| words::lists(word).iter().any(|list| matches!(*list, "minutes" | "clock"));
    let rest: Vec<&str> = text.split_whitespace().filter(|word| !is_unit(word)).collect();
    let text = rest.concat();
    let text = text.trim_end_matches(['\'', '’', '′', '.']);
    let text = ["min", "h", "am", "pm"].iter().find_map(|unit| text.strip_suffix(unit)).unwrap_or(text);
    let Some((hours, minutes)) = text.split_once([':', 'h', '.']) else { return Some((digits(text)?, false)) };
    let (hours, past) = (digits(hours)?, digits(minutes)?);
    let is_time = minutes.chars().count() == 2 && hours < 24 && past < 60;
    is_time.then_some((hours * 60 + past, !text.contains('.')))
}
