//! `group_size`: the groups that a text forms ("in pairs", "teams of five") against `groupSize`.

mod alone;
mod everyone;
mod formed;
mod others;
mod partners;
mod posts;
mod things;

use std::ops::{Range, RangeInclusive};
use std::sync::LazyLock;

use regex::Regex;
use serde_json::json;

use self::others::{goes_on_counting, is_a_part, is_errand, is_of_others, is_of_those_who, is_on_the_way, of_groups};
use self::things::{end_of_range, is_compared, is_of_things, is_said_of_things, things_follow};
use super::{Match, conflict};
use crate::assistant::edit::{Edit, Mend};
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::{numbers, phrases, words};
use crate::domain::finding::Evidence;
use crate::domain::path::FieldPath;

const NUMBER: &str = "two|three|four|five|six|seven|eight|[2-8]";
/// Whom groups are made of.
const MEMBERS: &str =
    "students?|pupils?|children|people|heads|kids|learners?|members?|partners?|scientists|teammates|of\\ you";
/// What they are called.
const TEAM: &str = "group|team|crew|squad|table|bench|station|microscope|trio|lab\\ group|unit|company";

struct Forms {
    /// Groups with a number.
    counted: Regex,
    /// Groups with a name of their own.
    named: Regex,
    /// What is done in a group that was made for it only, in the words before or right after.
    talk: Regex,
    /// What is spoken, anywhere in the clause.
    told: Regex,
    /// Groups made of groups, left over, or not of people.
    passing: Regex,
    /// Pairs within a group.
    halves: Regex,
    /// People that come in pairs; wires and leaves do so too.
    people: Regex,
}

