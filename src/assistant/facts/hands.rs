//! Hands: whether those who do the work take in hand what a text names, or only see it, hear of it or think of it.
//!
//! There must be evidence for it: an order or a sentence about pupils that does something with the thing.

use std::ops::Range;

use super::lesson::Text;
use super::lists::lists;
use super::phrases::{self, Actor};

/// What hands do, and what hands come to have.
const DEEDS: &str = "add aim anchor apply arrange assemble attach balance bend blow boil break bring brush build burn bury \
    carry catch chill clamp clean clip close coat collect connect cook cool count cover crack crumble crush cut dab dip dissolve divide drag drain \
    draw drip drop dry empty fasten feed fetch fill filter fit fix flick float fold freeze gather get give glue grab \
    grate grind hammer hand hang have heat hit hold hook insert invert join keep knead knot label lay lean leave let level lift light \
    line load lower mark mash mass measure melt mix mould mount move nail need number open pack paint pass peel pick pierce pile pinch \
    pipette place plant plug point poke pop position pour press prop pull pump punch push put raise release remove rest \
    rinse roll rotate rub run save scatter scoop scrape screw seal secure select separate set shake shape share shine shut sieve sift \
    sink sit slice slide slip slot smear snap snip soak sow spin split spoon spray spread sprinkle squash squeeze squirt stack \
    stain stand start steady stick stir stop store strain stretch strike string stroke suspend swap swing swirl switch \
    take tap tape tear test thread throw tie tighten tilt time tip touch transfer trap trim try tuck turn twirl twist unclamp \
    unclip unroll untie use want warm wash weigh wet wind wipe wire wrap zip \
    bundle bunch bolt chop comb dangle decorate dig dunk flatten halve hoist immerse inflate inject insulate knock lace ladle launch loop nudge perch plunge pluck prick rack rake saw scrub shred skewer smooth \
    staple steep stitch stopper strip stuff submerge trickle unfold unplug unwrap weave wedge whisk whip sharpen grease combine pair bait soften deposit discharge douse dust grip lash peg pad prise rig sew sling unscrew nest tease flame exchange sort bore blot";

/// The same, as they are told of what was done: "is put".
const DONE: &str = "put set hung held laid lit taken kept bent cut given left stuck wound blown drawn";

/// What one does who only sees, hears, says or thinks, and what is said of what is there.
const SEEN: &str = "watch watches look looks see sees seen hear listen think imagine suppose picture predict guess discuss talk say \
    says said tell tells told ask asks explain describe sketch write read reads know knows remember recall notice learn means mean \
    is are was were be been has had contains contain shows show lists decide agree believe seems looks like than unlike name \
    resemble resembles circle tick colour color shade trace highlight underline tally plot calculate works tells visit stands draws drew";

/// Words of sentences in which things are shown, told of, or those of others.
const SHOWN: &str = "whiteboard blackboard photo photos photograph photographs picture pictures video diagram diagrams poster \
    cartoon animation simulation sim display displayed textbook time-lapse timelapse projected projector drawn pictured imaginary \
    demo demonstration demonstrate demonstrates i my me we've television imagine suppose pretend predict \
    mentioned famous screenshot online website webpage menu click cursor avatar headline newspaper's";

/// Words before a colon that tell that what follows, up to the end of the step, is shown by a grown-up or done elsewhere.
const SHOWS: &str =
    "teacher teacher's demo demonstration trick whiteboard blackboard homework extension story video photo";

/// Words before a colon that tell that the rest of the sentence is no work of hands.
const LABELS: &str = "board exit slip ticket starter warm-up warmup hook opener discuss discussion think thinking quiz \
    question picture recap review write prediction predict talk imagine look watch key remember note recall opening \
    intro introduction debrief plenary scale clue riddle puzzle fact";

