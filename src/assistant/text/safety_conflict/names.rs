//! Names of stuffs and things that rules about safety speak of, and what is of their kind.

use crate::assistant::facts::phrases::lists;

/// Words for what still goes on where protection comes off.
pub(super) const ONGOING: &str =
    "acid hydrochloric sulfuric nitric alkali bleach flame burner burning heating ethanol hydroxide";

/// Words for flames and what glows.
pub(super) const FLAMES: &str =
    "flame fire glowing ignition spark bunsen burner candle match lighter tealight burning lit naked";

/// Liquids that catch fire.
pub(super) const FLAMMABLE: &str = "flammable inflammable ethanol alcohol spirit spirits meths methanol propanol propanone acetone hexane petrol turpentine ether";

/// What is no plain water.
pub(super) const CHEMICALS: &str = "acid alkali sulfate sulphate chloride nitrate hydroxide oil paint bleach ethanol alcohol iodine chemical chemicals";

/// Formulae of what lies about in a laboratory.
pub(super) const FORMULAE: [(&str, &str); 8] = [
    ("naoh", "sodium hydroxide"),
    ("hcl", "hydrochloric acid"),
    ("h2so4", "sulfuric sulphuric acid"),
    ("nacl", "sodium chloride salt"),
    ("koh", "potassium hydroxide"),
    ("cuso4", "copper sulfate sulphate"),
    ("nh3", "ammonia"),
    ("h2o2", "hydrogen peroxide"),
];

/// Animals that lessons look at.
pub(super) const ANIMALS: &str = "beetle worm earthworm snail slug woodlouse pillbug isopod mealworm cricket caterpillar spider ant insect frog \
    toad tadpole newt fish crab shrimp larva maggot grub bug butterfly moth ladybird ladybug grasshopper locust millipede \
    centipede earwig aphid bee fly";

/// What is part of a plant.
pub(super) const PLANT: &str = "leaf flower petal berry seed root stem herb mint sorrel grass fruit sprout shoot";

/// Whether a thing of this name is one of the other's kind.
pub(super) fn is_a(name: &str, kind: &str) -> bool {
    match kind {
        "metal" => lists!("lithium sodium potassium calcium magnesium zinc copper iron", name),
        "electrode" => lists!("rod cathode anode", name),
        "blade" => lists!("scalpel knife razor cutter", name),
        "furniture" => lists!("chair table desk stool bench counter shelf", name),
        "chemical" => lists!("acid alkali powder solution salt", name),
        "pond" | "stream" | "river" | "creek" | "water" => lists!("pond stream river creek water lake", name),
        "alcohol" => name == "ethanol",
        "sink" | "drain" => lists!("sink drain", name),
        "plant" => lists!("leaf flower seedling", name),
        "burner" | "bunsen" => lists!("burner bunsen", name),
        "face" => lists!("partner friend neighbour neighbor face eye nose nostril mouth", name),
        "person" | "anyone" => lists!("partner friend neighbour neighbor face eye", name),
        "animal" => lists!("worm snail mealworm cricket insect", name),
        "beam" => name == "laser",
        "lens" => lists!("magnifier lens telescope glass", name),
        _ => false,
    }
}
