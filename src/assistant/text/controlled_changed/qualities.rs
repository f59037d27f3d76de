//! What can be kept the same, and the words that tell two things apart by it.

use crate::assistant::facts::lists::{List, list};

/// What can be kept the same: its names, and words for it of which a thing has only one.
pub(super) struct Quality {
    /// Its names.
    pub nouns: List,
    /// Words for it; two of one row say the same.
    pub values: &'static [List],
    /// Whether the thing itself need not be named beside the value.
    pub alone: bool,
}

/// All that are known.
pub(super) static QUALITIES: [Quality; 14] = [
    Quality {
        nouns: list!("temperature warmth °"),
        values: &[
            list!("hot boiling heated kettle"),
            list!("warm lukewarm tepid"),
            list!("cold iced icy chilled cool"),
        ],
        alone: false,
    },
    Quality {
        nouns: list!("temperature warmth warm place location position spot"),
        values: &[
            list!("fridge refrigerator freezer cooler snow cellar"),
            list!("radiator heater oven incubator stove bath"),
            list!("sill windowsill"),
        ],
        alone: true,
    },
    Quality {
        nouns: list!("light sunlight brightness daylight sun place location position"),
        values: &[
            list!("sunny sunlit windowsill window sill sun sunshine lamp bright greenhouse"),
            list!("dark cupboard closet shade shaded drawer basement"),
        ],
        alone: true,
    },
    Quality {
        nouns: list!("amount volume level quantity much"),
        values: &[list!("brim full top"), list!("halfway half"), list!("quarter"), list!("two-thirds")],
        alone: true,
    },
    Quality {
        nouns: list!("colour"),
        values: &[
            list!("black"),
            list!("white"),
            list!("red"),
            list!("blue"),
            list!("green"),
            list!("yellow"),
            list!("silver"),
            list!("orange"),
            list!("brown"),
            list!("pink"),
        ],
        alone: false,
    },
    Quality {
        nouns: list!("shape form"),
        values: &[
            list!("ball sphere"),
            list!("pancake disc flat"),
            list!("cube block"),
            list!("snake cylinder sausage rod"),
            list!("cone"),
            list!("boat"),
        ],
        alone: true,
    },
    Quality {
        nouns: list!("size"),
        values: &[
            list!("crushed powdered ground crumbled"),
            list!("whole uncut"),
            list!("small little tiny"),
            list!("large big huge"),
        ],
        alone: false,
    },
    Quality {
        nouns: list!("age"),
        values: &[list!("day-old day"), list!("week-old week"), list!("month-old month"), list!("year-old year")],
        alone: true,
    },
    Quality {
        nouns: list!("soil"),
        values: &[
            list!("potting compost loam topsoil garden"),
            list!("sand sandy"),
            list!("clay"),
            list!("peat"),
            list!("gravel"),
        ],
        alone: true,
    },
    Quality {
        nouns: list!("liquid drink"),
        values: &[
            list!("water"),
            list!("milk"),
            list!("juice"),
            list!("cola lemonade"),
            list!("vinegar"),
            list!("oil"),
            list!("syrup"),
            list!("tea"),
            list!("coffee"),
        ],
        alone: true,
    },
    Quality {
        nouns: list!("surface floor track"),
        values: &[
            list!("carpet rug"),
            list!("tile tiles lino"),
            list!("sandpaper"),
            list!("wood wooden"),
            list!("towel cloth felt"),
            list!("grass"),
            list!("gravel"),
            list!("ice"),
            list!("foil"),
        ],
        alone: true,
    },
    Quality {
        nouns: list!("ball"),
        values: &[
            list!("tennis"),
            list!("golf"),
            list!("rubber"),
            list!("ping-pong"),
            list!("basketball"),
            list!("foam"),
            list!("cricket"),
            list!("football"),
        ],
        alone: true,
    },
    Quality {
        nouns: list!("water"),
        values: &[
            list!("tap"),
            list!("distilled deionised deionized"),
            list!("salt salty sea seawater"),
            list!("rain rainwater"),
            list!("pond"),
        ],
        alone: false,
    },
    Quality {
        nouns: list!("cup container pot beaker jar vessel"),
        values: &[
            list!("paper"),
            list!("foam polystyrene styrofoam"),
            list!("plastic"),
            list!("glass"),
            list!("metal steel tin"),
            list!("ceramic china clay"),
        ],
        alone: false,
    },
];