/// Whether a thing with these tokens is used, moved or changed there by those who do the work.
pub fn is_handled(text: &Text, thing: &Range<usize>) -> bool {
    if is_shown(text, thing.start) {
        return false;
    }
    // "There are six saucers in a row"
    let row = || text.has_at(thing.end, &["in", "a", "row"]) || text.has_at(thing.end, &["side", "by", "side"]);
    if thing.start > 1 && text.has_at(thing.start - 2, &["there", "are"]) && row() {
        return true;
    }
    let sentence = text.sentence(thing.start);
    let mut closed = 0;
    for at in (sentence.start..thing.start).rev() {
        let word = text.word(at);
        // "Five drops of iron(III) chloride": what is closed again is passed over.
        closed += usize::from(word == ")");
        if matches!(word, ";" | "—" | "–") || word == "(" && closed == 0 {
            break;
        }
        closed -= usize::from(word == "(");
        if is_deed(text, at) {
            return true;
        }
        // "Look at it with the lens" uses the lens.
        if lists!("with using through", word) && thing.start <= at + 4 && is_ordered(text, sentence.start..at) {
            return true;
        }
        if lists!(SEEN, word) {
            return false;
        }
    }
    is_placed(text, thing.end) || is_led(text, &sentence, thing)
}

/// Whether the word at a token tells what those who do the work do with their hands.
pub fn is_deed(text: &Text, at: usize) -> bool {
    let word = text.word(at);
    // "Draw a lamp" handles none; "draw up the water" does.
    if word == "draw"
        && !lists!("up in off out some back", text.word(at + 1))
        && !text.numerals().iter().any(|number| number.tokens.start == at + 1)
    {
        return false;
    }
    let lemma = text.lemma(at);
    let stem = || word.strip_suffix("ing").or_else(|| word.strip_suffix("ed")).or_else(|| word.strip_suffix("es"));
    let known = lists!(DEEDS, word)
        || lists!(DEEDS, lemma)
        || stem().is_some_and(|stem| {
            let mut doubled = stem.chars().rev();
            let twice = doubled.next() == doubled.next();
            lists!(DEEDS, stem)
                || lists!(DEEDS, &format!("{stem}e"))
                || twice && stem.get(..stem.len().saturating_sub(1)).is_some_and(|short| lists!(DEEDS, short))
        });
    let passive =
        || lists!("is are gets get", text.word(at.wrapping_sub(1))) && (word.ends_with("ed") || lists!(DONE, word));
    if !known && !lists!(DONE, word) {
        return is_order(text, at);
    }
    // "The last helicopter gets the fourth clip"
    if lists!("gets receives", word) {
        return true;
    }
    // "Half-fill the tube"
    let joined =
        text.word(at.wrapping_sub(1)) == "-" && lists!("half re pre part quarter", text.word(at.wrapping_sub(2)));
    // "Ask the teacher for a lens and put the lens …": whoever asks goes on.
    let asked = || {
        lists!("ask tell show", text.word(text.sentence(at).start)) && lists!("and then", text.word(at.wrapping_sub(1)))
    };
    known && asked()
        || passive()
        || known && joined
        || known && matches!(phrases::actor(text, at), Some(Actor::Reader | Actor::Pupils))
}

/// Words that begin a sentence before a determiner without ordering anything that hands do.
const NO_ORDERS: &str = "in on at with by for from to of into onto over under after before during until till while when if as since \
    because although though once unless both half all only also like than and or but so then not no neither either \
    through throughout between among across along around about above below behind beside inside outside near off per \
    what which who whose where why how whether that this these those there here every each any some most many few \
    much such twice instead despite unlike given find match photograph film graph map chart tabulate derive prove choose observe compare state identify estimate consider suggest \
    evaluate justify define outline summarise summarize report present review revise research interview copy answer \
    solve follow note examine study work repeat do does did can could will would should may might must let make ask \
    inspect view decide discover investigate plan design record finish complete even maybe perhaps everyone nobody \
    meanwhile today yesterday step part day week homework extension optional notes note remember today's";

