//! Apparatus, chemicals and organisms of school science that a list of materials names where a step uses them.
//!
//! Left out is what nobody lists (stationery, furniture, tap water, protective wear) and what is also a common verb.

/// A thing, and the words on a list that stand for it.
#[derive(Debug)]
pub struct Item {
    /// Its names, singular: `hand lens`.
    pub names: &'static [&'static str],
    /// Beginnings of words: a list with one of them has it, or something that serves.
    pub served_by: &'static [&'static str],
    /// Whether it is counted and so has an article or a number; a substance has none.
    pub counted: bool,
}

const fn thing(names: &'static [&'static str], served_by: &'static [&'static str]) -> Item {
    Item { names, served_by, counted: true }
}

const fn substance(names: &'static [&'static str], served_by: &'static [&'static str]) -> Item {
    Item { names, served_by, counted: false }
}

/// All of them.
pub const ITEMS: &[Item] = &[
    thing(
        &["thermometer", "temperature probe", "temperature sensor"],
        &["thermo", "probe", "sensor", "logger", "datalogger", "temperature"],
    ),
    thing(
        &["stopwatch", "stopclock", "stop clock", "stop watch"],
        &[
            "stopwatch",
            "stopclock",
            "stop",
            "timer",
            "watch",
            "clock",
            "phone",
            "tablet",
            "timing",
            "smartphone",
            "chronometer",
        ],
    ),
    thing(
        &["metre stick", "metre rule", "metre ruler", "yardstick"],
        &["metre", "meter", "rule", "tape", "yard", "measuring"],
    ),
    thing(&["tape measure", "measuring tape"], &["tape", "metre", "meter", "rule", "measuring"]),
    thing(&["beaker"], &["beaker", "glass", "jar", "cup", "container", "vessel", "calorimeter"]),
    thing(&["conical flask", "erlenmeyer flask", "volumetric flask"], &["flask", "erlenmeyer", "conical", "glass"]),
    thing(&["test tube", "boiling tube"], &["tube", "testtube", "glass", "vial", "boiling"]),
    thing(&["test tube rack"], &["rack", "stand", "holder", "block"]),
    thing(
        &["measuring cylinder", "graduated cylinder"],
        &["cylinder", "graduat", "jug", "measuring", "pitcher", "syringe", "burette", "pipette"],
    ),
    thing(&["measuring jug", "measuring cup"], &["jug", "measuring", "cylinder", "cup", "pitcher", "graduat"]),
    thing(
        &["pipette", "pipet", "dropper", "eyedropper", "eye dropper"],
        &["pipet", "dropper", "eyedropper", "eye", "syringe", "dropping", "burette"],
    ),
    thing(&["syringe", "gas syringe"], &["syringe"]),
    thing(&["burette", "buret"], &["buret"]),
    thing(&["funnel", "filter funnel"], &["funnel"]),
    thing(&["filter paper", "coffee filter", "paper filter"], &["filter", "filtration", "coffee"]),
    thing(&["sieve", "strainer", "colander"], &["siev", "strain", "colander", "mesh", "sifter"]),
    thing(&["evaporating dish", "evaporating basin"], &["evaporat", "dish", "basin"]),
    thing(&["crucible"], &["crucible"]),
    thing(&["bunsen burner", "bunsen", "spirit burner"], &["bunsen", "burner", "heat", "hot", "stove", "spirit"]),
    thing(&["hot plate", "hotplate"], &["hot", "hob", "stove", "heater", "burner", "bunsen", "kettle", "cooker"]),
    thing(&["kettle"], &["kettle", "hot", "boil", "warm", "heated", "thermos", "urn"]),
    thing(&["tripod"], &["tripod", "stand", "camera", "bunsen"]),
    thing(&["wire gauze", "gauze mat"], &["gauze", "mat", "tripod", "bunsen"]),
    thing(&["spatula"], &["spatula", "spoon", "scoop"]),
    thing(&["tweezer", "forcep"], &["tweezer", "forcep", "dissect", "tongs"]),
    thing(&["tongs", "crucible tongs"], &["tong"]),
    thing(
        &["hand lens", "magnifying glass", "magnifier", "magnifying lens", "loupe"],
        &["lens", "magnif", "loupe", "microscope"],
    ),
    thing(&["microscope"], &["microscope", "microscop"]),
    thing(&["cover slip", "coverslip", "cover glass"], &["cover", "coverslip", "coverglass"]),
    thing(&["microscope slide", "glass slide"], &["slide"]),
    thing(&["petri dish", "agar plate"], &["petri", "dish", "agar", "plate"]),
    thing(
        &[
            "digital balance",
            "electronic balance",
            "top pan balance",
            "kitchen scale",
            "digital scale",
            "weighing scale",
        ],
        &["balance", "scale", "weigh"],
    ),
    thing(
        &["newton meter", "newtonmeter", "force meter", "forcemeter", "spring balance", "spring scale"],
        &["newton", "force", "spring", "dynamo"],
    ),
    thing(&["protractor"], &["protractor", "angle", "gonio", "clinometer"]),
    thing(&["magnet", "bar magnet"], &["magnet", "electromagnet"]),
    thing(&["ammeter"], &["ammeter", "multimeter", "meter", "amp"]),
    thing(&["voltmeter"], &["voltmeter", "multimeter", "meter", "volt"]),
    thing(&["multimeter"], &["multimeter", "meter", "ammeter", "voltmeter"]),
    thing(&["rheostat", "variable resistor"], &["rheostat", "resist", "potentiometer"]),
    thing(&["resistor"], &["resist", "rheostat", "thermistor", "ldr"]),
    thing(&["crocodile clip", "alligator clip"], &["crocodile", "alligator", "clip", "lead", "wire"]),
    thing(&["power pack", "power supply", "battery pack"], &["power", "suppl", "batter", "cell", "eliminator", "psu"]),
    thing(&["battery"], &["batter", "cell", "power", "suppl", "torch", "flashlight"]),
    thing(&["light bulb", "lightbulb"], &["bulb", "lamp", "light", "led"]),
    thing(&["candle", "tea light", "tealight"], &["candle", "tealight", "tea", "flame", "birthday"]),
    thing(&["splint", "wooden splint"], &["splint", "skewer", "stick"]),
    thing(&["balloon"], &["balloon"]),
    thing(&["drinking straw"], &["straw"]),
    thing(&["skewer"], &["skewer", "stick", "toothpick", "needle"]),
    thing(&["toothpick", "cocktail stick"], &["toothpick", "cocktail", "stick", "skewer"]),
    thing(&["watering can"], &["watering", "can", "spray", "sprinkl"]),
    thing(&["spray bottle", "plant mister"], &["spray", "mister", "bottle"]),
    thing(&["turkey baster"], &["baster", "syringe", "pipet"]),
    thing(&["mortar", "mortar and pestle", "pestle and mortar"], &["mortar", "pestle"]),
    thing(&["cotton ball", "cotton wool"], &["cotton", "wool"]),
    thing(&["cotton swab", "cotton bud", "q-tip"], &["cotton", "swab", "bud", "tip"]),
    thing(&["rubber band", "elastic band"], &["band", "elastic", "rubber"]),
    thing(&["pulley"], &["pulley"]),
    thing(&["toy car", "toy truck"], &["car", "truck", "trolley", "cart", "vehicle", "toy", "hot", "lorry"]),
    thing(&["dynamics trolley", "dynamics cart"], &["trolley", "cart", "car", "dynamics"]),
    thing(&["prism", "glass prism"], &["prism", "block"]),
    thing(&["plane mirror", "hand mirror"], &["mirror"]),
    thing(&["torch", "flashlight"], &["torch", "flash", "lamp", "light", "phone", "sun"]),
    thing(&["ray box"], &["ray", "light", "lamp", "laser", "raybox"]),
    thing(&["laser pointer", "laser"], &["laser", "diode"]),
    thing(&["tuning fork"], &["tuning", "fork"]),
    thing(&["slinky"], &["slinky", "spring"]),
    thing(&["clamp stand", "retort stand", "ring stand"], &["stand", "clamp", "retort"]),
    thing(&["delivery tube"], &["tube", "tubing", "bung", "delivery"]),
    thing(&["rubber bung", "rubber stopper"], &["bung", "stopper", "cork"]),
    thing(&["data logger", "datalogger"], &["logger", "datalogger", "probe", "sensor", "data"]),
    thing(
        &["light meter", "lux meter", "light sensor"],
        &["lux", "light", "sensor", "meter", "phone", "logger", "probe"],
    ),
    thing(
        &["sound meter", "sound level meter", "decibel meter"],
        &["sound", "decibel", "meter", "phone", "tablet", "app"],
    ),
    thing(&["ph meter", "ph probe"], &["ph", "probe", "sensor", "meter", "logger"]),
    thing(
        &["motion sensor", "light gate", "motion detector"],
        &["motion", "gate", "sensor", "logger", "probe", "detector"],
    ),
    thing(&["scalpel"], &["scalpel", "knife", "blade", "dissect"]),
    thing(&["dissecting needle", "mounted needle", "dissection needle"], &["needle", "dissect", "probe", "pin"]),
    thing(&["quadrat"], &["quadrat", "frame", "hoop"]),
    thing(&["trowel"], &["trowel", "spade", "shovel", "spoon", "scoop"]),
    thing(&["pooter"], &["pooter", "aspirator"]),
    thing(&["anemometer"], &["anemo", "wind"]),
    thing(&["hair dryer", "hairdryer"], &["hair", "dryer", "drier"]),
    thing(&["desk fan", "electric fan"], &["fan"]),
    thing(&["ice cube"], &["ice", "frozen"]),
    thing(&["chromatography paper"], &["chromatograph", "filter", "paper", "coffee"]),
    thing(&["wash bottle"], &["wash", "bottle", "distilled", "deionised", "deionized"]),
    thing(
        &["earthworm", "mealworm"],
        &["worm", "earthworm", "mealworm", "larva", "nightcrawler", "wriggler", "invertebrate", "animal"],
    ),
    thing(
        &["woodlouse", "isopod", "pill bug", "pillbug", "roly-poly"],
        &["woodl", "isopod", "pill", "roly", "slater", "bug", "invertebrate", "animal", "crustacean"],
    ),
    thing(&["steel washer", "metal washer"], &["washer", "weight", "mass"]),
    substance(&["iodine", "iodine solution", "lugol's solution"], &["iodine", "lugol", "stain"]),
    substance(&["methylene blue"], &["methylene", "stain", "dye"]),
    substance(&["vinegar", "white vinegar"], &["vinegar", "acetic", "ethanoic", "acid"]),
    substance(
        &["baking soda", "bicarbonate of soda", "sodium bicarbonate", "sodium hydrogencarbonate", "bicarb"],
        &["soda", "bicarb", "hydrogencarbonate", "baking"],
    ),
    substance(&["yeast", "dry yeast"], &["yeast"]),
    substance(&["lemon juice"], &["lemon", "juice", "citrus", "citric"]),
    substance(&["food colouring", "food coloring", "food dye"], &["food", "colour", "color", "dye", "ink"]),
    substance(
        &["dish soap", "washing-up liquid", "washing up liquid", "dishwashing liquid", "liquid soap", "dish detergent"],
        &["soap", "detergent", "washing", "dish"],
    ),
    substance(&["vegetable oil", "cooking oil", "baby oil", "olive oil"], &["oil"]),
    substance(
        &["ethanol", "rubbing alcohol", "isopropyl alcohol", "methylated spirit"],
        &["ethanol", "alcohol", "spirit", "isoprop", "propan", "ims", "meth"],
    ),
    substance(&["limewater", "lime water"], &["lime"]),
    substance(&["universal indicator", "universal indicator solution"], &["indicator", "ph", "litmus", "cabbage"]),
    substance(
        &["phenolphthalein", "methyl orange", "bromothymol blue", "bromthymol blue", "cabbage juice"],
        &["indicator", "phenol", "methyl", "brom", "btb", "cabbage"],
    ),
    substance(&["litmus paper", "ph paper", "ph strip", "indicator paper"], &["litmus", "ph", "indicator"]),
    substance(&["hydrochloric acid", "dilute hydrochloric acid"], &["hydrochloric", "acid", "hcl"]),
    substance(
        &["sulfuric acid", "sulphuric acid", "nitric acid", "citric acid"],
        &["acid", "sulphuric", "sulfuric", "nitric", "citric", "h2so4"],
    ),
    substance(&["sodium hydroxide", "sodium hydroxide solution"], &["hydroxide", "alkali", "naoh", "base"]),
    substance(&["hydrogen peroxide"], &["peroxide", "h2o2"]),
    substance(&["copper sulfate", "copper sulphate"], &["copper", "sulfate", "sulphate", "cuso4", "blue"]),
    substance(
        &[
            "silver nitrate",
            "barium chloride",
            "potassium iodide",
            "lead nitrate",
            "calcium chloride",
            "potassium permanganate",
        ],
        &["silver", "barium", "potassium", "lead", "calcium", "permanganate", "salt", "solution"],
    ),
    substance(&["magnesium ribbon"], &["magnesium", "mg", "metal"]),
    substance(
        &["benedict's solution", "benedict's reagent", "biuret solution", "biuret reagent"],
        &["benedict", "biuret", "reagent", "test"],
    ),
    substance(&["cornstarch", "corn starch", "cornflour", "starch solution"], &["starch", "corn"]),
    substance(&["sugar", "table sugar", "caster sugar"], &["sugar", "sucrose", "glucose", "sweet", "candy", "sand"]),
    substance(&["table salt", "rock salt"], &["salt", "sodium", "brine", "saline"]),
    substance(&["aluminium foil", "tin foil", "tinfoil", "kitchen foil"], &["foil", "aluminium", "tin"]),
    substance(
        &["cling film", "clingfilm", "plastic wrap", "saran wrap"],
        &["cling", "wrap", "film", "saran", "plastic"],
    ),
    substance(&["bubble wrap"], &["bubble"]),
    substance(&["steel wool", "wire wool"], &["wool"]),
    substance(
        &["modelling clay", "modeling clay", "plasticine", "play dough", "playdough"],
        &["clay", "plasticine", "dough", "putty", "blu", "play", "model"],
    ),
    substance(&["sandpaper", "emery paper"], &["sand", "emery", "abrasive"]),
    substance(
        &["string"],
        &["string", "thread", "twine", "cord", "yarn", "line", "pendulum", "wool", "rope", "ribbon"],
    ),
    substance(
        &["elodea", "pondweed", "pond weed", "cabomba"],
        &["elodea", "pond", "cabomba", "weed", "egeria", "plant", "sprig"],
    ),
    substance(&["potting soil", "potting mix", "compost"], &["soil", "compost", "potting", "earth", "pot", "plant"]),
    substance(&["agar"], &["agar", "petri", "plate"]),
];
