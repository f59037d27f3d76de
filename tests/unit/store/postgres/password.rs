//! Unit tests of `src/store/postgres/password.rs`.

use super::*;

#[test]
fn the_first_line_that_fits_gives_the_password() {
    let wanted = ["db".to_owned(), "5432".to_owned(), "book".to_owned(), "ann".to_owned()];
    let of = |line: &str| of_line(line, &wanted);
    assert_eq!(of("db:5432:book:ann:se\\:cr\\\\et"), Some("se:cr\\et".into()));
    assert_eq!(of("*:*:*:*:any"), Some("any".into()));
    assert_eq!(of("other:*:*:*:x"), None);
    assert_eq!(of("db:5432:book:ann"), None);
    let odd = ["::1".to_owned(), "5432".to_owned(), "a\\b".to_owned(), "ann".to_owned()];
    assert_eq!(line_of(&odd), "\\:\\:1:5432:a\\\\b:ann:PASSWORD");
    assert_eq!(of_line(&line_of(&odd), &odd), Some("PASSWORD".into()));
}
