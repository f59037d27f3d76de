//! Texts that call the class another one, and texts that do not.

use super::*;
use serde_json::{Value, json};

fn found(content: &Value) -> Vec<Match> {
    find(&Lesson::of(content.as_object().expect("an object")))
}

#[test]
fn a_class_of_another_grade_is_found() {
    for (grade, text) in [
        (json!(2), "Fifth graders will compare the animals of two habitats."),
        (json!("Year 12"), "Year 9 students can describe a stationary wave"),
        (json!(3), "Our kindergartners sort the shells."),
        (json!(6), "Grade 3 pupils will measure the ramp."),
        (json!(8), "Ask your 4th graders to draw it."),
        (json!("Year 8"), "Sixth formers should state Hooke's law."),
        (json!(4), "High schoolers will titrate an acid."),
        (json!(10), "By the end, this sixth-grade class can name the parts."),
        (json!(2), "Suitable for Year 9."),
        (json!("Kindergarten"), "Second-graders say in a full sentence what a magnet pulls."),
        (json!("Year 4"), "KS4 pupils plot the graph."),
        (json!(3), "As twelfth graders, students practice writing a claim."),
        (json!(3), "Remember the rule, and you eighth graders will be done in time."),
        (json!(2), "Sixth graders taking part in this lesson will sort materials by how well they slow down a fall."),
        (json!("Year 3"), "Pupils in Year 8 will learn to titrate."),
        (json!(3), "All seventh graders keep a lab notebook."),
        (json!(8), "For 3rd grade learners: name three states of matter."),
        (json!(2), "Seventh graders will record what they saw in a letter to a reader."),
        (json!("Year 11"), "Year 7 pupils can explain why the bulb did not light."),
        (json!(9), "This fourth-grade lesson asks how a shadow moves."),
        (json!("8"), "Year 10s can turn a catch distance into a reaction time off the chart."),
        (json!("Year 4"), "Year Sevens will read the scale."),
        (json!("Year 9"), "Y5s can sort the rocks."),
        (json!(4), "Freshmen will titrate an acid."),
        (json!(2), "Suitable for 14-year-olds."),
        (json!(9), "A workshop for pupils aged 7 to 8."),
        (json!("Year 3"), "As Year 6 you are the oldest in the school, so carry the tubs yourselves."),
        (json!(8), "Meets the expectations for Grades 3-5."),
        (json!(12), "Kindergartners sit on the carpet."),
        (json!(6), "The Moon changes its shape. This is a puzzle for eighth-grade astronomers."),
        (json!(3), "By the end of the lesson fifth graders can plan a fair test."),
        (json!("Year 6"), "By the end of the session every Year 4 student can build a circuit."),
        (json!(11), "Your third-grade class has noticed puddles."),
        (json!(8), "Rubric (Grade 3): one point for each fact."),
        (json!("4th grade"), "Freshmen often ask why ice floats."),
        (json!(1), "For 14-year-olds: explain density."),
        (json!("Standard 4"), "Learners in Standard 7 will name the parts."),
        (json!(4), "Welcome, eighth graders!"),
        (json!("Year 6"), "You are in Year 10 now, so units are a must."),
        (json!(3), "Written with ninth graders in mind."),
        (json!(9), "This practical is pitched at Year 5."),
        (json!("Primary 3"), "Primary 6 pupils should name three forces."),
        (json!(5), "Form 4 students can draw the circuit."),
        (json!(7), "Sinkers and floaters for our five-year-olds."),
        (json!(11), "Each second grader draws a picture."),
        (json!(8), "We second graders think that it sinks."),
        (json!(4), "Today our Year 10 chemists make soap."),
        (json!(2), "I like to ham it up for my fourth graders."),
        (json!("Year 11"), "Year 3 will name the parts of a plant."),
        (json!("Grade 3"), "Sophomores should balance the equation."),
    ] {
        assert_eq!(found(&json!({"grade": grade, "objectives": [text]})).len(), 1, "{grade} {text}");
    }
    for (grade, title) in [
        (json!(10), "Seventh-grade physics: the cart and the slope"),
        (json!("Year 4"), "Year 9 Sparks: One Bulb, Two Bulbs"),
        (json!(6), "A kindergarten look at worms"),
        (json!("Year 10"), "Year 8 Practical: What Heat Does to Carbonates"),
        (json!(10), "Primary school science: floating and sinking"),
        (json!(4), "Hydraulic Arms: a Seventh-Grade Engineering Challenge"),
    ] {
        assert_eq!(found(&json!({"grade": grade, "title": title})).len(), 1, "{title}");
    }
}

