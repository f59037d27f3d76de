//! Kinds of things: what belongs to the solvents, the blades or the animals that a rule speaks of.
//!
//! A name of several words is written with `_` between them.

use super::lesson::Text;
use super::phrases::lists;

/// Names of kinds, with the names of what belongs to them.
const KINDS: &[(&str, &str)] = &[
    ("phone smartphone cellphone mobile", "phone smartphone cellphone mobile iphone"),
    (
        "screen electronics electronic electronic_device device gadget",
        "phone smartphone tablet laptop ipad chromebook computer camera smartwatch",
    ),
    (
        "electrical_appliance electric_appliance electrical_device electric_device electrical_equipment",
        "blender hand_blender hairdryer hair_dryer kettle toaster microwave hotplate hot_plate electric_mixer electric_whisk \
         electric_fan electric_drill electric_heater heat_gun vacuum_cleaner",
    ),
    ("computer", "computer laptop chromebook"),
    (
        "nut peanut tree_nut",
        "nut peanut almond walnut cashew pecan hazelnut pistachio peanut_butter nutella marzipan peanut_oil almond_milk \
         almond_butter cashew_butter nut_butter macadamia brazil_nut praline nougat trail_mix satay",
    ),
    (
        "flame fire naked_light open_fire ignition",
        "candle bunsen bunsen_burner burner tealight tea_light campfire camp_fire fire \
         sparkler spirit_lamp oil_lamp blowtorch flame candle_flame",
    ),
    (
        "gas gas_appliance gas_burner gas_equipment",
        "bunsen bunsen_burner gas_burner gas_stove camping_stove gas_cylinder",
    ),
    ("candle", "candle tealight tea_light candle_flame"),
    ("firework", "firework sparkler firecracker"),
    ("glass glassware", "glass glassware pyrex"),
    ("metal", "metal steel iron copper brass aluminium tin zinc nail screw foil"),
    (
        "synthetic synthetic_material man_made_material",
        "nylon polyester acrylic polystyrene plastic styrofoam fleece polythene",
    ),
    ("blade knife sharp_blade", "knife scalpel razor blade craft_knife box_cutter razor_blade penknife"),
    ("sharp", "knife scalpel razor blade scissors scissor pin needle lancet"),
    ("soil dirt", "soil dirt compost loam"),
    ("bleach", "bleach jik clorox domestos hypochlorite"),
    ("perfume fragrance scent", "perfume cologne aftershave air_freshener"),
    ("milk", "milk cream"),
    ("dairy", "milk cheese yogurt yoghurt cream butter buttermilk whey"),
    ("egg", "egg mayonnaise mayo meringue omelette eggshell egg_white egg_yolk"),
    ("glue", "glue superglue glue_gun glue_stick wood_glue"),
    ("adhesive sticky_stuff", "glue adhesive superglue glue_gun glue_stick tape sticky_tape sellotape blu_tack"),
    ("mains socket outlet plug", "mains"),
    ("ladder", "ladder stepladder"),
    ("gluten wheat", "flour bread pasta spaghetti wheat semolina couscous noodle barley"),
    ("aerosol aerosol_can", "aerosol deodorant hairspray spray_paint spray_can aerosol_can"),
    ("alcohol", "alcohol spirit ethanol methanol isopropanol propanol methylated_spirit rubbing_alcohol vodka meth"),
    ("spirit", "spirit"),
    (
        "solvent organic_solvent",
        "acetone propanone ethanol methanol isopropanol hexane cyclohexane toluene turpentine white_spirit \
         methylated_spirit nail_polish_remover nail_varnish_remover paint_thinner ether chloroform petrol",
    ),
    ("nail_polish_remover nail_varnish_remover", "acetone propanone nail_polish_remover nail_varnish_remover"),
    ("strong_acid mineral_acid", "hydrochloric_acid sulphuric_acid sulfuric_acid nitric_acid"),
    ("strong_alkali caustic", "sodium_hydroxide caustic_soda potassium_hydroxide drain_cleaner"),
    (
        "animal live_animal living_animal pet",
        "hamster mouse rat rabbit gerbil dog cat goldfish frog chick hen lizard guinea_pig pet fish puppy kitten snail slug \
         worm earthworm mealworm woodlouse beetle cricket caterpillar spider tadpole crab",
    ),
    (
        "vertebrate living_vertebrate live_vertebrate",
        "hamster mouse rat rabbit gerbil dog cat goldfish fish frog chick hen",
    ),
    ("laser", "laser laser_pointer"),
    ("pen ink", "pen marker felt_tip biro"),
    ("food_colouring food_coloring food_dye", "food_colouring food_coloring food_dye"),
    (
        "waterproof_pen waterproof_marker permanent_pen permanent_marker indelible_pen indelible_marker",
        "waterproof_pen waterproof_marker permanent_pen permanent_marker indelible_pen indelible_marker sharpie",
    ),
    ("mercury", "mercury"),
    ("hot_water heated_water", "kettle hot_water boiling_water boiled_water heated_water"),
    (
        "plastic",
        "plastic vinyl cable_tie zip_tie polythene polyethylene polypropylene pvc polystyrene styrofoam acrylic perspex cling_film \
         clingfilm bubble_wrap bin_bag carrier_bag sandwich_bag zip_lock_bag ziplock_bag freezer_bag lego",
    ),
    ("internet web", "internet wikipedia google website youtube browser search_engine chatbot"),
    ("tableware", "cup plate bowl spoon fork knife mug straw"),
    ("detergent", "detergent soap washing-up_liquid washing_powder dish_soap"),
    ("weight", "weight sinker"),
    ("power_tool", "drill power_drill electric_drill jigsaw sander power_saw"),
    ("cutlery", "spoon fork knife"),
];