static FORMS: LazyLock<Option<Forms>> = LazyLock::new(|| {
    let read = |pattern: &str| {
        let compiled = Regex::new(&format!("(?ix-u){pattern}"));
        debug_assert!(compiled.is_ok(), "{compiled:?}");
        compiled.ok()
    };
    Some(Forms {
        counted: read(&format!(
            r"\b(?: (?:groups?|teams?|crews?|squads?|companies|clusters|parties|families)\ (?:of\ (?:(?:exactly|just|only|precisely|always)\ )?|(?P<most>(?:of\ )?(?:no\ (?:bigger|larger|more)\ than|at\ most|up\ to|not\ more\ than|a\ maximum\ of)\ )|(?P<least>(?:of\ )?(?:no\ (?:smaller|fewer|less)\ than|at\ least|not\ (?:fewer|less)\ than|a\ minimum\ of)\ ))(?P<a>{NUMBER})(?:\ (?P<of>[a-z]+))?
                | (?:in(?:to)?|as)\ (?P<b>twos|threes|fours|fives|sixes) | (?:your|together\ with|team\ up\ with|work\ with)\ (?P<o>two|three|four|five|1|2|3|4|5)\ (?:partners|teammates|team[-\ ]mates|group[-\ ]?mates|crewmates|co-?workers|classmates|other\ (?:students|pupils|children|people|learners|classmates)) | (?:between|among|by)\ the\ (?P<s>two|three|four|five|six)\ of\ you | (?P<t>{NUMBER})\ (?:students|pupils|children|learners)\ (?:share|work\ together\ (?:on|at)|work\ at|work\ on|sit\ at)\ (?:each|every|one)\ (?P<shared>[a-z]+) | shared\ (?:by|among|between)\ (?P<u>{NUMBER})\ (?:students|pupils|children|learners) | (?:each|every|a|your|the)\ (?:{TEAM})\ is\ (?P<p>{NUMBER})(?:\ (?P<is>[a-z]+))? | (?P<c>{NUMBER})\ (?:(?P<who>{MEMBERS})\ )?(?:(?:to|round|around)\ (?:a|each|every|one)|per|in\ (?:a|each|every)|make\ (?:a|each|one|up\ (?:a|each|every))|form\ (?:a|each|one))\ (?:{TEAM})
                | (?P<d>{NUMBER})[-\ ](?:person|member|pupil|student|people)\ (?:groups?|teams?|crews?|squads?) | your\ (?P<e>twos?|threes?|fours?|fives?|sixes)\b(?:\ (?P<yours>[a-z]+))? | (?:tables?|benches)\ of\ (?P<f>{NUMBER})(?:\ (?P<off>[a-z]+))?
                | (?:each|every|a|your|the)\ (?:(?:lab|science|work|working|research|field|project|small|whole|design|engineering|student|investigation|practical)\ )?(?:{TEAM}),?\ (?:has|have|with|needs|will\ have|must\ have|consists\ of|consisting\ of|made\ up\ of|is\ made\ up\ of|is\ composed\ of|is\ formed\ of|of)\ (?P<g>{NUMBER})\ (?:{MEMBERS})
                | (?:groups|teams|crews|squads)\ (?:(?:will|must|should)\ )?(?:have|with|need|consist\ of|contain|comprise|are\ made\ up\ of|are\ composed\ of)\ (?P<h>{NUMBER})\ (?:{MEMBERS})
                | (?:groups|teams|crews|squads|companies|clusters|tables|benches)\b[\w,\ '-]{{0,30}}?\ (?P<j>{NUMBER})\ (?:(?:{MEMBERS})\ )?(?:in|to|at|on)\ each(?:\ (?:{TEAM}))?\b(?:\ (?P<each>[a-z]+))?
                | (?:each|every|a|your|the|one)\ (?:{TEAM})\ (?:counts|numbers|is|are|includes|contains|comprises|holds|seats|takes|has|of|with)\ (?:(?:exactly|just|only|precisely)\ )?(?P<k>{NUMBER})\ (?:{MEMBERS}|heads|strong)
                | you\ (?P<l>three|four|five|six)\ (?:are|will|must|work|share|take|need|make|form|should|can|sit|stand)
                | (?:groups?|teams?|crews?|squads?)\ \((?:of\ )?(?P<q>{NUMBER})\ (?:{MEMBERS})\b | (?:number|count)\ (?:yourselves\ )?off\ (?:from\ )?(?:one|1)\ ?(?:to|through|-|–)\ ?(?P<r>{NUMBER})\ (?:in|within|inside)\ (?:your|the|each|every)\ (?:{TEAM}) | (?:in|within|inside)\ (?:your|the|each)\ (?:{TEAM}),?\ (?:number|count)\ (?:yourselves\ )?off\ (?:from\ )?(?:one|1)\ ?(?:to|through|-|–)\ ?(?P<w>{NUMBER})
                | (?:group|team|crew)\ size(?:\ is|\ of|:|\ =)?\ (?P<m>{NUMBER}) | each\ of\ the\ (?P<v>{NUMBER})\ (?:members|partners|teammates)
                | (?P<team>all|the)\ (?P<i>{NUMBER})\ (?:of\ you\b|(?:{MEMBERS})\ (?:of|in)\ (?:the|your|each|every|a|one)\ (?:{TEAM})|(?:group|team|crew)\ members) )\b(?P<range>\s?(?:-|–|or|to)\s?(?P<upto>\d\b|{NUMBER}\b))?"
        ))?,
        named: read(
            r"\b(?: (?P<two>(?:in|into)\ (?:your\ |their\ |these\ )?pairs\b | (?:as|in|into|form|each|every)\ (?:a\ )?dyads?\b | (?:\A|\b(?:work|sit|stand|go|walk|come|line\ up|gather|children|pupils|students|learners|you|class)\ )two\ by\ two | one\ partner\b[\w,\ '-]{3,60}\b(?:the|your|his|her)\ other(?:\ partner)?\b | just\ the\ two\ of\ you | \Athe\ two\ of\ you\ (?:will|share|take|test|build|work|need|can) | (?:as|in)\ a\ pair\b | (?:students|pupils|children|learners|you|they|class|everyone|please)\ (?:\w+\ )?(?:form|make)\ pairs | \Aform\ pairs | you\ and\ your\ (?:lab\ )?partner | both\ partners | \Awith\ (?:a|your)\ (?:lab\ )?partner,? | (?:\A|[.!?:;]\ )pairs\ (?:collect|take|get|build|measure|work|choose|share|fetch|pick|make|set|need|receive|use|test|cut|pour|fill|record) | (?:work(?:ing|s)?|team(?:ing|s)?\ up|pair(?:ing|s)?\ up|buddy\ up|get\ together)\ with\ (?:a|your|one|their)\ (?:usual\ |regular\ )?(?:lab\ )?partner\b | (?:find|choose|pick|finds|chooses|picks)\ (?:a|your|one|themselves\ a)\ (?:lab\ )?partner\b | (?:each|every)\ pair\ of\ (?:students|pupils|children|learners)\b | with\ (?:one|a)\ (?:single\ )?classmate\b | (?:team|link|buddy|pair)\ up\ with\ (?:one|a)\ (?:classmate|neighbou?r|friend|person|student|pupil|child)\b | pair\ (?:up|off)\b | in(?:to)?\ (?:duos|twosomes)\b | partner\ up\b | with\ one\ other\ (?:student|pupil|person|classmate|child)\b | (?:each|every)\ pair\ (?:collects?|gets?|takes?|builds?|hands?|cuts?|needs?|makes?|receives?|sets?|measures?|records?|writes?|plots?|draws?|chooses?|fetch(?:es)?|picks?|puts?|pours?|fills?|works?|plants?|sows?|tests?)\b )
                | (?P<three>trios?|threesomes?|triads) | (?P<four>foursomes?|quartets?) )(?:\ (?P<of>of))?\b",
        )?,
        talk: read(
            r"\b(?:discuss\w*|talk\w*|tell|shar(?:e|es|ing)\ (?:your|their|ideas?|results?|what|findings|with|thoughts|answers|one\ (?:thing|idea|fact|result|finding|question|observation|word|sentence|surpris\w+))|compar\w+|whisper|explain|think|swap|trade|quiz|debate|argue|read\ out|peer|check|mark|agree|warm[-\ ]up|starter|role[-\ ]play|predict\w*|prediction|guess\w*|brainstorm\w*|act\ out|describe\w*|debrief|rehearse\w*|list\ (?:all|as|three|what|ways|things)|look\ over|read\ (?:the|a|your|through|over|aloud|about|each)\ (?:\w+\ )?(?:text|card|cards|article|story|sheet|passage|page|rule|rules|poster|aloud)|decide\ (?:which|what|who|whether|how)|gallery|put\ the\ (?:tiles|cards)|checks?|carry|lift)\b",
        )?,
        told: read(r"\b(?:predict\w*|aloud|debate|brainstorm\w*|rehearse)\b")?,
        passing: read(
            r"\b(?:if|some|one\ group|in\ the\ (?:groups?|teams?|crews?)|them\ have|left[-\ ]?over|remain\w*|absent|odd|join|combine|merge|another|neighbou?r\w*|expert|jigsaw|turns|walk|walks|others|the\ rest|different\ (?:table|group|team|pair|bench)|someone|somebody|pool\w*|the\ (?:table|group|team|pair|bench)\ (?:behind|next|beside|across|opposite)|allowed|fine|okay|possible|list|boards?|line\ up|queue|march|hold(?:ing)?\ hands|sort|classify|arrange|bundle|count\ (?:in|the|by)|up\ to|at\ (?:least|most)\ (?:two|three|four|five|six|[2-8])|not|never|instead|last|usually|as\ usual|demo\w*|split\ (?:the|your|each)\ (?:group|team)|in\ your\ (?:group|team|four)|within|inside|each\ (?:group|team)\ (?:splits?|divides?)|home\ group|at\ your\ (?:table|bench)|next\ to\ you|beside\ you|elbow|shoulder|worked|were|had|honou?rs|sections?|chromosomes?|electrons?|atoms?|teeth|stack|seeds|beads|cubes|two\ pairs|three\ pairs)\b",
        )?,
        people: read(
            r"\b(?:work\w*|sit|stand|go|get|split|divide|break|move|play|investigate|students?|pupils?|children|kids|learners?|you|we|they|class|everyone|yourselves|themselves|ourselves|experiment|done|plan\w*|explore|all\ of\ this)\b",
        )?,
        halves: read(
            r"\b(?:(?:other|both|two|three|second|one|different|another)\ pairs?|(?:(?:sub|half)[-\ ]?)groups?|pairs\ (?:within|inside)\ (?:the|your|each|every)\ (?:group|team)|two\ and\ two|two\ of\ you|pairs\ (?:swap|pool|trade|compare|join|meet|take\ turns|share))\b",
        )?,
    })
});