/// "Heap thirty clips on the plate": a sentence that begins with a word before a determiner or a number orders what it says.
fn is_order(text: &Text, at: usize) -> bool {
    let start = text.sentence(at).start;
    let opened = lists!("now then next first finally gently carefully slowly quickly", text.word(start));
    let word = text.word(at);
    let object = || {
        lists!("the a an your each all both some it them one", text.word(at + 1))
            || text.numerals().iter().any(|numeral| numeral.tokens.start == at + 1)
    };
    (at == start || opened && at == start + 1)
        && text.tokens.get(at).is_some_and(|token| token.is_word())
        && !["ed", "ing", "ly", "s"].iter().any(|end| word.ends_with(end) && !word.ends_with("ss"))
        && !lists!(NO_ORDERS, word)
        && !lists!(SEEN, word)
        && object()
}

/// Whether the word at a token may name what hands do, whoever does it: "lays".
pub fn names_a_deed(text: &Text, at: usize) -> bool {
    lists!(DEEDS, text.lemma(at))
}

/// Whether something is asked for in these tokens: the sentence begins with an order, or pupils do something.
fn is_ordered(text: &Text, tokens: Range<usize>) -> bool {
    let begins = text.word(tokens.start + usize::from(lists!("then now next", text.word(tokens.start))));
    let seen = lists!(
        "do repeat look watch see observe examine inspect view study read check find time sort record sketch chew clap walk wait top identify practise practice \
         jump hop step march breathe sway bounce",
        begins
    );
    seen || tokens.into_iter().any(|at| is_deed(text, at))
}

/// "The third egg goes in water", "the bulb is screwed in".
fn is_placed(text: &Text, end: usize) -> bool {
    let verb = text.word(end);
    let passive = || lists!("is are gets get", verb) && is_deed(text, end + 1);
    let stands = || {
        lists!("goes go stands stand sits sit hangs hang stays stay lies lie waits rests", verb)
            && lists!(
                "in on at into to onto near under beside between outside up down inside over next",
                text.word(end + 1)
            )
    };
    passive() || stands()
}

/// "With the fourth lead, join …", "in the fifth tube, drop …": what comes first is used in what follows.
fn is_led(text: &Text, sentence: &Range<usize>, thing: &Range<usize>) -> bool {
    lists!("with using in into on onto through under over inside from", text.word(sentence.start))
        && (names_a_deed(text, thing.end) || (thing.end..sentence.end).any(|at| is_deed(text, at)))
}

/// Whether the sentence that holds a token shows or tells of things, or of those of others, or asks.
pub fn is_shown(text: &Text, at: usize) -> bool {
    let mut sentence = text.sentence(at);
    // "Watch it with the lens: hairs, legs" is no label.
    let label = |start: usize| start..(start..at.min(start + 6)).find(|at| text.word(*at) == ":").unwrap_or(start);
    label(0).any(|at| lists!(SHOWS, text.word(at)))
        || label(sentence.start).any(|at| lists!(LABELS, text.word(at)))
        || phrases::is_question(text, at)
        || text.find(&["on", "the", "board"]).is_some_and(|board| sentence.contains(&board))
            && lists!("on", text.word(sentence.start))
        || sentence.any(|at| lists!(SHOWN, text.word(at)) || phrases::is_teacher(text, at) && gives(text, at))
}

/// Whether a sentence asks to speak, think or write of what it says at a token: "talk about where people drink".
pub fn is_spoken(text: &Text, at: usize) -> bool {
    let start = text.sentence(at).start;
    let start = start + usize::from(lists!("now then please next finally also", text.word(start)));
    start < at
        && lists!(
            "talk think discuss tell write list imagine explain describe remember recall name suppose consider",
            text.word(start)
        )
        && !(start..at).any(|at| lists!("then", text.word(at)) || text.word(at) == "and" && is_deed(text, at + 1))
}