#[test]
fn another_class_is_no_conflict() {
    for (grade, text) in [
        (json!(6), "The game comes with a card of rules written for first graders."),
        (json!(0), "Yesterday our fifth-grade buddies rolled a ball."),
        (json!(0), "The first graders next door write their own."),
        (json!("Year 3"), "Challenge for the Year 5 helpers: which step is missing?"),
        (json!(7), "Explain the order of the drops to a second grader."),
        (json!(7), "Refer to your graph from the 4th-grade energy unit."),
        (json!(4), "Check the rulers, since last year's fifth graders bent them."),
        (json!(9), "In grade 4 you learned about circuits."),
        (json!("Year 8"), "This comes round again in Year 10."),
        (json!("Year 11"), "Grade 9 students explain the anomaly."),
        (json!(7), "In year two the drought begins."),
        (json!(6), "My sixth graders draw it first."),
        (json!(7), "Explain it in the words a Grade 10 chemist would use."),
        (json!(10), "Write for our five-year-olds next door."),
        (json!(9), "Share it with my former fourth graders."),
        (json!(11), "Leave behind the seventh-grade picture of motion."),
        (json!(6), "Grade 8 steel bolts are used."),
        (json!(6), "The second grade of sandpaper is finer."),
        (json!("Year 7"), "Grade 6 students draw."),
        (json!(10), "Eighth note, third step, high school of fish."),
        (json!(4), "Our first grade visitors draw a picture."),
        (json!(9), "Compare your answers with those of pupils in Year 3."),
        (json!(4), "The data that the sixth graders collected are on the board."),
        (json!(4), "Sixth graders next door can hear the noise."),
        (json!(3), "Third graders change one thing; in fifth grade they come back to it (Grade 5 unit, step 9)."),
        (json!(3), "Look up the word (Grade 5 unit)."),
        (json!(3), "Third graders begin, and fifth graders will add force meters."),
        (json!("Year 5"), "Class 3 pupils share the hall with us."),
        (json!(4), "In years 8s and 9s follow each other in the table."),
        (json!(8), "You are in the second year of the drought on the map."),
        (json!(5), "Class 2 lever: the load is in the middle."),
        (json!(6), "Hand it to the Year 10s at the door."),
        (json!("Year 11"), "Year 3 will draw our plants on Friday."),
        (json!("Year 9"), "When you were in Year 6 you sorted rocks."),
        (json!(4), "Fill in form 3 and hand it to the pupils."),
    ] {
        let content = json!({"grade": grade, "steps": [{"text": text}], "objectives": [text]});
        assert_eq!(found(&content).len(), 0, "{grade} {text}");
    }
}

#[test]
fn either_side_can_give_way() {
    let content = json!({"grade": 2, "objectives": ["Fifth graders will sort."]});
    let mends = found(&content).remove(0).mends;
    let edits: Vec<_> = mends.into_iter().map(|mend| mend.edit).collect();
    assert_eq!(edits, [Edit::Replace(json!(5)), Edit::Splice { range: 0..5, text: "Second".to_owned() }]);
}

#[test]
fn what_people_of_an_age_are_like_is_no_class() {
    for text in [
        "Toddlers learn to walk at about twelve months.",
        "Children aged 6 to 8 have a faster pulse than adults.",
        "Children are about six years old when the first milk teeth fall out.",
        "Seniors can lose a third of their bone mass.",
    ] {
        let content = json!({"grade": 10, "phenomenon": text, "steps": [{"text": "Begin."}]});
        assert_eq!(find(&Lesson::of(content.as_object().expect("an object"))).len(), 0, "{text}");
    }
    for title in ["First Class: Meet Your Microscope", "First-class, second-class and third-class levers"] {
        let content = json!({"grade": 8, "title": title});
        assert_eq!(find(&Lesson::of(content.as_object().expect("an object"))).len(), 0, "{title}");
    }
}
