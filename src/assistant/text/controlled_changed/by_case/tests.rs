//! Steps that change what is kept from case to case, and steps that do not.

use super::super::tests::count;

#[test]
fn what_is_changed_from_case_to_case_is_found() {
    for (controlled, step, independent) in [
        (
            "Temperature of the room",
            "Between runs turn the heater up so that the room is warmer each time.",
            "Mass of the bob",
        ),
        (
            "Steepness of the ramp",
            "Tape the felt on and add the other two books, so that the ramp is steeper for the felt.",
            "Surface of the ramp",
        ),
        (
            "Water at the same temperature in all dishes",
            "Measure 50 ml of cold tap water for the small dish, 50 ml of warmer water for the medium one and 50 ml of warmer water still for the large one.",
            "Width of the dish",
        ),
        ("Same ball throughout", "For the next drop pick a bigger ball than the last one.", "Height of drop"),
        ("Length of string stays at 40 cm", "Lengthen the string by 10 cm before each new bob.", "Mass of the bob"),
        ("Volume of acid", "Each time, pour 5 ml more acid in than you did before.", "Size of the marble chips"),
        (
            "Distance of the lamp from the pondweed",
            "Slide the lamp 5 cm closer for each new filter.",
            "Colour of the filter",
        ),
        (
            "Number of paper clips on the helicopter (one)",
            "Put another clip on for every longer wing.",
            "Length of the wings",
        ),
        (
            "The light the plants get is identical",
            "Stand the radish by the window, the cress under the table and the bean in the cupboard.",
            "Kind of seed",
        ),
        (
            "Release height: 1 m above the tray",
            "Drop the small marble from 50 cm, the medium one from 1 m and the large one from 1.5 m.",
            "Size of the marble",
        ),
        (
            "We keep the amount of sugar the same",
            "The bottle at 20 °C gets one teaspoon of sugar, that at 30 °C two, and that at 40 °C three.",
            "Temperature of the water",
        ),
        ("Equal pushes", "Push the car a little harder on each new surface.", "Surface"),
        ("Time in the oven is constant", "Leave each next tray in for five minutes longer.", "Amount of baking powder"),
        (
            "Voltage of the supply, fixed at 3 V",
            "Turn the supply up by one volt for each new length of wire.",
            "Length of the wire",
        ),
        (
            "Depth at which seeds are planted",
            "Plant the seeds a centimetre deeper in every new pot.",
            "Kind of fertiliser",
        ),
        ("Cup size", "As the water gets hotter, switch to a larger cup.", "Temperature of the water"),
        (
            "Mass of the trolley",
            "Load one more 100 g mass on the trolley whenever the angle is raised.",
            "Angle of the track",
        ),
        (
            "temperature of all the solutions (room temperature)",
            "Repeat for the other four dilutions, but warm the thiosulfate a little more before each new run.",
            "concentration of the thiosulfate",
        ),
        ("size of the paper towel", "Cut a larger piece from each new brand.", "brand of paper towel"),
        ("starting temperature", "Start with warmer water for the second food.", "type of food"),
        ("size of the egg", "Choose a smaller egg for the saltiest water.", "salt content"),
        ("starting speed of the car", "Push the car harder on the carpet than on the wood.", "surface"),
        (
            "enzyme concentration",
            "Double the concentration of the enzyme for the last two buffers.",
            "pH of the buffer",
        ),
        (
            "pH of the buffer",
            "Use the pH 4 buffer at 10 °C, the pH 7 buffer at 30 °C and the pH 9 buffer at 50 °C.",
            "Temperature",
        ),
    ] {
        assert_eq!(count(independent, controlled, step), 1, "{controlled} / {step}");
    }
}

#[test]
fn what_is_watched_or_changed_on_purpose_is_passed_over() {
    for (controlled, step, independent) in [
        (
            "Water at the same temperature in all dishes",
            "Measure 50 ml of water for the small dish and note that it is warmer for the large one.",
            "Width of the dish",
        ),
        ("Steepness of the ramp", "Say whether the ramp is steeper for the felt.", "Surface of the ramp"),
        (
            "Amount of water given to each pot: 50 ml a day",
            "Water the first pot with 50 ml, then the second with 50 ml and the third with 50 ml.",
            "Kind of soil",
        ),
        ("Same ball throughout", "Drop the ball from 20 cm, then from 40 cm and 60 cm.", "Height of drop"),
        ("The slope of the ramp", "Put a rougher surface on the ramp each time.", "Surface of the ramp"),
        (
            "Number of paper clips on the helicopter (one)",
            "Cut the wings 1 cm shorter for each new trial.",
            "Length of the wings",
        ),
        (
            "We keep the amount of sugar the same",
            "Stir two teaspoons of sugar into each bottle.",
            "Temperature of the water",
        ),
        (
            "Time in the oven is constant",
            "Mix 1, 2 and 3 teaspoons of baking powder into the trays and bake each for 20 minutes.",
            "Amount of baking powder",
        ),
        ("Thickness of the wire, unchanged", "Use a longer piece of the same wire each time.", "Length of the wire"),
        (
            "Every team uses the same kind of bread",
            "Put a slice in the fridge, another on the shelf and one on the radiator.",
            "Temperature",
        ),
        (
            "The magnet is always the same one",
            "Put a thicker sheet under the magnet each time.",
            "Thickness of the sheet",
        ),
        ("pH of the buffer", "Put the tubes at 10 °C, 30 °C and 50 °C.", "Temperature"),
        (
            "size of the egg",
            "Put the egg into the saltiest water last; it floats higher than the others.",
            "salt content",
        ),
        (
            "temperature of the water",
            "The water feels warmer in the black cup than in the white one.",
            "colour of the cup",
        ),
        (
            "starting speed of the car",
            "Write down on which surface the car rolls faster than on the others.",
            "surface",
        ),
        ("enzyme concentration", "Double the volume of the sample for the last two buffers.", "pH of the buffer"),
        ("size of the paper towel", "Cut a piece of the same size from each new brand.", "brand of paper towel"),
        (
            "All plants receive the same number of hours of light",
            "Give plant A 1 drop of fertiliser, plant B 2 and plant C 3.",
            "Amount of fertiliser",
        ),
        ("The wrapping is left as it is", "Take the temperature every five minutes.", "Starting temperature"),
        ("Brand of battery", "Fit fresh batteries of the same brand for each wire.", "Length of the wire"),
        ("Same pot size for all seedlings", "Put the pots in the dark, half light and full light.", "Amount of light"),
        (
            "Temperature of the water bath, 40 °C",
            "Let the tube warm up in the bath until it reaches 40 °C.",
            "Concentration of amylase",
        ),
        (
            "Number of seeds per dish: ten",
            "Place ten seeds in the first dish, ten in the second and ten in the third, then count how many more sprout each day.",
            "Temperature",
        ),
    ] {
        assert_eq!(count(independent, controlled, step), 0, "{controlled} / {step}");
    }
}