/// A number of people that a text puts together.
#[derive(Debug, Clone)]
struct Group {
    sizes: RangeInclusive<i64>,
    bytes: Range<usize>,
    /// The bytes of the number, where it can be replaced by another.
    number: Option<Range<usize>>,
    passing: bool,
    /// Whether all of the group are counted, and not made up for one step.
    all: bool,
    /// Whether they are those who sit at one table.
    seated: bool,
    /// Whether the text forms the group, and does not only tell who is in it.
    formed: bool,
    /// Whether they are pairs, of which a larger group may have several.
    pairs: bool,
}

impl Group {
    /// All of a group, which has so many.
    fn whole(size: i64, bytes: Range<usize>) -> Self {
        let sizes = size..=size;
        Self { sizes, bytes, number: None, passing: false, all: true, seated: false, formed: true, pairs: false }
    }
}

/// Finds the first text of each field that forms other groups, unless some text forms groups that fit.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let Some(size) = lesson.group_size().filter(|size| (1..=100).contains(size)) else { return Vec::new() };
    let read = lesson.texts_of(|role| {
        use Role::*;
        matches!(
            role,
            Title
                | Step(_)
                | Safety(_)
                | MaterialNotes(_)
                | MaterialQuantity(_)
                | Objective(_)
                | Phenomenon
                | DrivingQuestion
                | Assessment
                | Hypothesis
                | Controlled(_)
                | Definition(_)
        )
    });
    let all: Vec<(&Text, Group)> =
        read.flat_map(|text| text.kept(all_groups).to_vec().into_iter().map(move |group| (text, group))).collect();
    if all.iter().all(|(_, group)| group.passing || group.sizes.contains(&size)) {
        return Vec::new();
    }
    // "Find a partner; the two of you share a tray": they are all there are.
    let half = |step: &Text, start: usize| {
        let before = step.slice(&(0..start)).to_lowercase();
        !before
            .strip_suffix("the ")
            .map(str::trim_end)
            .is_some_and(|before| before.is_empty() || before.ends_with(['.', ';', ':', ',', '!']))
    };
    let halves = |step: &Text| {
        FORMS.as_ref().is_some_and(|forms| {
            forms.halves.find_iter(step.text).any(|found| !found.as_str().ends_with("you") || half(step, found.start()))
        })
    };
    let halved = || lesson.texts_of(|role| matches!(role, Role::Title | Role::Step(_))).any(halves);
    if all.iter().any(|(_, group)| group.formed && group.sizes.contains(&size)) {
        return Vec::new();
    }
    let halved = size % 2 == 0 && halved();
    let mut found: Vec<Match> = Vec::new();
    for (text, group) in all {
        if group.passing
            || group.sizes.contains(&size)
            || found.iter().any(|found| found.finding.field_name == text.field())
        {
            continue;
        }
        // Pairs are parts of a group, and two pairs make one of four.
        let half = halved
            && (group.formed || !group.all)
            && [2, size / 2, size * 2].iter().any(|part| group.sizes.contains(part));
        if half || makes_up(text, &group, size) {
            continue;
        }
        let path = FieldPath::root().child("groupSize");
        let said = text.slice(&group.bytes);
        let reason = format!("The groups are of {size}, but the text says \"{said}\".");
        let quote = text.quote_sentence(text.tokens.partition_point(|token| token.bytes.end <= group.bytes.start));
        let other = if size < *group.sizes.start() { *group.sizes.start() } else { *group.sizes.end() };
        let mut new = conflict("group_size", quote, Evidence::new(&path, size.to_string()), reason)
            .suggesting(format!("Set the group size to {other}, or form groups of {size} here."))
            .mended_by(Mend { path, edit: Edit::Replace(json!(other)) });
        if let Some(range) = group.number.clone() {
            let edit = Edit::Splice { range, text: size.to_string() };
            new = new.mended_by(Mend { path: text.path.clone(), edit });
        }
        // Groups are formed at first; later on they split, or join. A table may seat two groups, a group has pairs.
        let seated = group.seated && !things::works_as_one(text, &group.bytes);
        let seats_more = size == 1 || size * 2 == *group.sizes.start();
        let loose = seated && seats_more || group.pairs && size % 2 == 0;
        let later = matches!(text.role, Role::Step(index) if index >= 2) && !group.all;
        let late = loose || later && !is_made_anew(text, &group, size);
        found.push(new.sure_if(!late));
    }
    found
}

