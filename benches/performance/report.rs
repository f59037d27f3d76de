//! Formats the measurements as a table for the docs and for the terminal.

use std::fmt::Write;

use crate::row::{Goal, Row, median, spread};

pub fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| work | beside | Fieldbook | the other | ratio | CPU µs | goal not met |\n\
         |---|---|--:|--:|--:|--:|---|\n",
    );
    for row in rows {
        let ours = format!("{} {} ±{:.0}%", short(median(&row.ours)), row.unit, spread(&row.ours) * 100.0);
        let theirs = if row.theirs.is_empty() { String::new() } else { short(median(&row.theirs)) };
        let ratio = if row.theirs.is_empty() { String::new() } else { format!("{:.2}", row.figure()) };
        let cpu = match row.cpu {
            Some((ours, theirs)) if theirs.is_nan() => format!("{ours:.0}"),
            Some((ours, theirs)) => format!("{ours:.0}; {theirs:.0}"),
            None => String::new(),
        };
        let goal = if row.is_met() { String::new() } else { missed(row) };
        // Writing to a `String` never fails.
        let _ = writeln!(text, "| {} | {} | {ours} | {theirs} | {ratio} | {cpu} | {goal} |", row.work, row.beside);
    }
    text
}

/// Returns the goal that a row missed, and what kept Fieldbook from a better result.
fn missed(row: &Row) -> String {
    let goal = match row.goal {
        Goal::AtLeast(least) => format!("≥{least}"),
        Goal::AtMost(most) => format!("≤{most}"),
        Goal::Within(most) => format!("≤{}", short(most)),
    };
    format!("{goal}: {}", row.limit.as_deref().unwrap_or("not looked into yet"))
}

/// Formats a number with about three significant digits.
pub fn short(number: f64) -> String {
    match number {
        n if n >= 100.0 => {
            let digits = format!("{n:.0}");
            let mut grouped = String::new();
            for (place, digit) in digits.chars().enumerate() {
                if place > 0 && (digits.len() - place) % 3 == 0 {
                    grouped.push(',');
                }
                grouped.push(digit);
            }
            grouped
        }
        n if n >= 10.0 => format!("{n:.1}"),
        n => format!("{n:.2}"),
    }
}
