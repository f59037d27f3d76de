//! Unit tests of `src/assistant/rules/lint.rs`.

use super::*;

/// Returns the lint message for an expression. Runs on a stack as large as the one for reading rules.
fn said(text: &str) -> String {
    let text = text.to_owned();
    let said = move || {
        let env = crate::assistant::rules::meter::env().expect("an environment");
        compile(&env, &text, &["self"], &mut Patterns::default()).err().unwrap_or_else(|| "taken".to_owned())
    };
    std::thread::Builder::new().stack_size(64 << 20).spawn(said).expect("a thread").join().expect("an answer")
}

#[test]
fn loops_bind_their_variables() {
    assert_eq!(said("self.steps.all(s, has(s.minutes) && s.minutes > 0)"), "taken");
    assert_eq!(said("self.a.map(x, x * 2).exists(y, self.b.filter(z, z == y).size() > 1)"), "taken");
    assert_eq!(said("type(self.a) == int || type(self.a) != null_type"), "taken");
    assert_eq!(said("self.steps.all(s, t > 0)"), "knows no \"t\"; the document is \"self\"");
    assert_eq!(said("s > 0 && self.steps.all(s, s > 0)"), "knows no \"s\"; the document is \"self\"");
}

#[test]
fn what_could_hang_or_overflow_is_refused() {
    let chain = format!("{}1 > 0", "1+".repeat(900));
    assert_eq!(said(&chain), "is nested deeper than 64 levels");
    assert_eq!(said(&format!("{}1{} > 0", "(1+".repeat(70), ")".repeat(70))).lines().count(), 1);
    assert_eq!(said(&"1".repeat(2001)), "is longer than 2000 bytes");
    assert_eq!(said("self.a.all(x, self.a.all(y, self.a.all(z, x == y)))"), "has more than 2 nested loops");
}

#[test]
fn unknown_functions_are_named() {
    assert_eq!(said("fetch(self.url) == ''"), "knows no function \"fetch\"");
    for name in [".matches", ".bytes", ".stepReferences", "_nope", "a.matches"] {
        assert!(said(&format!("{name}(self.a, '1')")).starts_with("knows no "), "{name}");
    }
    assert!(said("1 +").contains("Syntax error"), "{}", said("1 +"));
    assert!(said("self.?a == 1").contains("unsupported syntax"), "{}", said("self.?a == 1"));
}

/// Returns what an expression reads: the inputs, and whether they are all that it can read.
fn read_by(text: &str) -> (Vec<String>, bool) {
    let env = crate::assistant::rules::meter::env().expect("an environment");
    let expression = compile(&env, text, &["self"], &mut Patterns::default()).expect("an expression");
    (expression.inputs().map(|input| format!("{input:?}")).collect(), expression.has_known_inputs())
}

#[test]
fn everything_that_an_expression_reads_is_an_input_or_makes_the_inputs_unknown() {
    for (text, inputs, known) in [
        ("has(self.a) && size(self.b.c) > 0", vec![r#"Field("a")"#, r#"Field("b")"#], true),
        ("self.a.all(x, x.b > self.c)", vec![r#"Field("a")"#, r#"Field("c")"#], true),
        ("groupSizes().all(g, g.low < 3)", vec![r#"Facts("groupSizes")"#], true),
        ("amountsOf('materials') == []", vec![r#"Amounts("materials")"#], true),
        ("texts('a.b.*') == []", vec![r#"Field("a")"#], true),
        ("sameText(self.a, 'x') && gradeRange(self.b) == null", vec![r#"Field("a")"#, r#"Field("b")"#], true),
        ("'a'.texts('b') == [] && 'a'.amountsOf('c') == []", vec![r#"Field("b")"#, r#"Amounts("c")"#], true),
        ("texts('a' + 'b') == []", vec![], false),
        ("amountsOf(self.a) == []", vec![r#"Field("a")"#], false),
        ("self['a'] == 1", vec![], false),
        ("size(self) > 0 && [self].all(s, s.a == 1)", vec![], false),
    ] {
        let inputs = inputs.into_iter().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(read_by(text), (inputs, known), "{text}");
    }
}