/// Whether a token stands in the headline or the story of a report: "runner collapses after drinking 8 L: read on", "read the
/// story: by drinking sea water a sailor …".
pub fn is_reported(text: &Text, at: usize) -> bool {
    let sentence = text.sentence(at);
    let colon = |t: &usize| lists!(": – —", text.word(*t));
    let leads = |t: usize| lists!("headline news newspaper article story tale", text.word(t));
    if (sentence.start..at).find(colon).is_some_and(|colon| (sentence.start..colon).any(leads)) {
        return true;
    }
    let asks = |t: usize| lists!("read discuss explain why what how true could is was can talk", text.word(t));
    // "Rinse the cup after drinking: talk about the taste" tells of nobody else.
    let ours = |t: usize| phrases::is_pupil(text.word(t)) || phrases::is_teacher(text, t) || is_deed(text, t);
    let happens = |t: usize| {
        let word = text.word(t);
        word.ends_with('s') && !word.ends_with("ss") || word.ends_with("ed") || lists!("fell got went lost", word)
    };
    let first = text.word(sentence.start);
    (at..sentence.end).find(colon).is_some_and(|colon| asks(colon + 1))
        && !phrases::begins_condition(first)
        && !lists!("by with in on at for to from", first)
        && (sentence.start + 1..at).any(happens)
        && !(sentence.start..at).any(ours)
}

/// Whether a sentence at a token is an extra that stays out of the investigation: "Extra: crush the last one", "for fun: …".
pub fn is_extra(text: &Text, at: usize) -> bool {
    let colon = |t: usize| lists!(": – —", text.word(t));
    let labelled = |start: usize| {
        // "Extra care: …" is no extra.
        let extra = lists!("extra extras bonus optional extension", text.word(start))
            && (colon(start + 1) || lists!("for task trial test round activity experiment", text.word(start + 1)));
        let fun = text.has_at(start, &["for", "fun"]) || text.has_at(start, &["just", "for", "fun"]);
        (extra || fun) && (start..start + 6).any(colon)
    };
    is_for_the_fast(text, at)
        || text.sentences().iter().take_while(|sentence| sentence.start <= at).any(|sentence| labelled(sentence.start))
}

/// "Fast groups may also …", "those who are done early can …", "if you have time, …": the sentence is for some alone.
fn is_for_the_fast(text: &Text, at: usize) -> bool {
    const PEOPLE: &str = "group team pair pupil student child learner finisher worker those anyone";
    let sentence = text.sentence(at);
    let may = |from: usize| (from..sentence.end.min(from + 6)).any(|t| lists!("may can could might", text.word(t)));
    sentence.clone().any(|t| match text.word(t) {
        "if" => (t + 1..t + 4).any(|t| {
            let left = lists!("allows permits remains left", text.word(t + 1));
            text.word(t) == "time" && (left || lists!("have has is", text.word(t - 1)))
        }),
        "fast" | "faster" | "quick" | "early" => lists!(PEOPLE, text.lemma(t + 1)) && may(t + 2),
        "who" => {
            let early = (t + 1..t + 4).find(|t| text.word(*t) == "early");
            lists!(PEOPLE, text.lemma(t.wrapping_sub(1))) && early.is_some_and(may)
        }
        _ => false,
    })
}