/// "Divide your group into two teams of three" makes up a group of six.
fn makes_up(text: &Text, group: &Group, size: i64) -> bool {
    let before = text.slice(&(0..group.bytes.start)).to_lowercase();
    let mut back = before.split_whitespace().rev();
    let of = back.next() == Some("of");
    let named = back.next().is_some_and(|word| lists!("teams groups crews squads sides", word));
    let count = back.next().and_then(|word| numbers::small_number(word).map(|n| n as i64).or(word.parse().ok()));
    of && named && count.is_some_and(|count: i64| count > 1 && count.checked_mul(*group.sizes.start()) == Some(size))
}

/// "Form groups of five" where they are of two: such are neither put together of these nor parts of them.
fn is_made_anew(text: &Text, group: &Group, size: i64) -> bool {
    let least = *group.sizes.start();
    let apart = least == *group.sizes.end() && (least > size && least % size != 0 || least < size && 2 * least > size);
    let before = text.slice(&(0..group.bytes.start)).to_lowercase();
    let verb = before.strip_suffix("groups of ").or_else(|| before.strip_suffix("teams of ")).and_then(|before| {
        let clause = before.rsplit(['.', ';', ':', ',', '!', '?']).next()?;
        let other = ["expert", "discussion", "count", "them", "from each"].iter().any(|word| clause.contains(word));
        let near = |word: &&str| lists!("form forms make get work works split divide break sit", word);
        // "Groups of six students share the counting."
        let begins = clause.trim().is_empty().then_some("");
        clause.split_whitespace().rev().take(4).find(near).or(begins).filter(|_| !other)
    });
    apart && verb.is_some()
}

