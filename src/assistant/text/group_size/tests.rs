//! Groups of another size, and groups that are none.

use super::*;

fn found(size: i64, text: &str) -> usize {
    let content = json!({"groupSize": size, "steps": [{"text": text}]});
    find(&Lesson::of(content.as_object().expect("an object"))).len()
}

#[test]
fn other_groups_are_found() {
    for (size, text) in [
        (3, "Count off into teams of five. Assign a timer."),
        (4, "Each team of three sketches two designs and votes for one."),
        (4, "Every team of five drops its egg from the ladder."),
        (3, "Find your partner and work as a pair."),
        (3, "Each foursome chooses jobs."),
        (5, "Sit in crews of three and study the photo."),
        (4, "Work in pairs to build the circuit."),
        (3, "Kindly sit six to a bench; each bench carries out its own test."),
        (2, "Work in threes."),
        (2, "Get into groups of 4 students and wear goggles."),
        (2, "Each trio collects a tray."),
        (4, "Sit six to a table."),
        (3, "Form four-person teams."),
        (2, "It is written and signed by all five members of your team."),
        (4, "Work in threes and share the jobs."),
        (4, "Three students per group, please."),
        (3, "Each pair collects a tray."),
        (2, "Every team has four members."),
        (5, "Trios, fetch your tray."),
        (3, "Choose a partner, put on goggles and begin."),
        (2, "Take turns so that all four of you fly once."),
        (3, "Groups of five share a tray."),
        (3, "Each group of six chooses a recorder."),
        (4, "Pupils form pairs."),
        (3, "With a partner, measure the slope."),
        (4, "You and your partner build the ramp."),
        (3, "Pairs collect a magnet and ten clips."),
        (4, "Arrange yourselves in threes."),
        (2, "Form groups of five and sit at your table with your supplies. Decide who is the builder first."),
        (2, "In groups of five, choose one child who stands still while the others draw around the feet."),
        (5, "You will work in groups of two today, so sit down next to your one teammate."),
        (4, "One of the three group members holds the ruler."),
        (5, "Make your crews, exactly three in each, and choose who carries the net."),
        (4, "Get into groups of exactly three."),
        (4, "Divide yourselves into groups, five in each."),
        (3, "Every bench seats four pupils."),
        (4, "Group size: 3."),
        (2, "You four share one balance."),
        (4, "Pair off and fetch a tray."),
        (3, "Set up with one other student."),
        (3, "Set up your four and take a tray."),
        (4, "In your pairs, take a tray and a ruler each."),
        (3, "One partner drops the ball while the other partner reads the height."),
        (3, "You and your partner share one thermometer."),
        (4, "Each team of 3 fetches a bulb."),
        (5, "In your group of four, one holds, one times, one writes and one checks."),
        (3, "Number off one to four within your group: ones hold, twos time."),
        (2, "Groups (4 students) collect a tray."),
        (4, "Your lab team has two members: one handles discs, the other runs the clock."),
        (3, "Partner up with the person on your left."),
        (2, "A group is four: captain, timer, recorder, runner."),
        (4, "Make groups no bigger than three and hand out trays."),
        (2, "Make groups of at least three so that everybody has a role."),
        (4, "Groups of two or three share a balance."),
        (2, "Settle down with your two partners and one candle."),
        (3, "You work as twos all lesson."),
        (3, "Each of the five members grinds and titrates in turn."),
        (2, "Change roles so that everybody in your group of four has been the catcher."),
        (3, "Let them work in fours."),
        (2, "Pass the card to the next member of your trio and go round until all three have had a turn."),
        (3, "Get together with your usual lab partner and collect a tray."),
        (4, "Sit together in threes and take a tray."),
        (4, "Form groups of three. One pair counts the left half while the other pair counts the right half."),
    ] {
        assert_eq!(found(size, text), 1, "{text}");
    }
}

