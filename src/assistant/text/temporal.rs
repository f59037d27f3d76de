//! `temporal`: a text that says all is done in one sitting, against a step that waits for another day.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::{Match, conflict};
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::phrases;

/// What a class meets for.
const SITTING: &str = r"(?:class(?:es)?|lessons?|sittings?|sessions?|periods?|visits?|practicals?|meetings?|workshops?|blocks?|labs?|trips?
    |get-togethers?|appointments?|slots?|occasions?|encounters?)";
const PERIOD: &str =
    r"(?:class\ |lab\ |lesson\ |school\ |science\ |practical\ |double\ |short\ |teaching\ |[\w-]+[-\ ]minute\ )?";
const COUNT: &str = r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|several|some|a\ few|a\ couple\ of|\d{1,2})";
/// What may be left standing.
const WORK: &str = r"(?:experiments?|work|set-?ups?|projects?|activit(?:y|ies)|investigations?|measurements?|samples?|tests?|trials?|practicals?
    |things?|jars?|cups?|dish(?:es)?|trays?|beakers?|tubes?|pots?|it|this|them|anything|any\ of\ (?:it|this|them))";
const NOT: &str = r"(?:not|never|cannot|no\ longer|\w+n(?:'|’)t|nor|nobody|no\ one|none|nothing|no)";
const WEEKDAY: &str = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?";

struct Forms {
    /// Says that there is one sitting only.
    claim: Regex,
    /// Says that nothing stays, or is come back to.
    gone: Regex,
    /// Says that the class does not come back.
    left: Regex,
    /// Says that something is done with on the day.
    due: Regex,
    /// Takes that back: only a part is done in it.
    part: Regex,
    /// Waits for another day.
    wait: Regex,
    /// The waiting was before the lesson, or is not done.
    outside: Regex,
    /// What is not to be disturbed does wait.
    still: Regex,
    /// A rule about what is dangerous to leave.
    hazard: Regex,
    /// The sentence is about waiting elsewhere, or in thought.
    elsewhere: Regex,
}