/// "Pupils work in pairs" tells of all of them, and "work in pairs" of the whole lesson where it begins so.
fn is_said_of_all(text: &Text, at: usize) -> bool {
    let class = |word: &str| lists!("pupils students learners children everyone everybody class they", word);
    let before = text.slice(&(0..at)).to_lowercase();
    let first = text.role == Role::Step(0) && lists!("work you", before.split_whitespace().next().unwrap_or_default());
    // "Each pair has its own tray", "there is no larger group today"
    let kept = |at: usize| {
        text.has_at(at + 1, &["its", "own"]) && lists!("has up builds gets takes collects needs fetches", text.word(at))
    };
    let alone = (0..text.tokens.len()).any(kept) || text.find(&["no", "larger", "group"]).is_some();
    // "You'll be working in pairs today"
    let token = text.tokens.partition_point(|token| token.bytes.end <= at);
    let today = lists!("work working", before.split_whitespace().next_back().unwrap_or_default())
        && text.sentence(token).any(|at| lists!("today throughout always", text.word(at)));
    first && before.trim_end().ends_with("work") || today || alone || before.split_whitespace().rev().take(3).any(class)
}

/// "In twos and threes", "in threes or fours"
fn goes_on(text: &Text, end: usize) -> bool {
    let at = text.tokens.partition_point(|token| token.bytes.end <= end);
    lists!("and or", text.word(at)) && lists!("twos threes fours fives sixes alone pairs", text.word(at + 1))
}

