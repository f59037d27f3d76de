//! Arguments of commands.

use clap::ArgMatches;

/// Returns a text that was given; an empty one if none was.
pub fn text<'m>(matches: &'m ArgMatches, name: &str) -> &'m str {
    matches.get_one::<String>(name).map(String::as_str).unwrap_or_default()
}
