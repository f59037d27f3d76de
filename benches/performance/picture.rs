//! The picture in the docs, which shows for every row of the table by which factor it is better or worse than its goal.

use std::fmt::Write;

use crate::row::{Goal, Row};

const WIDTH: f64 = 860.0;
const LEFT: f64 = 470.0;
const LINE: f64 = 26.0;
/// A bar reaches the edge of the picture if its row is better or worse than the goal by this factor.
const EDGE: f64 = 16.0;

/// Draws the picture as SVG. Bars to the right are better than the goal, and bars to the left are worse.
pub fn draw(rows: &[Row]) -> String {
    let height = LINE * (rows.len() as f64 + 2.0);
    let middle = LEFT + (WIDTH - LEFT) / 2.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\" role=\"img\" aria-label=\"Each row beside its goal\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{middle}\" y=\"16\" text-anchor=\"middle\" fill=\"#333\">worse ← goal → better</text>\n\
         <line x1=\"{middle}\" x2=\"{middle}\" y1=\"22\" y2=\"{height}\" stroke=\"#333\"/>\n"
    );
    for (place, row) in rows.iter().enumerate() {
        let (better, goal) = match row.goal {
            Goal::AtLeast(least) => (row.figure() / least, least),
            Goal::AtMost(most) | Goal::Within(most) => (most / row.figure(), most),
        };
        let length = (better.clamp(1.0 / EDGE, EDGE).ln() / EDGE.ln()) * (WIDTH - LEFT) / 2.0;
        let y = LINE * (place as f64 + 1.3);
        let colour = if row.is_met() { "#2e7d4f" } else { "#b3541e" };
        let words = if row.theirs.is_empty() { row.work.clone() } else { format!("{} / {}", row.work, row.beside) };
        let _ = writeln!(
            svg,
            "<text x=\"8\" y=\"{:.1}\" fill=\"#222\">{}<title>{}</title></text>\n\
             <rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"14\" fill=\"{colour}\"><title>{:.2}, goal {goal}</title></rect>",
            y + 11.0,
            escaped(&cut(&words, 72)),
            escaped(&words),
            if length < 0.0 { middle + length } else { middle },
            y,
            length.abs().max(1.0),
            row.figure(),
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
