//! What a sentence ranks: which of two things is first, hotter or has more, in whatever words.

use std::ops::Range;

use super::entities::Entity;
use super::marks::placed;
use super::parts::words;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::nouns;
use crate::assistant::facts::phrases::lists;
use crate::assistant::facts::poles::{self, Dimension, Form};
use crate::assistant::facts::quantities::Quantity;
use crate::assistant::facts::units;

/// One thing that is first, hotter, or has more.
#[derive(Debug)]
pub(super) struct Rank {
    /// By what they are ranked; nothing where one is only said to be ahead.
    pub axis: Option<Dimension>,
    pub up: bool,
    /// Of what there is more, where the axis does not tell.
    pub of: Vec<String>,
    pub who: Entity,
    pub than: Entity,
    /// Whether the other is only pointed to: "than the rest".
    pub vague: bool,
    pub most: bool,
    /// The stems of all words of the piece.
    pub spoken: Vec<String>,
    /// Whether it is of what comes out or gets lost.
    pub lets_go: bool,
}

/// Words that turn what is said of an amount into its opposite.
const TURNING: &str = "left remaining remain remains remained reflect reflected reflects lose loses lost losing loss missing wasted resist \
    resists resisted drain drains drained difference gap change between error save saved saves";
/// What is not held.
const LETS_GO: &str = "out through drain drains drained leak leaks leaked drip drips dripped pass passes passed lose loses lost escape \
    escapes escaped evaporate evaporates evaporated spill spilled spilt";
/// What goes on, where something else has ended.
const LASTS: &str = "last lasts lasted lasting hold holds held stay stays stayed remain remains remained keep keeps kept survive survives \
    survived endure endures endured burn burns burned burnt float floats floated stand stood glow glowed go went cling clung stick stuck";
/// Words that only point to the others.
const VAGUE: &str = "it them that those others other rest nothing none without bare all any both one ones this";
/// Whether a sentence may rank without a word that compares: cheaper than reading it.
pub(super) fn may_tell(text: &Text, sentence: &Range<usize>) -> bool {
    sentence.clone().any(|at| {
        let word = text.word(at);
        matches!(
            word,
            "towered"
                | "overtook"
                | "topped"
                | "surpassed"
                | "still"
                | "ahead"
                | "before"
                | "after"
                | "out"
                | "beat"
                | "°"
                | "weighs"
                | "weighed"
        ) || word.starts_with("out") && word.ends_with("ed")
            || matches!(word, "up" | "down")
    })
}

/// The ranks in these tokens.
pub(super) fn ranks(text: &Text, range: &Range<usize>, found: &mut Vec<Rank>) {
    for piece in pieces(text, range) {
        found.extend(rank(text, &piece).filter(|rank| !rank.who.is_empty()));
    }
}

/// "The more salt we put on the cube, the sooner it is gone": so it is with what has salt.
pub(super) fn of_more(text: &Text, sentence: &Range<usize>) -> Option<Rank> {
    let pieces = pieces(text, sentence);
    let (cause, effect) = (pieces.first()?, pieces.get(1)?);
    let mut marks = placed(text, cause.clone()).into_iter().filter(|(_, mark)| !mark.plain);
    let (_, more) = marks.next().filter(|_| marks.next().is_none())?;
    let adds = more.dimension == Dimension::Amount && more.up && !more.size && !more.of.is_empty();
    if !adds || text.word(effect.start.wrapping_sub(1)) != "," || !lists!("the if when as with", text.word(cause.start))
    {
        return None;
    }
    let mut effect = rank(text, effect)?;
    effect.who = Entity::read(text, cause.clone(), &[]);
    effect.than = Entity::default();
    effect.most = false;
    Some(effect)
}

/// What stands between the words of one thing and those of what it is compared with.
#[derive(Clone, Copy, PartialEq)]
enum Link {
    Than,
    Before,
    After,
    Ahead,
}

fn link(text: &Text, piece: &Range<usize>) -> Option<(usize, usize, Link)> {
    piece.clone().skip(1).find_map(|at| {
        let rest = at + 1..piece.end;
        // "Before dry toast does", and not "after ten minutes".
        let tells = || {
            rest.clone()
                .any(|t| lists!("does do did has had have is are was were one ones it them goes went", text.word(t)))
                && !text.word(at + 1).starts_with(|c: char| c.is_ascii_digit())
                && !lists("we you they bell being", text.word(at + 1))
                && !rest.clone().take(4).any(|t| {
                    lists!(
                        "minute minutes hour hours day days week weeks second seconds lesson bell while time end start",
                        text.word(t)
                    )
                })
        };
        match text.word(at) {
            "than" => Some((at, at + 1, Link::Than)),
            "compared" if matches!(text.word(at + 1), "with" | "to") => Some((at, at + 2, Link::Than)),
            "ahead" if text.word(at + 1) == "of" => Some((at, at + 2, Link::Ahead)),
            "before" if tells() => Some((at, at + 1, Link::Before)),
            "after" if tells() => Some((at, at + 1, Link::After)),
            "while" | "when" if rest.clone().any(|t| text.word(t) == "still") => Some((at, at + 1, Link::Before)),
            _ => None,
        }
    })
}