/// Where a group works: "two learners work at each pH" tells of a part of it.
const SEATS: &str =
    "table bench desk station tray kit set setup microscope computer laptop balance tank tub circuit ramp machine";

/// "Two per group" on the list of materials, and after "take the magnets", is so many things.
fn is_given(text: &Text, at: usize) -> bool {
    const GIVING: &str = "take collect get fetch hand give gives distribute pass set place put lay need needs provide use count lay lays deal";
    let token = text.tokens.partition_point(|token| token.bytes.end <= at);
    let mut before = text.sentence(token).start..token;
    matches!(text.role, Role::MaterialNotes(_) | Role::MaterialQuantity(_))
        || before.any(|at| phrases::lists!(GIVING, text.word(at)))
        || token.checked_sub(1).is_some_and(|before| text.word(before) == ":")
}

/// "Groups, four in each" may be of leaves; crews are of people.
fn is_of_people(text: &Text, said: &str, at: usize) -> bool {
    const PUPILS: &str =
        "you yourselves ourselves themselves students pupils children learners class people everyone we";
    let sentence = text.sentence(text.tokens.partition_point(|token| token.bytes.end <= at));
    let crew = !said.starts_with(['g', 'G']) && !said.to_lowercase().starts_with("clu");
    crew || text.tokens.get(sentence).is_some_and(|all| all.iter().any(|token| phrases::lists!(PUPILS, &token.word)))
}

fn all_groups(text: &Text) -> Vec<Group> {
    // There nobody is told to form groups, but everybody can be counted.
    if matches!(text.role, Role::Hypothesis | Role::Controlled(_) | Role::Definition(_)) {
        return everyone::said(text).into_iter().chain(formed::own(text)).collect();
    }
    FORMS.as_ref().map(|forms| groups(forms, text)).unwrap_or_default()
}

