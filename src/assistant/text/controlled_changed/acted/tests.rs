//! Acts that change what is kept the same, and acts that leave it as it is.

use super::super::tests::count;

#[test]
fn an_act_that_changes_what_is_kept_is_found() {
    for (independent, controlled, step) in [
        (
            "the length of the string: 20, 40, 60, 80 and 100 cm",
            "the mass of the bob",
            "Hang one more mass on the loop at the second and at the third length.",
        ),
        ("Surface: tile, carpet, sandpaper", "Weight of the trolley", "Add another washer for the sandpaper."),
        ("Angle of the ramp", "How heavy the car is", "Tape two extra coins to the car for the last angle."),
        (
            "Number of turns of wire: 10, 20, 30, 40",
            "One fresh 1.5 V cell for every test",
            "Go on to 30 and 40 turns, and put another battery in line for these two so that the lift is easy to see.",
        ),
        (
            "Loops of wire: 10, 20, 30, 40",
            "The electrical push: it is the same from the first coil to the last",
            "For thirty and forty loops clip the other cell in series as well, so that the lift is easy to see.",
        ),
        (
            "Mass of the bob (50 g, 100 g, 150 g, 200 g)",
            "Length of the pendulum, 60 cm throughout",
            "Change to the next heavier bob and take in the string by 10 cm before timing again.",
        ),
        (
            "Number of paper clips",
            "Wings: every helicopter keeps its four-inch wings",
            "For the second and third clip, snip half an inch off both wings as well.",
        ),
        (
            "Temperature of the water bath: 10, 25, 37, 60 and 95 °C",
            "Strength of the peroxide, 3 %",
            "In the tubes at 37 and 60 it overflows; there, let the peroxide down with its own volume of water.",
        ),
        (
            "Floor surface: tile, carpet, sandpaper",
            "The steepness of the ramp",
            "Lay the carpet at the foot, put one more book under the board, and take three more measurements.",
        ),
        (
            "The line: yarn, fishing line, steel wire",
            "Six metres from speaker to listener",
            "Walk apart till the whisperer is at the gate and the listener three times as far off as before.",
        ),
        (
            "Volume of water in the 1 L bottle",
            "Air pressure at launch",
            "Refill with 300 mL, then 500 mL and 800 mL, and pump up half a bar more for every new filling.",
        ),
        (
            "What the line is made of: wool, fishing line or wire",
            "All lines four metres long",
            "For the wire, move closer together and use only two metres of it, so that it doesn't kink.",
        ),
        (
            "Side of the square canopy: 20, 30 or 40 cm",
            "Height of release",
            "Let the small parachute go from the window sill, the medium one from the top of the steps and the large one from the balcony.",
        ),
    ] {
        assert_eq!(count(independent, controlled, step), 1, "{controlled} / {step}");
    }
}

#[test]
fn an_act_on_something_else_or_for_all_alike_is_passed_over() {
    for (independent, controlled, step) in [
        ("Mass on the hanger", "Mass of the trolley", "Hang one more mass on the hanger for the next run."),
        ("Length of the string", "Mass of the bob", "Hang one more bob beside the first."),
        (
            "Fuel",
            "100 cm³ of water in the can",
            "Change the water and fetch the next burner until all have been burnt.",
        ),
        (
            "Number of turns: 10, 20, 30",
            "Same 1.5 V cell",
            "If the cell is flat, put another cell in for the next turns.",
        ),
        ("Number of turns: 10, 20, 30", "One 1.5 V cell", "Put another iron nail in the coil for 20 turns."),
        ("Mass of the bob", "Length of the pendulum", "Take the string off and tie on the next bob."),
        ("Mass of the bob", "Length of the pendulum", "Shorten the string to 60 cm."),
        ("Temperature: 10, 37 °C", "Strength of the peroxide", "Dilute the peroxide to 3 % for all tubes."),
        ("Surface: tile, carpet", "Steepness of the ramp", "Put the book back under the board for the carpet."),
        ("Surface: tile, carpet", "Distance of the fan", "The car rolls twice as far on the tile as before."),
        ("Brand of bubble", "Volume of soap, 20 mL", "For the next brand add only 5 mL of water."),
        ("Canopy", "Height of release", "Let it go from the balcony and run down the steps."),
        (
            "Mass of the bob (50 g, 100 g)",
            "Length of the pendulum, 60 cm",
            "Change to the next bob and let the string out a little, so that it still measures 60 cm.",
        ),
        (
            "Kind of string: cotton, nylon",
            "Length of the string: 30 cm",
            "Cut 30 cm from the next ball of string and test it.",
        ),
        (
            "Metal: zinc, magnesium",
            "Concentration of the acid, 0.5 M",
            "Dilute the acid for the next group of tubes until it is 0.5 M like the first.",
        ),
        (
            "Surface: tile, carpet",
            "Height of the ramp, 20 cm",
            "Put two more books under the ramp until it is 20 cm high for the next test.",
        ),
        ("Volume of water: 300, 500, 800 mL", "Air pressure at launch", "Pump up to a pressure of 3 bar each time."),
        (
            "Temperature of the acid: 20, 40, 60 °C",
            "Concentration of the acid",
            "Let the acid cool down to 40 °C for the next run.",
        ),
        (
            "Number of turns: 10, 20",
            "Voltage: two 1.5 V cells",
            "Connect the first cell to the switch and join the second cell in series with it.",
        ),
        ("Size of the ball: small, large", "Slope of the ramp", "Slide a third book under the end of the ramp."),
        ("Pull on the string", "Mass of the cart", "Add another washer to the string for the next pull."),
        (
            "Surface: tile, carpet",
            "Load of the cart: two bricks",
            "Put the other brick on the cart too, so that it carries both as in the first run, and pull it over carpet.",
        ),
        ("Pulling force", "Mass of the trolley", "Put twice the mass on the hanger for the next run."),
        ("Kind of ball", "Height of the drop", "Drop the ball from the top of the shelf, one metre from the bench."),
        ("Kind of ball", "Drop height", "Drop it from the table edge while your partner reads the scale from a chair."),
        (
            "Powder: soda, yeast",
            "Volume of vinegar: 50 mL",
            "For the yeast, pour in only 10 mL of the vinegar at a time, five times.",
        ),
        ("Colour of the cup", "Cooling time 10 minutes", "For the last cup, wait only 1 minute before you start."),
        (
            "Brand of tablet",
            "Stirring the water for 1 minute",
            "Let the water sit for just 5 minutes for the next tablet.",
        ),
        (
            "Liquid: tap water, salt water",
            "Length of the stem",
            "Trim 1 cm off the end of each stem under water before the next step.",
        ),
        ("Kind of paper", "Length of the wings: 8 cm", "Cut 8 cm off the strip for the next helicopter."),
    ] {
        assert_eq!(count(independent, controlled, step), 0, "{controlled} / {step}");
    }
}
