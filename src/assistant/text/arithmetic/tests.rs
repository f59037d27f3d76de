//! Classes in groups that come out, and that do not.

use super::*;

fn found(size: i64, texts: &[&str]) -> usize {
    let steps: Vec<_> = texts.iter().map(|text| json!({"text": text})).collect();
    let content = json!({"groupSize": size, "steps": steps});
    find(&Lesson::of(content.as_object().expect("an object"))).len()
}

#[test]
fn classes_that_do_not_divide_so_are_found() {
    for (size, text) in [
        (4, "28 students, so 6 lab groups. Collect supplies."),
        (4, "There are 28 geologists in our class. In groups of four, that gives us 6 groups."),
        (5, "There are 30 of you; sit in fives, which makes ten groups, and choose a volunteer who is fit."),
        (3, "Teams of three, please: with 24 of you that makes six teams."),
        (4, "Our class of 32 splits into 6 teams of four."),
        (4, "Sit four to a table. As all 28 children are in, monitors give out 9 trays, one for each table."),
        (3, "I count heads: 24 tamariki, and we sort ourselves into threes. That makes six motels."),
        (4, "All 28 of you line up by birthday and count off into nine teams of four."),
        (3, "The 24 learners sort themselves into crews of equal size, and so six crews stand ready."),
        (2, "The twenty-six pupils pair up, which makes ten pairs."),
        (5, "With 30 in the class we form eight groups."),
        (4, "Thirty-two young scientists form ten research teams."),
        (3, "24 pupils, 3 per group, 10 groups."),
        (4, "We are twenty-four, so there are eight teams."),
        (3, "The course of 24 students is divided into groups of three, which gives 6 groups."),
        (4, "Our cohort of 28 pupils splits into nine teams."),
        (5, "The class (30 students) forms eight groups."),
        (3, "There are 27 of us; in threes, that makes eight groups."),
        (4, "With 32 learners we get six groups of four."),
        (4, "There are 32 of you on the roster, so split into groups of four; that fills nine benches."),
        (5, "All 30 students present, in teams of 5, means we lay out 7 sets of gloves along the counter."),
        (4, "For the whole class of twenty-four, I have put five trays out: every group fetches one."),
        (3, "The 24 pupils form six teams of equal size."),
        (4, "With 32 students there will be ten groups at the benches."),
        (2, "There are 28 of us, so we expect twelve sets of slides, a set from each group."),
        (6, "Twenty-four visitors, six to a table: fill all five tables."),
        (4, "The class of 28 divides itself in groups of four; we have nine ramps working at once."),
        (2, "The 26 pupils of the class work two by two; on the table lie 15 coins ready."),
        (5, "There are 30 names on my roster, so I lay out eight trays, one for each group."),
        (2, "Full set is thirty-six, all present, two to a bench. Sixteen benches to be laid out, one per pair."),
        (3, "24 children, three at each table: that needs nine tables."),
        (2, "All 26 of you will be working, two to a microscope, at twelve microscopes."),
        (4, "Numbers first: 28 pupils, fours, so there will be nine groups around the side benches."),
        (
            3,
            "Pass out one kit per table group. We have thirty-three people, so that's nine groups, and everybody has a job.",
        ),
        (4, "Split the class of 32 into teams of four and tape out six lanes, a separate lane for every team."),
        (4, "All 32 of you sit at six tables, one group to a table."),
        (4, "The register says 32. Put yourselves in fours, which will leave six full groups."),
    ] {
        assert_eq!(found(size, &[text]), 1, "{text}");
    }
    assert_eq!(found(4, &["We are a class of 24.", "Split into eight groups."]), 1);
    assert_eq!(found(4, &["We are a class of 24.", "Set out eight trays, one for each group."]), 1);
}

#[test]
fn classes_that_do_or_of_which_only_a_part_is_meant_are_not() {
    for (size, text) in [
        (4, "28 students, so 7 lab groups."),
        (4, "We have 28 people who asked; that's five groups by age."),
        (4, "29 students, so 7 lab groups."),
        (4, "The class has 29 pupils: six groups of four and one of five."),
        (4, "29 students, so 8 lab groups."),
        (3, "Thirty students, ten trios; every trio visits all three sites in its own order."),
        (4, "Our 24 students make six groups, so two groups go to each of the three sites."),
        (3, "The 24 of you form 8 crews of three; two crews share a track, so we run four tracks."),
        (4, "The class of 24 makes six groups of four."),
        (4, "Half of the 24 pupils form three groups."),
        (4, "A crew of 8 students forms two groups of four."),
        (4, "In a section of 24 students we form six groups."),
        (4, "The first five groups of the 28 pupils begin."),
        (4, "28 pupils look at four groups of animals."),
        (4, "All 24 of us sit on the rug and name three families of birds."),
        (4, "If 28 pupils come, make six groups."),
        (4, "The 32 students go to four stations with 2 groups each."),
        (3, "The 24 pupils find 24 cups ready."),
        (3, "The 24 pupils find 40 nails ready."),
        (4, "28 students; two groups at the window begin."),
        (3, "The 24 pupils use 6 balances in groups of three."),
        (4, "In 20 minutes all six groups report."),
        (4, "24 students in a survey form five groups by age."),
        (4, "28 students, four stations, seven minutes at each."),
        (4, "28 pupils; two groups per bench."),
        (4, "The 28 pupils share 5 microscopes."),
        (4, "30 students, 8 tables, two tables with three."),
        (4, "Eight groups of four fit in this room; today there are 24 of us."),
        (4, "There are 32 of you; five groups sit on the left and three groups on the right."),
        (4, "There are nine trays for the 32 of you, in case one breaks."),
        (4, "The 28 of you need goggles; each group needs three trays."),
        (4, "There are 28 of you, so set out seven trays and two buckets."),
        (2, "24 students; print 12 sheets, plus 2 spares, so 14 sheets."),
    ] {
        assert_eq!(found(size, &[text]), 0, "{text}");
    }
}