fn groups(forms: &Forms, text: &Text) -> Vec<Group> {
    let mut groups = Vec::new();
    // Each of these forms has a number of people in it.
    let few = |numeral: &numbers::Numeral| (1.0..=8.0).contains(&numeral.low);
    let sized = |at: usize| phrases::lists!("twos threes fours fives sixes", text.word(at));
    let counts = text.numerals().iter().any(few) || (0..text.tokens.len()).any(sized);
    for captures in counts.then(|| forms.counted.captures_iter(text.text)).into_iter().flatten() {
        let names = [
            "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "o", "p", "q", "r", "s", "t", "u", "v",
            "w",
        ];
        let Some((name, number)) = names.iter().find_map(|name| Some((*name, captures.name(name)?))) else { continue };
        let things = ["of", "off", "yours", "each", "is"].iter().find_map(|name| captures.name(name));
        let spanned = things.and_then(|things| end_of_range(text, &things));
        let whole = captures.get(0).map_or(0..0, |whole| whole.range());
        // "Six sheets, two per team member", and "a control group of five seedlings"
        let share = text.text.get(whole.end..).is_some_and(|rest| rest.starts_with(" member"));
        let given = name == "c" && captures.name("who").is_none() && (share || is_given(text, number.start()));
        // "Each group of six gives a talk", in what is marked
        let every = name == "a"
            && text.role == Role::Assessment
            && !text
                .tokens
                .iter()
                .any(|token| lists!("join joins pair pairs combine merge share sharing", &token.word))
            && ["each ", "every "].iter().any(|each| text.slice(&(0..whole.start)).to_lowercase().ends_with(each));
        // "groups of four beads" forms no group of people, but may sit in one of four.
        let loose = name == "j"
            && !is_of_people(text, captures.get(0).map_or("", |whole| whole.as_str()), number.start())
            || spanned.is_none() && things.is_some_and(|things| is_of_things(text.text, number.start(), &things))
            || spanned.as_ref().is_some_and(|(_, end)| things_follow(text, *end))
            || given
            || is_compared(text.slice(&(0..whole.start)))
            || name == "t"
                && captures.name("shared").is_some_and(|thing| {
                    let shares = text.slice(&whole).contains("share");
                    !shares && !lists!(SEATS, thing.as_str())
                })
            || matches!(name, "t" | "u") && text.text.get(whole.end..).is_some_and(|rest| rest.contains("while"))
            || name == "b" && goes_on(text, whole.end)
            || matches!(name, "g" | "h" | "k")
                && (is_a_part(text, whole.end)
                    || text.text.get(whole.end..).is_some_and(|rest| rest.starts_with(['\'', '’'])))
            || name == "c"
                && (is_errand(text, whole.end)
                    || captures.name("who").is_none()
                        && (of_groups(text, whole.start) || goes_on_counting(text, whole.start)))
            || text.role == Role::Assessment && name != "i" && !every;
        let lower = number.as_str().to_lowercase();
        let one = if lower == "sixes" { "six" } else { lower.trim_end_matches('s') };
        let Some(size) = numbers::numeral(&words::tokens(one, 3), 0).and_then(|numeral| numeral.whole()) else {
            continue;
        };
        // "Your two partners" and you are three.
        let size = size + i64::from(name == "o");
        let upto = spanned.map(|(upto, _)| upto).or_else(|| {
            captures.name("upto").and_then(|upto| numbers::numeral(&words::tokens(upto.as_str(), 3), 0)?.whole())
        });
        let sizes = match (captures.name("most"), captures.name("least"), upto) {
            (Some(_), ..) => 1..=size,
            (_, Some(_), _) => size..=99,
            (_, _, Some(upto)) if upto > size => size..=upto,
            (_, _, Some(upto)) => upto..=size,
            _ => size..=size,
        };
        // "Your group of four" is the one that does the work.
        let yours = name == "a" && text.slice(&(0..whole.start)).to_lowercase().ends_with("your ");
        // "Agree a plan as a group of four", as an aim
        let aimed = name == "a"
            && matches!(text.role, Role::Objective(_))
            && text.slice(&(0..whole.start)).to_lowercase().ends_with("as a ");
        let all = matches!(name, "i" | "m" | "r" | "v" | "w") || yours || every || aimed;
        let bound = captures.name("most").is_some() || captures.name("least").is_some();
        let plain = !matches!(name, "b" | "e" | "o") && !bound && upto.is_none();
        groups.push(Group {
            sizes,
            formed: true,
            bytes: number.range(),
            number: plain.then(|| number.range()),
            all,
            seated: name == "f" || text.slice(&whole).contains("table") || text.slice(&whole).contains("bench"),
            pairs: name == "b" && size == 2 && !is_said_of_all(text, whole.start),
            passing: loose || if all || bound { parts(text, &whole) } else { passes(forms, text, &whole) },
        });
    }
    for captures in forms.named.captures_iter(text.text) {
        let sizes = [("two", 2), ("three", 3), ("four", 4)];
        let named = sizes.iter().find_map(|(name, size)| Some((captures.name(name)?.range(), *size)));
        if let (Some((bytes, size)), None) = (named, captures.name("of")) {
            let passing = text.role == Role::Assessment || passes(forms, text, &bytes);
            // "In pairs or threes", "two by two and three by three"
            let after = text.slice(&(bytes.end..text.text.len())).to_lowercase();
            let ranged =
                [" or thr", " or fou", " or sma", " or trio", " or gro", " and thr", " and fou", " or alone", " or as"];
            let passing = passing
                || ranged.iter().any(|range| after.starts_with(range))
                || size == 2 && text.text.contains("air of ");
            let said = text.slice(&bytes).to_lowercase();
            let pairs = said.contains("pair") && !is_said_of_all(text, bytes.start);
            // "Your foursome needs a reader and a recorder"
            let yours = size > 2 && text.slice(&(0..bytes.start)).to_lowercase().ends_with("your ");
            groups.push(Group { passing, all: yours, pairs, ..Group::whole(size, bytes) });
        }
    }
    groups.extend(alone::said(text).map(|bytes| Group::whole(1, bytes)));
    groups.extend(formed::said(text));
    let told = everyone::said(text).into_iter().chain(partners::said(text)).chain(posts::said(text));
    groups.extend(told.map(|group| Group { formed: false, ..group }));
    groups
}