pub(super) fn rank(text: &Text, piece: &Range<usize>) -> Option<Rank> {
    let denies = |at: usize| {
        let word = text.word(at);
        matches!(word, "not" | "never" | "no" | "nor" | "neither" | "unless" | "hardly") || word.ends_with("n't")
    };
    // "Than people who do not": the others are those of whom it is not so.
    let denied = (piece.clone().rev().take(2).find(|at| denies(*at)))
        .filter(|at| lists!("do does did don't doesn't didn't", text.word(at - usize::from(text.word(*at) == "not"))))
        .filter(|at| (piece.start..*at).any(|t| text.word(t) == "than"))
        .unwrap_or(piece.end);
    if piece.len() < 3 || (piece.start..denied).any(denies) {
        return None;
    }
    let outdone = piece.clone().skip(1).find_map(|at| outdoes(text, at));
    let link = link(text, piece);
    let first = piece.start..link.map_or(piece.end, |(at, ..)| at);
    let rest = link.map_or(piece.end..piece.end, |(_, next, _)| next..piece.end);
    let still = |range: &Range<usize>| range.clone().any(|at| text.word(at) == "still");
    let named = |range: Range<usize>| match denied < piece.end {
        true => {
            let ends = |at: &usize| lists!("will would should do does did don't doesn't didn't", text.word(*at));
            range.start..range.clone().find(ends).unwrap_or(range.end)
        }
        false => range,
    };
    let made = |axis, up, of: Vec<String>, said: &[usize], first: Range<usize>, rest: Range<usize>, most| {
        let vague = rest.clone().any(|at| lists!(VAGUE, text.word(at)));
        let (who, than) = (Entity::read(text, named(first), said), Entity::read(text, named(rest), said));
        let spoken = words(text, piece.clone());
        let lets_go = piece.clone().any(|at| lists!(LETS_GO, text.word(at)) && text.word(at + 1) != "-");
        Some(Rank { axis, up, of, who, than, vague, most, spoken, lets_go })
    };
    // "The cooked cubes out-foamed the uncooked ones"
    if let Some((at, next, verb)) = outdone {
        let (axis, up) = match verb.as_str() {
            "last" | "liv" | "surviv" => (Some(Dimension::Tempo), false),
            "run" | "ran" | "pac" | "rac" => (Some(Dimension::Tempo), true),
            _ => (None, true),
        };
        let of = if axis.is_none() && !lists!("do did perform", &verb) { vec![verb] } else { Vec::new() };
        return made(axis, up, of, &[], piece.start..at, next..piece.end, false);
    }
    let marks: Vec<_> = placed(text, first.clone()).into_iter().filter(|(_, mark)| !mark.plain && !mark.size).collect();
    let form = |at: usize| poles::pole(text.word(at)).map(|pole| pole.form);
    let compared = |at: usize| {
        matches!(form(at), Some(Form::More | Form::Most))
            || lists!("more most less least fewer fewest first last", text.word(at))
    };
    // "Raise a much lower column" is lower.
    let mut said: Vec<_> = marks
        .iter()
        .filter(|(at, _)| {
            compared(*at) || !marks.iter().any(|(other, _)| other > at && *other <= at + 5 && compared(*other))
        })
        .collect();
    // "The bead on steel falls off first" tells when.
    if said.len() > 1
        && let Some(last) = said.iter().rposition(|(at, _)| lists!("first last", text.word(*at)))
    {
        said = vec![said.swap_remove(last)];
    }
    // "In the colder tank they rasped more often", "first in the warmest tray": the one before a noun tells which.
    if let [(one, _), (other, _)] = said.as_slice() {
        let noun = |at: usize| {
            text.word(at).starts_with(char::is_alphabetic) && !lists("than of in on and at to by as the", text.word(at))
        };
        if lists!("the in", text.word(one.wrapping_sub(1))) && noun(one + 1) && compared(*other) {
            said.remove(0);
        } else if text.word(other.wrapping_sub(1)) == "the"
            && lists!("in on at with of", text.word(other.wrapping_sub(2)))
        {
            said.remove(1);
        }
    }
    let lasting = |at: usize| {
        lists!("longest longer", text.word(at))
            && (at.saturating_sub(4).max(first.start)..at).any(|t| lists!(LASTS, text.word(t)))
    };
    if let Some(at) = first.clone().find(|at| lasting(*at)) {
        let verb = (first.start..at).rev().find(|t| lists!(LASTS, text.word(*t))).unwrap_or(at);
        return made(
            Some(Dimension::Tempo),
            false,
            Vec::new(),
            &[at],
            first.start..verb,
            rest,
            text.word(at) == "longest",
        );
    }
    // "The gum weighs more"
    let weighs = |at: &usize| lists!("weigh weighs weighed weighing", text.word(*at));
    if let Some(at) = first.clone().find(weighs)
        && let Some(up) = (at + 1..first.end.min(at + 4)).find_map(|t| match text.word(t) {
            "more" | "most" => Some(true),
            "less" | "least" => Some(false),
            _ => None,
        })
    {
        return made(Some(Dimension::Weight), up, Vec::new(), &[at], first.start..at, rest, false);
    }
    // "Will keep its heat better than"
    if let Some((at, up)) = keeps_warm(text, &first) {
        return made(Some(Dimension::Warmth), up, Vec::new(), &[], first.start..at, rest, false);
    }
    // "Pulling the weight up", "the weight sank lower"
    if let Some((up, who)) = moves(text, &first) {
        return made(Some(Dimension::Buoyancy), up, Vec::new(), &[], who, piece.end..piece.end, false);
    }
    match (said.as_slice(), link) {
        ([(at, mark)], link) => {
            if link.is_some_and(|(.., link)| link != Link::Than) {
                return None;
            }
            let most = form(*at) == Some(Form::Most) || lists!("most least fewest first last", text.word(*at));
            let (start, end) = (first.start, first.end);
            let turned = mark.dimension != Dimension::Tempo && piece.clone().any(|at| lists!(TURNING, text.word(at)));
            let verb = !compared(*at);
            // "The most in the cold tank": whom it is said of may stand behind.
            // "More often" is said of whatever is counted.
            let often = (*at..*at + 2).any(|at| lists!("often frequently", text.word(at)));
            let of = if often { Vec::new() } else { mark.of.clone() };
            (!turned && !verb)
                .then(|| made(Some(mark.dimension), mark.up, of, &[*at], start..end, rest, most))
                .flatten()
        }
        ([], Some((_, _, Link::Before))) => made(Some(Dimension::Tempo), true, Vec::new(), &[], first, rest, false),
        ([], Some((_, _, Link::After))) if still(&first) => {
            made(Some(Dimension::Tempo), false, Vec::new(), &[], first, rest, false)
        }
        ([], Some((_, _, Link::Ahead))) => {
            let ends = first.clone().any(|at| lists!("clear melt melts thaw thaws sprout sprouts dissolve dissolves germinate finish dry dries cool cools boil boils freeze", text.word(at)));
            made(ends.then_some(Dimension::Tempo), true, Vec::new(), &[], first, rest, true)
        }
        _ => None,
    }
}