static FORMS: LazyLock<Option<Forms>> = LazyLock::new(|| {
    let read = |pattern: String| {
        let compiled = Regex::new(&format!("(?ix-u){pattern}"));
        debug_assert!(compiled.is_ok(), "{compiled:?}");
        compiled.ok()
    };
    Some(Forms {
        claim: read(format!(
            r"\b(?: no\ (?:follow[-\ ]?up|second|further|later|other|return|repeat|more|subsequent|additional|next)\ {PERIOD}(?:{SITTING}|days?|dates?)
                | (?:in|within|during|inside|into|over)\ (?:only\ |just\ |exactly\ )?(?:the\ (?:course|space)\ of\ )?(?:a\ single|one\ and\ the\ same|one\ single|this\ one|this\ single|the\ one|one|the\ same|this\ same|a\ one-off|our\ one|our\ single|your\ one)\ {PERIOD}(?:{SITTING}|afternoon|morning|school\ day)
                | (?:everything|all\ (?:of\ )?(?:the|your|our|their)|(?:the\ )?(?:whole|entire))\ (?:[\w'-]+\ ){{0,6}}(?:in|within|during|inside)\ (?:a|an|one)\ {PERIOD}{SITTING}
                | from\ (?:a\ to\ z|start\ to\ finish|(?:the\ )?beginning\ to\ (?:the\ )?end|\w+ing\ to\ \w+ing)\ (?:[\w'-]+\ ){{0,4}}(?:today|this|a\ single|one|the\ same)\ ?(?:very\ |one\ )?(?:{SITTING}|day|afternoon|morning)?
                | is\ (?:just\ |only\ )?(?:this|the)\ one\ {PERIOD}{SITTING}
                | (?:end|close|bell)\ of\ (?:the|that)\ (?:very\ |same\ )?{PERIOD}(?:{SITTING}|day)\ (?:in|on|at)\ which
                | (?:we|class(?:es)?|groups?|pupils|students|children|learners|visitors|they|who|nobody|no\ one)\ (?:(?:will|do|does|can|is|are)\ )?(?:not\ |never\ |cannot\ |won(?:'|’)t\ )?(?:to\ )?(?:see|come\ back|return|be\ back|asked\ to\ come)\ (?:[\w'-]+\ ){{0,4}}(?:afterwards|on\ another\ day)
                | (?:only|just|but|with\ this|with\ the)\ (?:this\ |the\ |a\ )?(?:one|single)\ {PERIOD}(?:{SITTING}|day|afternoon|morning)
                | (?:whole|entire|everything|all|finish\w*|complet\w*|collect\w*|done|do|fits?|start\w*|from\ \w+\ to\ \w+)\ (?:[\w'-]+\ ){{0,8}}(?:in|on|within|inside)\ (?:just\ |only\ )?(?:a\ single|one|one\ single|the\ same|one\ and\ the\ same)\ (?:day|morning|go)
                | (?:in|at)\ one\ (?:go|sitting|stretch)
                | (?:one|single)[-\ ](?:day|session|lesson|sitting|period|visit|off|time|shot)\ {PERIOD}(?:{SITTING}|activity|investigation|experiment|project|unit|event|affair|job)
                | once[-\ ]only\ {PERIOD}{SITTING} | our\ (?:one\ and\ )?only\ {PERIOD}{SITTING}
                | (?:have|ha[ds]|get)\ (?:[\w'-]+\ ){{1,4}}for\ (?:just\ |only\ )?(?:a\ single|one)\ (?:{SITTING}|day|afternoon|morning)
                | (?:comes?|meets?|visits?|here|have|see)\ (?:[\w'-]+\ ){{0,5}}(?:just|only)\ (?:this\ )?once
                | only\ (?:have|get|got)\ today | today\ only | only\ (?:\w+\ ){{0,3}}for\ (?:one|a\ single)\ (?:day|{SITTING}) | no\ (?:time|lesson|chance|room|meeting)\ (?:\w+\ )?(?:on|for|at|in)\ (?:another|a\ later|a\ second)
                | same[-\ ]day\ (?:results?|experiment|investigation|activity|lab) | results?\ (?:\w+\ ){{0,3}}(?:on\ )?(?:the\ |that\ )?(?:very\ )?same\ (?:day|lesson|session|class)
                | that\ same\ day | (?:over|done|finished|completed?|through)\ (?:\w+\ ){{0,3}}(?:by|before|when|at)\ the\ (?:final\ |last\ |lunch\ |closing\ )?bell
                | (?:nothing|no\ part\ of\ (?:it|this))\ (?:\w+\ ){{0,5}}(?:overnight|another\ day|tomorrow|next\ (?:day|lesson|time|week)|the\ following\ \w+)
                | (?:not|cannot|never|\w+n(?:'|’)t|nor)\ (?:\w+\ ){{0,3}}(?:come\ back|return|go\ back|see|revisit|look\ at|meet|be\ back|touch|visit|continue|pick)\ (?:[\w'-]+\ ){{0,7}}(?:again|a\ second\ time|another\ (?:day|time)|next\ (?:day|lesson|week|time)|tomorrow|later|afterwards)
                | (?:not|cannot|never|\w+n(?:'|’)t)\ (?:\w+\ ){{0,2}}(?:run|go|spill|stretch|carry|spread|extend|continue)\ (?:\w+\ )?(?:over\ |on\ )?(?:in)?to\ (?:a\ (?:second|further|next)|another|the\ next|tomorrow)
                | (?:finish(?:ed|es)?|complete[sd]?|done|over|ends|wrapped\ up|concluded?)\ (?:\w+\ ){{0,4}}(?:today|the\ same\ day|(?:in|within|during)\ (?:this|the|one|a)\ {PERIOD}{SITTING})
                | (?:everything|all\ (?:the\ |of\ the\ |of\ it\ |our\ |your\ |their\ )?(?:data|results|readings|measurements|work|counts?|parts|it)?|(?:whole|entire)\ \w+|final\ \w+|investigation|experiment)\ (?:[\w'-]+\ ){{0,8}}(?:today|tonight|this\ (?:very\ )?(?:afternoon|morning)|(?:by|before)\ the\ (?:end\ of\ (?:the\ |this\ )?{PERIOD}{SITTING}|bell)|before\ (?:you|we|they|students|pupils|anyone)\ (?:leave|go|pack)\w*|before\ (?:the\ |this\ )?{PERIOD}{SITTING}\ (?:is\ over|ends|finishes|is\ out)|(?:in|within|during)\ (?:this|today(?:'|’)s|the)\ {PERIOD}{SITTING}|(?:within|inside)\ (?:the|an|one)\ hour)
                | results\ (?:\w+\ ){{0,4}}before\ (?:the\ |this\ )?{PERIOD}{SITTING}\ (?:is\ over|ends|finishes|is\ out) )\b"
        ))?,
        gone: read(format!(
            r"\b(?: (?:this|today|it|that|here|ours?)\ (?:is|are|was|will\ be|has\ to\ be|being)\ (?:\w+\ ){{0,2}}(?:only|sole|single|one)\ (?:and\ only\ )?{PERIOD}(?:{SITTING}|day|afternoon|morning|hour)
                | one\ and\ only\ {PERIOD}(?:{SITTING}|day|afternoon|morning|hour) | (?:stand-?alone|self-contained)\ {PERIOD}(?:{SITTING}|investigation|activity|unit|event)
                | (?:this|the|one|a\ single)\ {PERIOD}{SITTING}\ (?:only|alone) | for\ one\ {PERIOD}(?:day|{SITTING})\ only | in\ this\ {SITTING}\ alone
                | no\ {WORK}\ (?:\w+\ ){{0,2}}(?:is|are|be)\ left\ (?:standing|out|behind|in\ place|over\ the\ weekend)
                | {NOT}\ (?:[\w'-]+\ ){{0,4}}(?:com(?:e|es|ing)|return\w*|go(?:es)?\ (?:back|on)|continu\w*|resum\w*|carr(?:y|ies|ied)\ on|(?:pick(?:ed|s)?|tak(?:e|es|en))\ (?:\w+\ )?up|meets?|work(?:ed)?\ on|look(?:ed)?\ at|reopen\w*|follow(?:ed)?\ up|visit\w*|revisit\w*|be\ (?:back|here|seen|visited))\ (?:[\w'-]+\ ){{0,4}}(?:again|another\ (?:day|time|{SITTING})|(?:on\ |in\ |at\ )?a\ (?:second|later|further|different|follow-?up)\ (?:day|date|time|{SITTING})|next\ (?:day|lesson|week|time)|tomorrow|the\ (?:next|following)\ (?:day|morning|week|{SITTING}))
                | (?:nothing|none\ of\ (?:it|this|these|them|the\ \w+)|no\ {WORK}|{NOT}\ (?:\w+\ ){{0,3}}(?:leave|keep|store|hold|save)\ (?:\w+\ )?{WORK})\ (?:[\w'-]+\ ){{0,6}}?(?:left|kept|stored?|stand\w*|stays?|stayed|remains?|held\ over|saved|waits?|runs?|sits?|goes|carried|overnight|for|until|till|between)\ (?:[\w'-]+\ ){{0,4}}?(?:overnight|another\ (?:day|{SITTING})|tomorrow|(?:the\ |a\ )?(?:next|following|later|second)\ (?:day|morning|week|{SITTING})|(?:beyond|past|after)\ (?:the|this)\ (?:bell|{SITTING})|between\ (?:\w+\ )?{SITTING}|over\ the\ (?:weekend|night))
                | nothing\ (?:is|can\ be|may\ be|will\ be|gets)\ (?:left|kept)\ overnight
                | (?:beg[iau]n|starts?|started|opened?|set\ up)\ (?:and|to)\ (?:end(?:s|ed)?|finish(?:es|ed)?|closed?|over|cleared(?:\ away)?|complete[ds]?|done)\ (?:\w+\ ){{0,3}}(?:today|(?:in|within|inside|during)\ (?:this|the|one|a|our)\ {PERIOD}(?:{SITTING}|hour|day|afternoon|morning)|(?:on\ )?the\ same\ (?:day|{SITTING}|afternoon|morning))
                | (?:everything|all\ (?:of\ (?:it|this)|the\ \w+|\w+)|(?:the\ )?(?:whole|entire)\ \w+|results?|answers?|data|readings|measurements|finished|complete[d]?|done|over)\ (?:[\w'-]+\ ){{0,8}}(?:before|by|when|until)\ (?:home[-\ ]time|lunch(?:time)?|break|the\ (?:final\ |last\ |lunch\ |closing\ |home\ )?bell|dismissal|the\ (?:van|bus|lab)\ \w+|the\ end\ of\ (?:the|this|our|today(?:'|’)s)\ {PERIOD}(?:{SITTING}|day|afternoon|morning|hour))
                | (?:everything|all\ (?:of\ (?:it|this)|the\ \w+)|(?:the\ )?(?:whole|entire)\ \w+|experiment|investigation|work|readings|results?|findings|figures|counts?|heights|masses|lengths)\ (?:[\w'-]+\ ){{0,6}}(?:the|that|this|very)\ same\ (?:day|{SITTING}|afternoon|morning) )\b"
        ))?,
        left: read(
            r"\b(?:we|class(?:es)?|groups?|pupils|students|children|learners|visitors|they|who)\ (?:(?:will|do|does|can)\ )?(?:not|never|cannot|won(?:'|’)t|don(?:'|’)t)\ (?:ever\ )?(?:return|come\ back|be\ back)(?:\ to\ (?:this|the|it|our|these)(?:\ \w+)?)?\ *(?:[.,;:)]|$)".to_owned(),
        )?,
        due: read(format!(
            r"\b(?: (?:back|returned?|emptied|thrown\ (?:out|away)|destroyed|binned|discarded|cleared\ away|taken\ (?:down|apart|away)|dismantled|tipped\ out|measured|weighed|counted|read\ off|harvested|rinsed|washed\ up|collected|eaten)\ (?:[\w'-]+\ ){{0,8}}?(?:today|tonight|the\ same\ (?:day|{SITTING}|afternoon|morning)|(?:by|at|before)\ the\ (?:end|close)\ of\ (?:this|today(?:'|’)s|the)\ (?:very\ |same\ )?{PERIOD}(?:{SITTING}|day|morning|afternoon)|before\ (?:the\ class|pupils|students|they|you|we|the\ children)\ (?:goes|go|leaves?)(?:\ home)?|by\ (?:lunch(?:time)?|noon|home[-\ ]time)|before\ (?:the\ )?(?:bell|lunch|home[-\ ]time))
                | (?:on\ loan|borrowed|hired|lent|rented|(?:hire|loan)\ (?:ends|is\ over))\ (?:[\w'-]+\ ){{0,6}}(?:today|(?:this|one)\ (?:hour|morning|afternoon|day|{SITTING})\ (?:only|alone)|tonight) )\b"
        ))?,
        part: read(
            r"\b(?:set(?:s|ting)?\ up|setup|prepar\w+|begin\w*|(?:the|our|your)\ (?:first|second|third)|each|every|per|part|phase|in\ another\ (?:class|lesson|session)|set-up|drawings?|sketch\w*|once\ a|if|unless|except|(?:cannot|can(?:'|’)t)\ (?:\w+\ )?(?:be\ )?(?:finish|complet|done|do|fit)\w*|ticket|quiz|sheets?|tables?|charts?|worksheets?|not\ (?:be\ )?(?:finish|complete|done|possible|enough|fit|all)\w*|more\ than|at\ least|not\ (?:\w+\ ){0,3}in\ (?:one|a\ single|just|the\ same|this)\ |not\ just|not\ only|two|three|several|half|instead|rather|impossible|too\ (?:long|much|short)|hard|difficult|one\ (?:lesson|session|class|period|visit)\ (?:later|a|per|each|before|after|plus|to)|homework|prediction|plan)\b".to_owned(),
        )?,
        wait: read(format!(
            r"\b(?: overnight | (?:until|till|til|by|on|come)\ (?:the\ )?(?:next\ |following\ )?(?:{WEEKDAY}|tomorrow)
                | (?:until|till|til)\ (?:the\ )?(?:next|following)\ \w+
                | (?:for|after|wait|within|over|leave\ (?:\w+\ ){{1,3}}|lasts?|takes?|give\ (?:\w+\ ){{1,3}})\ ?(?:the\ (?:next|following|coming)\ |about\ |around\ |roughly\ |at\ least\ |another\ |a\ further\ |up\ to\ |just\ |exactly\ |the\ )?{COUNT}(?:\ (?:to|or)\ \w+)?\ (?:school\ |more\ |full\ |whole\ |further\ |long\ )?(?:days|weeks|nights|weekends|months)
                | {COUNT}\ (?:full\ |whole\ |school\ |more\ )?(?:days|mornings|afternoons|nights|weeks|lessons)\ (?:running|in\ a\ row|in\ succession|on\ end|straight) | (?:leave|give|allow|let|keep)\ (?:[\w'-]+\ ){{1,5}}(?:an?|one|the|another)\ (?:whole\ |full\ )?(?:day|week|night|fortnight|weekend)
                | (?:over|during|through|throughout|across|for)\ the\ (?:next|coming|following|rest\ of\ the|whole)\ (?:few\ |couple\ of\ )?(?:days|weeks?|weekend|fortnight) | (?:over|through|throughout)\ the\ (?:weekend|fortnight|half-term|holidays?|week) | all\ (?:week|weekend|night)(?:\ long)? | between\ (?:the\ |our\ |two\ )?(?:lessons|sessions|classes)
                | an?\ (?:day|week|fortnight|month)\ (?:later|from\ now|on|afterwards) | in\ an?\ (?:week|fortnight)(?:'|’)s\ time | after\ the\ (?:weekend|holidays?|break)
                | (?:when|until|till)\ (?:we|you|they|the\ class)\ (?:next\ (?:meets?|come|have)|meets?\ (?:again|next)|ha(?:ve|s)\ science\ (?:again|next)) | (?:in|at|until|till)\ (?:our|the|your|a)\ (?:[\w-]+\ )?{SITTING}\ (?:on\ {WEEKDAY}|tomorrow|next\ week)
                | (?:in|at|until|till|by|for|on|during)\ (?:our|your|the)\ (?:next|second|following|later)\ (?:{SITTING}|time) | (?:until|till)\ (?:the\ )?morning | in\ a\ fortnight | come\ back\ (?:in|after)\ {COUNT}\ (?:days?|weeks?) | {COUNT}\ (?:days?|weeks?)\ after\ \w+ing | (?:for|after)\ {COUNT}\ nights | the\ (?:day|morning|week)\ after | on\ the\ (?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d{{1,2}}(?:nd|rd|th))\ (?:day|morning)
                | (?:for|after|wait)\ (?:about\ )?(?:a|one|the|another)\ (?:whole\ |full\ )?(?:day|week|night|weekend|fortnight|month) | over\ (?:the|a)\ (?:weekend|night|week|holidays?|break)
                | (?:for|after|wait|in)\ (?:about\ |another\ |at\ least\ )?(?:24|36|48|72|96|twenty-four|forty-eight)\ ?(?:hours?|hrs?|h)
                | {COUNT}\ (?:days?|weeks?|nights?)\ (?:later|from\ now|pass(?:es)?|have\ passed|go(?:es)?\ by|afterwards?|on)
                | in\ {COUNT}\ (?:days?|weeks?)(?:(?:'|’)\ time)?,? \ (?:count|measure|weigh|check|look|return|come|we|you|they|see|compare|open|take)
                | (?:the\ )?(?:next|following)\ (?:day|morning|lesson|session|class(?:\ period)?|week|{WEEKDAY})
                | tomorrow | (?:every|each)\ (?:day|morning)\ (?:for|until|at|this|that|over) | (?:once|twice)\ a\ (?:day|week) | on\ (?:day|the)\ (?:two|three|2|3|4|5|6|7|8|9|10|14|second\ day|third\ day|fourth\ day|fifth\ day|seventh\ day) | day\ (?:two|three|four|five|seven|[2-9])
                | (?:water|check|count|measur|record|weigh|observ|look\ at|photograph|draw|feed|turn|mist|inspect|sketch|not)\w*\ (?:[\w'-]+\ ){{0,5}}(?:daily|every\ (?:other\ |second\ |single\ )?(?:day|morning)|each\ (?:day|morning)) )\b"
        ))?,
        outside: read(
            r"\b(?:the\ (?:day|night|lesson|week|evening|morning|weekend)\ before|(?:days?|weeks?|nights?)\ (?:ago|earlier|before\ (?:the\ )?(?:class|lesson|school|use))|(?:has|have|had)\ (?:\w+\ )?(?:kept|left|stored|grown|stood|soaked|frozen|prepared|put|set|dried)|beforehand|in\ advance|last\ (?:night|week|lesson|time|year|month)|yesterday|already|previous\w*|earlier|was|were|had|have\ been|has\ been|nothing|no|not|never|without|\w+n(?:'|’)t|homework|at\ home|soaked|would|could|teacher(?:\ \w+)?\ (?:stores|keeps|locks|puts|takes|throws|checks)|next\ (?:class|group)\ (?:finds|uses|needs|can|will)|bring\ (?:[\w']+\ ){0,3}(?:sheets?|slips?|forms?|homework|notebooks?|books?|coats?|shoes|hats?|lunch|money|jars?|bottles?|one|some|something|anything|back|in|from\ home)|ready\ for|due|hand\ in|who|whose|stood|grew|sat|lay|froze|pre-\w+)\b".to_owned(),
        )?,
        still: read(
            r"\b(?:until|till)\ (?:\w+\ ){1,5}(?:has|have)\ \w+|\b(?:not|never|without|\w+n(?:'|’)t|no)\ (?:to\ )?(?:be(?:ing)?\ )?(?:touch|mov|disturb|open|shak|stir|water|lift|feed|fed|handl|pok|bump|peek|look|interrupt|knock|tilt|tip|uncover|draught|sun|light|food)\w*".to_owned(),
        )?,
        hazard: read(
            r"\b(?:on|plugged|running|electric\w*|hot|lit|burning|switched|unattended|food|open|uncovered|unlabel\w*|wet|hood|live|cages?)\b".to_owned(),
        )?,
        elsewhere: read(
            r"\b(?:imagine|suppose|extension|optional(?:ly)?|lives?|lifespan|orbits?|revolves?|migrates?|typically|(?:row|column|table|chart)s?\ for|predict\w*|think|discuss|earth|moon|tell|read\ about|data\ from|ask|what\ (?:would|will|might|could)|homework|at\ home|if|time-lapse|video|photos?|pictures?\ (?:of|from)|graph\ shows|table\ shows|explain|next\ (?:lesson|class|week|session|day)(?:'s|’s)?\ (?:we|you|they|students|pupils|is|will|topic|lesson|learn|look))\b".to_owned(),
        )?,
    })
});

/// Finds the first step that waits although all is said to be done in one sitting.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let Some(forms) = FORMS.as_ref() else { return Vec::new() };
    // Waits are rarer than claims, and the cheaper to look for first.
    let waiting = lesson.steps().filter_map(|(index, step)| Some((index, step, wait(forms, step)?)));
    let waiting: Vec<_> = waiting.collect();
    if waiting.is_empty() {
        return Vec::new();
    }
    let said = lesson.texts.iter().filter(|text| !matches!(text.role, Role::Term(_) | Role::Definition(_)));
    let all = said.clone().filter_map(|text| Some((text, claim(forms, text)?))).find_map(|(text, at)| {
        let step = waiting.iter().find(|(_, step, _)| step.path != text.path)?;
        Some((text, at, step))
    });
    let one = || {
        said.filter_map(|text| Some((text, due(forms, text)?))).find_map(|(text, at)| {
            let step = waiting.iter().find(|(_, step, _)| step.path != text.path && keeps(lesson, text, &at, step))?;
            Some((text, at, step))
        })
    };
    let pair = all.or_else(one);
    let Some((said, said_at, (index, step, at))) = pair else { return Vec::new() };
    let reason = format!(
        "All is said to be done in one sitting (\"{}\"), but step {} waits for another day.",
        said.quote(&said_at).quote,
        index + 1
    );
    let found = conflict("temporal", said.quote(&said_at), step.quote(at), reason);
    vec![found.suggesting("Plan a second sitting, or change the step so that it ends with the lesson.")]
}

/// The sentence that says that there is one sitting only.
fn claim(forms: &Forms, text: &Text) -> Option<Range<usize>> {
    let starts =
        |words: &str, with: &str| words.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with));
    // An order not to do a thing again is none about the class, and what comes again later is not over.
    let holds = |words: &str, claim: Range<usize>| {
        let sentence = words.to_lowercase();
        let (said, clause) = (words.get(claim.clone()).unwrap_or_default(), clause(words, &claim));
        let ordered = ["do not", "don't", "don’t", "never"].iter().any(|order| starts(clause, order));
        // "To finish today, draw the graph" orders, and "finish the graph" says nothing of the rest.
        let ordered = ordered
            || matches!(text.role, Role::Step(_))
                && ["to finish", "finish", "to end", "end ", "complete", "for today", "to close"]
                    .iter()
                    .any(|order| starts(clause, order));
        let learned = [
            "learn to",
            "learners learn",
            "practise",
            "practice",
            " lives ",
            "the year",
            "the longest",
            "in the unit",
            "per week",
        ];
        let apart = learned.iter().any(|part| sentence.contains(part))
            || said.split_whitespace().any(|word| word == "meet") && !said.contains("again");
        // "No homework and no follow-up lesson", "no part of it runs over" say nothing of a part.
        let clause = ["no homework", "no set-up", "no part of it", "from beginning to end"]
            .iter()
            .fold(clause.to_owned(), |clause, part| clause.replace(part, ""));
        let clause = clause.as_str();
        let later = ["until", "till ", "unit", "year", "term", "exam"].iter().any(|later| clause.contains(later));
        let dangerous = matches!(text.role, Role::Safety(_)) && forms.hazard.is_match(clause);
        !(ordered || dangerous || apart || later && said.contains("again") || forms.part.is_match(clause))
    };
    sentence(text, |words| {
        let said = |claims: &Regex| claims.find(words).is_some_and(|claim| holds(words, claim.range()));
        !starts(words, "if ") && (said(&forms.claim) || said(&forms.gone) || said(&forms.left))
    })
}

/// The sentence that says of a thing that it is done with on the day.
fn due(forms: &Forms, text: &Text) -> Option<Range<usize>> {
    let rule = matches!(text.role, Role::MaterialNotes(_) | Role::Safety(_) | Role::Assessment | Role::Objective(_));
    let told = |words: &str| {
        forms.due.find(words).is_some_and(|due| {
            let clause = clause(words, &due.range());
            !forms.part.is_match(clause) && !clause.to_lowercase().contains("broken") && !clause.contains("unused")
        })
    };
    sentence(text, |words| rule && told(words))
}

/// Whether a step keeps the thing that a sentence says is done with.
fn keeps(lesson: &Lesson, text: &Text, said: &Range<usize>, step: &Text) -> bool {
    let thing = |word: &String| {
        word.len() > 2
            && !phrases::lists("lesson class student pupil group before after today table result time week leave", word)
    };
    let words = match text.role {
        Role::MaterialNotes(index) => match lesson.text(Role::MaterialName(index)) {
            Some(name) => vec![name.material().map_or(String::new(), |noun| noun.head.clone())],
            None => Vec::new(),
        },
        _ => {
            let mut groups = phrases::groups(text, said.clone());
            groups.retain(|group| group.preposition.is_empty() || group.preposition == "for");
            groups.into_iter().flat_map(|group| group.words).collect()
        }
    };
    words.iter().filter(|word| thing(word)).any(|word| step.tokens.iter().any(|token| token.lemma == *word))
}

/// The sentence that waits for another day.
fn wait(forms: &Forms, text: &Text) -> Option<Range<usize>> {
    sentence(text, |words| {
        forms.wait.find_iter(words).any(|wait| {
            let clause = clause(words, &wait.range());
            let stirred = forms.still.replace_all(clause, "");
            let end = words
                .get(wait.end()..)
                .and_then(|after| after.find(SIGNS))
                .map_or(words.len(), |sign| wait.end() + sign);
            !forms.outside.is_match(&stirred)
                && !forms.claim.is_match(clause)
                && !forms.gone.is_match(clause)
                && !forms.elsewhere.is_match(words.get(..end).unwrap_or(words))
        })
    })
}

/// What stands between clauses.
const SIGNS: [char; 6] = [',', ';', ':', '(', ')', '—'];

/// The clause of these words: what stands between signs around them.
fn clause<'w>(words: &'w str, at: &Range<usize>) -> &'w str {
    let start = words.get(..at.start).and_then(|before| before.rfind(SIGNS)).map_or(0, |sign| sign + 1);
    let end = words.get(at.end..).and_then(|after| after.find(SIGNS)).map_or(words.len(), |sign| at.end + sign);
    words.get(start..end).map_or(words, |clause| clause.trim_start_matches(|c: char| !c.is_alphanumeric()))
}

/// The tokens of the first sentence that `is`.
fn sentence(text: &Text, is: impl Fn(&str) -> bool) -> Option<Range<usize>> {
    text.sentences().into_iter().find(|tokens| is(text.words(tokens)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(claim: &str, step: &str) -> usize {
        let content = json!({"objectives": [claim], "steps": [{"text": "Begin."}, {"text": step}]});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn waiting_for_another_day_is_found_where_one_sitting_is_all_there_is() {
        for claim in [
            "Collect all data within this one class; there is no second day.",
            "Complete the investigation in a single visit.",
            "There is no follow-up lesson.",
            "As this is a one-day lesson, draw the curve.",
            "The whole thing is over by the bell.",
            "The investigation is finished in one lesson.",
            "We get results on the same day.",
            "There is only this one meeting, so the sheet is collected today.",
            "This is a one-off visit, and each pupil gets a badge.",
            "The students will not see the workshop or their tubes again.",
            "Everything is counted and written down before you leave.",
            "All the data are collected by the end of the lesson.",
            "The work must not run over into another lesson.",
            "We have just one session in the lab.",
            "The topic ends with this one class and we don't come back to it on another day.",
            "We only have today for this.",
            "All measurements are made in this lesson.",
            "Everything can be done in one 50-minute period.",
            "There will be no time on another day.",
            "Results are in before the class is over.",
            "We cannot come back to this tomorrow.",
            "The lab is only ours for one day.",
            "This is a single occasion and the work is not taken up again.",
            "Science does not come again this week, so today is our one and only meeting on this.",
            "The van clears every table, so no experiment can be left standing for another day.",
            "This is the only lesson on the topic.",
            "It is a stand-alone lesson.",
            "We set it up and finish it within this hour; all readings are done before home time.",
            "None of it can stay overnight.",
            "Everything is begun and ended on the same afternoon.",
            "The class will not be back in the lab tomorrow.",
            "You will have all your results before lunch.",
            "We cannot leave anything standing until the next lesson.",
            "In the course of a single morning, learners grow crystals.",
            "The entire experiment takes place within a double period.",
            "We will do it from A to Z this very morning.",
            "This is a workshop for visiting classes, who will not return.",
            "The report is due at the end of the lesson in which the bags are buried.",
            "The whole unit is this one period.",
            "There is no homework and no follow-up lesson.",
            "We have the hall for a single afternoon.",
            "The children come to us just once.",
        ] {
            for step in [
                "Leave it overnight.",
                "Count again after three days.",
                "Next week, weigh it again.",
                "Let them dry for 48 hours.",
                "Let the sprigs adjust overnight before any counting.",
                "Stand the rack on the sill for seven days; afterwards score the nails.",
                "Water the pots every day and measure them.",
                "Leave the dish in the fridge over the weekend.",
                "Put it on the sill until Thursday.",
                "Two days later, compare the slices.",
                "Let them stand without being moved for three days, then take up the threads.",
                "In our lesson on Thursday, bring the tins down and count.",
                "Do not disturb the jars for five days.",
                "Leave the jars overnight, then explain what you see.",
                "Give the pots a week on the sill.",
                "Measure it on five days running.",
                "Keep the lid on for the rest of the week.",
                "On the third day, open the bag and draw the bread.",
                "Store the tray until we meet again.",
            ] {
                assert_eq!(found(claim, step), 1, "{claim} {step}");
            }
        }
    }

    #[test]
    fn waiting_before_or_without_such_a_claim_is_not() {
        let claim = "Everything is finished in one lesson.";
        for step in [
            "The beans were soaked overnight.",
            "Nothing is left overnight.",
            "Take the blocks that the teacher froze the day before.",
            "One turn of the Earth is 24 hours.",
            "Predict what happens after three days.",
            "Wait five minutes.",
            "Your teacher has kept one plant in the dark for a week.",
            "The cubes, which were frozen overnight, melt on the plate.",
            "Take beans from a jar that stood for three days.",
            "Next lesson we will learn about salts.",
            "Think of what a week in the sun would do.",
            "Bring the sheet back tomorrow.",
            "Look at the photos that were taken every day for a week.",
            "A daily newspaper covers the bench.",
            "Dies bleibt über Nacht stehen.",
            "Rule a row for each day of the week.",
            "When you come back to your bench, read the scale.",
            "How far does it grow in a week?",
            "A worker bee lives for six weeks.",
            "The Moon takes about a month for one round.",
            "Bring a jar from home next week.",
            "Return the kit when you return to your seat.",
        ] {
            assert_eq!(found(claim, step), 0, "{step}");
        }
        for claim in [
            "Set up the cups in one lesson.",
            "If time is short, finish it in one lesson.",
            "Measure growth.",
            "A leaf can lose a cup of water in one day.",
            "Hand in your prediction before you leave.",
            "The exit ticket is completed today.",
            "This cannot be finished in one lesson.",
            "It takes more than one lesson.",
            "Do not take the lid off again.",
            "Never go back to the hood again without goggles.",
            "We do not meet again until Thursday, so set it up well.",
            "This topic will not come again before the exam in Year 10.",
            "Each group finishes its table before the bell.",
            "Do not look at the Sun again.",
            "This takes us to the end of today's 50 minutes.",
            "A mayfly lives for only one day.",
            "Collect the data of one day.",
            "We do not meet tomorrow.",
            "Within one lesson, learners learn to use the scale.",
            "Each class comes just once a week.",
            "The drawing is finished before pupils go home today.",
        ] {
            assert_eq!(found(claim, "Leave it overnight."), 0, "{claim}");
        }
        for (rule, step, expected) in [
            (
                "All cups are emptied before the class goes home on the day they are filled.",
                "The cups stay overnight.",
                1,
            ),
            ("All cups are emptied before the class goes home.", "The pots stay overnight.", 0),
            ("Broken cups are thrown out today.", "The cups stay overnight.", 0),
        ] {
            let content = json!({"safety": [rule], "steps": [{"text": step}]});
            assert_eq!(find(&Lesson::of(content.as_object().expect("an object"))).len(), expected, "{rule}");
        }
        let content =
            json!({"steps": [{"text": "Leave it for two days."}, {"text": "To finish today: draw the axes."}]});
        assert_eq!(find(&Lesson::of(content.as_object().expect("an object"))).len(), 0);
        let steps = json!([{"text": "Leave the dough overnight."}]);
        for rule in ["Nothing electrical is left on overnight.", "No hot plate is left running until the next lesson."]
        {
            let content = json!({"safety": [rule], "steps": steps});
            assert_eq!(find(&Lesson::of(content.as_object().expect("an object"))).len(), 0, "{rule}");
        }
    }
}
