//! Normalizes characters: ligatures, soft hyphens, line breaks and spaces, superscripts and subscripts.

/// Reverts typographic substitutions. Line ends become `\n`.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' if characters.peek() == Some(&'\n') => {}
            '\r' | '\u{b}' | '\u{85}' | '\u{2028}' | '\u{2029}' => plain.push('\n'),
            '\u{a0}' | '\u{202f}' | '\u{2007}' | '\u{2009}' | '\u{200a}' | '\u{2002}' | '\u{2003}' => plain.push(' '),
            'ﬀ' => plain.push_str("ff"),
            'ﬁ' => plain.push_str("fi"),
            'ﬂ' => plain.push_str("fl"),
            'ﬃ' => plain.push_str("ffi"),
            'ﬄ' => plain.push_str("ffl"),
            'ﬅ' | 'ﬆ' => plain.push_str("st"),
            // Soft hyphens, marks of width zero (but not joiners, which Arabic and emoji need), and characters that do
            // not occur in text.
            '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{feff}' | '\u{2060}' => {}
            '\u{0}'..='\u{8}' | '\u{e}'..='\u{1f}' | '\u{7f}' => {}
            _ => plain.push(character),
        }
    }
    plain
}

/// Replaces each run of white space by one space. Line ends stay.
pub(crate) fn squeezed(text: &str) -> String {
    let mut squeezed = String::new();
    for line in text.split('\n') {
        let mut gap = "\n";
        for word in line.split_whitespace() {
            if !squeezed.is_empty() {
                squeezed.push_str(gap);
            }
            squeezed.push_str(word);
            gap = " ";
        }
    }
    squeezed
}

/// Endings of ordinal numbers, in all languages.
pub(crate) const ORDINALS: [&str; 13] = ["st", "nd", "rd", "th", "e", "er", "re", "ème", "eme", "º", "ª", "o", "a"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    Raised,
    Lowered,
}

/// Returns the Unicode superscript or subscript characters. If one is missing, prefixes the text with `^` or `_`.
pub(crate) fn scripted(text: &str, script: Script) -> String {
    const PLAIN: &str = "0123456789+-−=()n";
    const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ";
    const LOWERED: &str = "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₙ";
    let (forms, mark) = match script {
        Script::Raised => (RAISED, '^'),
        Script::Lowered => (LOWERED, '_'),
    };
    let form = |character: char| {
        let place = PLAIN.chars().position(|plain| plain == character)?;
        forms.chars().nth(place)
    };
    let words = text.trim();
    // Ordinal endings are not exponents, and neither is the ordinal indicator or degree sign that many people type
    // instead.
    let is_ordinal = |words: &str| words == "°" || ORDINALS.contains(&words);
    if words.is_empty() || script == Script::Raised && is_ordinal(&words.to_lowercase()) {
        return text.to_owned();
    }
    /// Maximum length of an exponent, in bytes. The resulting characters take up to three times as many bytes.
    const MAX_FORMED: usize = 256;
    let formed = if words.len() <= MAX_FORMED { words.chars().map(form).collect::<Option<String>>() } else { None };
    match formed {
        Some(formed) => text.replace(words, &formed),
        None => text.replace(words, &format!("{mark}{words}")),
    }
}
