//! Units: what they measure, and how much of the base unit one of them is.

use std::sync::LazyLock;

use super::lists::Table;

/// What is measured. Quantities of different dimensions are never compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// In metres.
    Length,
    /// In grams.
    Mass,
    /// In millilitres.
    Volume,
    /// In seconds.
    Time,
    /// In degrees Celsius.
    Temperature,
    /// In volts.
    Voltage,
    /// In amperes.
    Current,
    /// In ohms.
    Resistance,
    /// In watts.
    Power,
    /// In newtons.
    Force,
    /// In hertz.
    Frequency,
    /// In mol per litre.
    Concentration,
    /// In per cent.
    Share,
    /// In degrees of an angle.
    Angle,
    /// In joules.
    Energy,
    /// In pascals.
    Pressure,
    /// In metres per second.
    Speed,
    /// In drops.
    Drops,
    /// In spoonfuls without a size.
    Spoons,
}

/// A unit: what it measures, and what turns an amount of it into the base unit: `amount * factor + offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unit {
    /// What it measures.
    pub dimension: Dimension,
    /// How much of the base unit one of it is.
    pub factor: f64,
    /// Where its scale begins, in the base unit.
    pub offset: f64,
}

impl Unit {
    /// An amount of this unit in the base unit.
    pub fn to_base(self, amount: f64) -> f64 {
        amount * self.factor + self.offset
    }
}

use Dimension::*;

/// Units whose letters mean something else in the other case.
const BY_CASE: [(&str, Dimension, f64); 18] = [
    ("g", Mass, 1.0),
    ("m", Length, 1.0),
    ("s", Time, 1.0),
    ("h", Time, 3600.0),
    ("L", Volume, 1000.0),
    ("l", Volume, 1000.0),
    ("V", Voltage, 1.0),
    ("v", Voltage, 1.0),
    ("A", Current, 1.0),
    ("mA", Current, 0.001),
    ("W", Power, 1.0),
    ("N", Force, 1.0),
    ("J", Energy, 1.0),
    ("M", Concentration, 1.0),
    ("C", Temperature, 1.0),
    ("mV", Voltage, 0.001),
    ("Ω", Resistance, 1.0),
    ("Pa", Pressure, 1.0),
];

const BY_NAME: [(&[&str], Dimension, f64); 62] = [
    (&["mm", "millimetre"], Length, 0.001),
    (&["cm", "centimetre"], Length, 0.01),
    (&["metre"], Length, 1.0),
    (&["km", "kilometre"], Length, 1000.0),
    (&["inch"], Length, 0.0254),
    (&["ft", "foot"], Length, 0.3048),
    (&["yd", "yard"], Length, 0.9144),
    (&["mile"], Length, 1609.344),
    (&["µm", "μm", "micrometre", "micron"], Length, 1e-6),
    (&["nm", "nanometre"], Length, 1e-9),
    (&["mg", "milligram", "milligramme"], Mass, 0.001),
    (&["gram", "gramme", "gm"], Mass, 1.0),
    (&["kg", "kilogram", "kilo", "kilogramme"], Mass, 1000.0),
    (&["lb", "lbs", "pound"], Mass, 453.592),
    (&["oz", "ounce"], Mass, 28.3495),
    (&["ml", "millilitre", "cc", "cm³", "cm3"], Volume, 1.0),
    (&["cl", "centilitre"], Volume, 10.0),
    (&["dl", "decilitre"], Volume, 100.0),
    (&["litre", "dm³", "dm3"], Volume, 1000.0),
    (&["µl", "μl", "microlitre"], Volume, 0.001),
    (&["cup"], Volume, 240.0),
    (&["pint"], Volume, 473.176),
    (&["quart"], Volume, 946.353),
    (&["gallon"], Volume, 3785.41),
    (&["tbsp", "tablespoon", "tablespoonful"], Volume, 15.0),
    (&["tsp", "teaspoon", "teaspoonful"], Volume, 5.0),
    (&["sec", "secs", "second"], Time, 1.0),
    (&["min", "mins", "minute"], Time, 60.0),
    (&["hr", "hrs", "hour"], Time, 3600.0),
    (&["day"], Time, 86400.0),
    (&["week", "wk", "wks"], Time, 604_800.0),
    (&["month"], Time, 2_592_000.0),
    (&["year"], Time, 31_536_000.0),
    (&["ms", "millisecond"], Time, 0.001),
    (&["volt"], Voltage, 1.0),
    (&["millivolt"], Voltage, 0.001),
    (&["amp", "ampere"], Current, 1.0),
    (&["milliamp", "milliampere"], Current, 0.001),
    (&["ohm"], Resistance, 1.0),
    (&["kω", "kilohm", "kiloohm"], Resistance, 1000.0),
    (&["watt"], Power, 1.0),
    (&["kw", "kilowatt"], Power, 1000.0),
    (&["newton"], Force, 1.0),
    (&["hz", "hertz"], Frequency, 1.0),
    (&["khz", "kilohertz"], Frequency, 1000.0),
    (&["mhz", "megahertz"], Frequency, 1e6),
    (&["bpm"], Frequency, 1.0 / 60.0),
    (&["rpm"], Frequency, 1.0 / 60.0),
    (&["mol/l", "mol/dm³", "mol/dm3", "molar"], Concentration, 1.0),
    (&["mmol/l", "mmol/dm³"], Concentration, 0.001),
    (&["%", "percent"], Share, 1.0),
    (&["°", "degree"], Angle, 1.0),
    (&["joule"], Energy, 1.0),
    (&["kj", "kilojoule"], Energy, 1000.0),
    (&["kpa", "kilopascal"], Pressure, 1000.0),
    (&["pascal"], Pressure, 1.0),
    (&["m/s"], Speed, 1.0),
    (&["km/h", "kph"], Speed, 1.0 / 3.6),
    (&["mph"], Speed, 0.44704),
    (&["drop", "droplet"], Drops, 1.0),
    (&["spoonful", "spoon"], Spoons, 1.0),
    (&["celsius", "centigrade"], Temperature, 1.0),
];

