//! The findings that an edit removed, and the findings that it added.

use fieldbook::domain::comparison::*;
use fieldbook::domain::finding::Evidence;
use fieldbook::domain::finding::Finding;
use fieldbook::domain::path::FieldPath;

fn finding(source: &str, places: [&str; 2]) -> Finding {
    let field = |path: &str| path.split('.').next().unwrap_or_default().to_owned();
    Finding {
        field_name: field(places[0]),
        conflicts_with: vec![field(places[1])],
        reason: String::new(),
        evidence: places.iter().map(|path| Evidence::new(&FieldPath::parse(path), "q")).collect(),
        also_at: Vec::new(),
        suggestion: None,
        source: source.into(),
    }
}

/// Returns the number of findings that were removed, and the number that were added.
fn compared(before: &[Finding], after: &[Finding]) -> (usize, usize) {
    let Comparison { gone, new } = Comparison::of(before, after);
    (gone.len(), new.len())
}

#[test]
fn each_earlier_finding_is_matched_with_at_most_one_later_finding() {
    let rule = |places| finding("rule:r", places);
    let model = |places| finding("model:m", places);
    let group = || rule(["steps.3.text", "groupSize"]);
    assert_eq!(compared(&[group(), group()], &[group()]), (1, 0), "the same words twice, of which one is left");
    assert_eq!(compared(&[group()], &[group(), group()]), (0, 1));
    assert_eq!(compared(&[group()], &[rule(["steps.2.text", "groupSize"])]), (0, 0), "a step above was removed");
    assert_eq!(compared(&[group()], &[rule(["title", "groupSize"])]), (1, 1));
    assert_eq!(compared(&[rule(["a.0", "b.0"])], &[rule(["a.1", "b.1"])]), (1, 1));
    assert_eq!(compared(&[model(["a.0", "b.0"])], &[model(["b.1", "a.1"])]), (0, 0), "in other words");
    assert_eq!(compared(&[model(["a.0", "b.0"])], &[finding("model:n", ["a.0", "b.1"])]), (1, 1));
    let (water, sand) = (model(["materials.0.name", "steps.0.text"]), model(["materials.1.name", "steps.4.text"]));
    let both = [water, sand.clone()];
    let Comparison { gone, .. } = Comparison::of(&both, [&sand]);
    assert_eq!(gone, [&both[0]], "another finding of the same fields may stay");
}