/// Whether what is said of all members, or of the bounds of groups, is said under a condition, of some ("the two of you with
/// scissors cut") or of others.
fn parts(text: &Text, at: &Range<usize>) -> bool {
    if [" with ", " who ", " holding "]
        .iter()
        .any(|which| text.text.get(at.end..).is_some_and(|rest| rest.starts_with(which)))
    {
        return true;
    }
    let token = text.tokens.partition_point(|token| token.bytes.end <= at.start);
    text.tokens.get(text.sentence(token)).is_none_or(|sentence| {
        sentence
            .iter()
            .any(|token| phrases::lists!("if unless another other others not sort classify absent odd", &token.word))
    })
}

/// Whether a group that is named at these bytes is none of those that do the work.
fn passes(forms: &Forms, text: &Text, at: &Range<usize>) -> bool {
    const SIGNS: [char; 8] = [',', ';', ':', '.', '!', '?', '(', '—'];
    let sentence = numbers::bytes_of(
        &text.tokens,
        &text.sentence(text.tokens.partition_point(|token| token.bytes.end <= at.start)),
    );
    let before = text.slice(&(sentence.start.min(at.start)..at.start));
    let after = text.slice(&(at.end..sentence.end.max(at.end)));
    let clause_before = before.rsplit(SIGNS).next().unwrap_or(before);
    let trimmed = after.trim_start_matches(',');
    let clause_after = trimmed.split(SIGNS).next().unwrap_or(trimmed);
    let soon = after.split(" and ").next().unwrap_or(after).split_whitespace().take(4).map(str::len).sum::<usize>() + 3;
    let soon = after.get(..soon).unwrap_or(after);
    let clause =
        text.slice(&(at.start - clause_before.len()..at.end + after.len() - trimmed.len() + clause_after.len()));
    let action = clause_before.rsplit(" and ").next().unwrap_or(clause_before);
    // "Trios brainstorm: one sketches, one holds the tape" goes on with other work.
    let roles = after.split_whitespace().filter(|word| matches!(*word, "one" | "another" | "other")).count() > 1;
    !roles && forms.talk.is_match(action)
        || is_said_of_things(clause_before, text.slice(at))
        || is_of_others(clause_before)
        || is_of_those_who(before)
        || matches!(text.role, Role::Safety(_)) && is_on_the_way(clause_before)
        || before.contains("ake turns")
        || before.contains("ithin your group")
        || before.contains("split into pairs")
        || !roles && (forms.talk.is_match(soon) || forms.told.is_match(clause_after))
        || ["Swap", "swap"].iter().any(|swap| before.starts_with(swap))
        || forms.passing.is_match(&things::in_passing(clause)) && !clause.contains("selves")
        || text.slice(at).ends_with("pairs")
            && !clause_before.trim().is_empty()
            && !forms.people.is_match(clause_before)
        || before.split(SIGNS).next().is_some_and(|first| first.to_lowercase().starts_with("if "))
}

#[cfg(test)]
mod tests;