/// Stuffs: a thing is of them when its name begins with them.
const STUFFS: &str = "glass latex plastic metal steel mercury lead nylon wooden polystyrene copper iron brass aluminium tin zinc \
    pyrex styrofoam acrylic polyester wool vinyl pvc polythene perspex";

/// What a word for a kind may stand before without naming it.
const FUNCTION: &str = "and or nor to is are was were be that which then so while until till if when once as your the a an it its for at in \
    on into onto of with by near from under over around against between through during after before across along \
    inside above below beside down up off out each per again first now here there we you they must may can will \
    should not only both all any has have but";

/// What belongs to the kind of this name, of which the last word is the head; `None` where no kind has that name.
pub fn members(name: &[String]) -> Option<&'static str> {
    let whole = name.join("_");
    let of = |kind: &str| KINDS.iter().find(|(names, _)| lists(names, kind)).map(|(_, members)| *members);
    of(&whole).or_else(|| of(name.last()?))
}

/// Whether the whole name is that of a kind, so that none of its words has to be found again.
pub fn has(name: &[String]) -> bool {
    let whole = name.join("_");
    name.len() > 1 && KINDS.iter().any(|(names, _)| lists(names, &whole))
}

/// Whether the name of something that belongs to a kind ends at this token.
pub fn ends_at(text: &Text, at: usize, members: &str) -> bool {
    let lemma = text.lemma(at);
    members.contains(lemma)
        && members.split_ascii_whitespace().any(|member| {
            member
                .rsplit('_')
                .enumerate()
                .all(|(back, word)| at.checked_sub(back).is_some_and(|at| text.lemma(at) == word))
        })
}

/// Whether the noun at this token is what its group is called after, or the stuff of it: an egg, but not an egg timer.
pub fn is_named(text: &Text, at: usize) -> bool {
    let next = text.tokens.get(at + 1);
    lists!(STUFFS, text.lemma(at))
        || next.is_none_or(|next| {
            !next.is_word() && next.word != "-"
                || lists!(FUNCTION, &next.word)
                || next.word.len() > 4 && next.word.ends_with("ly")
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assistant::facts::lesson::{Lesson, Role};
    use serde_json::json;

    #[test]
    fn a_thing_belongs_to_a_kind_by_the_head_of_its_name() {
        for (kind, name, belongs) in [
            ("organic solvent", "Acetone", true),
            ("flame", "Tea light candles", true),
            ("dairy", "Whole milk", true),
            ("dairy", "Milk bottle", false),
            ("egg", "Egg timer", false),
            ("gas appliance", "Bunsen burner", true),
            ("glass", "Glass rod", true),
        ] {
            let kind: Vec<String> = kind.split(' ').map(str::to_owned).collect();
            let content = json!({"steps": [{ "text": name }]});
            let lesson = Lesson::of(content.as_object().expect("an object"));
            let text = lesson.text(Role::Step(0)).expect("a step");
            let members = members(&kind).expect("a kind");
            let named = (0..text.tokens.len()).any(|at| ends_at(text, at, members) && is_named(text, at));
            assert_eq!(named, belongs, "{name}");
        }
    }
}
