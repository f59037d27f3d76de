//! Text for a terminal. Untrusted text, such as that of an imported file, may contain control characters that a
//! terminal would execute instead of printing them.

use std::fmt::Write;

/// Escapes control characters, except tabs, and marks that change the direction of text. The escapes are those of JSON,
/// so that JSON stays JSON.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for sign in text.chars() {
        if sign != '\t' && (sign.is_control() || turns_direction(sign)) {
            // Writing to a string does not fail.
            let _ = write!(shown, "\\u{:04x}", u32::from(sign));
        } else {
            shown.push(sign);
        }
    }
    shown
}

/// Returns whether a character changes the text direction, or ends a line or paragraph.
pub fn turns_direction(sign: char) -> bool {
    matches!(sign, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns whether a character is invisible: a control character such as a line break, a format character, a joiner or
/// a direction mark.
pub fn is_unseen(sign: char) -> bool {
    sign.is_control()
        || turns_direction(sign)
        || matches!(sign, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        || matches!(sign, '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e01ef}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_in_a_text_are_not_printed_to_the_terminal() {
        assert_eq!(
            printable("a\u{1b}[31m\nb\u{9b}c\u{7f}\u{202e}d\u{61c}"),
            r"a\u001b[31m\u000ab\u009bc\u007f\u202ed\u061c"
        );
        assert_eq!(printable("Über\t🌱 »ß« a\u{301}"), "Über\t🌱 »ß« a\u{301}");
    }
}