/// "Out-foamed", "outlasted", "outgrew": where the verb begins, where it ends, and the stem of it.
fn outdoes(text: &Text, at: usize) -> Option<(usize, usize, String)> {
    let word = text.word(at);
    let verb = |word: &str| nouns::stem(word);
    if word == "out" && text.word(at + 1) == "-" && text.word(at + 2).len() > 2 {
        return Some((at, at + 3, verb(text.word(at + 2))));
    }
    // "The quiet plants towered over the ones with the radio"
    let over = lists!("towered towers tower", word) && text.word(at + 1) == "over";
    if over || lists!("beat beats overtook overtakes overtaken surpassed surpasses topped", word) {
        return Some((at, at + 1 + usize::from(over), "do".to_owned()));
    }
    let rest = word.strip_suffix('s').unwrap_or(word);
    let rest = rest.strip_prefix("out").filter(|rest| {
        lists!("lasted last grew grow grown ran run paced pace lived live performed perform did do weighed weigh shone shine climbed climb bounced bounce", rest)
    })?;
    Some((at, at + 1, verb(rest)))
}

/// "Keeps its heat better", "holds the warmth worst": where the verb stands, and whether it stays the warmer one.
fn keeps_warm(text: &Text, range: &Range<usize>) -> Option<(usize, bool)> {
    let keeps = |at: &usize| {
        lists!(
            "keep keeps kept keeping hold holds held holding retain retains retained preserve preserves preserved conserve conserves conserved store stores stored trap traps trapped",
            text.word(*at)
        )
    };
    let at = range.clone().find(keeps)?;
    let heat = (at + 1..range.end.min(at + 5)).find(|t| lists!("heat warmth", text.word(*t)))?;
    let up = (at + 1..range.end.min(heat + 4)).find_map(|t| match text.word(t) {
        "better" | "best" | "longer" | "longest" | "more" | "most" => Some(true),
        "worse" | "worst" | "less" | "least" => Some(false),
        _ => None,
    })?;
    (at > range.start).then_some((at, up))
}