#[test]
fn groups_that_fit_or_pass_are_not() {
    for (size, text) in [
        (4, "Each foursome gets two lilies, and the children work in pairs."),
        (4, "Go to your table of four. Inside the table, work in pairs."),
        (3, "Discuss in pairs what you saw."),
        (6, "Two learners work at each pH."),
        (6, "Divide your group into two teams of three."),
        (4, "Divide the class into 9223372036854775807 teams of four."),
        (3, "Dry them with paper towels and weigh them two by two."),
        (4, "Sort the seeds into groups of five."),
        (4, "Make groups of ten beads, then groups of five beads."),
        (3, "Pair of scissors; in pairs of socks."),
        (4, "Every group has two members at the ramp and two at the desk."),
        (4, "Take the thermometers: two per group."),
        (4, "Hand out five straws, two per group."),
        (5, "Swap with another group of four."),
        (4, "Number off one to four within your group."),
        (4, "In your group of four, two pairs test the ramp."),
        (4, "Count off one to three around the class."),
        (3, "Groups of 3 or 4 work best."),
        (4, "Let a partner lean in."),
        (4, "If someone is absent, work in threes."),
        (4, "Two groups of four join."),
        (4, "Groups of four sit at two desks, then split into pairs."),
        (4, "Groups of four split into Pair On and Pair Off."),
        (4, "Split: one pair runs 1 %, the other pair runs 2 %. Each pair takes a tray."),
        (3, "In pairs, discuss the photo."),
        (4, "In the groups of three, one person takes two jobs."),
        (4, "Groups of three to five students."),
        (4, "Tie the strings in pairs."),
        (4, "Leaves grow in pairs on the stem."),
        (3, "4 groups of 6 plants: 3 in sun, 3 in shade."),
        (3, "Sort the beads into groups of five red beads."),
        (4, "Compare in threes what you found."),
        (4, "A trio of metals lies on each tray."),
        (3, "Look at all four of them. Two cells per group."),
        (4, "In each group of the table, put elements in pairs of two."),
        (4, "Find a partner at your table and try it."),
        (4, "Compare your values with those of the honors section, which worked in pairs."),
        (4, "Turn to the child beside you and work with your partner."),
        (3, "Enter your two times on the class sheet."),
        (3, "Plot your four points, then compare your two lines."),
        (4, "Lay the leaves out in three groups, five in each."),
        (4, "Fill the two racks, three tubes in each."),
        (3, "Each crew has two buckets; each bench is two metres long."),
        (4, "Each group is two minutes late."),
        (3, "Teams measure twice, with four drops in each well."),
        (4, "The group is three steps from the wall."),
        (4, "Rinse, blot and weigh the fragments in threes."),
        (4, "Take turns: in twos, one buddy lowers the cup and the other says what happens."),
        (4, "Plant the bulbs in groups of three."),
        (3, "Snap the blocks together in fours."),
        (4, "Walk to the pond in twos, holding hands."),
        (3, "Groups of two to four work best."),
        (4, "Make groups of at least three."),
        (3, "You have six sheets, two per team member."),
        (5, "Twenty straws, four per team member; the rest stay in the box."),
        (4, "Sow the seeds and label a control group of five seedlings and a test group of five."),
        (2, "Count out the beans and weigh them in threes."),
        (2, "Put them in threes."),
        (2, "Split the animals into a treatment group of three and a control group of three."),
    ] {
        assert_eq!(found(size, text), 0, "{text}");
    }
}

#[test]
fn groups_that_are_neither_made_of_others_nor_parts_are_sure_in_a_later_step_too() {
    let sure = |size: i64, text: &str| {
        let content = json!({"groupSize": size, "steps": [{"text": "Read."}, {"text": "Go."}, {"text": text}]});
        find(&Lesson::of(content.as_object().expect("an object"))).iter().filter(|found| found.sure).count()
    };
    assert_eq!(sure(2, "Form groups of five. Brush powder over the glass."), 1);
    assert_eq!(sure(4, "Work in teams of three to build the bridge."), 1);
    assert_eq!(sure(2, "Form groups of six and build one long chain."), 0);
    assert_eq!(sure(2, "Form groups of five and compare what you found."), 0);
    assert_eq!(sure(4, "Sort the seeds into groups of three."), 0);
}

#[test]
fn groups_are_named_in_aims_and_in_what_is_marked() {
    let found = |objective: &str, assessment: &str| {
        let content =
            json!({"groupSize": 2, "objectives": [objective], "assessment": assessment, "steps": [{"text": "Go."}]});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    };
    assert_eq!(found("Agree a sampling plan as a group of four", ""), 1);
    assert_eq!(found("Discuss results in groups of four", ""), 0);
    assert_eq!(found("", "Each group of six gives a two-minute talk, every member speaking once."), 1);
    assert_eq!(found("", "In groups of six, talk about it."), 0);
    assert_eq!(found("", "Pairs join; each group of four presents one graph."), 0);
}

#[test]
fn a_group_of_nobody_is_held_against_nothing() {
    let content = json!({"groupSize": 0, "steps": [{}, {}, {"text": "Form groups of five and begin."}]});
    assert_eq!(find(&Lesson::of(content.as_object().expect("an object"))).len(), 0);
}

#[test]
fn pairs_may_be_those_of_a_group_of_four_and_are_none_of_three() {
    let sure = |size: i64| {
        let content = json!({"groupSize": size, "steps": [{"text": "Look at it, then work in pairs: each pair gets one bulb and two wires."}]});
        find(&Lesson::of(content.as_object().expect("an object"))).iter().map(|found| found.sure).collect::<Vec<_>>()
    };
    assert_eq!((sure(3), sure(4)), (vec![true], vec![false]));
    let sure = |title: &str, text: &str| {
        let content = json!({"title": title, "groupSize": 4, "steps": [{"text": text}]});
        find(&Lesson::of(content.as_object().expect("an object"))).iter().map(|found| found.sure).collect::<Vec<_>>()
    };
    assert_eq!(sure("Cells", "You'll be working in pairs today, two to a microscope."), [true]);
    assert_eq!(sure("Pairs within the group", "Work in pairs. Each pair gets one bulb."), Vec::<bool>::new());
    let content =
        json!({"groupSize": 6, "steps": [{"text": "In twos, one clipboard for two children, walk round and tally."}]});
    assert!(find(&Lesson::of(content.as_object().expect("an object"))).iter().all(|found| !found.sure));
}

#[test]
fn things_of_which_each_has_one_are_no_members() {
    assert_eq!(found(4, "Hand out a filter, a stirrer and a dropper, one each."), 0);
    assert_eq!(found(3, "A flower has four parts; everyone labels one part."), 0);
}
