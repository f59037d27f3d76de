//! Cases set against each other, in the words of many teachers.

use super::super::tests::count;

#[test]
fn cases_set_against_each_other_by_what_is_kept_are_found() {
    for (controlled, step) in [
        ("Volume of water", "Fill the paper cup halfway and the foam cup to the brim."),
        ("Starting temperature of the water", "Pour hot water into the foam cup and cold water into the steel cup."),
        ("Type of soil", "Plant group A in potting soil and group B in sand."),
        ("Amount of light", "Put one pot on the sunny sill, the other in the cupboard."),
        ("Temperature of the room", "Leave one jar in the fridge and one by the radiator."),
        ("Surface the car rolls on", "Run the car over carpet, then over tile, then over sandpaper."),
        ("Size of the ice cubes", "Use a crushed cube in the first dish and a whole one in the second."),
        ("Shape of the clay", "Mould the clay into a ball for cup 1, a pancake for cup 2."),
        ("Colour of the cans", "Wrap one can in black paper and one in white paper."),
        ("Brand of paper towel", "Test three brands of paper towel."),
        ("Size of the dish is the same in all three runs", "This time pour it straight into the large roasting tin."),
        ("Air flow over the can, the same for all", "Turn up the fan: setting 2 for the cotton, 3 for the wool."),
        ("All cloths are the same size", "Cut a square twice as big for the shade."),
        ("Water in the cup is the same for every brand", "For each new brand put in a bit more water than before."),
        ("Battery voltage", "With every run connect one more battery."),
        ("Angle of release", "Let go at 10 degrees first, at 20 degrees next and at 30 degrees last."),
    ] {
        assert_eq!(count("Kind of stuff", controlled, step), 1, "{controlled} / {step}");
    }
}

#[test]
fn cases_that_differ_in_something_else_are_passed_over() {
    for (independent, controlled, step) in [
        ("Kind of cup", "Volume of water", "Fill both cups to the brim."),
        ("Kind of cup", "Temperature of the water", "Pour hot water into every cup. Cool your hands in cold water."),
        ("Hot or cold water", "Temperature of the room", "Pour hot water into cup A and cold water into cup B."),
        ("Type of soil", "Amount of soil", "Plant group A in potting soil and group B in sand."),
        ("Light: sun or shade", "Amount of water", "Put one pot on the sunny sill, the other in the cupboard."),
        ("Kind of cup", "Surface the car rolls on", "Discuss: would the car go farther on carpet or on tile?"),
        ("Brand of paper towel", "Size of the towel", "Test three brands of paper towel."),
        ("Kind of cup", "Colour of the cans", "Both cans are black; write the labels on white paper."),
        ("Kind of cup", "Same observer", "Each group has a different observer, who stays for all trials."),
        ("Kind of cup", "½ cup of water in each batch", "Stir in one teaspoon in the first bowl, two in the second."),
        ("Kind of cup", "Size of the pots", "Record the size of a small and a large leaf in each pot."),
    ] {
        assert_eq!(count(independent, controlled, step), 0, "{controlled} / {step}");
    }
}