/// What is moved up or down, and the tokens that name it.
fn moves(text: &Text, range: &Range<usize>) -> Option<(bool, Range<usize>)> {
    let lifts = |at: usize| {
        lists!(
            "pulling pull pulls pulled lift lifts lifting lifted push pushes pushing pushed hoist hoists hoisting raise raises raising raised carry carrying",
            text.word(at)
        )
    };
    for at in range.clone() {
        let way = match text.word(at) {
            "up" | "upward" | "upwards" => true,
            "down" | "downward" | "downwards" => false,
            _ => continue,
        };
        let from = (at.saturating_sub(4).max(range.start)..at).find(|t| lifts(*t))?;
        return (from + 1 < at).then_some((way, from + 1..at));
    }
    let at = range
        .clone()
        .find(|at| lists!("sank sinks sink sunk", text.word(*at)) && lists!("lower down deeper", text.word(at + 1)))?;
    (at > range.start).then_some((false, range.start..at))
}

/// "White trapped 91 °F of heat and black just 78 °F", "after half an hour the lone tube was still at 47 °C, while the one in
/// the middle had cooled to 39 °C".
pub(super) fn by_numbers(text: &Text, sentence: &Range<usize>) -> Option<Rank> {
    let within = |quantity: &&Quantity| sentence.contains(&quantity.tokens.start);
    let said: Vec<&Quantity> = text.quantities().iter().filter(within).collect();
    // The time after which all were read tells nothing.
    let when = |quantity: &&&Quantity| {
        quantity.dimension() == units::Dimension::Time
            && lists!("after within in for every", text.word(quantity.tokens.start.wrapping_sub(1)))
    };
    let timed = said.len() > 2;
    let [one, other] = said.iter().filter(|quantity| !(timed && when(quantity))).collect::<Vec<_>>()[..] else {
        return None;
    };
    if one.dimension() != other.dimension() || one.low == other.low {
        return None;
    }
    let (axis, rises) = match one.dimension() {
        units::Dimension::Temperature => (Dimension::Warmth, true),
        units::Dimension::Time => (Dimension::Tempo, false),
        units::Dimension::Mass => (Dimension::Weight, true),
        _ => return None,
    };
    let from = said
        .iter()
        .filter(|quantity| timed && when(quantity))
        .map(|quantity| quantity.tokens.end)
        .chain((sentence.start..one.tokens.start).filter(|at| lists!(": ; that because since", text.word(*at))))
        .filter(|end| *end < one.tokens.start)
        .max();
    let (first, second) = (from.unwrap_or(sentence.start)..one.tokens.start, one.tokens.end..other.tokens.start);
    let joins = second.clone().any(|at| lists!("and but while whereas , ;", text.word(at)));
    // "Cooled to 39 °C" tells where it ended, "cooled by 39 °C" does not.
    let ends = |at: usize| (at + 1..at + 4).any(|next| lists!("to until", text.word(next)));
    let moves = "drop dropped fell fallen fall lost rose risen rise gained warmed cooled";
    let turned = (first.start..other.tokens.end).any(|at| {
        let word = text.word(at);
        lists!("from by loss every", word)
            || lists(moves, word) && !ends(at)
            || lists!("to after", word)
                && !(lists(moves, text.word(at - 1)) || lists(moves, text.word(at.saturating_sub(2))))
            || lists!(TURNING, word)
    });
    if !joins || turned {
        return None;
    }
    let up = (one.low > other.low) == rises;
    let (who, than) = (Entity::read(text, first, &[]), Entity::read(text, second, &[]));
    let spoken = words(text, sentence.clone());
    (!who.is_empty() && !than.is_empty()).then_some(Rank {
        axis: Some(axis),
        up,
        of: Vec::new(),
        who,
        than,
        vague: false,
        most: false,
        spoken,
        lets_go: false,
    })
}

/// The pieces of a sentence each of which may rank something.
pub(super) fn pieces(text: &Text, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = sentence.start;
    let still_after = |at: usize| (at..sentence.end).any(|t| text.word(t) == "still");
    for at in sentence.clone() {
        let word = text.word(at);
        let signs = lists!(", ; : ( ) – — . ! ? and whereas but so therefore hence thus if \" ' “ ” ‘ ’ ;", word)
            || word == "while" && !still_after(at);
        // "It was in the colder tank that …"
        let cleft = word == "that" && text.word(start) == "it" && lists!("was is", text.word(start + 1));
        let tells = lists!("that because since as", word) && at > sentence.start && !cleft;
        if signs || tells {
            found.push(start..at);
            start = at + 1;
        }
    }
    found.push(start..sentence.end);
    found.retain(|piece| piece.len() > 2);
    found
}