/// Whether a sentence tries something out, tops up, rinses, takes away, has to spare or may be left out, so that its amounts are not those
/// of the investigation.
pub fn is_aside(text: &Text, at: usize) -> bool {
    let may_be_left = |t: usize| lists!("optional optionally", text.word(t));
    if lists!("optional extension bonus", text.word(0)) || is_extra(text, at) || text.sentence(at).any(may_be_left) {
        return true;
    }
    // "Trial drop from the stage, 1 m"
    let start = text.sentence(at).start;
    let tried = lists!("trial practice test dry rehearsal", text.word(start))
        && lists!("run drop launch throw flight round race ride dive go", text.word(start + 1));
    tried || text.sentence(at).any(|t| {
        lists!(
            "practice practise practising practicing rehearse rehearsal warm-up rinse rinses rinsing discard discarded \
            overflow evaporates leftover",
            text.word(t)
        ) || lists!("spare", text.word(t)) && lists!("the a each every your", text.word(t.wrapping_sub(1)))
            || text.has_at(t, &["enough", "for", "the", "knot"])
            || text.has_at(t, &["top", "up"])
            || text.has_at(t, &["used", "to", "it"])
            || text.has_at(t, &["until", "you", "can"])
            || text.has_at(t, &["pour", "off"])
            || text.has_at(t, &["pour", "away"])
            || text.has_at(t, &["try", "it", "out"])
            || text.has_at(t, &["sea", "water", "has"])
    })
}

/// Whether a grown-up at a token does something: "the teacher holds …", not "ask the teacher for …".
fn gives(text: &Text, at: usize) -> bool {
    !lists!("to for from your", text.word(at.wrapping_sub(1)))
        && !lists!("to for from show ask tell", text.word(at.wrapping_sub(2)))
}

#[cfg(test)]
mod tests {
    use super::super::lesson::Lesson;
    use super::*;
    use serde_json::json;

    fn handled(said: &str, thing: &str) -> bool {
        let content = json!({ "title": said });
        let lesson = Lesson::of(content.as_object().expect("an object"));
        let at = lesson.texts()[0].find(&[thing]).expect("the thing");
        is_handled(&lesson.texts()[0], &(at..at + 1))
    }

    #[test]
    fn what_an_order_or_pupils_do_something_with_is_handled() {
        for (said, thing) in [
            ("Fill the beaker.", "beaker"),
            ("Measure 500 mL, fill the jug with it, and sprinkle the tray.", "tray"),
            ("Take a jar, a lens and a sieve.", "sieve"),
            ("Look at a seed with the lens.", "lens"),
            ("One of you holds the tube, another hooks the balance in the loop.", "balance"),
            ("With the fourth lead, join the second bulb to the cell.", "lead"),
            ("In the fifth tube, drop the ribbon.", "tube"),
            ("The third egg goes in water.", "egg"),
            ("The colorimeter is switched to 630 nm.", "colorimeter"),
            ("Now gently lower the candle.", "candle"),
            ("Draw up 5 mL in the syringe.", "syringe"),
            ("Ask the teacher for a magnet and put the magnet in the jar.", "jar"),
            ("Keep squeezing the sponge.", "sponge"),
            ("Now heap thirty clips on the plate.", "clips"),
            ("Add 5 drops of iron(III) chloride and one of dye.", "dye"),
            ("Watch it with the lens: hairs and legs.", "lens"),
            ("Then sort with pipettes.", "pipettes"),
            ("With the syringe put 1 mL in each.", "syringe"),
        ] {
            assert!(handled(said, thing), "{said}");
        }
    }

    #[test]
    fn what_is_only_seen_told_or_thought_of_is_not() {
        for (said, thing) in [
            ("Watch the balls on my desk.", "balls"),
            ("Whiteboard: two balls, one dropped and one thrown.", "balls"),
            ("Teacher trick: the clip that floats under a lid.", "lid"),
            ("The picture shows three candles.", "candles"),
            ("A telescope needs two lenses.", "lenses"),
            ("Tell the salt from the sugar.", "salt"),
            ("Imagine that you hold a magnet.", "magnet"),
            ("Draw a lamp and a battery.", "battery"),
            ("The judges add one marble.", "marble"),
            ("The teacher puts a candle in the jar.", "candle"),
            ("Would you pour the oil?", "oil"),
            ("Match it to the card.", "card"),
            ("Compare the two magnets on the poster.", "magnets"),
            ("One child is the battery.", "battery"),
        ] {
            assert!(!handled(said, thing), "{said}");
        }
    }
}
