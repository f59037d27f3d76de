//! Lengths that a text gives the lesson, and times that are none.

use super::*;
use serde_json::{Value, json};

/// How much is found with one text beside the duration.
pub(super) fn count(minutes: i64, field: &str, text: &str) -> usize {
    let mut content = json!({"durationMinutes": minutes});
    content[field] = if field == "steps" { json!([{"text": text}]) } else { json!(text) };
    find(&Lesson::of(content.as_object().expect("an object"))).len()
}

fn found(duration: i64, text: &str) -> Vec<Match> {
    let content: Value = json!({"durationMinutes": duration, "objectives": [text]});
    find(&Lesson::of(content.as_object().expect("an object")))
}

#[test]
fn another_length_of_this_lesson_is_found() {
    for (duration, text) in [
        (50, "Find out, in our 30-minute lesson, how wing size matters."),
        (70, "Collect six points in one 40-minute lesson"),
        (55, "Stop ten minutes before the end of our 70-minute lesson."),
        (60, "All of it belongs to this 45-minute lab."),
        (45, "This one-hour practical shows it."),
        (40, "The whole activity takes 90 minutes."),
        (45, "The lesson lasts an hour and a half."),
        (60, "This investigation fits into 40 minutes."),
        (45, "We have a double period for this."),
        (60, "Finish the measurement inside our 80-minute double."),
        (60, "In what remains of our 100-minute double lesson plot R against length."),
        (50, "Finish a diver within one 90-minute block."),
        (60, "In this 45-minute lesson you'll set one up yourself."),
        (90, "Plan the work so that it fits a 45 min class."),
        (90, "The practical runs for half an hour."),
        (30, "Everything takes two hours."),
        (40, "Finish the tower in a sixty-minute class period."),
        (50, "The lab takes about 90 minutes in all."),
        (50, "In the seventy minutes of this class we find out."),
        (40, "Settle down. We have a full two hours together, so there is time."),
        (60, "You have just 35 minutes for everything."),
        (45, "Work through one lesson of 80 minutes."),
        (60, "Total time needed: 90 minutes."),
        (60, "Time needed: 40 min"),
        (40, "Students have 60 minutes to complete the investigation."),
        (90, "Planned for a 45-minute slot."),
        (60, "Not a long one, this 40-minute class."),
        (45, "By the end of our hour and a half together every child has told me."),
        (60, "In the half-hour this lesson gives us we will build a crane."),
        (60, "The timetable gives us 35 minutes, so be quick."),
        (45, "Ninety minutes is all we have today."),
        (90, "All we get is 40 minutes."),
        (45, "The whole thing is over in two hours."),
        (90, "This investigation is planned for 40 minutes."),
        (90, "Allow 50 minutes for this lesson."),
        (90, "In the 45 minutes we have, every group tests three ramps."),
        (45, "When our 80 minutes are up, the tubs go back."),
        (50, "The lesson runs from 9:00 to 10:30."),
        (90, "Class meets from 1:15 until 2:00."),
        (45, "A single lesson (90 minutes) is enough."),
    ] {
        assert_eq!(found(duration, text).len(), 1, "{text}");
    }
    let title = json!({"durationMinutes": 60, "title": "Bounce! A 35-Minute Lab"});
    assert_eq!(find(&Lesson::of(title.as_object().expect("an object"))).len(), 1);
    assert_eq!(found(60, "Colours in the fire: a 40-minute flame-test lesson").len(), 1);
    for (title, count) in
        [("Growing crystals (90 min)", 1), ("Seed race – 40 minutes", 1), ("The ten-second drop (60 min)", 0)]
    {
        let content = json!({"durationMinutes": 60, "title": title});
        assert_eq!(find(&Lesson::of(content.as_object().expect("an object"))).len(), count, "{title}");
    }
}

#[test]
fn other_times_are_no_length_of_this_lesson() {
    for (duration, text) in [
        (80, "The bell of the first 40-minute period will ring about here."),
        (80, "Kindly do not disturb, we are having a double period."),
        (60, "Homework, about 30 minutes: a fresh set of readings."),
        (90, "Watch the 4-minute crash-test film."),
        (60, "Discuss in a 10-minute class discussion."),
        (60, "Leave the block for 20 minutes."),
        (90, "Taught over two 45-minute lessons."),
        (60, "Last week's 40-minute lesson introduced it."),
        (60, "If you have a 90-minute lesson, add a third run."),
        (60, "This lesson takes one hour."),
        (55, "The lesson takes about an hour."),
        (60, "The lab is 5 minutes away."),
        (45, "A class room feels stuffy after a double lesson."),
        (60, "The activity takes 5 minutes per group."),
        (60, "A five-minute activity opens the lesson."),
        (45, "It takes a minute or two each time."),
        (60, "The period of the pendulum is 2 seconds; the class works 20 minutes."),
        (60, "The practical must not take 90 minutes."),
        (60, "You have 20 minutes to build the tower."),
        (60, "We have waited two hours for the bread."),
        (60, "Leave it for the first 40 minutes of the lesson."),
        (60, "They have 30 minutes of reading at home."),
        (60, "この授業は40分です"),
        (55, "By the end of our hour together you can tell."),
        (47, "In a double period one could add garlic; a single 47-minute period is enough."),
        (47, "In a double period one could add garlic."),
        (50, "A 90-minute lab would leave time for more."),
        (50, "The honors section has a 90-minute lab."),
        (60, "In the 20 minutes you have to build, keep the cup upright."),
        (60, "Spend half an hour of this lesson on the graph."),
        (60, "Half an hour is all it takes for the ice to melt."),
        (60, "The school day runs from 8:30 to 3:00."),
        (45, "The shop is open from 9:00 to 10:30."),
        (60, "The kettle takes five minutes, which the class uses to draw."),
        (60, "Allow 20 minutes for the dough to rise."),
        (60, "When the ten minutes are up, stop the clock."),
        (60, "Over the 24 hours that follow, the bread goes stale."),
        (60, "The experiment runs for 90 minutes in another class."),
        (60, "The timetable gives us 20 minutes to walk to the pond."),
    ] {
        assert_eq!(found(duration, text).len(), 0, "{text}");
    }
}

#[test]
fn either_side_can_give_way() {
    let edits: Vec<_> = found(50, "In our 30-minute lesson.").remove(0).mends.into_iter().map(|m| m.edit).collect();
    assert_eq!(edits, [Edit::Replace(json!(30)), Edit::Splice { range: 7..9, text: "50".to_owned() }]);
}