static NAMES: LazyLock<Table<&'static str, (Dimension, f64)>> = LazyLock::new(|| {
    let named = |(names, dimension, factor): &(&'static [&'static str], Dimension, f64)| {
        let unit = (*dimension, *factor);
        names.iter().map(move |name| (*name, unit))
    };
    BY_NAME.iter().flat_map(named).collect()
});

/// The unit of this name, as it is written after a number.
pub fn unit(written: &str) -> Option<Unit> {
    let plain = |dimension, factor| Unit { dimension, factor, offset: 0.0 };
    if let Some((_, dimension, factor)) = BY_CASE.iter().find(|(name, _, _)| *name == written) {
        return Some(plain(*dimension, *factor));
    }
    let lower = written.to_lowercase();
    if lower == "fahrenheit" {
        return Some(Unit { dimension: Temperature, factor: 5.0 / 9.0, offset: -160.0 / 9.0 });
    }
    let known = NAMES.get(lower.as_str()).or_else(|| NAMES.get(super::words::lemma(&lower).as_str()));
    known.map(|(dimension, factor)| plain(*dimension, *factor))
}

/// A scale of temperature: `C`, `F`, `K` after a degree sign.
pub fn temperature(letter: &str) -> Option<Unit> {
    let (factor, offset) = match letter {
        "c" | "celsius" | "centigrade" => (1.0, 0.0),
        "f" | "fahrenheit" => (5.0 / 9.0, -160.0 / 9.0),
        "k" | "kelvin" => (1.0, -273.15),
        _ => return None,
    };
    Some(Unit { dimension: Temperature, factor, offset })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_known_by_name_sign_and_plural() {
        for (written, dimension, base) in [
            ("mL", Volume, 1.0),
            ("litres", Volume, 1000.0),
            ("L", Volume, 1000.0),
            ("cm", Length, 0.01),
            ("metres", Length, 1.0),
            ("feet", Length, 0.3048),
            ("minutes", Time, 60.0),
            ("grams", Mass, 1.0),
            ("kg", Mass, 1000.0),
            ("bpm", Frequency, 1.0 / 60.0),
        ] {
            let unit = unit(written).unwrap_or_else(|| panic!("{written}"));
            assert_eq!((unit.dimension, unit.to_base(1.0)), (dimension, base), "{written}");
        }
        assert_eq!(unit("beakers"), None);
        assert_eq!(unit("G"), None);
        assert!(unit("Fahrenheit").is_some_and(|unit| (unit.to_base(212.0) - 100.0).abs() < 1e-9));
    }
}
