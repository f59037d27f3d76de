//! Arguments of commands.

use clap::ArgMatches;

/// Returns the text of an argument; an empty text if the argument was not given.
pub fn text<'m>(matches: &'m ArgMatches, name: &str) -> &'m str {
    matches.get_one::<String>(name).map(String::as_str).unwrap_or_default()
}
